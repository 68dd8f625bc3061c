"""Advice of the strong computer player: its best choices, and estimates of a seat's prospects."""

from collections.abc import Sequence
from random import Random

from engines.game import ADVISED, Advice, Seat
from engines.tangram.computer import answer, next_tile, rest_of, thoughts
from engines.tangram.computer.endgame import endings
from engines.tangram.computer.evaluation import cover_of, promise
from engines.tangram.moves import ChooseSide, TangramDone
from engines.tangram.pieces.city import Piece
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND
from engines.tangram.pieces.geometry import SIDES
from engines.tangram.view import TangramView


def advice(view: TangramView, seat: Seat, rng: Random) -> list[Advice]:
    """Return the best places for the first open tile, or setting it aside.

    Tiles that may be answered ahead come after the one that is asked for. If all are answered: confirming in
    the last round, and nothing in the others. Sides of a board are equally good.
    """
    if view.phase == "side":
        return [] if seat in view.answered else [Advice((ChooseSide(side),)) for side in SIDES]
    tile = next_tile(view, seat)
    if tile is None:
        answered = {one.tile or FOUNTAIN for one in view.mine}
        tile = next((one for one in view.ahead if one not in answered), None)
    if tile is None:
        return [Advice((TangramDone(),))] if view.phase == "final" and seat not in view.answered else []
    city = view.without(tile)
    pairs: Sequence[tuple[float, Piece | None]]
    if view.round == LAST_ROUND:
        pairs = endings(city, rest_of(view, seat, tile))
    else:
        pairs = thoughts(view, seat, city, tile, rng, ADVISED)
    return [Advice((answer(tile, piece),)) for _, piece in pairs[:ADVISED]]


def estimate(view: TangramView, seat: Seat) -> float | None:
    """Estimate a seat's points, won and promised by its city. None if it has left."""
    if seat in view.out:
        return None
    return view.scores[seat] + (0.0 if view.over else promise(cover_of(view.cities[seat])))
