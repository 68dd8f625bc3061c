from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from engines.tesla import GAME, moves
from engines.tesla.pieces.components import Face, Opening, Segment, TeslaOptions, Tiles, segments, shape
from engines.tesla.view import TeslaView


class Filed(msgspec.Struct, frozen=True):
    """A game: the first tiles of its bag, and its moves, parted by semicolons.

    Attributes:
        captions: what a teaching picture says below each position: a headline and a line.
        alt: the description of that picture.
    """

    seats: int
    first: int
    tiles: Tiles
    bag: str
    moves: str
    opening: Opening = "usual"
    captions: tuple[tuple[str, str], ...] = ()
    alt: str = ""


@cache
def load_games() -> dict[str, Filed]:
    data = files("tests.docs.samples").joinpath("tesla.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Filed])


def views(name: str, viewer: int | None = None) -> Iterator[TeslaView]:
    """Yield a viewer's views: at the start and after each move."""
    game = load_games()[name]
    options = GAME.settle(game.seats, TeslaOptions(tiles=game.tiles, opening=game.opening))
    tiles = shape(game.tiles)
    bag = game.bag.split()
    rest = [face for face, count in tiles.counts.items() for _ in range(count)]
    for face in (*bag, tiles.start_face):
        rest.remove(face)
    state = GAME.begin(game.seats, options, GAME.Deal((*bag, *rest), game.first), b"")
    yield GAME.view(state, viewer)
    for words in game.moves.split(";"):
        GAME.play(state, state.seat, read(words, game.tiles))
        yield GAME.view(state, viewer)


def last(name: str, viewer: int | None = None) -> TeslaView:
    *_, view = views(name, viewer)
    return view


def read(words: str, tiles: Tiles) -> moves.Move:
    """Read one move; a tile is named by the way it lies.

    >>> read("place AA50 14", "hex")
    TeslaPlace(tile='03', turn=1, cell='AA50')
    """
    match words.split():
        case ["place", cell, lie]:
            return moves.TeslaPlace(*_find_turn(lie, tiles), cell)
        case ["replace", cell, lie]:
            return moves.Replace(*_find_turn(lie, tiles), cell)
        case ["mark", cell, wire]:
            return moves.Mark(cell, _segment(wire))
        case ["replay", cell, wire]:
            return moves.Replay(cell, _segment(wire))
        case ["take", cell]:
            return moves.Take(cell)
        case ["enough"]:
            return moves.EndReplay()
        case ["discard", *faces]:
            return moves.Discard(tuple(faces))
        case ["end"]:
            return moves.TeslaEndTurn()
    raise ValueError(words)


def _find_turn(lie: str, tiles: Tiles) -> tuple[Face, int]:
    face = shape(tiles).faces[lie]
    return face, shape(tiles).lies(face).index(lie)


def _segment(wire: str) -> Segment:
    return segments(wire)[0]
