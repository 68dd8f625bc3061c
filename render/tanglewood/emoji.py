"""The signs of Tanglewood in texts: factions, counted things, workers, and effects of Tangles."""

from engines.tanglewood.pieces.components import EFFECTS, TRACKS, EffectKey
from render.core.emoji import MIDDLE, Paint, piece_painter
from render.tanglewood import signs
from render.tanglewood.colours import THEMES, TanglewoodCanvas
from render.tanglewood.signs import Thing

LIGHT = THEMES["light"]
LARGE = 220
THINGS: tuple[Thing, ...] = ("votes", "ballots", "circle", "draw", "place")


def _effect(key: EffectKey) -> Paint:
    """Return a painter of a Tangle's effect with its amount. Several deeds reach further right."""
    steps, (x, y) = EFFECTS[key].steps, MIDDLE

    def paint(canvas: TanglewoodCanvas) -> None:
        if len(steps) == 1:
            signs.effect(canvas, steps, (x, y), 94)
        else:
            signs.effect(canvas, steps, (x - 4, y - 2), 86)

    return paint


SIGNS: dict[str, Paint] = {
    **{faction: piece_painter(signs.faction_sprite(LIGHT, faction, LARGE)) for faction in TRACKS},
    **{thing: piece_painter(signs.thing_sprite(LIGHT, thing, LARGE)) for thing in THINGS},
    "neutral": piece_painter(signs.worker_sprite(LIGHT, LARGE, LIGHT.neutral, LIGHT.ink)),
    **{f"do_{key}": _effect(key) for key in EFFECTS},
}
