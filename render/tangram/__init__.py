"""Pictures of Tangram City: all cities for everybody, your own, and a tile held over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from engines.game import Seat
from engines.tangram.legal.tile_cursor import TileCursor
from engines.tangram.pieces.city import largest_rectangle
from engines.tangram.pieces.geometry import HEIGHT, WIDTH
from engines.tangram.view import TangramCard, TangramView
from render.core.canvas import Canvas
from render.core.picture import Picture, alt_text
from render.tangram import captions, own, plan, plates, scoreboard
from render.tangram.colours import PALETTE
from render.tangram.plan import Plan

__all__ = ["PALETTE", "board", "hand", "preview", "table"]

MARGIN, GAP = 26, 40
EFFORT = 4
"""How hard pictures are packed: more takes twice the time for a tenth of the size."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the cities of a table lie.

    Attributes:
        columns: how many stand in a row.
        unit: pixels to a square.
        beside: whether the panel stands where the next city would, and not below them all.
    """

    columns: int
    unit: int
    beside: bool

    @property
    def label(self) -> int:
        """The room for the names of the columns, and of the rows."""
        return round(plan.LABEL * self.unit)

    @property
    def _side(self) -> int:
        return WIDTH * self.unit

    @property
    def _high(self) -> int:
        return plates.HEIGHT + self.label + HEIGHT * self.unit

    @property
    def width(self) -> int:
        """How wide the picture is."""
        return 2 * MARGIN + self.columns * (self.label + self._side + GAP) - GAP

    def height(self, seats: int) -> int:
        """How high it is."""
        rows = -(-(seats + self.beside) // self.columns)
        return 2 * MARGIN + rows * (self._high + GAP) + (-GAP if self.beside else scoreboard.STRIP)

    def slot(self, place: int) -> tuple[int, int, int, int]:
        """A city's place with its plate, without the names of its rows."""
        row, column = divmod(place, self.columns)
        left = MARGIN + column * (self.label + self._side + GAP) + self.label
        top = MARGIN + row * (self._high + GAP)
        return left, top, left + self._side, top + self._high


LAYOUTS = {
    1: Layout(1, 100, beside=False),
    2: Layout(2, 72, beside=False),
    3: Layout(2, 72, beside=True),
    4: Layout(2, 72, beside=False),
    5: Layout(2, 72, beside=True),
}


def board(view: TangramView, names: Sequence[str]) -> Picture:
    """The table as everybody may see it."""
    drawn = table(view, names)
    alt = captions.describe_board(_public(view), names)
    return Picture(drawn.png(PALETTE, EFFORT), alt, "tangram-table.png")


def table(view: TangramView, names: Sequence[str]) -> Canvas:
    """What the board shows, not packed into a file yet."""
    view = _public(view)
    layout = LAYOUTS[view.seats]
    canvas = Canvas(layout.width, layout.height(view.seats))
    for seat in range(view.seats):
        left, top, right, _ = layout.slot(seat)
        plates.plate(canvas, view, seat, names, (left, top), right - left)
        corner = (left, top + plates.HEIGHT + layout.label)
        _city(view, seat, Plan(canvas, corner, layout.unit))
    if layout.beside:
        left, top, _, bottom = layout.slot(view.seats)
        room = (left - layout.label, top, layout.width - MARGIN, bottom)
        scoreboard.beside(canvas, view, names, room)
    else:
        left, bottom = MARGIN + layout.label, canvas.image.height - MARGIN
        scoreboard.below(
            canvas, view, names, (left, bottom - scoreboard.STRIP, layout.width - MARGIN, bottom)
        )
    return canvas


def _public(view: TangramView) -> TangramView:
    """The view without what only its viewer may know."""
    cards = tuple(
        card if _open(view, card) else msgspec.structs.replace(card, tile=None) for card in view.cards
    )
    return msgspec.structs.replace(view, viewer=None, mine=(), cards=cards)


def _open(view: TangramView, card: TangramCard) -> bool:
    return view.over or card.played or card.where == "up"


def _city(view: TangramView, seat: Seat, drawn: Plan) -> None:
    drawn.ground()
    drawn.city(view.cities[seat])
    best = largest_rectangle(view.cities[seat].built)
    if best is not None:
        drawn.rectangle(best)
    for piece in view.latest[seat]:
        drawn.framed(piece, "fresh")
    if best is not None:
        drawn.area(best)


def hand(view: TangramView, seat: Seat, names: Sequence[str]) -> Picture | None:
    """A seat's city from its own view, with its answers and the cards that it may see; None once it left."""
    if seat != view.viewer or seat in view.out:
        return None
    canvas = own.hand(view, seat, names)
    return Picture(canvas.png(PALETTE, EFFORT), captions.describe_hand(view, seat, names), "tangram-hand.png")


def preview(
    view: TangramView,
    names: Sequence[str],
    cursor: TileCursor | None,
    others: Sequence[tuple[int, TileCursor]] = (),
) -> Picture:
    """The viewer's city with what is held over it, and what that would come to.

    Below it stand other places, small and each with its number.
    """
    trial = own.tried(view, cursor)
    alt = captions.describe_preview(view, cursor, trial.trouble, trial.before, trial.after)
    if others:
        alt = alt_text([alt, captions.describe_others(others)])
    canvas = own.preview(view, trial, [(number, own.tried(view, other)) for number, other in others])
    return Picture(canvas.png(PALETTE, EFFORT), alt, "tangram-preview.png")
