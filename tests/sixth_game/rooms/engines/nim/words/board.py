"""A position of Nim in words."""

from engines.marks import capital
from collections.abc import Sequence

from engines.nim.moves import Take
from engines.nim.view import View
from engines.words import Part, answer, count_noun, find_place, join_words, name_or_you, ordinal, section


def describe_changes(view: View, names: Sequence[str]) -> list[str]:
    """Name the seat to move, and the last take."""
    who = name_or_you(names, view.seat, view.viewer)
    be = "are" if view.seat == view.viewer else "is"
    lines = [f"The game ended on turn {view.turn}, after {who}."]
    if view.outcome is None:
        lines = [f"Turn {view.turn}: {who} {be} to take stones."]
    if view.last is not None:
        lines.append(f"{capital(count_noun(view.last.stones, 'stone'))} left heap {view.last.heap}.")
    return lines


def parts(view: View, names: Sequence[str]) -> list[Part]:
    heaps = [
        f"Heap {heap}: {count_noun(stones, 'stone')}." for heap, stones in enumerate(view.heaps, start=1)
    ]
    players = [_player(view, names, seat) for seat in range(view.seats)]
    return [
        *section("What changed last", describe_changes(view, names)),
        *section("Heaps", heaps),
        *section("Players", [*players, f"Options: {_options(view)}."]),
    ]


def _player(view: View, names: Sequence[str], seat: int) -> str:
    who = capital(name_or_you(names, seat, view.viewer))
    result = [
        f"{who} plays" if seat not in view.out else f"{who} left, {ordinal(view.out.index(seat) + 1)} to go"
    ]
    if view.outcome is not None:
        result.append(f"place {view.outcome.places[seat]}")
    return f"{join_words(result)}."


def _options(view: View) -> str:
    return join_words(f"{name} {getattr(view.options, name)}" for name in view.options.__struct_fields__)


def describe_hand(_view: View, _names: Sequence[str], _seat: int) -> list[str]:
    """Return nothing: nobody has a hand."""
    return []


def describe_picture(_what: str, _view: View, _names: Sequence[str], _args: Sequence[object]) -> list[str]:
    """Return nothing: all pictures are of the whole board."""
    return []


def places(view: View) -> list[str]:
    return [f"heap {heap}" for heap in range(1, len(view.heaps) + 1)]


def describe_place(view: View, names: Sequence[str], place: str, moves: Sequence[Take]) -> str:
    """Count a heap's stones, and those that a move can take."""
    asked = f"heap {place.strip()}" if place.strip().isdigit() else place
    heap = int(find_place(asked, places(view), "a heap, like heap 1").split()[1])
    most = max((move.stones for move in moves if move.heap == heap), default=0)
    can = f"You can take up to {most}." if most else "You can't take any now."
    return answer([f"Heap {heap}: {count_noun(view.heaps[heap - 1], 'stone')}.", can])


def describe_moves(view: View, names: Sequence[str], moves: Sequence[Take]) -> str:
    heaps = dict.fromkeys(move.heap for move in moves)
    if not heaps:
        return "You can't do anything now."
    return f"You can take stones from heap {join_words(map(str, heaps), 'or')}."
