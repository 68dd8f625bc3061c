"""Views of a state for one viewer, states that fit a view, and a seat's next turn."""

from collections import Counter
from random import Random

from msgspec.structs import replace

from engines.game import SEED_SIZE, Seat
from engines.tesla.legal.position import next_seat, position_of, view_of_position
from engines.tesla.pieces.components import shape
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaView


def view_of(state: TeslaState, viewer: Seat | None, *, reveals: bool = True) -> TeslaView:
    """Return what that seat, or with None a spectator, may know. Rules: Components."""
    over = state.phase == "over" and reveals
    return view_of_position(
        state,
        viewer=viewer,
        held=tuple(len(hand) for hand in state.hands),
        hands=tuple(tuple(hand) if over or seat == viewer else None for seat, hand in enumerate(state.hands)),
        bag=len(state.bag),
        bag_tiles=tuple(state.bag) if over else None,
    )


def sample_state(view: TeslaView, luck: Random) -> TeslaState:
    """Sample a state that fits a seat's view.

    The unseen tiles dealt to the other hands and the bag. Raise ValueError for the view of a spectator.
    """
    if view.viewer is None:
        raise ValueError("a spectator imagines nothing")
    known = position_of(view)
    tiles = shape(view.options.tiles)
    open_to_all = [tiles.faces[laid.lie] for laid in view.board.tiles.values()] + known.discards
    hidden = Counter(tiles.counts) - Counter([*open_to_all, *known.hands[view.viewer]])
    unseen = sorted(hidden.elements(), key=tiles.order.__getitem__)
    luck.shuffle(unseen)
    hands = [
        hand if view.hands[seat] is not None else [unseen.pop() for _ in range(view.held[seat])]
        for seat, hand in enumerate(known.hands)
    ]
    return TeslaState(
        **known.public_fields(),
        hands=hands,
        changes=known.changes,
        last_changes=known.last_changes,
        seed=luck.randbytes(SEED_SIZE),
        bag=unseen if view.bag_tiles is None else list(view.bag_tiles),
        refills=[0] * view.seats,
    )


def resample_hidden(
    state: TeslaState, viewer: Seat | None, rng: Random, *, reveals: bool = True
) -> TeslaState:
    """Redraw the bag, hidden hands, and the seed."""
    other = state.copy()
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


def ahead(view: TeslaView, seat: Seat) -> TeslaView | None:
    """Return the seat's next turn, from its view alone. None if it owes something now, or is out."""
    if view.over or view.viewer != seat or view.seat == seat or seat in view.out:
        return None
    position, between, other = position_of(view), 0, view.seat
    while other != seat:
        other, between = next_seat(position, other), between + 1
    return replace(
        view,
        phase="tiles",
        seat=seat,
        turn=view.turn + between,
        replays=0,
        may_mark=True,
        acted=False,
        started=view.scores[seat],
    )
