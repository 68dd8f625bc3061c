"""Tesla's Tangle as its board grows: listing placements, placing a tile, judging places, pictures."""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec

from benchmarks.measure import Figure, cpu_milliseconds
from engines.engine import play
from engines.tesla import GAME
from engines.tesla.moves import Replace, TeslaPlace
from engines.tesla.options import TeslaOptions
from engines.tesla.preview import fits
from engines.tesla.truth.state import TeslaState
from render.tesla import board, preview

NAMES = ("Ann", "Bo", "Cy", "Dee")
SEATS = 2
BOARDS = 12
TRIES = 40


def measure() -> Iterator[Figure]:
    for tiles in (10, 100):
        grown = [_grow_board(number, tiles) for number in range(BOARDS)]
        yield Figure(f"all legal placements of a hand, {tiles} tiles", _listing(grown), "ms CPU", "<= 5")
    small, large = ([_grow_board(number, tiles) for number in range(BOARDS)] for tiles in (10, 119))
    for name, kind in (("placement", TeslaPlace), ("replacement", Replace)):
        at_small, at_large = _placing(small, kind), _placing(large, kind)
        yield Figure(f"a {name} on 10 tiles", at_small, "ms CPU")
        yield Figure(f"a {name} on 119 tiles", at_large, "ms CPU")
        compared = statistics.median(at_large) / statistics.median(at_small)
        yield Figure(f"a {name} on 119 tiles / on 10 tiles", [compared], "ratio", "<= 2")
    yield Figure("a placement on 10 tiles, from bytes to bytes", _on_bytes(small), "ms CPU")
    yield Figure("a placement on 119 tiles, from bytes to bytes", _on_bytes(large), "ms CPU")
    yield Figure("every place of a tile judged, 119 tiles", _judging(large), "ms CPU")
    for tiles in (5, 60, 120):
        views = [GAME.view(_grow_board(number, tiles), None) for number in range(BOARDS)]
        for view in views:
            board(view, NAMES)
        times, sizes = _drawing(lambda view: board(view, NAMES), views)
        yield Figure(f"the board's picture, {tiles} tiles", times, "ms CPU", "<= 80")
        yield Figure(f"the board's picture, {tiles} tiles", sizes, "KB", "<= 250")
    times, sizes = _drawing(_preview, [GAME.view(state, state.seat) for state in large])
    yield Figure("a preview in the panel, 119 tiles", times, "ms CPU", "<= 80")
    yield Figure("a preview in the panel, 119 tiles", sizes, "KB", "<= 250")


def _grow_board(number: int, tiles: int) -> TeslaState:
    """Return a random position with `tiles` tiles on the board. Four more are in the hand to play."""
    options = GAME.settle(SEATS, TeslaOptions())
    for attempt in range(100):
        seed = f"grown {number} {attempt}".encode()
        rng = Random(seed)
        state = GAME.begin(SEATS, options, GAME.deal(SEATS, options, seed), seed)
        while GAME.prompts(state) and len(state.board.tiles) < tiles:
            moves = list(GAME.moves(state, state.seat))
            placing = [move for move in moves if isinstance(move, TeslaPlace)]
            GAME.play(state, state.seat, rng.choice(placing or moves))
        if GAME.prompts(state):
            if tiles < 120:
                state.hands[state.seat] = ["01-23-45", "03-14-25", "02", "01-24"]
            return state
    raise AssertionError(f"no game grew to {tiles} tiles")


def _listing(states: list[TeslaState]) -> list[float]:
    return [cpu_milliseconds(partial(list, GAME.moves(state, state.seat))) for state in states * 3]


def _placing(states: list[TeslaState], kind: type[Any]) -> list[float]:
    """Return the CPU milliseconds of `GAME.play` on a live state."""
    taken = []
    for state in states:
        known = msgspec.msgpack.encode(state)
        for move in _some(state, kind):
            copy = msgspec.msgpack.decode(known, type=TeslaState)
            taken.append(cpu_milliseconds(partial(GAME.play, copy, copy.seat, move)))
    return taken


def _on_bytes(states: list[TeslaState]) -> list[float]:
    taken = []
    for state in states:
        known, seat = msgspec.msgpack.encode(state), state.seat
        for move in _some(state, TeslaPlace):
            taken.append(cpu_milliseconds(partial(play, "tesla", SEATS, known, [(seat, move)])))
    return taken


def _some(state: TeslaState, kind: type[Any]) -> list[Any]:
    entries = [move for move in GAME.moves(state, state.seat) if isinstance(move, kind)]
    return Random(1).sample(entries, min(TRIES, len(entries)))


def _judging(states: list[TeslaState]) -> list[float]:
    views = [GAME.view(state, state.seat) for state in states]
    return [cpu_milliseconds(partial(fits, view, "01-24")) for view in views]


def _preview(view: Any) -> Any:
    return preview(view, NAMES, fits(view, "01-24")[0], 4)


def _drawing(draw: Callable[[Any], Any], views: list[Any]) -> tuple[list[float], list[float]]:
    times, sizes = [], []
    for view in views:
        begun = time.process_time()
        picture = draw(view)
        times.append((time.process_time() - begun) * 1000)
        sizes.append(len(picture.png) / 1024)
    return times, sizes
