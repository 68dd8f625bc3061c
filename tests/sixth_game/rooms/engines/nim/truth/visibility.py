"""Conversions from the whole truth to what one viewer may know, and back."""

from random import Random

import msgspec

from engines.game import SEED_SIZE
from engines.game import Seat
from engines.nim.pieces.board import Board
from engines.nim.truth.state import State
from engines.nim.view import View


def view_of(state: State, viewer: Seat | None) -> View:
    """Return a viewer's view, without the seed. Rules: Setup."""
    shared = {name: getattr(state, name) for name in Board.__struct_fields__}
    return View(**{**shared, "heaps": list(state.heaps)}, viewer=viewer)


def sample_state(view: View, luck: Random) -> State:
    """Return the state that a seat sees, with another seed."""
    if view.viewer is None:
        raise ValueError("a spectator imagines nothing")
    shared = {name: getattr(view, name) for name in Board.__struct_fields__}
    return State(**{**shared, "heaps": list(view.heaps)}, seed=luck.randbytes(SEED_SIZE))


def resample_hidden(state: State, rng: Random) -> State:
    """Return the same state from another seed."""
    return msgspec.structs.replace(state, heaps=list(state.heaps), seed=rng.randbytes(len(state.seed)))
