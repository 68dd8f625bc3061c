import json
from typing import Any

import pytest

from cogs.ui.press import Press
from tests.db.rows import everything
from tests.discord.stage import DiscordStage, ShownMessage, read_message
from tests.tables.servers.test_servers import record_statements


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


async def test_a_newcomer_has_missed_everything_since_the_start(stage: DiscordStage) -> None:
    _, page = await ask(stage, "Eli")

    assert page.text.startswith("I keep nothing about you")
    assert page.buttons == {}


@pytest.mark.usefixtures("place")
async def test_a_sent_message_is_looked_for_once(stage: DiscordStage) -> None:
    with record_statements() as statements:
        await ask(stage, what="export")

    assert len([one for one, _ in statements if "cup_tables" in one and "proposal" in one]) == 1


@pytest.mark.usefixtures("place")
async def test_where_dms_are_closed_the_answer_has_the_file(stage: DiscordStage) -> None:
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


async def test_no_is_no(stage: DiscordStage, place: Any) -> None:
    answer, page = await ask(stage, what="erase")
    assert "You're at [table 1](https://discord.com/channels/" in page.text

    await stage["Ann"].click(answer.response, label="No")

    assert read_message(answer.response).text.strip() == "Nothing changed."
    assert (await stage.table()).people == [stage["Ann"].id, stage["Bo"].id]


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
