"""A Tangle as a card: its name, its effect as a sign, and the track that it steps."""

from engines.tanglewood.pieces.components import EFFECTS, TANGLES, EffectKey, Faction, TangleId
from render.core.canvas import Box, Point, on_circle
from render.core.theme import mix
from render.tanglewood import signs
from render.tanglewood.colours import TanglewoodCanvas

SIGN, HEAD = 80, 56
"""The size of an effect's sign, and of the faction's head whose track it steps."""
NAME = 31
SHADOW = 2, 4
"""The offset of a card's shadow to the right and down."""


def tangle(canvas: TanglewoodCanvas, card: TangleId, box: Box, *, raised: bool = False) -> None:
    """Draw a Tangle in a region. A raised one is being carried out."""
    result = TANGLES[card]
    theme = canvas.theme
    left, top, right, bottom = box
    x, y = SHADOW
    canvas.box((left + x, top + y, right + x, bottom + y), mix(theme.paper, theme.shade, 0.45), radius=12)
    canvas.box(box, theme.highlight if raised else theme.ink, radius=12)
    line = 5 if raised else 2
    canvas.box((left + line, top + line, right - line, bottom - line), theme.card, radius=12 - line)
    middle = (box[1] + NAME + 10 + box[3]) / 2
    tracks(canvas, result.tracks, (box[2] - 12 - HEAD / 2, middle))
    _face(canvas, result.effect, box)


def _face(canvas: TanglewoodCanvas, key: EffectKey, box: Box) -> None:
    """Draw the name and sign of an effect. Its text is in the almanac and in panels."""
    left, top, right, bottom = box
    effect = EFFECTS[key]
    width = right - left - 20
    canvas.word(((left + right) / 2, top + 22), effect.name, NAME, canvas.theme.ink, weight=700, width=width)
    upper = top + NAME + 9
    middle = ((left + right - HEAD) / 2, (upper + bottom) / 2 - 2)
    signs.effect(canvas, effect.steps, middle, SIGN)


def tracks(canvas: TanglewoodCanvas, which: tuple[Faction, ...], centre: Point) -> None:
    """Draw the head of a Tangle's track, or several in a ring."""
    if len(which) == 1:
        signs.faction(canvas, which[0], centre, HEAD)
        return
    for index, faction in enumerate(which):
        spot = on_circle(centre, 0.42 * HEAD, 360 * index / len(which))
        signs.faction(canvas, faction, spot, 0.66 * HEAD)


def empty(canvas: TanglewoodCanvas, box: Box) -> None:
    canvas.box(box, canvas.theme.forest_edge, radius=12, border=2)
