"""Games of Ribbon Tangle to put on file: endings that computer players hardly ever reach."""

from collections.abc import Iterator
from typing import Any

from engines.game import Seat
from engines.ribbon import GAME
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from tests.engines.cases import TableChoice
from tests.engines.golden import Script
from tests.engines.ribbon.arrange import SEED, SHOW_EVERYTHING_IN_ORDER, prolong, steps

WORKED = "DKGMFCLIJQBHEANRPO"
THREE = "FAHOIKEBDPCGMQRJLN"
CLEAN = "QIGEKBPMDNCAFLHOJR"
NEARLY = "QIGEKBHMDNCAFOJPLR"

WORKED_GAME = (
    "green; purple; flip 10; flip 9; swap 9; pass; flip 8; swap 8; exchange 10 N; pass;"
    "flip 11; swap 8; exchange 11 R; pass; flip 12; swap 8; exchange 11 J; pass; flip 3; pass"
)
FILL = f"flip 1; {SHOW_EVERYTHING_IN_ORDER}"
VERSUS_FULL = f"green; orange; {FILL}; pass"
TIE = f"{VERSUS_FULL.replace('; flip 12', '')}; tie; no; pass; tie; yes"
"""A game of two that ends in a tie; nobody is asked to turn up the last card."""
NEARLY_FULL = (
    "flip 1; flip 2; pass; flip 3; pass; flip 4; pass; flip 5; pass; flip 6; pass; flip 8; pass;"
    "flip 9; pass; flip 10; pass; flip 11; pass; flip 12; pass; flip 7; pass"
)
FIRST_OUT = "purple; green; flip 8; flip 9; swap 8; exchange 9 Q; pass"


def arrange_games() -> Iterator[Script]:
    yield _script("worked-versus", WORKED, WORKED_GAME)
    yield _script("repetition", CLEAN, f"{VERSUS_FULL}; pass; pass; pass; pass")
    yield _script("tie-agreed", CLEAN, f"{VERSUS_FULL}; tie; 1 no; pass; tie; 0 yes")
    yield _script("tie-limit", CLEAN, VERSUS_FULL, more_turns=39)
    yield _script("first-out", THREE, f"{FIRST_OUT}; flip 1; exchange 9 N; pass; 2 leave", 3, 2, "LB")
    yield _script("leaving-out-of-turn", THREE, "purple; green; 0 leave; flip 3; flip 9; 2 leave", 3, 2)
    yield _script("called-off", THREE, "purple; 1 leave", 3, 2)
    yield _script("team-won", CLEAN, FILL, mode="coop")
    yield _script("team-lost", "QAIGEKBHMDNCFOJPLR", "flip 1; flip 2; pass", 3, 1, mode="coop")
    yield _script("team-saved", NEARLY, f"{NEARLY_FULL}; exchange 8 F", mode="coop")
    yield _script("team-limit", NEARLY, NEARLY_FULL, more_turns=23, mode="coop")
    yield _script("team-left", NEARLY, "flip 1; 1 leave", mode="coop")
    yield _script("solo-won", CLEAN, f"hand 3; {FILL}", 1, mode="solo", difficulty="medium")
    yield _script("solo-called-off", CLEAN, "leave", 1, mode="solo", difficulty="hard")


def _script(
    name: str,
    deck: str,
    words: str,
    seats: int = 2,
    first: Seat = 0,
    eliminated: str | None = None,
    more_turns: int = 0,
    **options: Any,
) -> Script:
    table = TableChoice(seats, GAME.settle(seats, RibbonOptions(**options)))
    deal = RibbonDeal(tuple(deck), first, eliminated=tuple(eliminated) if eliminated else None)
    state = GAME.begin(seats, table.options, deal, SEED)
    moves = [(seat, move) for seat, move, _ in steps(state, words)]
    moves += prolong(state, more_turns)
    return Script(name, table, deal, SEED, moves)
