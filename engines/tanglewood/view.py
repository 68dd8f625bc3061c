"""The view of one viewer, and facts derived from it.

A `TanglewoodView` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

import msgspec

from engines.changes import BoardChange, join_turns
from engines.game import Seat
from engines.tanglewood.pieces.board import Colour, Counts, colours, index, votes
from engines.tanglewood.pieces.components import MAT, REGIONS, REGULARS, Region, TangleId
from engines.tanglewood.public import TanglewoodPublic


class TanglewoodView(TanglewoodPublic, kw_only=True):
    """A position as one viewer may know it: open facts, and the viewer's own.

    Attributes:
        viewer: the seat that looks; None if it is a spectator.
        before: the workers at the end of the viewer's last turn, for a spectator at the beginning of the
            last finished turn; pictures compare with them.
        news: the changes since an earlier view by who made them; unset without one.
        deck: the number of Tangles left in the draw deck, without the Opinion Poll.
        reserve: the number in the reserve.
        hands: for each seat its ballots, sorted, None if the viewer may not see a hand.
        held: the number of ballots in each hand.
        mine: the viewer's choice of ballots, until all have chosen; None if there is none yet.
        owing: the seats that owe a move, in seat order.
        ballot_deck, ballot_discards: the numbers of ballots in the deck and discarded.
        dropped: the ballots that the viewer itself has discarded unplayed and that are there still, sorted.
        deck_tangles, reserve_tangles, ballots_left: the decks, top first, when the game is over.
    """

    viewer: Seat | None
    before: dict[Region, Counts]
    news: tuple[BoardChange, ...] | msgspec.UnsetType = msgspec.UNSET
    deck: int
    reserve: int
    hands: tuple[tuple[Region, ...] | None, ...]
    held: tuple[int, ...]
    mine: tuple[Region, ...] | None
    owing: tuple[Seat, ...]
    ballot_deck: int
    ballot_discards: int
    dropped: tuple[Region, ...]
    deck_tangles: tuple[TangleId, ...] | None = None
    reserve_tangles: tuple[TangleId, ...] | None = None
    ballots_left: tuple[Region, ...] | None = None

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.phase == "over"

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Every colour on the board, in the order in which `workers` counts them."""
        return colours(self.seats)

    @property
    def final(self) -> bool:
        """True if the next scoring is the last one."""
        return self.midgame_done

    @property
    def scoring_round(self) -> int | None:
        """The round after which the next scoring comes. None if nobody knows yet."""
        turned = self.out_round if self.midgame_done else self.poll_round
        return None if turned is None else turned + 1

    def count(self, region: Region, colour: Colour) -> int:
        counts = self.workers[region]
        return counts[index(colour, counts)]

    def draw_value(self, seat: Seat) -> int:
        """Return how many markers the Draw action brings this seat."""
        return MAT.draw[self.draw_levels[seat]]

    def place_value(self, seat: Seat) -> int:
        """Return how many markers this seat may place at most."""
        return MAT.place[self.place_levels[seat]]


def since(view: TanglewoodView, seen: Sequence[TanglewoodView]) -> TanglewoodView:
    """Compare the view with the workers of an earlier one.

    A number that several seats have changed is nobody's.
    """
    turns = [_turn_changes(before, after) for before, after in pairwise((*seen, view))]
    gains = [now - then for now, then in zip(view.votes, seen[0].votes, strict=True)]
    won = [BoardChange("", f"votes {seat}", seat, points=gain) for seat, gain in enumerate(gains) if gain]
    shown = {region for region, counts in view.workers.items() if counts != seen[0].workers[region]}
    makers: dict[tuple[str, str], set[Seat | None]] = {}
    for one in chain.from_iterable(turns):
        makers.setdefault((one.place, one.kind), set()).add(one.seat)
    news = tuple(
        one if len(makers[one.place, one.kind]) == 1 else msgspec.structs.replace(one, seat=None)
        for one in join_turns(turns)
        if one.place in shown
    )
    return msgspec.structs.replace(view, before=dict(seen[0].workers), news=(*news, *won))


def _turn_changes(before: TanglewoodView, after: TanglewoodView) -> list[BoardChange]:
    """Return the changes between two views, by region and colour.

    A colour that went from one region to another has its start.
    """
    one_turn = 0 <= after.turns - before.turns <= 1
    result = []
    for at, colour in enumerate(after.colours):
        changes = {region: now[at] - before.workers[region][at] for region, now in after.workers.items()}
        left = [region for region, change in changes.items() if change < 0]
        reached = [region for region, change in changes.items() if change > 0]
        # Ballots bring everybody's workers at once.
        who = colour if before.seat is None and isinstance(colour, int) else before.seat
        for region in (*left, *reached):
            start = left[0] if len(left) == 1 and region in reached and one_turn else None
            result.append(BoardChange(region, str(colour), who if one_turn else None, start=start))
    return result


def would_score(public: TanglewoodPublic) -> dict[Region, tuple[int, ...]]:
    """Return every seat's votes from each region if it were scored now."""
    return {region: votes(region, public.workers[region], public.seats, public.out) for region in REGIONS}


def unseen(view: TanglewoodView) -> list[TangleId]:
    """Return the Regular Tangles that nobody has seen. In the deck, the reserve or the box."""
    seen = {*view.discards, *view.tangles.values(), view.card}
    return [tangle for tangle in REGULARS if tangle not in seen]


def tally(view: TanglewoodView) -> tuple[int | None, ...]:
    """Return each seat's votes, won and if all were scored now. None if it has left."""
    paid = [(0,) * view.seats] if view.over else would_score(view).values()
    return tuple(
        None if seat in view.out else won + sum(row[seat] for row in paid)
        for seat, won in enumerate(view.votes)
    )
