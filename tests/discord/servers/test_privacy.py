"""`/privacy`: what is kept about somebody, all of it as a file, and their erasure."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cogs.ui.press import Press
from tests.db.rows import everything
from tests.discord.stage import Shown, Stage, seen
from tests.tables.servers.test_personal import asked_of_the_database

pytestmark = pytest.mark.slow


@pytest.fixture
async def place(stage: Stage) -> Any:
    """The thread of a game that has begun; Ann is to move."""
    return await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")


async def asked(stage: Stage, name: str = "Ann", **options: str) -> tuple[Any, Shown]:
    """What somebody is answered."""
    answer = await stage[name].slash(stage.channel, "privacy", **options)
    assert answer.ephemeral
    return answer, seen(answer.response)


async def erased(stage: Stage, name: str = "Ann") -> tuple[Any, Shown]:
    """Somebody has themselves erased."""
    answer, _ = await asked(stage, name)
    await stage[name].click(answer.response, label="Erase me")
    assert "You can't undo that" in seen(answer.response).text
    await stage[name].click(answer.response, label="Yes, erase me")
    return answer, seen(answer.response)


async def file_of(message: Any) -> Any:
    """What the file of a message holds."""
    (attachment,) = message.attachments
    return json.loads(await attachment.read())


@pytest.mark.usefixtures("place")
async def test_the_page_counts_what_is_kept(stage: Stage) -> None:
    await stage["Ann"].slash(stage.channel, "me hide")
    await stage["Ann"].slash(stage.channel, "table note", text="Bo bluffs", table=1)

    _, page = await asked(stage)

    assert "tables you joined or did something at: **1**, 1 of them open" in page.text
    assert "your notes about tables: **1**" in page.text
    assert "your settings (`/me`)" in page.text
    assert set(page.buttons) == {"Send me everything", "Erase me"}


async def test_who_has_never_played_is_told_so(stage: Stage) -> None:
    _, page = await asked(stage, "Eli")

    assert page.text.startswith("I keep nothing about you")
    assert page.buttons == {}


@pytest.mark.usefixtures("place")
async def test_what_is_sent_is_looked_for_once(stage: Stage) -> None:
    with asked_of_the_database() as statements:
        await asked(stage, what="export")

    assert len([one for one, _ in statements if "cup_tables" in one and "proposal" in one]) == 1


@pytest.mark.usefixtures("place")
async def test_everything_comes_by_dm(stage: Stage) -> None:
    answer, _ = await asked(stage)

    sent = await stage["Ann"].click(answer.response, label="Send me everything")

    assert "in your DMs" in seen(sent.response).text
    file = await file_of(stage["Ann"].user.dm_channel.history()[-1])
    assert file["user_id"] == str(stage["Ann"].id)
    assert [table["name"] for table in file["tables"]] == ["Ann"]


@pytest.mark.usefixtures("place")
async def test_where_dms_are_closed_the_answer_has_the_file(stage: Stage) -> None:
    dm = (
        stage["Ann"].user.create_dm()
        if stage["Ann"].user.dm_channel is None
        else stage["Ann"].user.dm_channel
    )
    stage.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)

    answer, page = await asked(stage, what="export")

    assert "Only you see this" in page.text
    assert (await file_of(answer.response))["user_id"] == str(stage["Ann"].id)


async def test_a_computer_plays_on_for_who_is_erased(stage: Stage, place: Any, database: str) -> None:
    await stage.panel_flip("Ann", place)
    assert str(stage["Ann"].id) in repr(await everything(database))

    _, page = await erased(stage)
    await stage.env.settle()

    assert page.text.startswith("Done.")
    assert str(stage["Ann"].id) not in repr(await everything(database))
    assert "'Ann'" not in repr(await everything(database))
    table = await stage.table()
    assert [occupant.computer for occupant in table.seats] == [True, False]
    told = "\n".join(post.text for post in stage.posts(place))
    assert "A former player leaves. A computer player plays on." in told
    assert stage["Ann"].id not in [user.id for user in stage.post(place).message.mentions]
    await stage.finish_turn("Bo", place)


@pytest.mark.usefixtures("place")
async def test_the_question_names_the_tables_that_are_left(stage: Stage) -> None:
    _, page = await asked(stage, what="erase")

    assert "You're at [table 1](https://discord.com/channels/" in page.text


async def test_pictures_that_name_somebody_go_with_their_name(stage: Stage, place: Any) -> None:
    assert stage.post(place).message.attachments

    await erased(stage)
    await stage.finish_turn("Bo", place)

    first = next(post for post in stage.posts(place) if "whose data is erased" in post.text)
    assert not first.message.attachments


@pytest.mark.usefixtures("place")
async def test_a_second_press_changes_nothing_more(stage: Stage) -> None:
    await erased(stage)
    before = (await stage.table()).version

    again = await stage.pressed("Ann", Press("privacy", "erase"))

    assert seen(again.response).text.startswith("Done.")
    assert (await stage.table()).version == before


async def test_no_is_no(stage: Stage, place: Any) -> None:
    answer, _ = await asked(stage, what="erase")

    await stage["Ann"].click(answer.response, label="No")

    assert seen(answer.response).text.strip() == "Nothing changed."
    assert (await stage.table()).people == [stage["Ann"].id, stage["Bo"].id]


async def test_a_finished_game_is_looked_back_at_without_their_name(stage: Stage, place: Any) -> None:
    await stage.finish(place)
    await erased(stage)

    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    log = await stage["Bo"].slash(stage.channel, "table log", table=1)
    board = await stage["Bo"].slash(stage.channel, "leaderboard", game="ribbon")

    assert "a former player" in seen(shown.response).text
    (attachment,) = log.response.attachments
    text = (await attachment.read()).decode()
    assert "a former player" in text
    assert "Ann" not in text
    assert "Ann" not in seen(board.response).text
