from collections.abc import Iterator
from functools import cache
from itertools import count
from math import prod
from random import Random

import msgspec

from engines.game import Seat, Strength
from engines.tangram import GAME, computer
from engines.tangram.computer.evaluation import rank_places, rank_places_in
from engines.tangram.computer.search import EVERYTHING, best_ending, filling, final_points
from engines.tangram.legal.moves import fountain_fits, tile_fits
from engines.tangram.moves import Decline, TangramPlace
from engines.tangram.pieces.board import City, TangramLaid, is_complete, score
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TILES, TangramOptions, TileId
from engines.tangram.truth.state import TangramState, current
from tests.engines.tangram.arrange import begin, block, city
from tests.often import often


def test_an_empty_city_can_be_filled_with_all_tiles() -> None:
    result = filling(city(), list(TILES), 6, Random(1), tries=8, steps=4000)

    assert result is not None
    covered = 0
    for _, quarters in result.laid:
        assert not covered & quarters
        covered |= quarters
    assert covered == EVERYTHING


def test_a_city_can_not_be_filled_with_too_little() -> None:
    assert filling(city(), [1, 2, 3], 6, Random(1), tries=8, steps=4000) is None


def test_a_way_to_fill_a_city_covers_only_what_is_empty() -> None:
    built = city(black=block("A1", "G4"), green=block("A5", "G6"))

    result = filling(built, list(TILES), 0, Random(1), tries=8, steps=4000)

    assert result is not None
    assert not any(quarters & built.built for _, quarters in result.laid)


def test_the_last_tile_fills_the_city_when_it_can() -> None:
    almost = city(black=block("A1", "G3"), green=[*block("A4", "G6"), *block("A7", "E7")])

    points, piece = best_ending(almost, (6, FOUNTAIN))

    assert piece is not None
    assert is_complete(almost.add(piece))
    assert points == final_points(almost.add(piece))


def test_the_first_ranked_move_looks_best_in_the_panel_too() -> None:
    state = begin(1, deck=(6,))
    view = GAME.view(state, 0)

    assert rank_places(view, 6)[0] == rank_places_in(state.cities[0], 6)[0][1]


def test_the_last_hole_is_filled() -> None:
    state = begin(1, deck=(1,))
    hole = [name for name in block("A1", "G7") if name != "D4"]
    state.cities[0] = city(black=hole[:24], green=hole[24:])

    fill = GAME.choose(GAME.view(state, 0), 0, Random(1), Strength.STRONG)

    assert isinstance(fill, TangramPlace)
    assert fill.at == "D4"


def test_the_strong_player_keeps_the_way_to_a_full_city_open() -> None:
    state = begin(1, deck=(1,))
    state.cities[0] = city(black=block("A1", "G6"))
    view = GAME.view(state, 0)

    move = GAME.choose(view, 0, Random(1), Strength.STRONG)

    assert isinstance(move, TangramPlace | Decline)
    if isinstance(move, TangramPlace):
        after = state.cities[0].add(TangramLaid(move.tile, move.side, move.turn, move.at))
        rest = [tile for tile in computer.to_come(view, 0) if tile != move.tile]
        assert filling(after, rest, 6, Random(1), tries=8, steps=4000) is not None


def test_places_of_a_full_city_are_thought_of_whatever_they_look_like() -> None:
    state = begin(1, deck=(1,))
    state.cities[0] = city(black=block("A1", "G6"))
    view, none_by_look = GAME.view(state, 0), computer.TangramDepth(places=0, guesses=1, fillings=4)

    thoughts = computer.thoughts(view, 0, state.cities[0], 1, Random(1), least=9, depth=none_by_look)

    pieces = [piece for _, piece in thoughts if piece is not None]
    assert pieces
    rest = [tile for tile in computer.to_come(view, 0) if tile != 1]
    for piece in pieces:
        assert filling(state.cities[0].add(piece), rest, 6, Random(1), tries=8, steps=4000) is not None


WINS = often(6, 500)
"""The number of positions with a certain win in which the seat must win."""

MOST = 1500
"""The number of ways to answer for all tiles that are all tried."""


def positions() -> Iterator[tuple[TangramState, Seat]]:
    """Yield last rounds in which only the seat's best ending wins. The round's fountains are included."""
    for number in count():
        rng, seed = Random(number), number.to_bytes(8, "big")
        state = GAME.begin(2, TangramOptions(), GAME.deal(2, TangramOptions(), seed), seed)
        asked: set[tuple[str, Seat]] = set()
        while prompts := GAME.prompts(state):
            seat = next(iter(prompts))
            if state.round == 6 and (state.phase, seat) not in asked:
                asked.add((state.phase, seat))
                other, tiles = 1 - seat, (*current(state), FOUNTAIN)
                if max(ways(city, tiles) for city in state.cities) <= MOST and not state.pending[seat]:
                    near = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TangramState)
                    behind = most(state.cities[other], tiles) - most(state.cities[seat], tiles)
                    near.scores[seat], near.scores[other] = 100 + behind, 100
                    yield near, seat
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))


def ways(city: City, tiles: tuple[TileId, ...]) -> int:
    return prod(1 + len(tile_fits(city, tile)) for tile in tiles if tile != FOUNTAIN)


@cache
def most(city: City, tiles: tuple[TileId, ...]) -> int:
    """Return a city's most points, by trying every way."""
    if not tiles:
        result = score(city)
        return result.points + result.balance.bonus + SCORING.planning_bonus * is_complete(city)
    fitting = fountain_fits(city) if tiles[0] == FOUNTAIN else tile_fits(city, tiles[0])
    return max(most(after, tiles[1:]) for after in (city, *map(city.add, fitting)))


def wins_in_play(state: TangramState, seat: Seat, strength: Strength, rng: Random) -> bool:
    """Return True if the computer wins or shares against any answer."""
    while prompts := GAME.prompts(state):
        mover = next(iter(prompts))
        if mover == seat:
            move = GAME.choose(GAME.view(state, seat), seat, Random(1), strength)
        else:
            move = GAME.choose(GAME.view(state, mover), mover, rng, Strength.MEDIUM)
        GAME.play(state, mover, move)
    return state.outcome is not None and state.outcome.places[seat] == 1


def test_the_best_ending_wins_where_nothing_else_does() -> None:
    for number, (state, seat) in enumerate(positions()):
        assert wins_in_play(state, seat, Strength.STRONG if number % 2 else Strength.MEDIUM, Random(number))
        if number == WINS:
            return
