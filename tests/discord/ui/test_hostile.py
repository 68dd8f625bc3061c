"""Forbidden requests of every kind: answered in a sentence, nothing changed, nothing lost."""

import asyncio
import re
from collections.abc import Iterator
from itertools import product
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cogs.ui import press as presses
from cogs.ui.press import Press, parse
from engines.registry import SLUGS
from engines.ribbon.moves import Flip
from tables.core.table import Refused
from tables.play.play import Play
from tests.discord.stage import DiscordStage
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


async def test_an_unknown_press_is_refused_with_a_sentence(stage: DiscordStage) -> None:
    answer = await stage.send_press("Ann", Press("nowhere", "nothing"))

    assert "You can't do that here" in answer.response.content


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
