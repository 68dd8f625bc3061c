"""Edits name the files that they keep, for Discord drops all others."""

from typing import Any

import msgspec
import pytest

from cogs.discord.messages import Memo
from tests.discord.stage import DiscordStage

pytestmark = pytest.mark.slow


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    """The thread of a versus game in which Ann goes first."""
    return await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")


async def memo_of(stage: DiscordStage) -> tuple[Any, Memo]:
    """Return the row of the newest board, and its memo."""
    row = await stage.bot.app.parlour.store.find_last_post(1, "board", 0)
    assert row is not None
    return row, msgspec.json.decode(row.memo, type=Memo)


async def test_an_old_board_loses_its_buttons_and_keeps_its_picture(stage: DiscordStage, place: Any) -> None:
    first = stage.post(place)

    await stage.panel_flip("Ann", place)

    old = next(post for post in stage.posts(place) if post.message.id == first.message.id)
    assert not old.buttons
    assert old.files == first.files == ["ribbon-table.png"]
    assert stage.lookups() == [path for path in stage.lookups() if "/messages/" not in path]


async def test_the_files_of_a_board_of_an_earlier_version_are_looked_up(
    stage: DiscordStage, place: Any
) -> None:
    row, memo = await memo_of(stage)
    without = msgspec.structs.replace(memo, files=())
    store = stage.bot.app.parlour.store
    (waiting, *_) = [one for one in [await store.find_last_post(1, "board", 0)] if one is not None]
    kept = msgspec.structs.replace(waiting, memo=msgspec.json.encode(without).decode())
    await stage.bot.app.parlour.note_post(
        await stage.table(), "board", 0, kept.channel_id, kept.message_id, kept.memo
    )

    await stage.panel_flip("Ann", place)

    old = next(post for post in stage.posts(place) if post.message.id == row.message_id)
    assert not old.buttons
    assert old.files == ["ribbon-table.png"]


async def test_a_picture_that_discord_has_lost_is_uploaded_again(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangram")
    before = stage.post(place)
    stored = stage.env.backend.messages[place.id][before.message.id]
    lost = [{**one, "id": str(int(one["id"]) + 1)} for one in stored.attachments]
    stored.attachments = lost

    await stage.refresh("board")

    after = stage.post(place)
    assert after.message.id == before.message.id
    assert after.files == before.files


async def test_a_board_keeps_its_files_through_many_edits(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangram")
    for _ in range(4):
        await stage.refresh("board")

    assert stage.post(place).files == ["tangram-table.png"]
    _, memo = await memo_of(stage)
    assert [file.filename for file in memo.files] == ["tangram-table.png"]


async def test_an_edit_from_elsewhere_keeps_the_file_that_a_press_on_the_card_names(
    stage: DiscordStage,
) -> None:
    # A press made before the edit would otherwise name a file that is gone.
    await stage["Ann"].slash(stage.channel, "ribbon new")
    first = _file_ids(stage)

    await stage.refresh("lobby")
    await stage["Bo"].click(stage.card().message, label="Join")
    await stage.refresh("lobby")

    assert _file_ids(stage) == first != []


def _file_ids(stage: DiscordStage) -> list[str]:
    shown = stage.card().message
    return [one["id"] for one in stage.env.backend.messages[shown.channel.id][shown.id].attachments]
