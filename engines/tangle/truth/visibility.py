"""Views of a state for one viewer, and random states that the viewer can't tell from it."""

from collections import Counter
from random import Random

from engines.draws import SEED_SIZE
from engines.game import Seat
from engines.tangle.pieces.components import ALL_CARDS, CONDITIONS, in_order
from engines.tangle.truth.state import TangleState, owing
from engines.tangle.view import TangleView, TurnChanges


def view_of(state: TangleState, viewer: Seat | None, *, reveals: bool = True) -> TangleView:
    """Return what that seat, or with None a spectator, may know. Rules: What is known."""
    over = state.phase == "over" and reveals
    return TangleView(
        **state.public_fields(),
        viewer=viewer,
        decision=state.decision,
        agenda=tuple(state.agenda),
        owing=owing(state),
        pile=len(state.pile),
        hand=None if viewer is None else tuple(state.hands[viewer]),
        conditions=None if viewer is None else state.conditions[viewer],
        changed=state.before if state.changed == TurnChanges() else state.changed,
        hands=tuple(map(tuple, state.hands)) if over else None,
        secrets=tuple(state.conditions) if over else None,
    )


def resample_hidden(
    state: TangleState, viewer: Seat | None, rng: Random, *, reveals: bool = True
) -> TangleState:
    """Redraw the pile, the box, the seed, and others' secrets."""
    other = state.copy()
    if state.phase == "over" and reveals:
        return other
    others = [seat for seat in range(state.seats) if seat != viewer]
    cards = [card for seat in others for card in state.hands[seat]] + state.pile
    secrets = [secret for seat in others for secret in state.conditions[seat]] + list(state.box)
    rng.shuffle(cards)
    rng.shuffle(secrets)
    for seat in others:
        other.hands[seat] = in_order(_take(cards, len(state.hands[seat])))
        other.conditions[seat] = tuple(_take(secrets, len(state.conditions[seat])))
    other.pile = cards
    other.box = tuple(secrets)
    other.seed = rng.randbytes(len(state.seed))
    return other


def sample_state(view: TangleView, luck: Random) -> TangleState:
    """Sample a state that fits a seat's view. Raises ValueError for a spectator."""
    if view.viewer is None or view.hand is None or view.conditions is None:
        raise ValueError("a spectator imagines nothing")
    fronts = [card for player in view.players for card in player.front]
    cards = list((Counter(ALL_CARDS) - Counter([*view.hand, *view.row, *view.discards, *fronts])).elements())
    secrets = [condition for condition in CONDITIONS if condition not in view.conditions]
    luck.shuffle(cards)
    luck.shuffle(secrets)
    hands, conditions = [], []
    for seat, player in enumerate(view.players):
        mine = seat == view.viewer
        hands.append(list(view.hand) if mine else in_order(_take(cards, player.held)))
        conditions.append(view.conditions if mine else tuple(_take(secrets, len(view.conditions))))
    return TangleState(
        **view.public_fields(),
        seed=luck.randbytes(SEED_SIZE),
        agenda=list(view.agenda),
        pile=cards,
        hands=hands,
        conditions=conditions,
        box=tuple(secrets),
        changed=view.changed,
    )


def _take(pile: list[str], number: int) -> list[str]:
    """Remove and return that many items from the end of a pile."""
    return [pile.pop() for _ in range(number)]
