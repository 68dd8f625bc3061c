"""The next turn of a seat if everybody before it did nothing, and its standing answer about ballots."""

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from engines.game import Seat
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import KeepBallots, PlayBallots
from engines.tanglewood.pieces.components import SCORING, Region
from engines.tanglewood.preview import swings
from engines.tanglewood.truth.rounds import later_in_round
from engines.tanglewood.view import TanglewoodView

MOST_VOTES = "most_votes"
"""The standing answer that plays and keeps the ballots worth most votes now."""


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


def standing_answer(view: TanglewoodView, seat: Seat, answer: str) -> PlayBallots | KeepBallots | None:
    """Return the ballots of a seat by its standing answer. None if it isn't asked about ballots."""
    hand = view.hands[seat]
    if answer != MOST_VOTES or hand is None or view.phase not in ("ballots", "keep"):
        return None
    if view.phase == "ballots":
        return PlayBallots(_worth_most(view, seat, hand, SCORING.ballots_played))
    return KeepBallots(_worth_most(view, seat, hand, min(SCORING.ballots_kept, len(hand))))


def _worth_most(view: TanglewoodView, seat: Seat, hand: Sequence[Region], number: int) -> tuple[Region, ...]:
    """Return the ballots that bring the seat most votes now.

    Of equal ones those that bring the others fewest, then the first.
    """

    def gain(regions: tuple[Region, ...]) -> tuple[int, int]:
        change = swings(view, workers_after(view.workers, seat, PlayBallots(regions), view.active))
        return change[seat], 2 * change[seat] - sum(change)

    return max(combinations(sorted(hand), number), key=gain)
