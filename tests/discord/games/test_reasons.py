"""Hints of Ribbon Tangle, Tangram City and Tanglewood say in a few words why."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from cogs.ribbon import presenter as ribbon_hints
from cogs.tanglewood import presenter as tanglewood_hints
from cogs.tangram import presenter as tangram_hints
from cogs.ui.text import without_icons
from engines import ribbon, tanglewood, tangram
from engines.game import Advice
from engines.ribbon.moves import AnswerTie, ChooseHand, ChooseRibbon, Flip, Move, RibbonEndTurn, RibbonSwap
from engines.ribbon.words import event_lines
from engines.tanglewood.moves import KeepBallots
from tests.engines.ribbon.arrange import arranging
from tests.engines.tanglewood.arrange import arrange
from tests.engines.tangram.arrange import begin, read, run
from tests.render.positions import TANGLED

NAMES = ("Ann", "Bo", "Cy")


def ribbons(state: Any, *made: Move) -> str:
    return without_icons(ribbon_hints.line(ribbon.GAME.view(state, 0), 0, Advice(made), NAMES))


def test_ribbon_tangle_says_why_it_swaps_and_chooses() -> None:
    mine = arranging(TANGLED, ("FHJ", "LOR"), ribbons=("orange", "green"))
    theirs = arranging("QIGEKBPMDNCA", ("FHJ", "LOR"), ribbons=("green", "orange"))

    assert ribbons(mine, RibbonSwap(3), RibbonEndTurn()).endswith(" **Why:** it clears your ribbon.")
    assert ribbons(theirs, RibbonSwap(3), RibbonEndTurn()).endswith(" **Why:** Bo must clear 2 tangles.")
    assert "Why" not in ribbons(theirs, RibbonEndTurn())

    state = arranging(TANGLED, ("FHJ", "LOR"), mode="coop")

    assert ribbons(state, RibbonSwap(3), RibbonEndTurn()).endswith(" **Why:** it clears 2 tangles.")

    state = arranging(TANGLED, ("FHJ", "LOR"))

    assert "**Why:** it runs in " in ribbons(state, ChooseRibbon("purple"))
    assert "**Why:** all hands are equally good while no card is up." in ribbons(state, ChooseHand(1))
    assert ribbons(state, AnswerTie(accept=True)).endswith("**Why:** nobody can gain anything now.")
    assert ribbons(state, AnswerTie(accept=False)).endswith("**Why:** a player can still get tangled.")


@pytest.mark.parametrize("mode", ["versus", "coop"])
def test_a_hint_for_a_lost_turn_says_first_that_it_is_lost(mode: str) -> None:
    lost = arranging("ECIBHMNLGDOP", ("AJR", "QFK"), ribbons=("orange", "green"), mode=mode)
    saved = arranging(TANGLED, ("FHJ", "LOR"), ribbons=("orange", "green"), mode=mode)

    assert ribbons(lost, RibbonEndTurn()).startswith("You can't clear ")
    assert "can't clear" not in ribbons(saved, RibbonSwap(3), RibbonEndTurn())


def test_a_flip_says_what_may_tangle_what_cannot_be_cleared_and_what_it_saves() -> None:
    state = arranging("Q??EK???DNCA", ("FHJ", "LOR"), phase="flip")

    risky, safe = ribbons(state, Flip(2)), ribbons(state, Flip(7))

    assert re.search(r"\d+ of \d+ unseen cards would tangle you, but you could always clear it", risky)
    assert risky.endswith("**Why:** it keeps the safe places for later.")
    assert safe.endswith("no card can tangle your ribbon there.")


@pytest.mark.parametrize("mode", ["versus", "coop"])
def test_a_flip_while_tangled_would_add_a_tangle(mode: str) -> None:
    state = arranging(
        f"{TANGLED[:7]}???{TANGLED[10:]}",
        ("FHJ", "LOR"),
        phase="flip",
        mode=mode,
        ribbons=("orange", "green"),
    )

    assert event_lines.at_stake(ribbon.GAME.view(state, 0), 0)
    assert " unseen cards would add a tangle, " in ribbons(state, Flip(8))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("place 1 black 0 A1", "your largest rectangle grows by "),
        ("decline 1", "every place for this tile would hurt your city."),
    ],
)
def test_a_tile_is_advised_for_what_it_does_to_the_city(answer: str, why: str) -> None:
    view = tangram.GAME.view(begin(deck=(1,)), 0)
    move: Any = read(answer)

    text = without_icons(tangram_hints.line(view, 0, Advice((move,)), NAMES))

    assert f" **Why:** {why}" in text


def test_tiles_and_ballots_are_advised_for_a_reason() -> None:
    state = begin(deck=(6, 1))
    run(state, "0 place 6 black 0 A1; 1 place 6 black 0 A1")
    move: Any = read("place 1 green 0 E5")

    text = without_icons(tangram_hints.line(tangram.GAME.view(state, 0), 0, Advice((move,)), NAMES))

    assert text.endswith("**Why:** the difference between black and green shrinks.")

    votes = arrange(counts={"A": (1, 5, 2, 0), "B": (9, 0, 0, 0)}, hands=("A B", "", "", ""))
    view = replace(tanglewood.GAME.view(votes, 0), phase="keep")

    def told(*regions: Any) -> str:
        return without_icons(tanglewood_hints.line(view, 0, Advice((KeepBallots(regions),)), (*NAMES, "Dee")))

    assert told("A", "B").endswith(" **Why:** A would make you 2nd.")
    assert told().endswith(" **Why:** new ballots can help you more.")
