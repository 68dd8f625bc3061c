"""Arranging games of Tangram City by hand: cities from words, games from a line of answers."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from engines.game import Seat
from engines.tangram import GAME, moves
from engines.tangram.legal.moves import fountain_fits, tile_fits
from engines.tangram.pieces.board import City, Piece, TangramLaid
from engines.tangram.pieces.components import TILES, TangramOptions, TileId
from engines.tangram.pieces.geometry import SQUARES
from engines.tangram.truth.state import TangramDeal, TangramState
from tests.engines.conformance import find_refusal

DECK = tuple(TILES)
SIDES = {"plain": None, "printed": "a", "start": "-black", "choose": ""}
"""The ends of the sides that the boards get."""


def begin(seats: int = 2, deck: Sequence[TileId] = (), start: Seat = 0, **options: Any) -> TangramState:
    """Begin a game with the named cards first, others by number.

    Boards are plain unless the options say otherwise; others go to the seats by their numbers.
    """
    rest = [tile for tile in DECK if tile not in deck]
    chosen = GAME.settle(seats, TangramOptions(**{"boards": "plain", **options}))
    side = SIDES["choose" if chosen.sides == "choose" else chosen.boards]
    sides = None if side is None else tuple(f"{seat + 1}{side}" for seat in range(seats))
    return GAME.begin(seats, chosen, TangramDeal((*deck, *rest), start, sides), b"")


def squares(side: str, names: Iterable[str]) -> list[TangramLaid]:
    return [TangramLaid(1, side, 0, name) for name in names]  # type: ignore[arg-type]


def block(first: str, last: str) -> list[str]:
    columns, rows = range(ord(first[0]), ord(last[0]) + 1), range(int(first[1]), int(last[1]) + 1)
    return [f"{chr(column)}{row}" for row in rows for column in columns]


def city(*pieces: Piece, black: Iterable[str] = (), green: Iterable[str] = ()) -> City:
    """Build a city of these pieces and of whole squares."""
    return City((*pieces, *squares("black", black), *squares("green", green)))


def read(words: str) -> moves.Move | None:
    """Read an answer.

    ``place 6 black 90 C4``, ``decline 6``, ``fountain C4 J``, ``dry`` (no fountain), ``back 6`` (take back),
    ``done``, ``side green``; ``leave`` is no move.
    """
    match words.split():
        case ["side", side]:
            return moves.ChooseSide(msgspec.convert(side, Any))
        case ["place", tile, side, turn, at]:
            return msgspec.convert(
                {"type": "place", "tile": int(tile), "side": side, "turn": int(turn), "at": at},
                moves.TangramPlace,
            )
        case ["decline", tile]:
            return moves.Decline(int(tile))
        case ["fountain", at, corner]:
            return moves.Fountain(at, msgspec.convert(corner, Any))
        case ["dry"]:
            return moves.DeclineFountain()
        case ["back", tile]:
            return moves.TakeBack(int(tile))
        case ["done"]:
            return moves.TangramDone()
        case ["leave"]:
            return None
    raise ValueError(words)


def run(state: TangramState, script: str) -> list[moves.Event]:
    """Play answers in words. They are split at ``;``, each after its seat: ``0 decline 6; 1 decline 6``."""
    happened: list[moves.Event] = []
    for words in script.split(";"):
        seat, _, said = words.strip().partition(" ")
        move = read(said)
        happened += GAME.resign(state, int(seat)) if move is None else GAME.play(state, int(seat), move)
    return happened


def decline_all(state: TangramState, steps: int = 1) -> list[moves.Event]:
    """Set aside every tile of N steps for everybody."""
    happened: list[moves.Event] = []
    for _ in range(steps):
        step = state.step
        while state.step == step and GAME.prompts(state):
            seat = next(iter(GAME.prompts(state)))
            for move in list(GAME.moves(state, seat)):
                if state.phase == "final" and isinstance(move, moves.Decline):
                    happened += GAME.play(state, seat, move)
            answer: moves.Move = moves.TangramDone() if state.phase == "final" else moves.DeclineFountain()
            if state.phase not in ("final", "fountain"):
                answer = moves.Decline(state.deck[4 * state.round - 4 + state.card])
            happened += GAME.play(state, seat, answer)
    return happened


def refusal(state: TangramState, words: str) -> str:
    return find_refusal(state, lambda: run(state, words))


def only(events: Sequence[moves.Event], kind: type[Any]) -> Any:
    (result,) = [event for event in events if isinstance(event, kind)]
    return result


def covers(piece: Piece) -> dict[str, int]:
    """Return the quarters of each square that a piece covers. 1 is north, 2 east, 4 south, 8 west."""
    result = {}
    for place, name in enumerate(SQUARES):
        quarters = piece.quarters >> 4 * place & 15
        if quarters:
            result[name] = quarters
    return result


RECTANGLES = [
    {f"{'ABCDEFG'[column]}{row + 1}" for column in range(left, right + 1) for row in range(top, bottom + 1)}
    for left in range(7)
    for right in range(left, 7)
    for top in range(7)
    for bottom in range(top, 7)
]
"""The squares of every rectangle."""


def quarters(city: City) -> dict[str, dict[int, str]]:
    """Return the content of each square's quarters: `black`, `green` or `water`."""
    result: dict[str, dict[int, str]] = {square: {} for square in SQUARES}
    for piece in city.pieces:
        colour = piece.side if isinstance(piece, TangramLaid) else "water"
        for place, square in enumerate(SQUARES):
            for quarter in range(4):
                if piece.quarters >> (4 * place + quarter) & 1:
                    assert quarter not in result[square], "two pieces overlap"
                    result[square][quarter] = colour
    return result


def plain_full(city: City) -> set[str]:
    return {square for square, on_it in quarters(city).items() if len(on_it) == 4}


def plain_balance(city: City) -> tuple[int, int]:
    black = green = 0
    for on_it in quarters(city).values():
        colours = set(on_it.values())
        if len(on_it) == 4:
            black += "black" in colours and "green" not in colours
            green += "green" in colours and "black" not in colours
    return black, green


def plain_rectangle(city: City) -> int:
    """Return the largest fully built rectangle's area, by trying all of them."""
    whole = plain_full(city)
    return max((len(names) for names in RECTANGLES if names <= whole), default=0)


def random_city(rng: Random) -> City:
    city = City()
    for tile in rng.sample(sorted(TILES), rng.randint(0, 23)):
        places = tile_fits(city, tile)
        if places:
            city = city.add(rng.choice(places))
    for _ in range(rng.randint(0, 6)):
        free = fountain_fits(city)
        if free:
            city = city.add(rng.choice(free))
    return city
