"""Moves of Tesla's Tangle by name."""

from collections.abc import Sequence
from typing import assert_never

from engines.marks import with_icon
from engines.tesla import moves
from engines.tesla.pieces.board import circuit_name
from engines.tesla.pieces.cells import Cell
from engines.tesla.pieces.components import Face, Segment, shape
from engines.tesla.view import TeslaView
from engines.tesla.words import nouns
from engines.words import Names, join_words, plural


def move_name(move: moves.Move, view: TeslaView, _names: Names) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`.

    Tiles with the same face are one choice: "tile 1 or 2".
    """
    match move:
        case moves.TeslaPlace(face, turn, cell):
            return f"place {_tile(view, face)} at {nouns.at(cell, _degrees(view, turn))}"
        case moves.Replace(face, turn, cell):
            return f"replace {cell} with {nouns.at(_tile(view, face), _degrees(view, turn))}"
        case moves.Mark(cell, segment) | moves.Replay(cell, segment):
            again = " again" if isinstance(move, moves.Replay) else ""
            wire, (name, value) = nouns.heading(view.options.tiles, segment), _circuit(view, cell, segment)
            return f"mark {cell}{again}, {wire}: circuit {name} for {plural(value, 'point')}"
        case moves.Take(cell):
            name, value = _circuit(view, cell, view.board.markers[cell].segment)
            return f"take back the marker at {cell}: circuit {name} for {plural(value, 'point')}"
        case moves.EndReplay():
            return "leave the other markers in the supply"
        case moves.Discard(faces):
            return f"discard {_tiles(view, faces)}"
        case moves.TeslaEndTurn():
            return "end the turn"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the tiles in it."""
    match move:
        case moves.TeslaPlace() | moves.Replace():
            return "lay a tile"
        case moves.Discard():
            return "discard tiles"
        case _:
            return ""


def _tile(view: TeslaView, face: Face) -> str:
    numbers = [str(number) for number, held in enumerate(_hand(view), start=1) if held == face]
    return with_icon(nouns.tile_sign(view.options.tiles, face), f"tile {join_words(numbers, 'or')}")


def _tiles(view: TeslaView, faces: Sequence[Face]) -> str:
    """Return discarded tiles by number; of the same face, the first ones."""
    left = list(enumerate(_hand(view), start=1))
    for face in faces:
        left.remove(next(pair for pair in left if pair[1] == face))
    thrown = [str(number) for number, _ in enumerate(_hand(view), start=1) if number not in dict(left)]
    return f"tile{'s' * (len(thrown) > 1)} {join_words(thrown)}"


def _hand(view: TeslaView) -> Sequence[Face]:
    return view.hands[view.seat] or ()


def _degrees(view: TeslaView, turn: int) -> int:
    return turn * 360 // shape(view.options.tiles).sides


def _circuit(view: TeslaView, cell: Cell, segment: Segment) -> tuple[str, int]:
    """Return the letters and the value of a wire's circuit."""
    number = view.board.circuit_at(cell, segment)
    return circuit_name(number), view.board.circuits[number].value
