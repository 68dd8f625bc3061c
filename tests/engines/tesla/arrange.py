"""Arranging games of Tesla's Tangle by hand: a board from lies, a game from a line of words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from engines.game import Seat
from engines.tesla import GAME, moves
from engines.tesla.pieces.board import START, Cell, Circuit, Marker, TeslaBoard, TeslaLaid, beyond, neighbours
from engines.tesla.pieces.components import COMMON, Face, Lie, TeslaOptions, Tiles, segments, shape
from engines.tesla.truth.state import TeslaDeal, TeslaState
from tests.engines.conformance import find_refusal
from tests.engines.tesla.recount import chains, misfits

SEED = b"tangle parlour"

Marked = Mapping[Cell, tuple[Seat, str]]
"""Markers by cell: whose, and the segment as a word, ``{"Z50": (0, "03")}``."""


def arrange(
    tiles: Mapping[Cell, Lie] | None = None,
    markers: Marked | None = None,
    *,
    scores: Sequence[int] = (0, 0),
    hands: Sequence[Sequence[Face]] | None = None,
    bag: Sequence[Face] = (),
    seat: Seat = 0,
    win: int = 50,
    shaped: Tiles = "hex",
    **fields: Any,
) -> TeslaState:
    """Return a position in which that seat begins a turn.

    There are as many seats as scores.

    `tiles` are lies by cell, by default the start tile alone; they need not hang together but must fit.
    Hands are empty, and so is the bag, if not given. Other fields of `State` may be given by name.
    """
    seats = len(scores)
    board = board_of({START: shape(shaped).start_lie} if tiles is None else tiles, markers or {}, shaped)
    used = [sum(marker.seat == owner for marker in board.markers.values()) for owner in range(seats)]
    opening = "balanced" if seats == 2 else "rulebook"
    state: TeslaState = msgspec.convert(
        {
            "options": {"tiles": shaped, "opening": opening, "win": win},
            "seats": seats,
            "seed": SEED,
            "turn": seats + 1 + seat,
            "seat": seat,
            "board": board,
            "scores": list(scores),
            "started": scores[seat],
            "supplies": [COMMON.markers[seats] - number for number in used],
            "hands": [list(hand) for hand in hands or [()] * seats],
            "bag": list(bag),
            "refills": [0] * seats,
            "places": [None] * seats,
            "idle": [0] * seats,
            "turns": [1] * seats,
            **fields,
        },
        TeslaState,
    )
    return state


def board_of(tiles: Mapping[Cell, Lie], markers: Marked, shaped: Tiles = "hex") -> TeslaBoard:
    """Build a board with these tiles and markers; count its circuits afresh."""
    assert not misfits(shaped, tiles), f"a wire meets a blank side: {misfits(shaped, tiles)}"
    marks = {cell: Marker(seat, segments(word)[0]) for cell, (seat, word) in markers.items()}
    numbers: dict[tuple[Cell, tuple[int, int]], int] = {}
    circuits: dict[int, Circuit] = {}
    for number, chain in enumerate(chains(shaped, tiles), start=1):
        on_it = tuple(cell for cell, marker in marks.items() if (cell, marker.segment) in chain.wires)
        circuits[number] = Circuit(
            len(chain.wires), tuple(sorted(chain.ends, key=lambda end: (end.cell, end.side))), on_it
        )
        numbers |= dict.fromkeys(chain.wires, number)
    laid = {
        cell: TeslaLaid(lie, tuple(numbers[cell, segment] for segment in segments(lie)))
        for cell, lie in tiles.items()
    }
    return TeslaBoard(shaped, laid, circuits, marks)


def begin(bag: Sequence[Face], seats: int = 2, first: Seat = 0, **options: Any) -> TeslaState:
    """Begin a game: these tiles come first, others in data order."""
    chosen = GAME.settle(seats, TeslaOptions(**options))
    return GAME.begin(seats, chosen, deal_of(chosen.tiles, bag, first), SEED)


def deal_of(shaped: Tiles, bag: Sequence[Face], first: Seat = 0) -> TeslaDeal:
    tiles = shape(shaped)
    rest = [face for face, count in tiles.counts.items() for _ in range(count)]
    for face in (*bag, tiles.start_face):
        rest.remove(face)
    return TeslaDeal((*bag, *rest), first)


def ring(centre: Cell = START) -> dict[Cell, Lie]:
    """Return the six curves that ring a cell of hexagons."""
    around = neighbours("hex", centre)
    result = {}
    for index, cell in enumerate(around):
        sides = [neighbours("hex", cell).index(around[(index + step) % len(around)]) for step in (-1, 1)]
        result[cell] = "{}{}".format(*sorted(sides))
    return result


def square_ring(corner: Cell = START) -> dict[Cell, Lie]:
    """Return the smallest ring's four curves; the corner is upper left."""
    right = beyond("square", corner, 1)
    return {corner: "12", right: "23", beyond("square", right, 2): "03", beyond("square", corner, 2): "01"}


