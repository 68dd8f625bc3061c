"""Drawing Secret Ballots. Rules: Secret ballots."""

from engines.draws import Draws
from engines.game import Seat
from engines.tanglewood.events import BallotsReshuffled, DrewBallots, Event, PlanUnfit, SawBallots
from engines.tanglewood.pieces.components import Region
from engines.tanglewood.truth.state import TanglewoodState


def draw_ballots(state: TanglewoodState, seat: Seat, number: int) -> list[Event]:
    """Draw ballots from the deck, fewer if it runs out."""
    events: list[Event] = []
    drawn: list[Region] = []
    while len(drawn) < number:
        if not state.ballot_deck:
            if not list_discards(state):
                break
            events += _reshuffle(state)
        drawn.append(state.ballot_deck.pop(0))
    state.hands[seat] = sorted([*state.hands[seat], *drawn])
    events.append(DrewBallots(seat=seat, number=len(drawn)))
    if drawn:
        events.append(SawBallots(seat=seat, regions=tuple(drawn), only=seat))
    return events


def list_discards(state: TanglewoodState) -> list[Region]:
    """Return all discarded ballots, played and unplayed ones, sorted."""
    return sorted([*state.played_ballots, *(ballot for pile in state.dropped for ballot in pile)])


def _reshuffle(state: TanglewoodState) -> list[Event]:
    """Shuffle the discards into a new deck, as planned or seeded.

    The discards depend on the game, so the plan is checked only now.
    """
    pile = list_discards(state)
    state.reshuffles += 1
    plan = list(state.planned.pop(0)) if state.planned else None
    fits = plan is not None and sorted(plan) == pile
    state.ballot_deck = plan if plan and fits else Draws(state.seed, state.reshuffles).shuffle(pile)
    state.played_ballots = []
    state.dropped = [[] for _ in range(state.seats)]
    entries: list[Event] = [] if plan is None or fits else [PlanUnfit(number=len(pile))]
    return [*entries, BallotsReshuffled(number=len(pile))]
