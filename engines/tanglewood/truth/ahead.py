"""The next turn of a seat, if everybody before it did nothing."""

from __future__ import annotations

from msgspec.structs import replace

from engines.game import Seat
from engines.tanglewood.truth.rounds import later_in_round
from engines.tanglewood.view import TanglewoodView


def ahead(view: TanglewoodView, seat: Seat) -> TanglewoodView | None:
    """Return the seat's next turn, from its view alone.

    None during a vote, before one that comes first, and while a Tangle is carried out: nobody knows the next
    one there.
    """
    if view.viewer != seat or view.seat in (None, seat) or seat in view.out or view.card is not None:
        return None
    playing = [other for other in view.order if other not in view.out]
    begins_round = seat not in later_in_round(view, view.seat)
    if begins_round and view.round == view.scoring_round:
        return None
    between = (playing.index(seat) - playing.index(view.seat)) % len(playing)
    return replace(
        view,
        phase="turn",
        seat=seat,
        owing=(seat,),
        turns=view.turns + between,
        round=view.round + begins_round,
        benefit=[],
    )
