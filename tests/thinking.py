"""Computer players that think briefly, for tests that need legal moves and not good ones.

How well they play is tested in `tests/engines` and `tests/strength`, where they think as long as in use.
"""

from random import Random
from typing import Any

import pytest

from engines.game import Seat, Strength, Thinking
from engines.ribbon.computer import search as ribbon
from engines.tangle import computer as tangle_computer
from engines.tangle.computer import search as tangle
from engines.tangle.computer.search import ONE_PLACEMENT, winning_line
from engines.tangle.moves import Move as TangleMove
from engines.tanglewood.computer import search as tanglewood
from engines.tangram import computer as tangram
from engines.tesla import computer as tesla
from engines.tesla.computer.search import DEPTHS, TeslaDepth, winning_turn
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.moves import Move

BRIEF: list[tuple[dict[Thinking, Any], Any]] = [
    (ribbon.DEPTHS, ribbon.RibbonDepth(choices=2, turns=1, budget=1)),
    (tangle.DEPTHS, tangle.TangleDepth(choices=2, turns=1, placements=2, budget=1)),
    (tanglewood.DEPTHS, tanglewood.TanglewoodDepth(choices=2, turns=1, budget=1)),
    (tangram.DEPTHS, tangram.TangramDepth(places=1, guesses=1, fillings=1)),
    (DEPTHS, TeslaDepth(widths=(2, 1), narrow=(1,), turns=2, ahead=0, budget=1)),
]


def win_with_one_tile(position: TeslaPosition, _: object = None) -> tuple[Move, ...] | None:
    """Find a win as weak computers do."""
    return winning_turn(position, tesla.ONE_TILE)


TRIES = 30
"""The most moves of Tangle that are tried for a win."""


def win_soon(view: Any, seat: Seat, rng: Random, rules: Any, trials: Any, _: int = 0) -> TangleMove | None:
    """Find a win in Tangle that few moves reach. The whole search takes most of a computer's time."""
    line = winning_line(view, seat, rng, rules, trials, ONE_PLACEMENT, TRIES)
    return line[0] if line else None


def think_briefly() -> None:
    """Let the computers of every game look hardly ahead, in this process."""
    shorten_thoughts(pytest.MonkeyPatch())


def shorten_thoughts(patch: pytest.MonkeyPatch) -> None:
    """Do the same until the patch is undone."""
    for depths, brief in BRIEF:
        for thinking in Thinking:
            patch.setitem(depths, thinking, brief)
    patch.setattr(tesla, "winning_turn", win_with_one_tile)
    patch.setattr(tangle_computer, "winning_move", win_soon)


def choose_briefly(rules: Any, view: Any, seat: Seat, rng: Random, strength: Strength) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        shorten_thoughts(patch)
        return rules.choose(view, seat, rng, strength)
