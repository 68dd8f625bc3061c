"""Commands work in servers, in DMs, and for people who added the app, as declared."""

from typing import Any

import pytest

from engines.registry import SLUGS, games
from tests.discord.stage import DiscordStage, pick, read_message

pytestmark = pytest.mark.slow
GUILD, DM, PRIVATE = 0, 1, 2
SERVER, USER = 0, 1
ANYWHERE = {"daily", "mine", "me", "help", "privacy", "learn", "puzzle"}


def read_declarations(stage: DiscordStage, what: str) -> dict[str, set[int]]:
    tree = stage.bot.tree
    return {command.name: set(command.to_dict(tree)[what] or ()) for command in tree.get_commands()}


async def test_only_what_needs_no_server_is_offered_without_one(stage: DiscordStage) -> None:
    contexts, installs = read_declarations(stage, "contexts"), read_declarations(stage, "integration_types")

    assert {name for name, where in contexts.items() if PRIVATE in where} == ANYWHERE
    assert {name for name, where in contexts.items() if DM in where} == ANYWHERE | {"table"}
    assert {name for name, how in installs.items() if USER in how} == ANYWHERE
    assert all(SERVER in how for how in installs.values())
    assert all(GUILD in where for where in contexts.values())


async def test_tables_are_opened_and_administered_in_servers_alone(stage: DiscordStage) -> None:
    contexts, installs = read_declarations(stage, "contexts"), read_declarations(stage, "integration_types")

    for name in ("admin", "cup", "looking", "leaderboard", *SLUGS):
        assert contexts[name] == {GUILD}, name
        assert installs[name] == {SERVER}, name


@pytest.mark.parametrize("slug", [game.slug for game in games()])
async def test_a_lesson_begins_in_a_dm(stage: DiscordStage, slug: str) -> None:
    answer = await stage["Ann"].user.slash("learn", game=slug)

    table = await stage.table()
    assert (table.guild_id, table.learning, table.phase, table.slug) == (0, True, "play", slug)
    assert read_message(answer.response).menus or read_message(answer.response).buttons
    assert stage.posts(stage.channel) == []


async def test_a_lesson_is_played_in_its_panel(stage: DiscordStage) -> None:
    note = await stage["Ann"].user.slash("learn", game="ribbon")
    second = await stage["Ann"].user.click(note.response, label="Go on")
    panel = await stage["Ann"].user.click(second.response, label="Go on")
    page = read_message(panel.response)

    moved = await pick(stage["Ann"].user, panel.response, "flip", page.values("flip")[0])

    assert read_message(moved.response).text != page.text
    assert (await stage.table()).version > 1


async def test_a_lesson_goes_on_where_it_was_left(stage: DiscordStage) -> None:
    await stage["Ann"].user.slash("learn", game="tesla")

    await stage["Ann"].slash(stage.channel, "learn", game="tesla")
    await stage["Bo"].slash(stage.channel, "learn", game="tesla")

    assert (await stage.table(1)).people == [stage["Ann"].id]
    assert (await stage.table(2)).people == [stage["Bo"].id]
    refused = await stage["Ann"].slash(stage.channel, "table show", table=3)
    assert "no table 3" in refused.response.content


async def test_own_tables_lead_back_to_a_lesson(stage: DiscordStage) -> None:
    await stage["Ann"].user.slash("learn", game="tesla")
    mine = await stage["Ann"].user.slash("mine")
    others = await stage["Bo"].user.slash("mine")

    back = await stage["Ann"].user.click(mine.response, label="Learn Tesla's Tangle")

    assert "Learn Tesla's Tangle" not in read_message(others.response).buttons
    assert read_message(back.response).buttons
    assert (await stage.table()).id == 1
    refused = await stage["Ann"].slash(stage.channel, "table show", table=2)
    assert "no table 2" in refused.response.content


async def test_a_finished_lesson_can_be_played_once_more(stage: DiscordStage) -> None:
    await stage["Ann"].user.slash("learn", game="ribbon")
    await stage["Ann"].user.slash("table resign", table=1)
    async with stage.run_by_itself() as parlour:
        table = await parlour.table(1)
        if table.phase == "play":
            await parlour.play.resign(1, stage["Ann"].id)

    again = await stage["Ann"].user.slash("learn", game="ribbon")

    assert (await stage.table(1)).phase == "play"
    assert read_message(again.response).buttons


async def test_nobody_else_sees_or_touches_a_lesson(stage: DiscordStage) -> None:
    await stage["Ann"].user.slash("learn", game="ribbon")

    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    listed = await stage["Bo"].slash(stage.channel, "table list")

    assert "There's no table 1 in this server" in shown.response.content
    assert "No open tables here" in listed.response.content


async def test_the_help_in_a_dm_begins_a_lesson_there(stage: DiscordStage) -> None:
    answer = await stage["Ann"].user.slash("help")

    await pick(stage["Ann"].user, answer.response, "learn", "tangram")

    table = await stage.table()
    assert (table.guild_id, table.slug) == (0, "tangram")


async def test_a_table_is_not_opened_from_the_help_in_a_dm(stage: DiscordStage) -> None:
    answer = await stage["Ann"].user.slash("help")

    refused: Any = await stage["Ann"].user.click(answer.response, label="Play Tangle")

    assert "Tables live in servers" in refused.followups[0].content if refused.followups else True
