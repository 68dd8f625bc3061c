"""What is said, drafted and shown of the moves that the strong computer advises."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.core.app import App
from cogs.tangram import words
from cogs.tangram.draft import Draft
from engines.game import Advice, Seat
from engines.tangram.city import Laid, Piece, Water
from engines.tangram.components import FOUNTAIN, TileId
from engines.tangram.moves import Decline, DeclineFountain, Fountain, Move, Place
from engines.tangram.tile_cursor import TileCursor, over
from engines.tangram.view import View
from render.picture import Picture
from tables.play.play import Perspective


def line(view: View, _seat: Seat, advice: Advice, _names: Sequence[str]) -> str:
    """Where a tile goes, and how the city stands then."""
    found = _answer(advice.moves[0])
    if found is None:
        return "**Confirm** your answers."
    tile, piece = found
    city = view.without(tile)
    if piece is None:
        return f"Set the **{words.tile(tile)}** aside: {words.city(city)}."
    return f"The **{words.tile(tile)}**, {words.laid(piece)}: {words.city(city.add(piece))}."


def _answer(move: Move) -> tuple[TileId, Piece | None] | None:
    """What a move answers for which tile; None for one that only confirms."""
    match move:
        case Place(tile, side, turn, at):
            return tile, Laid(tile, side, turn, at)
        case Fountain(at, corner):
            return FOUNTAIN, Water(at, corner)
        case Decline(tile):
            return tile, None
        case DeclineFountain():
            return FOUNTAIN, None
        case _:
            return None


def draft(_view: View, _seat: Seat, moves: Sequence[Move]) -> Draft | None:
    """The tile held where it should lie, or the question whether it is set aside."""
    found = _answer(moves[0])
    if found is None:
        return None
    tile, piece = found
    return Draft(TileCursor(tile), declining=True) if piece is None else Draft(over(piece), busy=True)


async def picture(app: App, perspective: Perspective, moves: Sequence[Move]) -> Picture | None:
    """The city with the tile in its place; as it is where that is set aside."""
    found = _answer(moves[0])
    cursor = None if found is None or found[1] is None else over(found[1])
    return await app.pictures.special(perspective.table, "preview", perspective.view, cursor)
