"""Where things lie on a flat card, in units from its left upper corner; the rim of the circle is at its top.

On the board a unit is about a pixel. Cloth is drawn `FINE` times as large and then bent or reduced.
"""

from __future__ import annotations

from engines.ribbon.pieces.components import COLOURS, Colour, Level

FINE = 2
CARD_WIDTH = 200
CARD_HEIGHT = 232
CORNER = 9
GAP = 10.5
"""From one card to the next, halfway between rim and middle."""

LANES = dict(zip(COLOURS, (36, 100, 164), strict=True))
"""The middle of each ribbon's lane."""
LIFT = 12
"""How far a ribbon lies from the middle of its lane: towards the rim when high, away from it when low."""
HALF = 14
"""Half the width of a ribbon."""
REACH = 34
"""Half the height of a strip of cloth that holds a ribbon and its shadow."""

CORDS = (47, 153)
CORDS_END = (7, 194)
TWIST = (74, 126)
"""Where a ribbon begins to turn over, and where it has turned."""
FOLD = 6
"""How far the tips of a ribbon's two sides reach past each other where it turns over."""

SMALL = 24
"""The size of the smallest letters, in pixels of the board: what a phone still shows."""
LETTER_AT = 64
"""How far from the left edge the letter of each ribbon stands."""
LABEL = 211
"""How far down the card's own letter stands."""


def ribbon_at(colour: Colour, side: Level) -> int:
    """How far down the middle of a ribbon lies.

    >>> ribbon_at("green", 1), ribbon_at("green", 0)
    (24, 48)
    """
    return LANES[colour] - LIFT if side else LANES[colour] + LIFT
