"""Servers that remove the bot keep still, come back or are erased; and people can be erased, too."""

import json
from typing import Any

import pytest
from simcord.backend import serializers

from cogs.ui.press import Press
from db.subjects.servers import ForeignDatabase
from tables.clocks.pace import DAY, NONE
from tables.core.table import Occupant, Phase
from tables.cups.cups import CupTerms
from tables.cups.schedule import CupPhase
from tables.servers.servers import KEPT_DAYS
from tests.db.rows import everything
from tests.discord.stage import DiscordStage, ShownMessage, read_message
from tests.tables.servers.test_servers import record_statements

FOR_EVER = 1e12
ALWAYS = {"alembic_version", "facts", "gaps", "lessons", "people"}
"""The tables whose rows belong to no server."""
OF_A_SERVER = {"tables", "results", "ratings", "cups", "wishes", "audit", "guilds"}


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", mode="versus", first="host", pace="daily", ribbon_choice="random")


async def remove_bot(stage: DiscordStage, **outage: bool) -> None:
    """Remove the bot from the server, or make the server unreachable."""
    stage.env.backend.emit("GUILD_DELETE", {"id": str(stage.guild.id), **outage})
    await stage.env.settle()


async def invite_bot(stage: DiscordStage) -> None:
    guild = stage.env.backend.guilds[stage.guild.id]
    stage.env.backend.emit("GUILD_CREATE", serializers.guild_create_payload(stage.env.backend, guild))
    await stage.env.settle()


async def find_filled_tables(database: str) -> set[str]:
    return {name for name, rows in (await everything(database)).items() if rows}


async def open_cup(stage: DiscordStage) -> int:
    async with stage.run_by_itself() as parlour:
        host = Occupant("Ann", stage["Ann"].id)
        cup = await parlour.cups.open(stage.guild.id, stage.channel.id, host, "ribbon", CupTerms(8, NONE))
    return cup.id


@pytest.mark.usefixtures("patient")
async def test_a_game_stands_still_until_the_bot_is_back(stage: DiscordStage, place: Any) -> None:
    parlour = stage.bot.app.parlour
    await stage["Ann"].slash(stage.channel, "ribbon new")
    (before,) = await parlour.waited_people(await stage.table())
    cup_id = await open_cup(stage)
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=500, times=1)
    await stage.refresh("board", fresh=True)
    assert await parlour.store.outbox_of(1, FOR_EVER)

    await remove_bot(stage)
    requests = len(stage.env.http_requests)
    await stage.wait(20 * DAY)

    assert len(stage.env.http_requests) == requests
    assert (await stage.table()).paused_at is not None
    assert (await stage.table(2)).phase is Phase.LOBBY
    assert await parlour.store.outbox_of(1, FOR_EVER) == []

    await invite_bot(stage)
    await stage.env.advance_time(11)

    assert "I'm back in this server, and the game continues." in stage.post(place).text
    (after,) = await parlour.waited_people(await stage.table())
    assert after.left == pytest.approx(before.left, abs=120)
    assert (await parlour.cups.cup(cup_id)).phase is CupPhase.GATHERING
    lobby = await stage.table(2)
    assert lobby.phase is Phase.LOBBY
    with stage.env.time_context():
        assert lobby.due_at == pytest.approx(parlour.clock() + 7 * DAY, abs=300)
    await stage.finish_turn("Ann", place)


@pytest.mark.usefixtures("patient")
async def test_peoples_pause_is_theirs_when_the_bot_is_back(stage: DiscordStage, place: Any) -> None:
    await stage.admin.slash(place, "admin pause")

    await remove_bot(stage)
    await invite_bot(stage)

    assert (await stage.table()).paused_at is not None
    kinds = [row.kind for row in await stage.bot.app.parlour.store.actions(1)]
    assert kinds.count("pause") == 1


async def test_an_outage_is_no_removal_and_no_is_no(stage: DiscordStage, place: Any) -> None:
    before = (await stage.table()).version

    await remove_bot(stage, unavailable=True)
    await stage.env.advance_time(60)
    await invite_bot(stage)

    assert await stage.bot.app.parlour.store.servers.removed_servers() == {}
    assert (await stage.table()).version == before

    answer, page = await ask(stage, what="erase")
    assert "You're at [table 1](https://discord.com/channels/" in page.text

    await stage["Ann"].click(answer.response, label="No")

    assert read_message(answer.response).text.strip() == "Nothing changed."
    assert (await stage.table()).people == [stage["Ann"].id, stage["Bo"].id]


@pytest.mark.usefixtures("patient")
async def test_a_removal_in_the_bots_absence_is_found_at_its_start(stage: DiscordStage, place: Any) -> None:
    guild = stage.env.backend.guilds.pop(stage.guild.id)

    await stage.restart()
    assert list(await stage.bot.app.parlour.store.servers.removed_servers()) == [stage.guild.id]
    assert (await stage.table()).paused_at is not None

    stage.env.backend.guilds[stage.guild.id] = guild
    await stage.restart()
    await stage.env.advance_time(11)
    assert await stage.bot.app.parlour.store.servers.removed_servers() == {}
    assert (await stage.table()).paused_at is None


