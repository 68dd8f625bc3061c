"""The words of Nim."""

from collections.abc import Sequence
from typing import assert_never

from engines.game import Seat
from engines.nim.moves import Ended, Event, Left, Take, Taken
from engines.nim.view import View
from engines.words import player_with_sign


def event_line(event: Event, view: View, names: Sequence[str]) -> str | None:
    match event:
        case Taken(seat=seat, heap=heap, stones=stones):
            return f"{player_with_sign(names, seat)} takes {stones} from heap {heap}."
        case Left(seat=seat):
            return f"{player_with_sign(names, seat)} leaves the game."
        case Ended():
            return None
        case _:
            assert_never(event)


def duty(view: View, seat: Seat) -> str:
    return "take stones from a heap"


def result(view: View, names: Sequence[str]) -> str:
    outcome = view.outcome
    best = [] if outcome is None else [seat for seat, place in enumerate(outcome.places) if place == 1]
    winners = " and ".join(player_with_sign(names, seat) for seat in best)
    return f"{winners} win{'s' if len(best) == 1 else ''}!"


def move_name(move: Take, _view: View, _names: Sequence[str]) -> str:
    return f"take {move.stones} from heap {move.heap}"


def unseen_name(_move: Take) -> str:
    """Return nothing: Nim hides nothing."""
    return ""
