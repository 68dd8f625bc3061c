"""Every button and menu of ours, forged by people who may not see the table: a short refusal, no change."""

from typing import Any

import discord
import pytest

from cogs.core.lookup import ROOMS_WITHOUT_TABLES
from cogs.ui.press import Press, list_presses
from tables.core.history import EntryKind
from tables.lobby.invitations import PRIVATE
from tests.discord.stage import DiscordStage, read_message
from tests.often import often

LONG = pytest.mark.thorough
BOTH: list[tuple[str, ...]] = [(), ("1",)]
"""The values of a button, and of a menu."""
EACH = often(2, 1)
"""Presses are tried with every Nth of both in one test, and with the others in another test."""


def presses(*, of_cups: bool = False) -> list[tuple[str, str]]:
    pairs = [(room, verb) for room, verb in list_presses() if (room in ROOMS_WITHOUT_TABLES) == of_cups]
    assert len(pairs) > (5 if of_cups else 150)
    return pairs


async def private_table(stage: DiscordStage) -> Any:
    await stage["Ann"].slash(stage.channel, "ribbon new", private=True)
    await stage["Ann"].slash(stage.channel, "table invite", member=stage["Bo"], table=1)
    await stage["Bo"].click(stage.card().message, label="Join")
    await stage["Ann"].click(stage.card().message, label="Start")
    return stage.channel.threads[-1]


async def everything(stage: DiscordStage) -> tuple[Any, ...]:
    """Return all that a press can change.

    That is the table, its history, its followers, the messages in its places.
    """
    store = stage.bot.app.parlour.store
    places = [stage.channel, *stage.channel.threads]
    posts = [
        (message.content, repr(read_message(message).components))
        for place in places
        for message in place.history()
        if not message.flags.ephemeral and "Forged" not in str(message.components)
    ]
    return (
        await stage.table(),
        await store.entries(1, list(EntryKind)),
        await store.relations.followers(1),
        posts,
    )


async def refusals(
    stage: DiscordStage, who: Any, ways: list[tuple[str, str]], channel: Any, *, first: int = 0, each: int = 1
) -> dict[str, str]:
    """Return the answers to presses at number 1; fail if public."""
    result = {}
    for number, (room, verb) in enumerate(ways, first):
        for values in BOTH[number % each :: each]:
            press = Press(room, verb, 1, 1, "1", values)
            answer = await stage.send_press_as(who, press, channel)
            assert answer.ephemeral, press
            assert not read_message(answer.response).components, press
            assert not read_message(answer.response).files, press
            result[f"{room} {verb} {values}"] = answer.response.content
    return result


async def test_every_press_of_a_stranger_at_a_private_table_is_refused(stage: DiscordStage) -> None:
    await private_table(stage)
    before = await everything(stage)

    texts = await refusals(stage, stage["Eli"], presses(), stage.channel, each=EACH)

    assert {way: text for way, text in texts.items() if text != PRIVATE} == {}
    assert await everything(stage) == before


@pytest.mark.parametrize(
    ("private", "is_admin"),
    [
        (False, True),
        (True, False),
        pytest.param(False, False, marks=LONG),
        pytest.param(True, True, marks=LONG),
    ],
)
async def test_a_press_of_another_server_fails(stage: DiscordStage, private: bool, is_admin: bool) -> None:
    await (private_table(stage) if private else stage.open("Ann", "Bo"))
    channel, stranger = elsewhere(stage, is_admin=is_admin)
    before = await everything(stage)

    texts = await refusals(stage, stranger, presses(), channel, first=int(is_admin), each=EACH)

    assert set(texts.values()) == {"There's no table 1 in this server."}
    assert await everything(stage) == before


def elsewhere(stage: DiscordStage, *, is_admin: bool = False) -> tuple[Any, Any]:
    """Return another server's channel with the bot, and a member there."""
    guild = stage.env.create_guild("Elsewhere")
    channel = guild.create_text_channel("games")
    roles = (
        [guild.create_role("Admin", permissions=discord.Permissions(manage_guild=True))] if is_admin else []
    )
    return channel, guild.add_member(stage.env.create_user("zed", global_name="Zed"), roles=roles)


async def test_every_press_of_a_cup_from_another_server_is_refused(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "cup new", game="ribbon")
    channel, stranger = elsewhere(stage)
    before = await stage.bot.app.parlour.cups.cup(1)

    texts = await refusals(stage, stranger, presses(of_cups=True), channel)

    assert set(texts.values()) == {"I can't find cup 1 in this server."}
    assert await stage.bot.app.parlour.cups.cup(1) == before


async def test_a_player_presses_from_another_server(stage: DiscordStage) -> None:
    await private_table(stage)
    guild = stage.env.create_guild("Elsewhere")
    channel = guild.create_text_channel("games")
    ann = guild.add_member(stage["Ann"].user)

    answer = await stage.send_press_as(ann, Press("table", "turn", 1, 1), channel)

    assert answer.ephemeral
    assert "Pick a ribbon." in read_message(answer.response).text


async def test_an_admin_presses_at_a_private_table_of_their_server(stage: DiscordStage) -> None:
    await private_table(stage)

    answer = await stage.send_press_as(stage.admin, Press("table", "board", 1, 1), stage.channel)

    assert read_message(answer.response).files == ["ribbon-table.png"]