@pytest.mark.usefixtures("patient")
async def test_another_applications_bot_is_inert(stage: DiscordStage, place: Any, database: str) -> None:
    stage.env.backend.guilds.pop(stage.guild.id)
    before, requests = await everything(database), len(stage.env.http_requests)

    stage.env.backend.application_id += 1
    with pytest.raises(ForeignDatabase):
        await stage.restart()

    assert await everything(database) == before
    assert {request.method for request in stage.env.http_requests[requests:]} == {"GET"}


@pytest.mark.usefixtures("patient")
async def test_all_of_a_server_is_erased_in_the_end(stage: DiscordStage, place: Any, database: str) -> None:
    await stage.finish(place)
    await stage.bot.app.parlour.standings.finish()
    await open_cup(stage)
    await stage.admin.slash(stage.channel, "admin config", most_tables=5)
    async with stage.run_by_itself() as parlour:
        await parlour.looking.look(stage.guild.id, stage["Ann"].id, "Ann", ["tangle"], [])
    await stage["Ann"].slash(stage.channel, "ribbon new")
    assert await find_filled_tables(database) >= OF_A_SERVER
    await remove_bot(stage)

    await stage.wait((KEPT_DAYS - 1) * DAY)
    assert len(await stage.bot.app.parlour.tables_in(stage.guild.id, list(Phase))) == 2

    await stage.wait(2 * DAY)

    assert await find_filled_tables(database) <= ALWAYS
    assert str(stage.guild.id) not in repr(await everything(database))


async def ask(stage: DiscordStage, name: str = "Ann", **options: str) -> tuple[Any, ShownMessage]:
    answer = await stage[name].slash(stage.channel, "privacy", **options)
    assert answer.ephemeral
    return answer, read_message(answer.response)


async def erase(stage: DiscordStage, name: str = "Ann") -> tuple[Any, ShownMessage]:
    answer, _ = await ask(stage, name)
    await stage[name].click(answer.response, label="Erase me")
    assert "You can't undo that" in read_message(answer.response).text
    await stage[name].click(answer.response, label="Yes, erase me")
    return answer, read_message(answer.response)


async def file_of(message: Any) -> Any:
    (attachment,) = message.attachments
    return json.loads(await attachment.read())


@pytest.mark.usefixtures("place")
async def test_the_page_counts_what_is_kept_and_sends_it_by_dm(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me hide")
    await stage["Ann"].slash(stage.channel, "table note", text="Bo bluffs", table=1)

    answer, page = await ask(stage)
    sent = await stage["Ann"].click(answer.response, label="Send me everything")

    assert "your tables, past and present: **1** (1 still open)" in page.text
    assert "your notes about tables: **1**" in page.text
    assert "your settings (`/me`)" in page.text
    assert set(page.buttons) == {"Send me everything", "Erase me"}
    assert "everything by DM" in read_message(sent.response).text
    file = await file_of(stage["Ann"].user.dm_channel.history()[-1])
    assert file["user_id"] == str(stage["Ann"].id)
    assert [table["name"] for table in file["tables"]] == ["Ann"]

    _, page = await ask(stage, "Eli")

    assert page.text.startswith("I keep nothing about you")
    assert page.buttons == {}


@pytest.mark.usefixtures("place")
async def test_cups_are_read_once_and_with_closed_dms_the_answer_has_the_file(stage: DiscordStage) -> None:
    with record_statements() as statements:
        await ask(stage, what="export")

    assert len([one for one, _ in statements if "cup_tables" in one and "proposal" in one]) == 1

    dm = (
        stage["Ann"].user.create_dm()
        if stage["Ann"].user.dm_channel is None
        else stage["Ann"].user.dm_channel
    )
    stage.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)

    answer, page = await ask(stage, what="export")

    assert "Only you see this" in page.text
    assert (await file_of(answer.response))["user_id"] == str(stage["Ann"].id)


async def test_a_computer_plays_on_for_who_is_erased(stage: DiscordStage, place: Any, database: str) -> None:
    await stage.panel_flip("Ann", place)
    assert str(stage["Ann"].id) in repr(await everything(database))
    assert stage.post(place).message.attachments

    _, page = await erase(stage)
    await stage.env.settle()

    assert page.text.startswith("Done.")
    assert str(stage["Ann"].id) not in repr(await everything(database))
    assert "'Ann'" not in repr(await everything(database))
    table = await stage.table()
    assert [occupant.computer for occupant in table.seats] == [True, False]
    text = "\n".join(post.text for post in stage.posts(place))
    assert "A former player leaves. A computer player takes the seat." in text
    assert stage["Ann"].id not in [user.id for user in stage.post(place).message.mentions]
    again = await stage.send_press("Ann", Press("privacy", "erase"))
    assert read_message(again.response).text.startswith("Done.")
    assert (await stage.table()).version == table.version
    await stage.finish_turn("Bo", place)
    first = next(post for post in stage.posts(place) if "who has erased their data" in post.text)
    assert not first.message.attachments


async def test_a_finished_game_is_looked_back_at_without_their_name(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    await erase(stage)

    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    log = await stage["Bo"].slash(stage.channel, "table log", table=1)
    board = await stage["Bo"].slash(stage.channel, "leaderboard", game="ribbon")

    assert "a former player" in read_message(shown.response).text
    (attachment,) = log.response.attachments
    text = (await attachment.read()).decode()
    assert "a former player" in text
    assert "Ann" not in text
    assert "Ann" not in read_message(board.response).text
