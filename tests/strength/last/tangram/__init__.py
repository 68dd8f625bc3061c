"""Tangram City as the strong player of the last version plays it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.game import Seat
from engines.tangram.moves import Decline, DeclineFountain, Fountain, Move, TangramDone, TangramPlace
from engines.tangram.pieces.city import City, Piece, TangramLaid, distance_of
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, TILES, TileId
from engines.tangram.view import TangramView
from tests.strength.last.tangram.completion import filling
from tests.strength.last.tangram.endgame import best_ending
from tests.strength.last.tangram.evaluation import (
    LastCover,
    best_way,
    cover_of,
    cover_with,
    promise,
    rank_ways,
)

RELUCTANCE = 2.5
"""The disadvantage of every place compared with leaving the tile, from which on the tile is set aside."""

BEST = 8
"""The number of the best places that are thought through."""

GUESSES = 2
"""The number of guesses of the round's cards that a seat doesn't know."""

FILLABLE = (2.0, 5.0, 10.0, 18.0, 26.0)
"""The worth, in each round, of a city that can still be filled."""

APART = 0.5
"""The cost of each square of distance between the colours of a filled city."""

FILLINGS, TRIES, STEPS = 3, 4, 2500
"""The number of ways to fill a city that are sought, the tries for each, and the steps of each try."""


def choose(view: TangramView, seat: Seat, rng: Random) -> Move:
    """Answer for the seat's first unanswered tile. Rules: Computer players."""
    tile = next_tile(view, seat)
    if tile is None:
        return TangramDone()
    city = view.without(tile)
    if view.round == LAST_ROUND:
        return answer(tile, best_ending(city, rest_of(view, seat, tile))[1])
    return answer(tile, _best_thought(view, seat, city, tile, rng))


def next_tile(view: TangramView, seat: Seat) -> TileId | None:
    """Return the seat's first unanswered tile, or the fountain.

    Only the open step counts. Return None if there is none.
    """
    if view.phase == "fountain":
        return FOUNTAIN
    answered = {one.tile for one in view.mine}
    return next((t for t in view.current if t not in answered and t not in view.forced[seat]), None)


def answer(tile: TileId, piece: Piece | None) -> Move:
    """Return the answer that lays a piece, or sets the tile aside."""
    if piece is None:
        return DeclineFountain() if tile == FOUNTAIN else Decline(tile)
    if isinstance(piece, TangramLaid):
        return TangramPlace(tile, piece.side, piece.turn, piece.at)
    return Fountain(piece.at, piece.corner)


def rest_of(view: TangramView, seat: Seat, tile: TileId) -> tuple[TileId, ...]:
    """Return the seat's last round from that tile on, the fountain last."""
    answered = {one.tile or FOUNTAIN for one in view.mine}
    others = [one for one in view.current if one not in (tile, *answered, *view.forced[seat])]
    return (tile, *(one for one in (*others, FOUNTAIN) if one not in (tile, *answered)))


def _worth_laying(cover: LastCover, looks: float) -> bool:
    """Return True if laying for that city beats setting aside."""
    return looks > promise(cover) - RELUCTANCE


def _best_thought(view: TangramView, seat: Seat, city: City, tile: TileId, rng: Random) -> Piece | None:
    """Choose the place with the best future; None sets the tile aside."""
    return thoughts(view, seat, city, tile, rng)[0][1]


def thoughts(
    view: TangramView, seat: Seat, city: City, tile: TileId, rng: Random, least: int = 1
) -> list[tuple[float, Piece | None]]:
    """Return the places thought through, the best future first; None sets aside.

    Places that can't be the best any more are left out, but for the first `least`.
    """
    coming = [one for one in to_come(view, seat) if one != tile]
    fountains = view.fountains[seat] - (tile == FOUNTAIN or _has_answered(view, FOUNTAIN))
    rests = [_rest_of_round(view, seat, tile, rng) for _ in range(GUESSES)]
    cover = cover_of(city)
    candidates: list[tuple[float, Piece | None]] = [(_looks(cover, rests), None)]
    for _, way in rank_ways(cover, tile)[:BEST]:
        candidates.append((_looks(cover_with(cover, way), rests), way.piece))
    candidates.sort(key=_first, reverse=True)
    thought: list[tuple[float, Piece | None]] = []
    best = float("-inf")
    for looks, piece in candidates:
        if looks + FILLABLE[view.round - 1] <= best and len(thought) >= least:
            break
        after = city if piece is None else city.add(piece)
        value = looks + _future(after, coming, fountains, view.round, rng)
        thought.append((value, piece))
        best = max(best, value)
    return sorted(thought, key=_first, reverse=True)


def _looks(cover: LastCover, rests: Sequence[Sequence[TileId]]) -> float:
    """Return the average looks of a city after the rest of the round."""
    return sum(promise(_play_out(cover, rest)) for rest in rests) / len(rests)


def _first(candidate: tuple[float, Piece | None]) -> float:
    return candidate[0]


def _rest_of_round(view: TangramView, seat: Seat, tile: TileId, rng: Random) -> list[TileId]:
    """Return the tiles after this one in the round.

    These are known cards, a guess at others, the fountain.
    """
    if tile == FOUNTAIN:
        return []
    hidden = [card for card in view.cards if card.tile is None]
    known = {*view.past, *(card.tile for card in view.cards)}
    guesses = iter(rng.sample([one for one in TILES if one not in known], len(hidden)))
    coming = [card.tile or next(guesses) for card in view.cards if not card.played]
    rest = [one for one in coming if one != tile and not _has_answered(view, one)]
    return rest + [FOUNTAIN] * (view.fountains[seat] > 0 and not _has_answered(view, FOUNTAIN))


def _has_answered(view: TangramView, tile: TileId) -> bool:
    return any((one.tile or FOUNTAIN) == tile for one in view.mine)


def _play_out(cover: LastCover, tiles: Sequence[TileId]) -> LastCover:
    """Lay each tile where it looks best; return the cover."""
    for tile in tiles:
        pair = best_way(cover, tile)
        if pair is not None and _worth_laying(cover, pair[0]):
            cover = cover_with(cover, pair[1])
    return cover


def to_come(view: TangramView, seat: Seat) -> list[TileId]:
    """Return the tiles still to come, as far as the seat knows.

    These are all that have not been played.
    """
    played = {*view.past, *(card.tile for card in view.cards if card.played)}
    answered = {one.tile for one in view.mine}
    open_now = [tile for tile in view.current if tile not in answered and tile not in view.forced[seat]]
    return open_now + [tile for tile in TILES if tile not in played and tile not in answered]


def _future(city: City, tiles: list[TileId], fountains: int, number: int, rng: Random) -> float:
    """Return the worth of a fillable city; 0 if it isn't.

    It depends on the round.
    """
    closest: int | None = None
    for _ in range(FILLINGS):
        result = filling(city, tiles, fountains, rng, tries=TRIES, steps=STEPS)
        if result is None:
            break
        distance = distance_of(result.black, result.green)
        closest = distance if closest is None else min(closest, distance)
        if not distance:
            break
    if closest is None:
        return 0.0
    return FILLABLE[number - 1] - APART * closest
