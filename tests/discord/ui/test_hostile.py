"""Forbidden requests and forged presses: answered in a sentence, nothing changed, nothing lost."""

import asyncio
import re
from collections.abc import Iterator
from itertools import product
from string import ascii_lowercase
from typing import Any

import discord
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cogs.core.lookup import ROOMS_WITHOUT_TABLES
from cogs.play import panel
from cogs.ui import press as presses
from cogs.ui.press import NOT_OURS, Press, list_presses, parse
from cogs.ui.text import Interaction
from engines.registry import SLUGS
from engines.ribbon.moves import Flip
from tables.core.history import EntryKind
from tables.core.table import Refused
from tables.lobby.invitations import PRIVATE
from tables.play.play import Perspective, Play
from tests.discord.stage import DiscordStage, pick, read_message
from tests.often import often


async def test_a_table_that_is_not_there(stage: DiscordStage, place: Any) -> None:
    commands = ("table show", "table undo", "table verify", "ribbon board", "table join")
    typed = [
        (command, {"table": table}, f"no table {table}")
        for command, table in product(commands, (0, -1, 999, 2**31, 2**52))
    ]

    await stage.refuses("Ann", place, typed)


CARDS = [" ", "AA", "a", "Ω", "🂡", "x" * 16, "'; drop table --", "@everyone"]


async def test_a_card_that_nobody_holds(stage: DiscordStage, place: Any) -> None:
    await stage.panel_flip("Ann", place)
    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    hand = [held for held in (await stage.view("Bo")).hands[1] if held]
    strange = ["Z" if card.strip().upper()[:1] in hand else card for card in CARDS]
    refusals = {True: "That isn't one of the choices", False: "choices fit that: “put "}

    choices = [(f"put {card} at 9", refusals[bool(re.search(r"\w", card))]) for card in strange]
    await stage.refuses("Bo", place, [("ribbon choose", {"choice": one}, why) for one, why in choices])


FORGED = [
    Press("ribbon", "flip", 1, 2, "", ("99",)),
    Press("ribbon", "flip", 1, 2, "", ("four",)),
    Press("ribbon", "flip", 1, 2),
    Press("ribbon", "swap", 1, 2, "", ("-5",)),
    Press("ribbon", "colour", 1, 2, "plaid"),
    Press("ribbon", "starthand", 1, 2, "9"),
    Press("ribbon", "answer", 1, 2, "maybe"),
    Press("ribbon", "end", 1, 2),
    Press("lobby", "set", 1, 0, "mode", ("chaos",)),
    Press("lobby", "set", 1, 0, "nothing", ("x",)),
    Press("lobby", "new", 0, 0, "chess"),
    Press("lobby", "start", 1),
    Press("lobby", "pace", 1, 0, "", ("never",)),
    Press("lobby", "late", 1, 0, "", ("never",)),
    Press("lobby", "full", 1, 0, "", ("never",)),
    Press("lobby", "time", 1),
    Press("lobby", "reopen", 1),
    Press("late", "deputise", 1, 2, "99"),
    Press("late", "replace", 1, 2, "-1"),
    Press("late", "wait", 1, 2, "x"),
    Press("late", "agree", 1, 2, "pause"),
    Press("late", "decline", 1, 2),
    Press("late", "pause", 1, 2),
    Press("late", "on", 1, 2),
    Press("late", "back", 1, 2),
    Press("late", "nudge", 1, 2),
    Press("rules", "page", 0, 0, "ribbon.x"),
    Press("rules", "open", 0, 0, "../../etc"),
    Press("table", "history", 1, 0, "-7"),
    Press("table", "history", 1, 0, "abc"),
    Press("table", "turn", 4711),
    Press("admin", "close", 1, 2),
    Press("admin", "kick", 1, 2, "abc"),
    Press("admin", "rollback", 1, 2, "x"),
    Press("standings", "board", 0, 0, "ribbon.versus.-7"),
    Press("standings", "board", 0, 0, "ribbon.best.0"),
    Press("standings", "post", 0, 0, "chess.versus.0"),
    Press("standings", "chart", 0, 0, "x", ("ribbon",)),
    Press("standings", "show", 0, 0, "17.chess"),
    Press("standings", "show", 0, 0, ""),
    Press("me", "hide", 0, 0, "maybe"),
]


async def test_a_forged_press_changes_nothing(stage: DiscordStage, place: Any) -> None:
    before = await stage.table()

    for press in FORGED:
        answer = await stage.send_press("Dee", press)

        assert answer.acknowledged, press
        assert answer.ephemeral, press
        assert await stage.table() == before, press


