"""Views of a state for one viewer, and random states that the viewer can't tell from it."""

from random import Random

import msgspec

from engines.game import SEED_SIZE, Seat
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.components import CARDS, Card
from engines.ribbon.truth.state import RibbonPosition, RibbonState, hand_in_use, may_offer, owing
from engines.ribbon.view import RibbonChanges, RibbonView

UNCHANGED = RibbonChanges()


def view_of(state: RibbonState, viewer: Seat | None, *, reveals: bool = True) -> RibbonView:
    """Return what that seat, or with None a spectator, may know. Rules: State."""
    if viewer in state.out:
        viewer = None
    over = state.phase == "over" and reveals
    everything = over or state.options.mode != "versus"
    own = None if _choosing_blind(state) else viewer
    hands = tuple(
        [
            tuple(held)
            if everything or seat == own
            else tuple([card if card in shown else None for card in held])
            for seat, (held, shown) in enumerate(zip(state.hands, state.shown, strict=True))
        ]
    )
    in_sight = {card for cards in (state.circle, *hands) for card in cards}
    return RibbonView(
        **state.public_fields(),
        viewer=viewer,
        owes=owing(state),
        beneath=tuple(state.beneath) if over else (None,) * len(state.beneath),
        hands=hands,
        shown=tuple(map(tuple, state.shown)),
        hand_in_use=hand_in_use(state, state.turn),
        next_hand=hand_in_use(state, state.turn + 1) if state.options.mode == "solo" else None,
        aside=tuple(state.aside) if over else (None,) * len(state.aside),
        may_offer=may_offer(state),
        tangles=circles.tangles(state.circle),
        unseen=() if over else tuple([card for card in CARDS if card not in in_sight]),
        changes=state.last_changes if state.changes == UNCHANGED else state.changes,
    )


def secret_hand(state: RibbonState, seat: Seat) -> list[Card]:
    """Return the cards that only this seat sees. None in co-op and solo, or while it chooses blind."""
    if state.options.mode != "versus" or _choosing_blind(state):
        return []
    return state.hands[seat]


def _choosing_blind(state: RibbonState) -> bool:
    return state.phase == "choose_ribbon" and state.options.ribbon_choice == "blind"


def sample_state(view: RibbonView, luck: Random) -> RibbonState:
    """Sample a state that fits a seat's view.

    No position has come up before in it. Raise ValueError for the view of a spectator.
    """
    if view.viewer is None:
        raise ValueError("a spectator imagines nothing")
    unseen = list(view.unseen)
    luck.shuffle(unseen)
    hands = [[unseen.pop() if card is None else card for card in hand] for hand in view.hands]
    beneath = [unseen.pop() if card is None else None for card in view.circle]
    start = None if view.hand_in_use is None else (view.hand_in_use - view.turn + 1) % len(view.hands)
    state = RibbonState(
        **view.public_fields(),
        seed=luck.randbytes(SEED_SIZE),
        beneath=beneath,
        hands=hands,
        shown=[list(cards) for cards in view.shown],
        aside=[unseen.pop() if card is None else card for card in view.aside],
        start_hand=start if view.mode == "solo" else None,
        voters=list(view.owes) if view.phase == "tie_vote" else [],
        changes=view.changes,
    )
    state.offered = may_offer(state) and not view.may_offer
    return state


def resample_hidden(
    state: RibbonState, viewer: Seat | None, rng: Random, *, reveals: bool = True
) -> RibbonState:
    """Redraw every card that the viewer can't place, and the seed."""
    unseen = view_of(state, viewer, reveals=reveals).unseen
    shuffled = list(unseen)
    rng.shuffle(shuffled)
    becomes = dict(zip(unseen, shuffled, strict=True))

    def renamed(cards: list[Card]) -> list[Card]:
        return [becomes.get(card, card) for card in cards]

    return msgspec.structs.replace(
        state,
        seed=rng.randbytes(len(state.seed)),
        beneath=[None if card is None else becomes.get(card, card) for card in state.beneath],
        hands=[renamed(hand) for hand in state.hands],
        shown=[list(cards) for cards in state.shown],
        aside=renamed(state.aside),
        voters=list(state.voters),
        positions=[
            RibbonPosition(
                position.seat,
                position.circle,
                tuple(tuple(sorted(renamed(list(hand)))) for hand in position.hands),
            )
            for position in state.positions
        ],
    )
