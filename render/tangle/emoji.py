"""The signs of Tangle in texts, and its proof sheets.

The signs are resources, seeds, tiles, roots, cards, and the actions of spaces.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from engines.tangle.pieces import components
from engines.tangle.pieces.board import Kind
from engines.words import alt_text, plural
from render.core.canvas import Box, Canvas, Picture, Point, Sketch, bow
from render.core.emoji import HEIGHT, WIDTH, Paint, ProofItem, draw_sheets, pack, paint_sketch, piece_painter
from render.tangle import colours as layouts
from render.tangle import figures, land, places, sheets, signs
from render.tangle.signs import ACTIONS, action

LIGHT = layouts.THEMES["light"]
LARGE = 220
"""The size in pixels before signs are made small: their lines stay smooth."""


def _resource(draw: Callable[[layouts.TangleSketch, Point, float], None]) -> Paint:
    return paint_sketch(lambda sketch: draw(sketch, (0, 0), 98))


def _on_disc(draw: Callable[[layouts.TangleSketch, Point, float], None]) -> Paint:
    """Return a painter of a figure on a pale disc."""

    def paint(sketch: layouts.TangleSketch) -> None:
        sketch.disc((0, 0), 51, sketch.theme.ink)
        sketch.disc((0, 0), 48, sketch.theme.card)
        draw(sketch, (0, 0), 74)

    return paint_sketch(paint)


def _root(sketch: layouts.TangleSketch) -> None:
    for thick, colour in ((15, sketch.theme.ink), (12, sketch.theme.leaf)):
        for start, bend, end in signs.TENDRILS:
            sketch.line(figures.place_shape(bow(start, bend, end, 8), (0, 0), 92), colour, thick)


SIGNS: dict[str, Paint] = {
    **{letter.lower(): _resource(figures.RESOURCES[letter]) for letter in components.RESOURCES},
    **{f"{kind}_seed": _on_disc(draw) for kind, draw in figures.SEEDS.items()},
    **{kind: piece_painter(signs.tile(LIGHT, kind, LARGE)) for kind in figures.PICTURES},
    "root": paint_sketch(_root),
    "card": piece_painter(signs.card(LIGHT, LARGE)),
    **{f"do_{kind}": piece_painter(action(LIGHT, kind, LARGE)) for kind in ACTIONS if kind},
}


CARD, CONDITION, SMALL, TEXT = (370, 260), (560, 220), (270, 200), 26
SEATS = (2, 3, 4)


def proofs() -> tuple[Picture, ...]:
    theme = layouts.THEMES["light"]
    enchantments = [
        ProofItem(f"{key} \u00d7{card.copies}", partial(_card, key)) for key, card in components.CARDS.items()
    ]
    conditions = [ProofItem(key, partial(_condition, key)) for key in components.CONDITIONS]
    supply = components.SUPPLY
    names: tuple[tuple[Kind, str], ...] = (
        ("earth", f"Earth, front of {supply.earth_bush}"),
        ("bush", f"Bush, back of {supply.earth_bush}"),
        ("meadow", plural(supply.meadow, "meadow")),
        ("lake", plural(supply.lake, "lake")),
        ("sapling", f"Sapling, front of {supply.sapling_tree}"),
        ("tree", f"Tree, back of {supply.sapling_tree}"),
    )
    tiles = [ProofItem(name, partial(_tile, kind)) for kind, name in names]
    spaces = [
        ProofItem(facts.name, partial(_space, action)) for action, facts in components.ALTERNATIVES.items()
    ]
    return (
        *(_board(theme, seats) for seats in SEATS),
        *draw_sheets(theme, "enchantments", "Tangle: enchantments", enchantments, CARD),
        *draw_sheets(theme, "conditions", "Tangle: victory conditions", conditions, CONDITION),
        *draw_sheets(theme, "tiles", "Tangle: both sides of tiles, and spaces", [*tiles, *spaces], SMALL),
    )


def _board(theme: layouts.TangleTheme, seats: int) -> Picture:
    """Draw the land with its spaces and first trees."""
    layout = layouts.fitting(seats, WIDTH, HEIGHT)
    canvas = Canvas.over(land.land(theme, layout), theme)
    for seat, trees in enumerate(components.starting_trees(seats)):
        for area in trees:
            land.rim(canvas, layout.area(area), layout.unit)
            x, y = layout.area(area)
            canvas.emblem(seat, (x, y + 0.34 * layout.unit), 0.14 * layout.unit)
    land.arrows(canvas, layout, ())
    for facts in layouts.spaces(seats):
        lies = components.amount(facts.start) if facts.action == "resource" else None
        places.plain(canvas, facts.code, facts.action, lies, layout.space(facts.code), layout.unit)
    names = [f"{facts.code} {facts.name}." for facts in layouts.spaces(seats)]
    alt = alt_text([f"The board for {seats} players; golden areas have the first trees.", *names])
    return Picture(pack(canvas), alt, f"board-{seats}.png")


def _card(card: components.CardId, canvas: Canvas[Any], box: Box) -> None:
    sheets.enchantment(canvas, card, box, TEXT)


def _condition(condition: components.ConditionId, canvas: Canvas[Any], box: Box) -> None:
    sheets.condition(canvas, condition, box, TEXT)


def _tile(kind: Kind, canvas: Canvas[Any], box: Box) -> None:
    half = (box[3] - box[1]) / 2
    sketch = Sketch((-half, -half, half, half), canvas.theme)
    figures.tile(sketch, (0, 0), box[3] - box[1] - 20, kind)
    canvas.paint(sketch.sprite(), ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))


def _space(action: components.Action, canvas: Canvas[Any], box: Box) -> None:
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    places.plain(canvas, components.CENTRE, action, None, middle, round((box[3] - box[1]) / 1.3))
