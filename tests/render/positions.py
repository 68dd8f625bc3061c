"""Positions to draw: arranged by hand, or from games on file, of computer players or of chance."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any, get_args

import msgspec

from engines import tangle, tangram, tesla
from engines.game import Strength
from engines.registry import game
from engines.ribbon import GAME
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonState
from engines.ribbon.view import RibbonView
from engines.tangle.pieces.components import TangleOptions
from engines.tangle.truth.state import TangleState
from engines.tanglewood.pieces.components import Length
from engines.tanglewood.truth.state import TanglewoodState
from engines.tangram.computer import answer, next_tile
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.moves import TangramDone
from engines.tangram.pieces.components import Boards, TangramOptions
from engines.tangram.truth.state import TangramState
from engines.tesla.moves import EndReplay, Mark, Move, Replay, Take, TeslaEndTurn, TeslaPlace
from engines.tesla.pieces.components import TeslaOptions, Tiles
from engines.tesla.truth.state import TeslaState
from tests.engines.golden import FIXTURES, load
from tests.engines.ribbon.arrange import arranging
from tests.often import often
from tests.thinking import choose_briefly

NAMES = ("Ann", "Bo", "Cy")
CLEAN = "QIGEKBPMDNCA"
"""A circle without a tangle."""
TANGLED = "QIEGKBPMDNCA"
"""The same with orange tangled at 2-3 and 4-5."""

RIBBON_TABLES = (
    (1, RibbonOptions("solo", "easy")),
    (1, RibbonOptions("solo", "medium")),
    (1, RibbonOptions("solo", "hard")),
    (2, RibbonOptions("versus")),
    (3, RibbonOptions("versus")),
    (2, RibbonOptions("coop")),
    (3, RibbonOptions("coop")),
)


def view_circle(circle: str, *hands: str, viewer: int | None = None, **fields: Any) -> RibbonView:
    """Return that circle's view while the first seat may arrange."""
    return GAME.view(arranging(circle, hands, **fields), viewer)


def states(seats: int, options: RibbonOptions, seed: int) -> Iterator[RibbonState]:
    options, rng, key = GAME.settle(seats, options), Random(seed), bytes([seed])
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    yield state
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))
        yield state


def circuitry(seats: int = 2, shaped: Tiles = "hex", seed: int = 0) -> Iterator[TeslaState]:
    """Yield the positions of a Tesla's Tangle game that chance plays. It lays all tiles and marks little."""
    rng, key = Random(seed), bytes([seed])
    options = tesla.GAME.settle(seats, TeslaOptions(tiles=shaped, win=80))
    state = tesla.GAME.begin(seats, options, tesla.GAME.deal(seats, options, key), key)
    yield state
    while tesla.GAME.prompts(state):
        tesla.GAME.play(state, state.seat, _chance(state, rng))
        yield state


def _chance(state: TeslaState, rng: Random) -> Move:
    moves = list(tesla.GAME.moves(state, state.seat))
    if places := [move for move in moves if isinstance(move, TeslaPlace)]:
        return rng.choice(places)
    if state.phase == "tiles" and (taken := [move for move in moves if isinstance(move, Take)]):
        worth = {move: _value(state, move.cell, state.board.markers[move.cell].segment) for move in taken}
        if max(worth.values()) >= 12:
            return max(taken, key=worth.__getitem__)
    cheap = [
        move
        for move in moves
        if isinstance(move, Mark | Replay) and _value(state, move.cell, move.segment) <= 3
    ]
    if cheap and state.scores[state.seat] > -24:
        return rng.choice(cheap)
    return EndReplay() if state.phase == "replay" else TeslaEndTurn()


def _value(state: TeslaState, cell: str, segment: tuple[int, int]) -> int:
    return state.board.circuits[state.board.circuit_at(cell, segment)].value


def crowd_board(count: int, seats: int = 2, shaped: Tiles = "hex", seed: int = 0) -> TeslaState:
    """Return its first position with that many tiles, else its last."""
    for state in circuitry(seats, shaped, seed):
        if len(state.board.tiles) >= count:
            break
    return state