ARGUMENTS = ["", "0", "99999", "-1", "x", "A1", "²", "1.1", "0.0.0", "x.y.z", "a.b.c.d.e.f", "a-b", "1,2"]
VALUES = [("0",), ("x", "y"), ("99999",), ("-1",), ("x",), ("²",), ("A1",), ("1.1",), ("a.b.c.d",)]
HELD_OUT = [*((argument, ()) for argument in ARGUMENTS), *(("", values) for values in VALUES)]
"""The content of a forged press: an argument, or lines that were chosen in a menu."""
EVERY = often(8, 1)
"""Each verb is tried with every so-manieth of them; all are tried with some verb."""


def pair_with_content(verbs: list[str]) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    for number, verb in enumerate(verbs):
        for held_out in HELD_OUT[number % EVERY :: EVERY]:
            yield verb, held_out


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.essential
async def test_any_press_of_a_game_is_answered_without_trouble(stage: DiscordStage, slug: str) -> None:
    await stage.open("Ann", "Bo", "Cy", game=slug)
    verbs = [verb for room, verb in presses.list_presses() if room == slug]
    assert verbs

    for verb, (argument, values) in pair_with_content(verbs):
        table = await stage.table()
        press = Press(slug, verb, 1, table.version, argument, values)
        answer = await stage.send_press(table.names[min(table.owing, default=0)], press)

        assert answer.acknowledged, press
        assert answer.ephemeral, press
        assert "something went wrong" not in str(answer.response.content), press


async def test_the_unexpected_is_apologised_for_with_a_reference_that_stands_in_the_log(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.trouble = True
    monkeypatch.delattr(Play, "perspective")

    answer = await stage["Ann"].click(stage.post(place).message, label="Take turn")

    text = answer.response.content
    reference = text.split("`")[1]
    assert answer.ephemeral
    assert text.startswith("Sorry")
    logged = [record for record in caplog.records if reference in record.getMessage()]
    assert len(logged) == 1
    assert logged[0].exc_info is not None
    assert "Traceback" not in text


@settings(max_examples=often(60, 300), suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=120))
def test_any_other_custom_id_is_not_ours(text: str) -> None:
    assert parse(text) is None


@settings(max_examples=often(40, 200))
@given(
    st.builds(
        Press,
        room=st.text(ascii_lowercase, min_size=1),
        verb=st.text(f"{ascii_lowercase}_", min_size=1),
        table=st.integers(0, 10**9),
        moment=st.integers(0, 10**9),
        arg=st.text(st.characters(exclude_characters=":\n"), max_size=30),
    )
)
def test_every_press_survives_its_custom_id(press: Press) -> None:
    assert parse(press.custom_id) == press


async def test_two_presses_at_the_same_moment_make_one_move(stage: DiscordStage, place: Any) -> None:
    table = await stage.table()
    async with stage.run_by_itself() as parlour:
        both = await asyncio.gather(
            parlour.play.move(1, stage["Ann"].id, [Flip(1)], table.version),
            parlour.play.move(1, stage["Ann"].id, [Flip(2)], table.version),
            return_exceptions=True,
        )

    assert sum(isinstance(result, Refused) for result in both) == 1
    view = await stage.view()
    assert sum(card is not None for card in view.circle) == 1


async def fail(*_: Any, **_more: Any) -> None:
    raise KeyError("broken")


