"""Pictures of Tangle: the land for everybody, a seat's own cards, a part of the land, and all cards."""

from collections.abc import Sequence

import msgspec

from engines.game import Seat
from engines.tangle.pieces.components import AreaCode, CardId, SpaceCode
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from render.core.canvas import Canvas, Picture
from render.tangle import colours as layouts
from render.tangle import hands, land, scoreboard
from render.tangle.colours import THEMES, TangleCanvas, TangleTheme
from render.tangle.sheets import enchantments, pages

__all__ = ["THEMES", "almanac", "board", "cards", "focus", "hand", "roots", "table"]

LIGHT = THEMES["light"]
WIDTH, LAND = 1280, 960
"""The width of the board, and the most height of the land."""
EFFORT = 4
"""Packing effort: more takes half again the time for a twentieth of the size."""


def board(view: TangleView, names: Sequence[str], theme: TangleTheme = LIGHT) -> Picture:
    """Draw the table as everybody may see it."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(EFFORT), captions.describe_board(_public(view), names), "tangle-table.png")


def table(view: TangleView, names: Sequence[str], theme: TangleTheme = LIGHT) -> TangleCanvas:
    view = _public(view)
    layout = layouts.fitting(view.seats, WIDTH, LAND)
    canvas = _land(theme, view, layout, scoreboard.height(view, WIDTH))
    scoreboard.draw(canvas, view, names, layout.height)
    return canvas


def roots(view: TangleView, names: Sequence[str], theme: TangleTheme = LIGHT) -> Picture:
    """Draw the land alone, to choose a root's destination. Stashes, tracks and row are on the board."""
    drawn = _land(theme, _for_seat(view), layouts.fitting(view.seats, WIDTH, LAND))
    return Picture(drawn.png(EFFORT), captions.describe_land(_public(view), names), "tangle-land.png")


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
    return Picture(canvas.png(EFFORT), captions.describe_hand(view, seat, names), "tangle-hand.png")


def focus(
    view: TangleView,
    names: Sequence[str],
    areas: tuple[AreaCode, ...],
    spaces: tuple[SpaceCode, ...] = (),
    theme: TangleTheme = LIGHT,
) -> Picture:
    """Draw the land around a choice's candidates, each with its code."""
    shown = msgspec.structs.replace(_for_seat(view), news=msgspec.UNSET)
    canvas = land.focus(theme, shown, areas, spaces)
    return Picture(canvas.png(EFFORT), captions.describe_focus(view, names, areas, spaces), "tangle-part.png")


def cards(ids: Sequence[CardId], theme: TangleTheme = LIGHT) -> Picture:
    return Picture(enchantments(theme, ids).png(EFFORT), captions.describe_cards(ids), "tangle-cards.png")


def almanac(theme: TangleTheme = LIGHT) -> tuple[Picture, ...]:
    """Draw all enchantments and all victory conditions, page by page."""
    return tuple(
        Picture(canvas.png(EFFORT), alt, f"tangle-cards-{number}.png")
        for number, (canvas, alt) in enumerate(pages(theme), start=1)
    )
