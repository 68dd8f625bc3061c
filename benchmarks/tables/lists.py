"""The longest lists of legal moves: how long one blocks the event loop, whole and in slices."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random

import msgspec

from benchmarks.cogs.flow import callbacks
from benchmarks.measure import Figure, cpu_milliseconds
from cogs.play.questions import name_moves
from engines import engine
from engines.engine import Engine
from engines.game import Seat
from engines.registry import SLUGS, game, move_names, words
from engines.workers import Workers
from tables.runtime.slices import SLICE

GAMES, LISTS = 4, 5
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")
Place = tuple[bytes, Seat, int]


def measure() -> Iterator[Figure]:
    """Yield each game's figures; each list is made by a fresh process."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    figures = []
    for slug in SLUGS:
        places = longest_lists(slug)
        what = f"{slug}: {places[0][2]:,} moves"
        figures += [
            Figure(f"{what} listed in one go", await _list_afresh(slug, places, None), "ms CPU"),
            Figure(
                f"{what} listed, the longest slice",
                await _list_afresh(slug, places, SLICE),
                "ms CPU",
                "<= 10",
            ),
        ]
        figures += [
            Figure(f"{what} named, the longest slice", await _name(slug, places), "ms CPU", "<= 10"),
            Figure(f"{what} told in words", _tell(slug, places), "ms CPU", "<= 10"),
        ]
    return figures


def longest_lists(slug: str) -> list[Place]:
    """Return random positions with the most moves: encoded, mover, count."""
    rules, encode, entries = game(slug), msgspec.json.encode, list[Place]()
    seats = max(rules.seats_for(rules.Options()))
    for number in range(GAMES):
        rng, seed, options = Random(number), str(number).encode(), rules.settle(seats, rules.Options())
        deal = encode(rules.deal(seats, options, seed))
        position = engine.begin(slug, seats, encode(options), deal, seed).position
        while position.owing:
            seat = position.owing[0]
            moves = list(Engine(Workers()).moves(slug, position.state, seat))
            entries.append((position.state, seat, len(moves)))
            position = engine.play(slug, seats, position.state, [(seat, rng.choice(moves))]).position
    return sorted(entries, key=lambda place: place[2], reverse=True)[:LISTS]


async def _list_afresh(slug: str, places: Iterable[Place], size: int | None) -> list[float]:
    taken = []
    for state, seat, _ in places:
        workers = Workers(1)
        taken.append(await workers.run(list_moves, slug, state, seat, size))
        workers.close()
    return taken


def list_moves(slug: str, state: bytes, seat: Seat, size: int | None) -> float:
    """Return the milliseconds of a list's longest slice, from the encoded position.

    A `size` of None is one slice.
    """
    game(slug)
    begun, taken = time.thread_time(), 0.0
    for count, _ in enumerate(Engine(Workers()).moves(slug, state, seat), start=1):
        if size is not None and not count % size:
            now = time.thread_time()
            taken, begun = max(taken, now - begun), now
    return max(taken, time.thread_time() - begun) * 1000


def _tell(slug: str, places: Iterable[Place]) -> list[float]:
    """Return the milliseconds to tell somebody their moves in words."""
    values = list[float]()
    for state, seat, _ in places:
        moves, view = (
            list(Engine(Workers()).moves(slug, state, seat)),
            Engine(Workers()).view(slug, state, seat),
        )
        values.append(cpu_milliseconds(partial(words(slug).describe_moves, view, NAMES, moves)))
    return values


async def _name(slug: str, places: Iterable[Place]) -> list[float]:
    """Return the milliseconds of the longest slice of autocomplete's naming."""
    return [await _longest_slice(slug, state, seat) for state, seat, _ in places]


async def _longest_slice(slug: str, state: bytes, seat: Seat) -> float:
    moves, view = list(Engine(Workers()).moves(slug, state, seat)), Engine(Workers()).view(slug, state, seat)
    naming = move_names(slug).move_name
    with callbacks() as held:
        await asyncio.create_task(name_moves(moves, lambda move: naming(move, view, NAMES)))
    return max(held)
