"""Arranging games of Tangram City by hand: cities from words, games from a line of answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engines.game import IllegalMove, Seat
from engines.tangram import GAME
from engines.tangram.events import Event
from engines.tangram.moves import (
    Decline,
    DeclineFountain,
    Fountain,
    Move,
    TakeBack,
    TangramDone,
    TangramPlace,
)
from engines.tangram.options import TangramOptions
from engines.tangram.pieces.city import City, Piece, TangramLaid
from engines.tangram.pieces.components import TILES, TileId
from engines.tangram.pieces.geometry import SQUARES
from engines.tangram.truth.state import TangramDeal, TangramState

DECK = tuple(TILES)


def begun(seats: int = 2, deck: Sequence[TileId] = (), start: Seat = 0, **options: Any) -> TangramState:
    """A game at its start: the named cards come first, the others in the order of their numbers."""
    rest = [tile for tile in DECK if tile not in deck]
    chosen = GAME.settle(seats, TangramOptions(**options))
    sides = tuple(f"{seat + 1}a" for seat in range(seats)) if chosen.boards == "printed" else None
    return GAME.begin(seats, chosen, TangramDeal((*deck, *rest), start, sides), b"")


def squares(side: str, names: Iterable[str]) -> list[TangramLaid]:
    """Whole squares of a colour, each laid by the smallest tile."""
    return [TangramLaid(1, side, 0, name) for name in names]  # type: ignore[arg-type]


def block(first: str, last: str) -> list[str]:
    """The names of the squares from one corner to the other."""
    columns, rows = range(ord(first[0]), ord(last[0]) + 1), range(int(first[1]), int(last[1]) + 1)
    return [f"{chr(column)}{row}" for row in rows for column in columns]


def city(*pieces: Piece, black: Iterable[str] = (), green: Iterable[str] = ()) -> City:
    """A city of these pieces and of whole squares."""
    return City((*pieces, *squares("black", black), *squares("green", green)))


def read(words: str) -> Move | None:
    """One answer in words: ``place 6 black 90 C4``, ``decline 6``, ``fountain C4 J``, ``dry`` (no fountain),
    ``back 6`` (take back), ``done``; ``leave`` is no move."""
    match words.split():
        case ["place", tile, side, turn, at]:
            return msgspec.convert(
                {"type": "place", "tile": int(tile), "side": side, "turn": int(turn), "at": at}, TangramPlace
            )
        case ["decline", tile]:
            return Decline(int(tile))
        case ["fountain", at, corner]:
            return Fountain(at, msgspec.convert(corner, Any))
        case ["dry"]:
            return DeclineFountain()
        case ["back", tile]:
            return TakeBack(int(tile))
        case ["done"]:
            return TangramDone()
        case ["leave"]:
            return None
    raise ValueError(words)


def run(state: TangramState, script: str) -> list[Event]:
    """Play answers in words, parted by ``;``, each after its seat: ``0 decline 6; 1 decline 6``."""
    happened: list[Event] = []
    for words in script.split(";"):
        seat, _, said = words.strip().partition(" ")
        move = read(said)
        happened += GAME.resign(state, int(seat)) if move is None else GAME.play(state, int(seat), move)
    return happened


def decline_all(state: TangramState, steps: int = 1) -> list[Event]:
    """Everybody sets aside whatever is asked, for so many steps."""
    happened: list[Event] = []
    for _ in range(steps):
        step = state.step
        while state.step == step and GAME.prompts(state):
            seat = next(iter(GAME.prompts(state)))
            for move in list(GAME.moves(state, seat)):
                if state.phase == "final" and isinstance(move, Decline):
                    happened += GAME.play(state, seat, move)
            move = TangramDone() if state.phase == "final" else _refusal(state)
            happened += GAME.play(state, seat, move)
    return happened


def _refusal(state: TangramState) -> Move:
    return (
        DeclineFountain()
        if state.phase == "fountain"
        else Decline(state.deck[4 * state.round - 4 + state.card])
    )


def refusal(state: TangramState, words: str) -> str:
    """The sentence with which an answer is refused; the state stays as it was."""
    before = msgspec.msgpack.encode(state)
    try:
        run(state, words)
    except IllegalMove as refused:
        assert msgspec.msgpack.encode(state) == before
        return str(refused)
    raise AssertionError(f"{words} is allowed")


def only(events: Sequence[Event], kind: type[Any]) -> Any:
    """The one event of a kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def covered(piece: Piece) -> dict[str, int]:
    """The quarters that a piece covers of each square: 1 north, 2 east, 4 south, 8 west."""
    found = {}
    for place, name in enumerate(SQUARES):
        quarters = piece.quarters >> 4 * place & 15
        if quarters:
            found[name] = quarters
    return found
