"""The measures of a flat card, in units from its left upper corner; the rim of the circle is at its top.

On the board a unit is about a pixel. Cloth is drawn `FINE` times as large and then bent or reduced.
"""

from engines.ribbon.pieces.components import COLOURS, Colour, Level

FINE = 2
CARD_WIDTH = 200
CARD_HEIGHT = 232
CORNER_RADIUS = 9
GAP = 10.5
"""From one card to the next, halfway between rim and middle."""

LANES = dict(zip(COLOURS, (36, 100, 164), strict=True))
"""The middle of each ribbon's lane."""
LIFT = 12
"""A ribbon's distance from the middle of its lane: towards the rim if high, away from it if low."""
HALF = 14
"""Half the width of a ribbon."""
REACH = 34
"""Half the height of a strip of cloth that holds a ribbon and its shadow."""

CORDS = (47, 153)
CORDS_END = (7, 194)
TWIST = (74, 126)
"""The start and the end of a ribbon's turn."""
FOLD = 6
"""The overlap of the tips of a ribbon's two sides at its turn."""

SMALL = 24
"""The size of the smallest letters, in pixels of the board: still legible on a phone."""
LETTER_AT = 64
"""The distance of each ribbon's letter from the left edge."""
LABEL = 211
"""The distance of the card's own letter from the top."""


def ribbon_at(colour: Colour, side: Level) -> int:
    """Return the distance of a ribbon's middle from the top.

    >>> ribbon_at("green", 1), ribbon_at("green", 0)
    (24, 48)
    """
    return LANES[colour] - LIFT if side else LANES[colour] + LIFT
