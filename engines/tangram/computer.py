"""The computer players: each answers for one tile at a time, from what its seat may know.

The weak one lays each tile where its city looks best. The strong one looks, for the best of these
places, whether the city could still be filled to the last square with the tiles that are to come, and
how far apart the colours would be then.
"""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.tangram.city import City, Laid, Piece, balance_of
from engines.tangram.completion import Filling, filling
from engines.tangram.data import FOUNTAIN, LAST_ROUND, TILES, TileId
from engines.tangram.endgame import best_ending
from engines.tangram.moves import Decline, DeclineFountain, Done, Fountain, Move, Place
from engines.tangram.prospects import promise, ranked_in
from engines.tangram.view import View

RELUCTANCE = 2.5
"""A tile is set aside when every place is so much worse than leaving it."""

LENIENCE = 0.5
"""The weak player takes any place that looks hardly worse than the best."""

BEST = 12
"""So many of the best places are thought through."""

FILLABLE = (2.0, 5.0, 10.0, 18.0, 26.0)
"""What it is worth in each round that a city can still be filled."""

APART = 0.5
"""What each square of distance between the colours of a filled city costs."""

FILLINGS, TRIES, STEPS = 3, 4, 2500
"""How many ways to fill a city are looked for, with how many tries of how many steps each."""


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """The seat's answer for the first tile that it has not answered. Rules: Computer players."""
    tile = next_tile(view, seat)
    if tile is None:
        return Done()
    city = view.without(tile)
    if strength == Strength.WEAK:
        return answer(tile, _good_looking(city, tile, rng))
    if view.round == LAST_ROUND:
        return answer(tile, best_ending(city, _rest(view, seat, tile))[1])
    return answer(tile, _best_thought(view, seat, city, tile, rng))


def next_tile(view: View, seat: Seat) -> TileId | None:
    """The first tile of the open step that the seat must still answer, or the fountain; None for none."""
    if view.phase == "fountain":
        return FOUNTAIN
    answered = {one.tile for one in view.mine}
    return next((t for t in view.current if t not in answered and t not in view.forced[seat]), None)


def answer(tile: TileId, piece: Piece | None) -> Move:
    """The answer that lays a piece, or sets the tile aside."""
    if piece is None:
        return DeclineFountain() if tile == FOUNTAIN else Decline(tile)
    if isinstance(piece, Laid):
        return Place(tile, piece.side, piece.turn, piece.at)
    return Fountain(piece.at, piece.corner)


def _rest(view: View, seat: Seat, tile: TileId) -> tuple[TileId, ...]:
    """What the seat still answers in the last round, that tile first and the fountain last."""
    if tile == FOUNTAIN:
        return (FOUNTAIN,)
    answered = {one.tile for one in view.mine}
    others = [one for one in view.current if one not in (tile, *answered, *view.forced[seat])]
    return (tile, *others, FOUNTAIN)


def _promise(city: City) -> float:
    return promise(city.built, city.black, city.green)


def _good_looking(city: City, tile: TileId, rng: Random) -> Piece | None:
    """One of the places that look best: two players shall not build the same city."""
    found = ranked_in(city, tile)
    if not found or found[0][0] <= _promise(city) - RELUCTANCE:
        return None
    return rng.choice([piece for looks, piece in found if looks >= found[0][0] - LENIENCE])


def _best_thought(view: View, seat: Seat, city: City, tile: TileId, rng: Random) -> Piece | None:
    """The place, or None for setting the tile aside, after which the city has the best future."""
    coming = [one for one in to_come(view, seat) if one != tile]
    fountains = view.fountains[seat] - (tile == FOUNTAIN)

    def future(after: City) -> float:
        return _future(after, coming, fountains, view.round, rng)

    best, best_worth = None, _promise(city) + future(city)
    for looks, piece in ranked_in(city, tile)[:BEST]:
        worth = looks + future(city.add(piece))
        if worth > best_worth:
            best, best_worth = piece, worth
    return best


def to_come(view: View, seat: Seat) -> list[TileId]:
    """The tiles that the seat will still be asked for, as far as it knows: all that have not been played."""
    played = {*view.past, *(card.tile for card in view.cards if card.played)}
    answered = {one.tile for one in view.mine}
    open_now = [tile for tile in view.current if tile not in answered and tile not in view.forced[seat]]
    return open_now + [tile for tile in TILES if tile not in played]


def _future(city: City, tiles: list[TileId], fountains: int, number: int, rng: Random) -> float:
    """What it is worth, in a round, that the city can still be filled with these tiles; 0 when it can't."""
    closest: int | None = None
    for _ in range(FILLINGS):
        found = filling(city, tiles, fountains, rng, tries=TRIES, steps=STEPS)
        if found is None:
            break
        distance = _distance(found)
        closest = distance if closest is None else min(closest, distance)
        if not distance:
            break
    if closest is None:
        return 0.0
    return FILLABLE[number - 1] - APART * closest


def _distance(found: Filling) -> int:
    return balance_of(found.black, found.green).distance
