"""Pictures of Tangram City, its signs in texts, and its proof sheets.

All cities for everybody, your own, and a tile held over it. The signs are every tile as roof and as garden, a
fountain, scales, and the start marker. The tile called square is a whole square, so its two signs represent
the colours, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from engines.game import Seat
from engines.tangram.legal.moves import TileCursor
from engines.tangram.pieces.board import START_SIDES, Balance, City, largest_rectangle
from engines.tangram.pieces.components import PRINTED, TILES, BoardSide, TileId
from engines.tangram.pieces.geometry import HEIGHT, SIDES, WIDTH, Side, form
from engines.tangram.view import TangramCard, TangramView
from engines.tangram.words import captions
from engines.words import alt_text
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import Paint, ProofItem, draw_sheets, piece_painter
from render.tangram import hands, pieces, plan, scoreboard
from render.tangram.colours import THEMES, TangramCanvas, TangramTheme
from render.tangram.plan import CityPlan

__all__ = ["SIGNS", "THEMES", "board", "hand", "preview", "proofs", "sides", "table"]

LIGHT = THEMES["light"]
MARGIN, GAP = 26, 40


@dataclass(frozen=True, slots=True)
class CityLayout:
    """The layout of the cities of a table.

    Attributes:
        columns: the number of cities in a row.
        unit: pixels to a square.
        beside: True if the panel takes the next city's place, False if it is below them all.
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
        return scoreboard.HEIGHT + self.label + HEIGHT * self.unit

    @property
    def width(self) -> int:
        return 2 * MARGIN + self.columns * (self.label + self._side + GAP) - GAP

    def height(self, seats: int) -> int:
        rows = -(-(seats + self.beside) // self.columns)
        return 2 * MARGIN + rows * (self._high + GAP) + (-GAP if self.beside else scoreboard.STRIP)

    def slot(self, place: int) -> tuple[int, int, int, int]:
        """Return the box of a city and its plate."""
        row, column = divmod(place, self.columns)
        left = MARGIN + column * (self.label + self._side + GAP) + self.label
        top = MARGIN + row * (self._high + GAP)
        return left, top, left + self._side, top + self._high


LAYOUTS = {
    1: CityLayout(1, 100, beside=False),
    2: CityLayout(2, 72, beside=False),
    3: CityLayout(2, 72, beside=True),
    4: CityLayout(2, 72, beside=False),
    5: CityLayout(2, 72, beside=True),
}


def board(view: TangramView, names: Sequence[str], theme: TangramTheme = LIGHT) -> Picture:
    """Draw the table as everybody may see it."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(), captions.describe_board(_public(view), names), "tangram-table.png")


def table(view: TangramView, names: Sequence[str], theme: TangramTheme = LIGHT) -> TangramCanvas:
    view = _public(view)
    layout = LAYOUTS[view.seats]
    canvas = Canvas(layout.width, layout.height(view.seats), theme)
    for seat in range(view.seats):
        left, top, right, _ = layout.slot(seat)
        scoreboard.plate(canvas, view, seat, names, (left, top), right - left)
        drawn = plan.CityPlan(canvas, (left, top + scoreboard.HEIGHT + layout.label), layout.unit)
        drawn.ground()
        drawn.city(view.cities[seat])
        best = largest_rectangle(view.cities[seat].built)
        if best is not None:
            drawn.rectangle(best)
        for piece in view.latest[seat]:
            drawn.draw_frame(piece, "fresh")
        if best is not None:
            drawn.area(best)
    if layout.beside:
        left, top, _, bottom = layout.slot(view.seats)
        scoreboard.beside(canvas, view, names, (left - layout.label, top, layout.width - MARGIN, bottom))
    else:
        left, bottom = MARGIN + layout.label, canvas.image.height - MARGIN
        scoreboard.below(
            canvas, view, names, (left, bottom - scoreboard.STRIP, layout.width - MARGIN, bottom)
        )
    return canvas


def _public(view: TangramView) -> TangramView:
    """Return the view without its viewer's secrets."""
    cards = tuple(
        card if view.over or card.played or card.where == "up" else msgspec.structs.replace(card, tile=None)
        for card in view.cards
    )
    return msgspec.structs.replace(view, viewer=None, mine=(), cards=cards)


def hand(view: TangramView, seat: Seat, names: Sequence[str], theme: TangramTheme = LIGHT) -> Picture | None:
    """Draw a seat's city with its answers and known cards. None once the seat has left."""
    if seat != view.viewer or seat in view.out:
        return None
    canvas = hands.hand(theme, view, seat, names)
    return Picture(canvas.png(), captions.describe_hand(view, seat, names), "tangram-hand.png")


def sides(view: TangramView, _names: Sequence[str], theme: TangramTheme = LIGHT) -> Picture:
    """Draw both sides of the viewer's board to choose from."""
    if view.viewer is None:
        raise ValueError("a spectator has no board")
    alt = captions.describe_sides(view, view.viewer)
    return Picture(hands.sides(theme, view).png(), alt, "tangram-sides.png")


def preview(
    view: TangramView,
    names: Sequence[str],
    cursor: TileCursor | None,
    others: Sequence[tuple[int, TileCursor]] = (),
    theme: TangramTheme = LIGHT,
) -> Picture:
    """Draw the viewer's city with the held tile laid.

    Below it are other places, small and each with its number.
    """
    trial = hands.try_cursor(view, cursor)
    alt = captions.describe_preview(view, cursor, trial.trouble, trial.before, trial.after)
    if others:
        alt = alt_text([alt, captions.describe_others(others)])
    canvas = hands.preview(
        theme, view, trial, [(number, hands.try_cursor(view, other)) for number, other in others]
    )
    return Picture(canvas.png(), alt, "tangram-preview.png")


UNIT = 84
"""Pixels to a square before a sign is made small."""


SIGNS: dict[str, Paint] = {
    "fountain": piece_painter(pieces.piece(LIGHT, scoreboard.BASIN, "water", UNIT), 94),
    "balance": lambda canvas: scoreboard.scales(canvas, (64, 66), 72, Balance(0, 0)),
    "start": lambda canvas: scoreboard.flag(canvas, (26, 64), 92),
    **{
        f"{side}_{tile.name}": piece_painter(pieces.piece(LIGHT, form(number, side, 0), side, UNIT))
        for number, tile in TILES.items()
        for side in SIDES
    },
}


TILE_UNIT, BOARD_UNIT, WALL = 84, 72, 20
"""Pixels to a square of a tile and of a board, and around a board."""
CARD = 270, 360


def proofs() -> tuple[Picture, ...]:
    both = [(tile, side, captions.tile_name(tile)) for tile in TILES for side in SIDES]
    tiles = [ProofItem(f"{tile} {name}, {side}", partial(_tile, tile, side)) for tile, side, name in both]
    tiles.append(ProofItem("Fountain", _fountain))
    faces = [ProofItem(f"Card {tile}", partial(_card, tile)) for tile in TILES]
    boards = [ProofItem(f"Side {side}", partial(_board, side)) for side in (*START_SIDES, *PRINTED)]
    forms = [form(tile, "black", 0) for tile in TILES]
    size = TILE_UNIT * max(lies.width for lies in forms), TILE_UNIT * max(lies.height for lies in forms)
    city = BOARD_UNIT * WIDTH + 2 * WALL, BOARD_UNIT * HEIGHT + 2 * WALL
    theme = THEMES["light"]
    return (
        *draw_sheets(theme, "tiles", "Tangram City: tiles", tiles, size),
        *draw_sheets(theme, "cards", "Tangram City: cards", faces, CARD),
        *draw_sheets(theme, "boards", "Tangram City: boards", boards, city),
    )


def _tile(tile: TileId, side: Side, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.lying(canvas, form(tile, side, 0), side, _middle(box), TILE_UNIT)


def _fountain(canvas: Canvas[Any], box: Box) -> None:
    scoreboard.lying(canvas, scoreboard.BASIN, "water", _middle(box), TILE_UNIT)


def _card(tile: TileId, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.card(canvas, TangramCard(where="up", tile=tile), box)


def _board(side: BoardSide, canvas: Canvas[Any], box: Box) -> None:
    plan = CityPlan(canvas, (round(box[0]) + WALL, round(box[1]) + WALL), BOARD_UNIT)
    plan.plots()
    plan.city(City(board=side))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
