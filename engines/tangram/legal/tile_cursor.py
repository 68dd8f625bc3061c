"""A tile or a fountain held over the city before it is laid: moved, turned and flipped, fitting or not."""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.game import IllegalMove
from engines.tangram.legal.moves import check_fountain, check_tile
from engines.tangram.moves import Fountain, TangramPlace
from engines.tangram.pieces.city import City, Piece, TangramLaid, Water
from engines.tangram.pieces.components import FOUNTAIN, TileId
from engines.tangram.pieces.geometry import (
    CORNERS,
    FILL,
    HEIGHT,
    TURNS,
    WIDTH,
    Corner,
    Side,
    TileForm,
    Turn,
    at,
    canonical_turn,
    form,
    name_of,
)
from engines.words import join_words

Nudge = Literal["left", "up", "down", "right", "turn", "flip"]
CORNER_NAMES: dict[Corner, str] = {"7": "top right", "J": "bottom right", "L": "bottom left", "r": "top left"}
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class TileCursor(msgspec.Struct, frozen=True):
    """A held tile, and the square under its top left; columns and rows count from 0.

    `tile` is `FOUNTAIN` for a fountain, whose corner `turn` says: 0 is the top right one.
    """

    tile: TileId
    side: Side = "black"
    turn: Turn = 0
    column: int = 0
    row: int = 0

    @property
    def form(self) -> TileForm:
        """The quarters that it fills of each square."""
        if self.tile == FOUNTAIN:
            return TileForm(((0, 0, FILL[self.corner]),))
        return form(self.tile, self.side, self.turn)

    @property
    def corner(self) -> Corner:
        """The half square of a fountain."""
        return CORNERS[self.turn // 90]

    @property
    def at(self) -> str:
        """The square under its top left."""
        return name_of(self.column, self.row)

    @property
    def move(self) -> TangramPlace | Fountain:
        """The answer that lays it here, in the rules' canonical form."""
        if self.tile == FOUNTAIN:
            return Fountain(self.at, self.corner)
        return TangramPlace(self.tile, self.side, canonical_turn(self.tile, self.side, self.turn), self.at)

    @property
    def named(self) -> TileCursor:
        """The same cursor with the lowest turn that looks the same."""
        if self.tile == FOUNTAIN:
            return self
        return msgspec.structs.replace(self, turn=canonical_turn(self.tile, self.side, self.turn))

    def nudge(self, nudge: Nudge) -> TileCursor:
        """Move one step, turn or flip; stay inside the city.

        >>> TileCursor(6, column=6).nudge("right").column, TileCursor(6, column=6).nudge("turn").column
        (6, 5)
        """
        if nudge == "turn":
            other = msgspec.structs.replace(self, turn=TURNS[(self.turn // 90 + 1) % 4])
        elif nudge == "flip":
            other = msgspec.structs.replace(self, side="green" if self.side == "black" else "black")
        else:
            dx, dy = _STEPS[nudge]
            other = msgspec.structs.replace(self, column=self.column + dx, row=self.row + dy)
        return other.inside()

    def inside(self) -> TileCursor:
        """Move the cursor into the city, as little as needed."""
        lies = self.form
        column = max(0, min(self.column, WIDTH - lies.width))
        row = max(0, min(self.row, HEIGHT - lies.height))
        return msgspec.structs.replace(self, column=column, row=row)

    def trouble(self, city: City) -> str | None:
        """Return the rules' reason why it can't be laid here. None if it fits."""
        try:
            if self.tile == FOUNTAIN:
                check_fountain(city, self.at, self.corner)
            else:
                check_tile(city, self.tile, self.side, self.turn, self.at)
        except IllegalMove as reason:
            return str(reason)
        return None

    @property
    def squares(self) -> str:
        """The squares that it covers, as people read them. "C3-D3", "C3, D3, C4"; one half for a fountain."""
        if self.tile == FOUNTAIN:
            return f"the {CORNER_NAMES[self.corner]} half of {self.at}"
        cells = self.form.cells
        names = [name_of(self.column + dx, self.row + dy) for dx, dy, _ in cells]
        straight = len({dx for dx, _, _ in cells}) == 1 or len({dy for _, dy, _ in cells}) == 1
        return f"{names[0]}-{names[-1]}" if straight and len(names) > 1 else ", ".join(names)


def squares_of_start(piece: TangramLaid) -> str:
    """Return the squares of a start piece, as people read them.

    >>> squares_of_start(TangramLaid(4, "black", 90, "E2"))
    'F2 and the bottom right half of E2'
    """
    column, row = at(piece.at)
    cells = form(piece.tile, piece.side, piece.turn).cells
    names = {FILL[corner]: name for corner, name in CORNER_NAMES.items()}
    return join_words(
        [
            (f"the {names[quarters]} half of " if quarters in names else "") + name_of(column + dx, row + dy)
            for dx, dy, quarters in sorted(cells, key=lambda cell: cell[2] in names)
        ]
    )


def over(piece: Piece) -> TileCursor:
    """Return a cursor at the place of a piece.

    >>> over(TangramLaid(6, "green", 90, "C4"))
    TileCursor(tile=6, side='green', turn=90, column=2, row=3)
    """
    column, row = at(piece.at)
    match piece:
        case TangramLaid():
            return TileCursor(piece.tile, piece.side, piece.turn, column, row)
        case Water():
            return TileCursor(FOUNTAIN, turn=TURNS[CORNERS.index(piece.corner)], column=column, row=row)
