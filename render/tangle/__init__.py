"""Pictures of Tangle, its signs in texts, and its proof sheets.

The land for everybody, a seat's own cards, a part of the land, and all cards. The signs are resources, seeds,
tiles, roots, cards, and the actions of spaces.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from engines.game import Seat
from engines.tangle.pieces import components
from engines.tangle.pieces.board import Kind
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import alt_text, plural
from render.core import emoji
from render.core.canvas import Box, Canvas, Picture, Point, Sketch, bow
from render.tangle import colours as layouts
from render.tangle import figures, hands, land, places, scoreboard, sheets, signs
from render.tangle.colours import THEMES, TangleCanvas, TangleTheme
from render.tangle.sheets import enchantments, pages
from render.tangle.signs import ACTIONS, action

__all__ = ["SIGNS", "THEMES", "almanac", "board", "cards", "focus", "hand", "proofs", "roots", "table"]

LIGHT = THEMES["light"]
WIDTH, LAND = 1280, 960
"""The width of the board, and the most height of the land."""


def board(view: TangleView, names: Sequence[str], theme: TangleTheme = LIGHT) -> Picture:
    """Draw the table as everybody may see it."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(), captions.describe_board(_public(view), names), "tangle-table.png")


def table(view: TangleView, names: Sequence[str], theme: TangleTheme = LIGHT) -> TangleCanvas:
    view = _public(view)
    layout = layouts.fitting(view.seats, WIDTH, LAND)
    canvas = _land(theme, view, layout, scoreboard.height(view, WIDTH))
    scoreboard.draw(canvas, view, names, layout.height)
    return canvas


def roots(view: TangleView, names: Sequence[str], theme: TangleTheme = LIGHT) -> Picture:
    """Draw the land alone, to choose a root's destination. Stashes, tracks and row are on the board."""
    drawn = _land(theme, _for_seat(view), layouts.fitting(view.seats, WIDTH, LAND))
    return Picture(drawn.png(), captions.describe_land(_public(view), names), "tangle-land.png")


def _land(theme: TangleTheme, view: TangleView, layout: layouts.LandLayout, below: int = 0) -> TangleCanvas:
    """Draw all of the land, with that much room below it."""
    canvas = Canvas.over(land.land(theme, layout), theme, layout.height + below)
    land.fill(canvas, view, layout, (*view.changed.areas, *view.changed.spaces), land.everything(layout))
    return canvas


def _public(view: TangleView) -> TangleView:
    """Return the view without its viewer's secrets. Anything opened at the end stays."""
    return msgspec.structs.replace(view, viewer=None, hand=None, conditions=None, hands=None)


def _for_seat(view: TangleView) -> TangleView:
    """Return the view without secrets, but with its viewer."""
    return msgspec.structs.replace(_public(view), viewer=view.viewer)


def hand(view: TangleView, seat: Seat, names: Sequence[str], theme: TangleTheme = LIGHT) -> Picture | None:
    """Draw a seat's cards and conditions from its own view. None in anybody else's."""
    if view.viewer != seat or not (view.hand or view.conditions):
        return None
    canvas = hands.hand(theme, view, seat, names)
    return Picture(canvas.png(), captions.describe_hand(view, seat, names), "tangle-hand.png")


def focus(
    view: TangleView,
    names: Sequence[str],
    areas: tuple[components.AreaCode, ...],
    spaces: tuple[components.SpaceCode, ...] = (),
    theme: TangleTheme = LIGHT,
) -> Picture:
    """Draw the land around a choice's candidates, each with its code."""
    shown = msgspec.structs.replace(_for_seat(view), news=msgspec.UNSET)
    canvas = land.focus(theme, shown, areas, spaces)
    return Picture(canvas.png(), captions.describe_focus(view, names, areas, spaces), "tangle-part.png")


def cards(ids: Sequence[components.CardId], theme: TangleTheme = LIGHT) -> Picture:
    return Picture(enchantments(theme, ids).png(), captions.describe_cards(ids), "tangle-cards.png")


def almanac(theme: TangleTheme = LIGHT) -> tuple[Picture, ...]:
    """Draw all enchantments and all victory conditions, page by page."""
    return tuple(
        Picture(canvas.png(), alt, f"tangle-cards-{number}.png")
        for number, (canvas, alt) in enumerate(pages(theme), start=1)
    )


LARGE = 220
"""The size in pixels before signs are made small: their lines stay smooth."""