def cities(seats: int, boards: Boards = "plain", seed: int = 0) -> Iterator[TangramState]:
    """Yield a game in which all choose a best place, or none."""
    rng, key = Random(seed), bytes([seed])
    options = TangramOptions(boards=boards)
    state = tangram.GAME.begin(seats, options, tangram.GAME.deal(seats, options, key), key)
    yield state
    while prompts := tangram.GAME.prompts(state):
        seat = next(iter(prompts))
        view = tangram.GAME.view(state, seat)
        tile = next_tile(view, seat)
        if tile is None:
            tangram.GAME.play(state, seat, TangramDone())
        else:
            places = rank_places(view, tile)[:4]
            piece = rng.choice(places) if places and rng.random() < 0.95 else None
            tangram.GAME.play(state, seat, answer(tile, piece))
        yield state


def forests(seats: int, length: Length = "full") -> Iterator[TanglewoodState]:
    return on_file("tanglewood", f"table-{seats}{'-short' * (length == 'short')}")


def lands(seats: int, options: TangleOptions | None = None) -> Iterator[TangleState]:
    """Yield a filed game, or with options one of easy computers."""
    return on_file("tangle", f"table-{seats}") if options is None else _simple_lands(seats, options)


def _simple_lands(seats: int, options: TangleOptions) -> Iterator[TangleState]:
    rng, key = Random(seats), bytes([seats])
    options = tangle.GAME.settle(seats, options)
    state = tangle.GAME.begin(seats, options, tangle.GAME.deal(seats, options, key), key)
    yield state
    while prompts := tangle.GAME.prompts(state):
        seat = next(iter(prompts))
        view = tangle.GAME.view(state, seat)
        tangle.GAME.play(state, seat, choose_briefly(tangle.GAME, view, seat, rng, Strength.EASY))
        yield state


def on_file(slug: str, name: str) -> Iterator[Any]:
    """Yield every position of a whole filed game, without replaying computers."""
    golden = load(FIXTURES / slug / f"{name}.json")
    state = golden.begin()
    yield state
    for entry in golden.entries:
        golden.replay(state, entry)
        yield state


TANGLE_TABLES: tuple[tuple[int, TangleOptions | None], ...] = (
    *((seats, None) for seats in range(2, 5)),
    (2, TangleOptions(centre="hibernate")),
    (3, TangleOptions(centre="takeover", exchange=(("S1", "sacrifice"),))),
    (
        4,
        TangleOptions(centre="sacrifice", exchange=(("S3", "hibernate"), ("SL", "takeover")), round_limit=30),
    ),
)
GAMES: dict[str, tuple[Callable[[], Iterator[Any]], ...]] = {
    "ribbon": tuple(partial(states, *table, seed) for seed, table in enumerate(RIBBON_TABLES)),
    "tesla": (
        partial(circuitry, 2, "hex", 1),
        partial(circuitry, 3, "square", 2),
        partial(circuitry, 4, "hex", 3),
    ),
    "tangram": tuple(
        partial(cities, seats, "printed" if seats % 2 else "plain", seats) for seats in range(1, 6)
    ),
    "tanglewood": tuple(
        partial(forests, seats, length) for length in get_args(Length) for seats in range(3, 6)
    ),
    "tangle": tuple(partial(lands, *table) for table in TANGLE_TABLES),
}
"""Games of every kind of table, to be played."""


@cache
def pack_game(slug: str, number: int) -> tuple[bytes, ...]:
    """Return every position of one of a game's `GAMES`."""
    return tuple(msgspec.msgpack.encode(state) for state in GAMES[slug][number]())


def unpack(slug: str, packed: bytes) -> Any:
    return msgspec.msgpack.decode(packed, type=game(slug).State)


def sample(slug: str, every: int) -> Iterator[Any]:
    """Yield every N-th position and the last one of each game."""
    for number in range(len(GAMES[slug])):
        positions = pack_game(slug, number)
        for step, packed in enumerate(positions):
            if step % often(5 * every, every) == 0 or step == len(positions) - 1:
                yield unpack(slug, packed)
