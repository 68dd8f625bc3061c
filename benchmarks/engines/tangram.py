"""Tangram City: places of a tile, scoring, ranking, and its pictures."""

from collections.abc import Iterator
from functools import partial
from random import Random

from benchmarks.measure import Figure, cpu_milliseconds, pictures
from engines.game import Strength
from engines.tangram import GAME
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import tile_fits
from engines.tangram.legal.tile_cursor import over
from engines.tangram.options import TangramOptions
from engines.tangram.pieces.city import City, score
from engines.tangram.pieces.components import TILES
from engines.tangram.view import TangramView
from render.tangram import board, preview

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
GAMES = 6


def measure() -> Iterator[Figure]:
    """Yield the figures of half-filled and of full cities."""
    half = [city for view in _views(3, 3, GAMES) for city in view.cities]
    yield Figure(
        "tangram: all places of a tile, half-filled city",
        [cpu_milliseconds(partial(tile_fits, city, tile)) for city in half for tile in TILES],
        "ms CPU",
        "<= 1",
    )
    fresh = [City(city.pieces[:-1], city.board) for city in half]
    yield Figure(
        "tangram: scoring a city",
        [cpu_milliseconds(partial(score, city)) * 1000 for city in fresh],
        "us CPU",
        "<= 50",
    )
    views = [view for view in _views(3, 3, GAMES) if view.phase == "place"]
    yield Figure(
        "tangram: the places of a tile ranked for the panel",
        [cpu_milliseconds(partial(rank_places, view, view.current[0])) for view in views],
        "ms CPU",
    )
    ghosts = [(view, over(rank_places(view, view.current[0])[0])) for view in views]
    draws = [partial(preview, view, NAMES[:3], ghost) for view, ghost in ghosts]
    yield from pictures("tangram: a preview in the panel", draws, "<= 30", "<= 250")
    five = [partial(board, view, NAMES) for view in _views(5, 6, 2)]
    yield from pictures("tangram: the post with five full cities", five, "<= 60", "<= 250")


def _views(seats: int, rounds: int, games: int) -> list[TangramView]:
    """Return seat 0's views in a round of games between medium computers."""
    result = []
    for number in range(games):
        options, seed, rng = TangramOptions(), f"{seats}.{number}".encode(), Random(number)
        state = GAME.begin(seats, options, GAME.deal(seats, options, seed), seed)
        while prompts := GAME.prompts(state):
            if state.round == rounds and next(iter(prompts)) == 0:
                result.append(GAME.view(state, 0))
                break
            seat = next(iter(prompts))
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))
    return result