def line(length: int, start: Cell = START, side: int = 1, shaped: Tiles = "hex") -> dict[Cell, Lie]:
    """Return straights in a row from a cell, through a side."""
    result, cell = {}, start
    straight = "{}{}".format(*sorted((side, shape(shaped).opposite(side))))
    for _ in range(length):
        result[cell] = straight
        cell = neighbours(shaped, cell)[side]
    return result


def find_turn(lie: Lie, shaped: Tiles = "hex") -> tuple[Face, int]:
    face = shape(shaped).faces[lie]
    return face, shape(shaped).lies(face).index(lie)


def read(words: str, shaped: Tiles = "hex") -> moves.Move | None:
    """Read one move; the words say how a tile lies.

    ``place AA50 14``, ``replace Z50 03``, ``mark AA50 14``, ``take AA50``, ``replay AA50 14``, ``enough``
    (no more replays), ``discard 01 02``, ``end``; ``leave`` is no move.
    """
    match words.split():
        case ["place", cell, lie]:
            return moves.TeslaPlace(*find_turn(lie, shaped), cell)
        case ["replace", cell, lie]:
            return moves.Replace(*find_turn(lie, shaped), cell)
        case ["mark", cell, wire]:
            return moves.Mark(cell, segments(wire)[0])
        case ["take", cell]:
            return moves.Take(cell)
        case ["replay", cell, wire]:
            return moves.Replay(cell, segments(wire)[0])
        case ["enough"]:
            return moves.EndReplay()
        case ["discard", *tiles]:
            return moves.Discard(tuple(tiles))
        case ["end"]:
            return moves.TeslaEndTurn()
        case ["leave"]:
            return None
    raise ValueError(words)


def steps(state: TeslaState, script: str) -> Iterator[tuple[Seat, moves.Move | None, list[moves.Event]]]:
    """Play moves in words.

    They are split at ``;``; the seat to act makes them unless one is named: ``1 leave``.
    """
    for words in script.split(";"):
        named, _, rest = words.strip().partition(" ")
        seat, said = (int(named), rest) if named.isdigit() else (state.seat, words.strip())
        move = read(said, state.options.tiles)
        yield seat, move, GAME.resign(state, seat) if move is None else GAME.play(state, seat, move)


def run(state: TeslaState, script: str) -> list[moves.Event]:
    return [event for _, _, played in steps(state, script) for event in played]


def refusal(state: TeslaState, words: str) -> str:
    return find_refusal(state, lambda: run(state, words))


def legal(state: TeslaState, seat: Seat | None = None) -> list[moves.Move]:
    return list(GAME.moves(state, state.seat if seat is None else seat))


def only(events: Sequence[moves.Event], kind: type[Any]) -> Any:
    (result,) = [event for event in events if isinstance(event, kind)]
    return result


def length(state: TeslaState, cell: Cell, wire: str) -> int:
    return circuit(state, cell, wire).length


def circuit(state: TeslaState, cell: Cell, wire: str) -> Circuit:
    board = state.board
    return board.circuits[board.circuit_at(cell, segments(wire)[0])]


def outcome(state: TeslaState) -> tuple[str, tuple[int | None, ...]] | None:
    return None if state.outcome is None else (state.outcome.how, state.outcome.places)
