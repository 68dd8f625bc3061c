"""Computer players that think briefly, for tests that need legal moves and not good ones.

How well they play is tested in `tests/engines` and `tests/strength`, where they think as long as in use.
"""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import Thinking
from engines.ribbon.computer import ahead as ribbon
from engines.tangle.computer import ahead as tangle
from engines.tanglewood.computer import ahead as tanglewood
from engines.tangram import computer as tangram
from engines.tesla.computer import ahead as tesla

BRIEF: list[tuple[dict[Thinking, Any], Any]] = [
    (ribbon.DEPTHS, ribbon.RibbonDepth(choices=2, turns=1, budget=1)),
    (tangle.DEPTHS, tangle.TangleDepth(choices=2, turns=1, placements=2, budget=1)),
    (tanglewood.DEPTHS, tanglewood.TanglewoodDepth(choices=2, turns=1, budget=1)),
    (tangram.DEPTHS, tangram.TangramDepth(places=1, guesses=1, fillings=1)),
    (tesla.DEPTHS, tesla.TeslaDepth(widths=(2, 1), narrow=(1,), turns=2, ahead=0, budget=1)),
]


def think_briefly() -> None:
    """Let the strong computer of every game look hardly ahead, in this process."""
    for depths, brief in BRIEF:
        depths.update(dict.fromkeys(Thinking, brief))


def shorten_thoughts(patch: pytest.MonkeyPatch) -> None:
    """Do the same until the patch is undone."""
    for depths, brief in BRIEF:
        for thinking in Thinking:
            patch.setitem(depths, thinking, brief)
