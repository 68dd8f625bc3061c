"""The facts open to everybody, and the view of one viewer.

A `TanglewoodView` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, Literal

import msgspec

from engines.game import BoardChange, Outcome, Seat, fields_of, join_turns
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Colour, Counts, colours, index, votes

Phase = Literal["turn", "step", "benefit", "effect", "ballots", "keep", "over"]


class TanglewoodPublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. Seats count from 0, rounds from 1.

    The elements of its lists and dicts are only replaced, never changed: a copy of these is a copy of all.

    Attributes:
        phase: ``turn``: draw or place; ``step``: the track of a wild Tangle; ``benefit`` and ``effect``: a
            choice that a step or a Tangle leaves; ``ballots`` and ``keep``: all at once; ``over``.
        turns: the number of turns begun in the whole game, including the current one.
        round: the number of the round.
        order: the turn order of the round; the seats that have left are in it and skipped.
        seat: whose turn it is, None while all choose ballots and at the end.
        votes, circles, draw_levels, place_levels: of every seat.
        steps: for each seat its step on every track, 0 before the first.
        fox_tiles: the tile on each slot, slot 1 first.
        tangles: the Tangle on each region, None in the active one while its card is carried out.
        workers: the workers in each region, by colour as `pieces.board.colours` counts them.
        active: the region of the Place action in progress, or else of the last one; None at first.
        card: the Tangle that is carried out, None between turns.
        benefit: the remaining deeds of this turn's step, the next one first.
        effect: the remaining deeds of the Tangle, the next one first.
        discards: the Tangles that have been carried out, the oldest first.
        poll_round: the round in which the Opinion Poll turned up, None before.
        midgame_done: True after the mid-game scoring, including the keeping of ballots.
        out_round: the round in which the draw deck ran out, None before.
        played_ballots: the ballots discarded face up, since the last reshuffle.
        played: the ballots of each scoring so far, by scoring and seat.
        scorings: the votes paid at each scoring so far, by scoring, region and seat.
        out: the seats that have left, first one first.
        outcome: how the game ended, None during the game.
    """

    options: components.TanglewoodOptions
    seats: int
    phase: Phase = "turn"
    turns: int = 1
    round: int = 1
    order: list[Seat]
    seat: Seat | None
    votes: list[int]
    circles: list[int]
    draw_levels: list[int]
    place_levels: list[int]
    steps: list[dict[components.Faction, int]]
    fox_tiles: list[components.FoxTileKey]
    tangles: dict[components.Region, components.TangleId | None]
    workers: dict[components.Region, Counts]
    active: components.Region | None = None
    card: components.TangleId | None = None
    benefit: list[components.Deed] = []
    effect: list[components.Deed] = []
    discards: list[components.TangleId] = []
    poll_round: int | None = None
    midgame_done: bool = False
    out_round: int | None = None
    played_ballots: list[components.Region] = []
    played: list[tuple[tuple[components.Region, ...], ...]] = []
    scorings: list[dict[components.Region, tuple[int, ...]]] = []
    out: list[Seat] = []
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TanglewoodPublic)

    @property
    def owed(self) -> components.Deed | None:
        """The deed that asks for a choice now, in the phases ``benefit`` and ``effect``; with n = 1."""
        if self.phase not in ("benefit", "effect"):
            return None
        return (self.benefit or self.effect)[0]

    @property
    def remaining(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if seat not in self.out]


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
    before: dict[components.Region, Counts]
    news: tuple[BoardChange, ...] | msgspec.UnsetType = msgspec.UNSET
    deck: int
    reserve: int
    hands: tuple[tuple[components.Region, ...] | None, ...]
    held: tuple[int, ...]
    mine: tuple[components.Region, ...] | None
    owing: tuple[Seat, ...]
    ballot_deck: int
    ballot_discards: int
    dropped: tuple[components.Region, ...]
    deck_tangles: tuple[components.TangleId, ...] | None = None
    reserve_tangles: tuple[components.TangleId, ...] | None = None
    ballots_left: tuple[components.Region, ...] | None = None

    @property
    def over(self) -> bool:
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

    def count(self, region: components.Region, colour: Colour) -> int:
        counts = self.workers[region]
        return counts[index(colour, counts)]

    def draw_value(self, seat: Seat) -> int:
        """Return how many markers the Draw action brings this seat."""
        return components.MAT.draw[self.draw_levels[seat]]

    def most_placeable(self, seat: Seat) -> int:
        """Return how many markers this seat may place at most."""
        return components.MAT.place[self.place_levels[seat]]


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


def would_score(public: TanglewoodPublic) -> dict[components.Region, tuple[int, ...]]:
    return {
        region: votes(region, public.workers[region], public.seats, public.out)
        for region in components.REGIONS
    }


def unseen(view: TanglewoodView) -> list[components.TangleId]:
    """Return the Regular Tangles that nobody has seen. In the deck, the reserve or the box."""
    seen = {*view.discards, *view.tangles.values(), view.card}
    return [tangle for tangle in components.REGULAR_TANGLES if tangle not in seen]


def tally(view: TanglewoodView) -> tuple[int | None, ...]:
    """Return each seat's votes, won and if all were scored now. None if it has left."""
    paid = [(0,) * view.seats] if view.over else would_score(view).values()
    return tuple(
        None if seat in view.out else won + sum(row[seat] for row in paid)
        for seat, won in enumerate(view.votes)
    )
