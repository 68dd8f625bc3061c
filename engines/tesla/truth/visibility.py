"""Views of a state for one viewer, and random states that the viewer can't tell from it."""

from __future__ import annotations

from collections import Counter
from random import Random

from engines.draws import SEED
from engines.game import Seat
from engines.tesla.legal.position import shown, supposed
from engines.tesla.pieces.components import shape
from engines.tesla.truth.state import State
from engines.tesla.view import View


def view_of(state: State, viewer: Seat | None, *, reveals: bool = True) -> View:
    """Return what that seat, or with None a spectator, may know.

    Rules: Components.
    """
    over = state.phase == "over" and reveals
    return shown(
        state,
        viewer=viewer,
        held=tuple(len(hand) for hand in state.hands),
        hands=tuple(tuple(hand) if over or seat == viewer else None for seat, hand in enumerate(state.hands)),
        bag=len(state.bag),
        bag_tiles=tuple(state.bag) if over else None,
    )


def imagined(view: View, luck: Random) -> State:
    """Sample a state that fits a seat's view.

    The unseen tiles dealt to the other hands and the bag.

    Raises:
        ValueError: for the view of a spectator.
    """
    if view.viewer is None:
        raise ValueError("a spectator imagines nothing")
    known = supposed(view)
    tiles = shape(view.options.tiles)
    open_to_all = [tiles.faces[laid.lie] for laid in view.board.tiles.values()] + known.discards
    hidden = Counter(tiles.counts) - Counter([*open_to_all, *known.hands[view.viewer]])
    unseen = sorted(hidden.elements(), key=tiles.order.__getitem__)
    luck.shuffle(unseen)
    hands = [
        hand if view.hands[seat] is not None else [unseen.pop() for _ in range(view.held[seat])]
        for seat, hand in enumerate(known.hands)
    ]
    return State(
        **known.lying_open(),
        hands=hands,
        changes=known.changes,
        last_changes=known.last_changes,
        seed=luck.randbytes(SEED),
        bag=unseen if view.bag_tiles is None else list(view.bag_tiles),
        refills=[0] * view.seats,
    )


def redeal(state: State, viewer: Seat | None, rng: Random, *, reveals: bool = True) -> State:
    """Redraw the bag, the hands that the viewer doesn't see, and the seed."""
    other = state.copied()
    hidden = [hand for seat, hand in enumerate(other.hands) if seat != viewer]
    if other.phase == "over" and reveals:
        return other
    tiles = [face for hand in (*hidden, other.bag) for face in hand]
    rng.shuffle(tiles)
    drawn = iter(tiles)
    for hand in (*hidden, other.bag):
        hand[:] = [next(drawn) for _ in hand]
    other.seed = rng.randbytes(len(state.seed))
    return other
