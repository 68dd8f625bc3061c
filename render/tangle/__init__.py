"""Pictures of Tangle: the land for everybody, a seat's own cards, a part of the land, and all cards."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engines.game import Seat
from engines.tangle.pieces.components import AreaCode, CardId, SpaceCode
from engines.tangle.view import TangleView
from render.core.canvas import Canvas
from render.core.picture import Picture
from render.tangle import captions, ground, hands, land, scoreboard, window
from render.tangle import layout as layouts
from render.tangle.almanac import enchantments, pages
from render.tangle.colours import PALETTE

__all__ = ["PALETTE", "almanac", "board", "cards", "focus", "hand", "roots", "table"]

WIDTH, LAND = 1280, 960
"""The width of the board, and the most height of the land."""
EFFORT = 4
"""Packing effort: more takes half again the time for a twentieth of the size."""


def board(view: TangleView, names: Sequence[str]) -> Picture:
    """Draw the table as everybody may see it."""
    drawn = table(view, names)
    alt = captions.describe_board(_public(view), names)
    return Picture(drawn.png(PALETTE, EFFORT), alt, "tangle-table.png")


def table(view: TangleView, names: Sequence[str]) -> Canvas:
    """Draw the board without packing it into a file."""
    view = _public(view)
    layout = layouts.fitting(view.seats, WIDTH, LAND)
    canvas = _land(view, layout, scoreboard.height(view, WIDTH))
    scoreboard.draw(canvas, view, names, layout.height)
    return canvas


def roots(view: TangleView, names: Sequence[str]) -> Picture:
    """Draw the land alone, to choose a root's destination.

    Stashes, tracks and row are on the board.
    """
    view = _public(view)
    drawn = _land(view, layouts.fitting(view.seats, WIDTH, LAND))
    return Picture(drawn.png(PALETTE, EFFORT), captions.describe_land(view, names), "tangle-land.png")


def _land(view: TangleView, layout: layouts.LandLayout, below: int = 0) -> Canvas:
    """Draw all of the land, with that much room below it."""
    canvas = Canvas.over(ground.land(layout), layout.height + below)
    land.fill(canvas, view, layout, (*view.changed.areas, *view.changed.spaces), land.everything(layout))
    return canvas


def _public(view: TangleView) -> TangleView:
    """Return the view without its viewer's secrets.

    Anything opened at the end stays.
    """
    return msgspec.structs.replace(view, viewer=None, hand=None, conditions=None, hands=None)


def hand(view: TangleView, seat: Seat, names: Sequence[str]) -> Picture | None:
    """Draw a seat's cards and conditions from its own view.

    None in anybody else's.
    """
    if view.viewer != seat or not (view.hand or view.conditions):
        return None
    canvas = hands.hand(view, seat, names)
    return Picture(canvas.png(PALETTE, EFFORT), captions.describe_hand(view, seat, names), "tangle-hand.png")


def focus(
    view: TangleView, names: Sequence[str], areas: tuple[AreaCode, ...], spaces: tuple[SpaceCode, ...] = ()
) -> Picture:
    """Draw the land around a choice's candidates, each with its code."""
    canvas = window.focus(_public(view), areas, spaces)
    alt = captions.describe_focus(view, names, areas, spaces)
    return Picture(canvas.png(PALETTE, EFFORT), alt, "tangle-part.png")


def cards(ids: Sequence[CardId]) -> Picture:
    canvas = enchantments(ids)
    return Picture(canvas.png(PALETTE, EFFORT), captions.describe_cards(ids), "tangle-cards.png")


def almanac() -> tuple[Picture, ...]:
    """Draw all enchantments and all victory conditions, page by page."""
    return tuple(
        Picture(canvas.png(PALETTE, EFFORT), alt, f"tangle-cards-{number}.png")
        for number, (canvas, alt) in enumerate(pages(), start=1)
    )
