"""Pictures of Tanglewood, its signs in texts, and its proof sheets.

The forest for everybody, a seat's ballots, and previews of choices. The signs are factions, counted things,
workers, and effects of Tangles.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from engines.game import Seat
from engines.tanglewood.moves import PlacedWorker
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Hop
from engines.tanglewood.preview import try_choice as trial_of
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import alt_text, plural
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import MIDDLE, Paint, ProofItem, draw_sheets, pack, piece_painter
from render.core.text import wrap
from render.tanglewood import cards, hands, land, places, scoreboard, signs
from render.tanglewood import scoring as scores
from render.tanglewood.cards import pages
from render.tanglewood.colours import THEMES, TanglewoodCanvas, TanglewoodTheme
from render.tanglewood.land import ForestPlan

__all__ = ["SIGNS", "THEMES", "almanac", "board", "forest", "hand", "preview", "proofs", "scoring", "table"]

LIGHT = THEMES["light"]


def board(view: TanglewoodView, names: Sequence[str], theme: TanglewoodTheme = LIGHT) -> Picture:
    """Draw the table as everybody may see it."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(), captions.describe_board(_public(view), names), "tanglewood-table.png")


def table(view: TanglewoodView, names: Sequence[str], theme: TanglewoodTheme = LIGHT) -> TanglewoodCanvas:
    view = _public(view)
    plan = ForestPlan(len(view.colours))
    canvas = _map(theme, view, plan, scoreboard.height())
    scoreboard.draw(canvas, view, names, plan.height)
    return canvas


def forest(view: TanglewoodView, names: Sequence[str], theme: TanglewoodTheme = LIGHT) -> Picture:
    """Draw the map alone, for choices about it. Everybody's numbers and the tracks are on the board."""
    view = _public(view)
    alt = captions.describe_forest(view, names)
    return Picture(_map(theme, view, ForestPlan(len(view.colours))).png(), alt, "tanglewood-forest.png")


def _map(theme: TanglewoodTheme, view: TanglewoodView, plan: ForestPlan, below: int = 0) -> TanglewoodCanvas:
    """Draw the nine regions, with that much room below them."""
    canvas = Canvas.over(land.land(theme, plan), theme, plan.height + below)
    for region in components.REGIONS:
        if region == view.active:
            land.highlight(canvas, region, plan)
        places.region(canvas, view, region, plan)
    places.arrows(canvas, view, plan)
    return canvas


def _public(view: TanglewoodView) -> TanglewoodView:
    """Return the view without its viewer's secrets."""
    return msgspec.structs.replace(view, viewer=None, hands=(None,) * view.seats, mine=None, dropped=())


def hand(
    view: TanglewoodView, seat: Seat, names: Sequence[str], theme: TanglewoodTheme = LIGHT
) -> Picture | None:
    """Draw a seat's ballots from its own view, with their effect. None without any."""
    if not view.hands[seat]:
        return None
    canvas = hands.hand(theme, view, seat, names)
    return Picture(canvas.png(), captions.describe_hand(view, seat, names), "tanglewood-hand.png")


def preview(
    view: TanglewoodView,
    names: Sequence[str],
    hops: tuple[Hop, ...],
    added: Mapping[components.Region, int],
    evicted: tuple[PlacedWorker, ...] = (),
    theme: TanglewoodTheme = LIGHT,
) -> Picture:
    """Draw the affected regions before and after the viewer's choice.

    `added` is the number of own markers that come to each region, `hops` the workers that move, `evicted`
    those that leave the board. Raise ValueError for a spectator, who has no choice.
    """
    tried = trial_of(view, hops, added, evicted)
    alt = captions.describe_preview(view, names, tried.after, tried.paid, tried.total)
    return Picture(scores.preview(theme, view, names, tried).png(), alt, "tanglewood-preview.png")


def scoring(
    view: TanglewoodView, names: Sequence[str], number: int, theme: TanglewoodTheme = LIGHT
) -> Picture:
    """Draw the table of a scoring.

    1 is the one in mid-game, 2 the final one. Raise ValueError if there has been no such scoring.
    """
    canvas = scores.scoring(theme, view, names, number)
    alt = captions.describe_scoring(view, names, number)
    return Picture(canvas.png(), alt, "tanglewood-scoring.png")


def almanac(theme: TanglewoodTheme = LIGHT) -> tuple[Picture, ...]:
    """Draw the Tangles, the Starters, and the tracks. The Fox tiles are in their unshuffled order."""
    return tuple(
        Picture(canvas.png(), alt, f"tanglewood-almanac-{number}.png")
        for number, (canvas, alt) in enumerate(pages(theme), start=1)
    )


LARGE = 220
THINGS: tuple[signs.Thing, ...] = ("votes", "ballots", "circle", "draw", "place")


def _effect(key: components.EffectKey) -> Paint:
    """Return a painter of a Tangle's effect with its amount. Several deeds reach further right."""
    steps, (x, y) = components.EFFECTS[key].steps, MIDDLE

    def paint(canvas: TanglewoodCanvas) -> None:
        if len(steps) == 1:
            signs.effect(canvas, steps, (x - 2, y), 90)
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