def _resource(draw: Callable[[layouts.TangleSketch, Point, float], None]) -> emoji.Paint:
    return emoji.paint_sketch(lambda sketch: draw(sketch, (0, 0), 98))


def _on_disc(draw: Callable[[layouts.TangleSketch, Point, float], None]) -> emoji.Paint:
    """Return a painter of a figure on a pale disc."""

    def paint(sketch: layouts.TangleSketch) -> None:
        sketch.disc((0, 0), 51, sketch.theme.ink)
        sketch.disc((0, 0), 48, sketch.theme.card)
        draw(sketch, (0, 0), 74)

    return emoji.paint_sketch(paint)


def _root(sketch: layouts.TangleSketch) -> None:
    for thick, colour in ((15, sketch.theme.ink), (12, sketch.theme.leaf)):
        for start, bend, end in signs.TENDRILS:
            sketch.line(figures.place_shape(bow(start, bend, end, 8), (0, 0), 92), colour, thick)


SIGNS: dict[str, emoji.Paint] = {
    **{letter.lower(): _resource(figures.RESOURCES[letter]) for letter in components.RESOURCES},
    **{f"{kind}_seed": _on_disc(draw) for kind, draw in figures.SEEDS.items()},
    **{kind: emoji.piece_painter(signs.tile(LIGHT, kind, LARGE)) for kind in figures.PICTURES},
    "root": emoji.paint_sketch(_root),
    "card": emoji.piece_painter(signs.card(LIGHT, LARGE)),
    **{f"do_{kind}": emoji.piece_painter(action(LIGHT, kind, LARGE)) for kind in ACTIONS if kind},
}


CARD, CONDITION, SMALL, TEXT = (370, 260), (560, 220), (270, 200), 26
SEATS = (2, 3, 4)


def proofs() -> tuple[Picture, ...]:
    theme = layouts.THEMES["light"]
    enchantments = [
        emoji.ProofItem(f"{key} \u00d7{card.copies}", partial(_card, key))
        for key, card in components.CARDS.items()
    ]
    conditions = [emoji.ProofItem(key, partial(_condition, key)) for key in components.CONDITIONS]
    supply = components.SUPPLY
    names: tuple[tuple[Kind, str], ...] = (
        ("earth", f"Earth, front of {supply.earth_bush}"),
        ("bush", f"Bush, back of {supply.earth_bush}"),
        ("meadow", plural(supply.meadow, "meadow")),
        ("lake", plural(supply.lake, "lake")),
        ("sapling", f"Sapling, front of {supply.sapling_tree}"),
        ("tree", f"Tree, back of {supply.sapling_tree}"),
    )
    tiles = [emoji.ProofItem(name, partial(_tile, kind)) for kind, name in names]
    spaces = [
        emoji.ProofItem(facts.name, partial(_space, action))
        for action, facts in components.ALTERNATIVES.items()
    ]
    return (
        *(_board(theme, seats) for seats in SEATS),
        *emoji.draw_sheets(theme, "enchantments", "Tangle: enchantments", enchantments, CARD),
        *emoji.draw_sheets(theme, "conditions", "Tangle: victory conditions", conditions, CONDITION),
        *emoji.draw_sheets(
            theme, "tiles", "Tangle: both sides of tiles, and spaces", [*tiles, *spaces], SMALL
        ),
    )


def _board(theme: layouts.TangleTheme, seats: int) -> Picture:
    """Draw the land with its spaces and first trees."""
    layout = layouts.fitting(seats, emoji.WIDTH, emoji.HEIGHT)
    canvas = Canvas.over(land.land(theme, layout), theme)
    for seat, trees in enumerate(components.starting_trees(seats)):
        for area in trees:
            land.rim(canvas, layout.area(area), layout.unit, theme.gold)
            x, y = layout.area(area)
            canvas.emblem(seat, (x, y + 0.34 * layout.unit), 0.14 * layout.unit)
    land.arrows(canvas, layout, ())
    land.codes(canvas, layout, land.everything(layout))
    for facts in layouts.spaces(seats):
        lies = components.amount(facts.start) if facts.action == "resource" else None
        places.plain(canvas, facts.code, facts.action, lies, layout.space(facts.code), layout.unit)
    names = [f"{facts.code} {facts.name}." for facts in layouts.spaces(seats)]
    alt = alt_text([f"The board for {seats} players; golden areas have the first trees.", *names])
    return Picture(emoji.pack(canvas), alt, f"board-{seats}.png")


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
