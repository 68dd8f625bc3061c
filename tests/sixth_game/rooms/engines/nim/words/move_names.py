"""The one move of Nim by name."""

from collections.abc import Sequence

from engines.nim.moves import Take
from engines.nim.view import View


def move_name(move: Take, _view: View, _names: Sequence[str]) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`."""
    return f"take {move.stones} from heap {move.heap}"


def unseen_name(_move: Take) -> str:
    """Return nothing: Nim hides nothing."""
    return ""