@pytest.mark.parametrize("step", ["note_text_wish", "may_proceed"])
async def test_an_error_before_a_command_is_answered_and_the_bot_can_stop(
    stage: DiscordStage, step: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    with monkeypatch.context() as patched:
        patched.setattr(f"cogs.ui.press.{step}", fail)
        answer = await stage["Ann"].slash(stage.channel, "help")

    assert "Sorry, something went wrong" in answer.response.content
    assert "KeyError" in caplog.text
    await asyncio.wait_for(stage.bot.work.wait_until_idle(), 1)


async def test_an_unknown_press_or_number_is_refused_with_a_sentence(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", mode="coop", first="host")
    verbs = (("table", "turn"), ("table", "more"), ("cup", "show"), ("record", "turn"))

    for (room, verb), (table, moment) in product(verbs, ((2**31, 0), (2**63, 0), (1, 2**63))):
        answer = await stage.send_press("Ann", Press(room, verb, table, moment))
        assert answer.response.content == NOT_OURS, (room, verb, table, moment)
    answer = await stage.send_press("Ann", Press("nowhere", "nothing"))

    assert "You can't do that here" in answer.response.content


async def test_a_puzzle_that_another_press_replaced_shows_the_newest(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage["Ann"].slash(stage.channel, "puzzle", game="ribbon")
    puzzles, made = stage.bot.app.parlour.puzzles, panel.solo_page
    numbers = list[int]()

    async def replace_first(app: Any, user_id: int, perspective: Any) -> Any:
        if not numbers:
            again = await puzzles.open_again(perspective.table, perspective.table.seats[perspective.me])
            numbers.append(again.id)
            await app.parlour.table(perspective.table.id)
        numbers.append(perspective.table.id)
        return await made(app, user_id, perspective)

    monkeypatch.setattr(panel, "solo_page", replace_first)

    answer = await stage.send_press("Ann", Press("puzzle", "next", 0, 0, "ribbon"))

    assert "There's no table" not in answer.response.content
    assert len(set(numbers)) == 1


RIBBON: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check that every interaction is acknowledged first; return their names."""
    acknowledged: list[str] = []

    def at_once(interaction: Interaction) -> None:
        acknowledged.append(interaction.user.display_name)
        interaction.extras[presses.ACKNOWLEDGEMENT] = asyncio.create_task(presses._acknowledge(interaction))

    monkeypatch.setattr("cogs.ui.press.schedule_defer", at_once)
    return acknowledged


async def test_a_lobby_is_filled_and_a_turn_taken_although_every_answer_is_late(
    stage: DiscordStage, impatient: list[str]
) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", **RIBBON)
    await stage["Bo"].click(stage.card().message, label="Join")
    assert "Bo" in stage.card().text
    await stage["Ann"].click(stage.card().message, label="Start")
    assert (await stage.table()).phase == "play"
    place = stage.channel.threads[-1]

    result, panel = await stage.panel("Ann", place)
    result = await pick(stage["Ann"], result.response, "flip", panel.values("flip")[0])

    assert impatient == ["Ann", "Bo", "Ann", "Ann", "Ann"]
    assert "**Done.**" in read_message(result.response).text
    assert (await stage.due()) == ["Bo"]
    assert "Ann flips" in stage.post(place).text


@pytest.mark.usefixtures("impatient")
async def test_a_late_refusal_is_private_and_a_late_history_leaves_its_panel_alone(
    stage: DiscordStage,
) -> None:
    place = await stage.open("Ann", "Bo", **RIBBON)

    stranger = await stage["Cy"].click(stage.post(place).message, label="Take turn")
    typed = await stage["Bo"].slash(place, "ribbon choose", choice="flip 1")

    for answer in (stranger, typed):
        assert answer.ephemeral
    assert "You aren't playing at this table" in stranger.response.content
    assert (await stage.due()) == ["Ann"]

    more = await stage["Ann"].click(stage.post(place).message, label="More")
    before = read_message(more.response).text
    history = await stage["Ann"].click(more.response, label="History")
    assert "before turn 1" in read_message(history.followups[0]).text
    assert read_message(more.response).text == before


@pytest.mark.usefixtures("impatient")
async def test_a_late_rematch_is_still_announced_to_the_others(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.finish(place)

    await stage["Bo"].click(stage.post(place).message, label="Rematch")

    assert f"<@{stage['Ann'].id}>, Bo wants to play again at table 2." in stage.post(place).text


async def test_an_answer_that_takes_longer_than_a_moment_is_announced_within_a_second(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await stage.open("Ann", "Bo", **RIBBON)
    perspective = Play.perspective

    async def slow(play: Play, table_id: int, user_id: int | None) -> Perspective:
        await asyncio.sleep(1.2)
        return await perspective(play, table_id, user_id)

    monkeypatch.setattr(Play, "perspective", slow)
    result = await stage["Ann"].click(stage.post(place).message, label="Take turn")

    first, *_ = [r for r in reversed(stage.env.http_requests) if r.path.endswith("/callback")]
    assert first.json is not None
    assert first.json["type"] == discord.InteractionResponseType.deferred_channel_message.value
    assert result.ephemeral
    assert "flip" in read_message(result.response).menus


LONG = pytest.mark.thorough
BOTH: list[tuple[str, ...]] = [(), ("1",)]
"""The values of a button, and of a menu."""
EACH = often(2, 1)
"""Presses are tried with every Nth of both in one test, and with the others in another test."""


def list_forged(*, of_cups: bool = False) -> list[tuple[str, str]]:
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

    texts = await refusals(stage, stage["Eli"], list_forged(), stage.channel, each=EACH)

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

    texts = await refusals(stage, stranger, list_forged(), channel, first=int(is_admin), each=EACH)

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

    texts = await refusals(stage, stranger, list_forged(of_cups=True), channel)

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
