"""The signs of Tanglewood in texts, and its proof sheets.

The signs are factions, counted things, workers, and effects of Tangles.
"""

from functools import partial
from typing import Any

from engines.tanglewood.pieces import components
from engines.tanglewood.words import captions
from engines.words import alt_text, plural
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import MIDDLE, Paint, ProofItem, draw_sheets, pack, piece_painter
from render.core.text import wrap
from render.tanglewood import cards, land, scoreboard, signs
from render.tanglewood.colours import THEMES, TanglewoodCanvas

LIGHT = THEMES["light"]
LARGE = 220
THINGS: tuple[signs.Thing, ...] = ("votes", "ballots", "circle", "draw", "place")


def _effect(key: components.EffectKey) -> Paint:
    """Return a painter of a Tangle's effect with its amount. Several deeds reach further right."""
    steps, (x, y) = components.EFFECTS[key].steps, MIDDLE

    def paint(canvas: TanglewoodCanvas) -> None:
        if len(steps) == 1:
            signs.effect(canvas, steps, (x, y), 94)
        else:
            signs.effect(canvas, steps, (x - 4, y - 2), 86)

    return paint


SIGNS: dict[str, Paint] = {
    **{faction: piece_painter(signs.faction_sprite(LIGHT, faction, LARGE)) for faction in components.TRACKS},
    **{thing: piece_painter(signs.thing_sprite(LIGHT, thing, LARGE)) for thing in THINGS},
    "neutral": piece_painter(signs.worker_sprite(LIGHT, LARGE, LIGHT.neutral, LIGHT.ink)),
    **{f"do_{key}": _effect(key) for key in components.EFFECTS},
}


CARD, TEXT = (360, 270), 25
FACE = 150
"""The height of a Tangle's name and sign; its text is below."""


def proofs() -> tuple[Picture, ...]:
    theme = THEMES["light"]
    tangles = [ProofItem(key, partial(_tangle, key)) for key in components.TANGLES]
    ballots = [
        ProofItem(f"{region}: {plural(components.BALLOTS.count(region), 'ballot')}", partial(_ballot, region))
        for region in components.REGIONS
    ]
    tiles = [ProofItem(f"Fox tile {key}", partial(_fox_tile, key)) for key in components.FOX_TILES]
    levels = (("Mat: Draw", components.MAT.draw), ("Mat: Place", components.MAT.place))
    mats = [ProofItem(name, partial(_mat, values)) for name, values in levels]
    board = Canvas.over(land.land(theme, land.ForestPlan(0)), theme)
    tracks = cards.draw_tracks(theme, tuple(components.FOX_TILES))
    paid = [
        f"{key} {facts.name}: {', '.join(map(str, facts.votes))}."
        for key, facts in components.REGIONS.items()
    ]
    return (
        Picture(pack(board), alt_text(["The board.", *paid]), "board.png"),
        Picture(pack(tracks), captions.describe_tracks(tuple(components.FOX_TILES)), "tracks.png"),
        *draw_sheets(theme, "tangles", "Tanglewood: Tangles", tangles, CARD),
        *draw_sheets(theme, "ballots", "Tanglewood: Secret Ballots", ballots, CARD),
        *draw_sheets(theme, "tiles-and-mats", "Tanglewood: Fox tiles and mats", [*tiles, *mats], CARD),
    )


def _tangle(key: components.TangleId, canvas: Canvas[Any], box: Box) -> None:
    left, top, right, bottom = box
    cards.tangle(canvas, key, (left, top, right, top + FACE))
    effect = components.EFFECTS[components.TANGLES[key].effect]
    _text(canvas, effect.text, (left, top + FACE + 10, right, bottom))


def _ballot(region: components.Region, canvas: Canvas[Any], box: Box) -> None:
    left, top, _, bottom = box
    _frame(canvas, box)
    scoreboard.forest(canvas, (left + 116, (top + bottom) / 2 + 30), 160, {region}, 38)
    canvas.write(
        (left + 24, top + 40), components.REGIONS[region].name, 34, canvas.theme.ink, weight=700, width=310
    )
    for place, paid in enumerate(components.REGIONS[region].votes):
        land.medal(canvas, (left + 232 + place * 46, (top + bottom) / 2 + 30), 21, place, paid)


def _fox_tile(key: components.FoxTileKey, canvas: Canvas[Any], box: Box) -> None:
    left, top, right, bottom = box
    tile = components.FOX_TILES[key]
    _frame(canvas, box)
    canvas.word(((left + right) / 2, top + 34), tile.name, 34, canvas.theme.ink, weight=700)
    signs.deed(canvas, tile.benefit, ((left + right) / 2, top + 124), 110)
    _text(canvas, captions.brief(tile.benefit), (left + 14, bottom - 54, right - 14, bottom))


def _mat(values: tuple[int, ...], canvas: Canvas[Any], box: Box) -> None:
    _frame(canvas, box)
    for level, value in enumerate(values):
        x = box[0] + (level + 0.5) * (box[2] - box[0]) / len(values)
        canvas.badge((x, (box[1] + box[3]) / 2), 28, str(value))


def _frame(canvas: Canvas[Any], box: Box) -> None:
    left, top, right, bottom = box
    canvas.box(box, canvas.theme.ink, radius=14)
    canvas.box((left + 2, top + 2, right - 2, bottom - 2), canvas.theme.card, radius=12)


def _text(canvas: Canvas[Any], text: str, box: Box) -> None:
    for index, line in enumerate(wrap(text, box[2] - box[0], TEXT)):
        canvas.write((box[0], box[1] + 16 + index * (TEXT + 4)), line, TEXT, canvas.theme.ink)
