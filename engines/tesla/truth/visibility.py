"""From the whole truth to what one viewer may know, and back to all that the viewer can't rule out."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.tesla.position import shown
from engines.tesla.truth.state import State
from engines.tesla.view import View


def view_of(state: State, viewer: Seat | None) -> View:
    """What that seat, or with None a spectator, may know. Rules: Components."""
    over = state.phase == "over"
    return shown(
        state,
        viewer=viewer,
        held=tuple(len(hand) for hand in state.hands),
        hands=tuple(tuple(hand) if over or seat == viewer else None for seat, hand in enumerate(state.hands)),
        bag=len(state.bag),
        bag_tiles=tuple(state.bag) if over else None,
    )


def redeal(state: State, viewer: Seat | None, rng: Random) -> State:
    """The state with the bag, the hands that the viewer doesn't see, and the seed drawn anew."""
    other = state.copied()
    hidden = [hand for seat, hand in enumerate(other.hands) if seat != viewer]
    if other.phase == "over":
        return other
    tiles = [face for hand in (*hidden, other.bag) for face in hand]
    rng.shuffle(tiles)
    drawn = iter(tiles)
    for hand in (*hidden, other.bag):
        hand[:] = [next(drawn) for _ in hand]
    other.seed = rng.randbytes(len(state.seed))
    return other
