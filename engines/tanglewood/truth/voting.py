"""The two scorings: choosing, showing and scoring ballots, and after the first one keeping some.

Both choices are secret until the last one is in. A seat that leaves no longer counts. A region's votes are
in `engines/tanglewood/pieces/board.py: votes`; the winner is in `truth/rounds.py: finish`.
"""

from engines.game import Seat
from engines.tanglewood.events import BallotsShown, Chose, Event, Kept, RegionScored, Scored, VoteBegan
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import PlayBallots
from engines.tanglewood.pieces.components import SCORING, Region
from engines.tanglewood.truth.ballots import draw_ballots
from engines.tanglewood.truth.rounds import begin_round, finish
from engines.tanglewood.truth.state import TanglewoodState, owing
from engines.tanglewood.view import would_score


def open_vote(state: TanglewoodState) -> list[Event]:
    """Begin a scoring: seats with more ballots than they play choose. Rules: Secret ballots."""
    state.phase = "ballots"
    state.seat = None
    return [VoteBegan(final=state.midgame_done), *settle(state)]


def choose(state: TanglewoodState, seat: Seat, regions: tuple[Region, ...]) -> list[Event]:
    """Record a seat's legal choice of ballots to play or keep. Rules: Secret ballots."""
    state.chosen[seat] = regions
    return [Chose(seat=seat), *settle(state)]


def settle(state: TanglewoodState) -> list[Event]:
    """Go on as long as nobody owes a choice."""
    events: list[Event] = []
    while state.phase in ("ballots", "keep") and not owing(state):
        events += _score(state) if state.phase == "ballots" else _keep(state)
    return events


def _score(state: TanglewoodState) -> list[Event]:
    """Show the ballots, place their workers and score every region. Rules: Scoring."""
    events: list[Event] = [_show(state)]
    paid = would_score(state)
    gained = [sum(payment[seat] for payment in paid.values()) for seat in range(state.seats)]
    state.votes = [before + gain for before, gain in zip(state.votes, gained, strict=True)]
    state.scorings.append(paid)
    events += [
        RegionScored(region=region, counts=state.workers[region], votes=payment)
        for region, payment in paid.items()
    ]
    events.append(Scored(final=state.midgame_done, gained=tuple(gained), votes=tuple(state.votes)))
    if state.midgame_done:
        return [*events, finish(state, "votes")]
    state.phase = "keep"
    return events


def _show(state: TanglewoodState) -> Event:
    shown = tuple(_ballots_of(state, seat) for seat in range(state.seats))
    for seat, regions in enumerate(shown):
        for region in regions:
            state.hands[seat].remove(region)
        state.workers = workers_after(state.workers, seat, PlayBallots(regions), state.active)
        state.played_ballots += regions
    state.played.append(shown)
    state.chosen = [None] * state.seats
    return BallotsShown(ballots=shown)


def _ballots_of(state: TanglewoodState, seat: Seat) -> tuple[Region, ...]:
    """Return a seat's ballots: its choice, or all if it wasn't asked. None once it has left."""
    chosen = state.chosen[seat]
    return tuple(state.hands[seat]) if chosen is None else chosen


def _keep(state: TanglewoodState) -> list[Event]:
    """Discard, reverse the order, draw up, open the next round. Rules: After the mid-game scoring."""
    events: list[Event] = [_discard(state)]
    state.midgame_done = True
    state.order.reverse()
    for seat in (seat for seat in state.order if seat not in state.out):
        lacking = SCORING.ballots_kept - len(state.hands[seat])
        if lacking > 0:
            events += draw_ballots(state, seat, lacking)
    return [*events, begin_round(state, turned=True)]


def _discard(state: TanglewoodState) -> Event:
    numbers = [0] * state.seats
    for seat in state.remaining:
        kept = list(state.chosen[seat] or ())
        thrown = list(state.hands[seat])
        for ballot in kept:
            thrown.remove(ballot)
        state.hands[seat] = kept
        state.dropped[seat] = sorted([*state.dropped[seat], *thrown])
        numbers[seat] = len(thrown)
    state.chosen = [None] * state.seats
    return Kept(discarded=tuple(numbers))
