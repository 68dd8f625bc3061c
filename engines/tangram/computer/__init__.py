"""The computer players: each answers for one tile at a time, from its seat's view.

The medium one lays each tile where its city looks best, the easy one where it looks fair. The strong one
plays the rest of the round out from the best of these places and from those that lead to a full city, with
the cards that it knows and a guess at the others, and checks if the city could still be filled to the last
square, and how far apart the colours would be then. In the last round medium and strong search the remaining
placements.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from engines.game import ADVISED, Advice, Seat, Strength, Thinking
from engines.tangram import moves
from engines.tangram.computer import evaluation
from engines.tangram.computer.search import best_ending, endings, filling
from engines.tangram.pieces.board import ONES, Balance, City, Piece, TangramLaid, distance_of, squares_touched
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, TILES, TileId
from engines.tangram.pieces.geometry import SIDES
from engines.tangram.view import TangramView

RELUCTANCE = 2.5
"""Players set a tile aside if every place is this much worse."""

PLENTY = 25
"""Untouched squares from which players that don't think ahead set no tile aside."""

LENIENCE = {Strength.EASY: 3.6, Strength.CASUAL: 2.0, Strength.MEDIUM: 0.5}
"""Players that don't think ahead take any place that is at most this much worse than the best."""

SEARCHED = {Strength.EASY: 1, Strength.CASUAL: 2}
"""The last tiles of the game that these players search; the others search the whole last round."""


class TangramDepth(NamedTuple):
    """The limits of the strong player's look-ahead.

    Attributes:
        places: the number of best places to think through.
        guesses: the guesses at a round's unknown cards, in the first round.
        fillings: the number of ways to fill a city to look for, before and after the tile is laid.
    """

    places: int = 10
    guesses: int = 3
    fillings: int = 3


STRONG = TangramDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: TangramDepth(places=5, guesses=2, fillings=1)}

FILLABLE = (3.0, 7.0, 14.0, 25.0, 36.0)
"""Value in each round of a city that can still be filled."""

APART = 0.5
"""Cost of each square of distance between the colours of a filled city."""

BALANCED = (0.0, 0.0, 0.1, 0.4, 0.7)
"""Weight of the balance bonus in each round: it can still be lost, or change."""

MORE = (1, 1, 1.5, 2.5, 4)
"""Factor on guesses and fillings in each round: a fuller city takes less time."""

TRIES, STEPS = 3, 2000
"""Tries to find a filling, and steps in each."""


def choose(
    view: TangramView, seat: Seat, rng: Random, strength: Strength, thinking: Thinking = Thinking.USUAL
) -> moves.Move:
    """Choose the answer for the first open tile, or a side."""
    if view.phase == "side":
        return moves.ChooseSide(rng.choice(SIDES))
    tile = next_tile(view, seat)
    if tile is None:
        return moves.TangramDone()
    city = view.without(tile)
    if view.round == LAST_ROUND:
        rest = rest_of(view, seat, tile)
        if len(rest) <= SEARCHED.get(strength, len(rest)):
            return answer(tile, best_ending(city, rest)[1])
    if strength in LENIENCE:
        return answer(tile, _good_looking(city, tile, rng, LENIENCE[strength]))
    return answer(tile, thoughts(view, seat, city, tile, rng, depth=DEPTHS[thinking])[0][1])


def next_tile(view: TangramView, seat: Seat) -> TileId | None:
    """Return the seat's first open tile, or the fountain, or None."""
    if view.phase == "fountain":
        return FOUNTAIN
    answered = {one.tile for one in view.mine}
    return next((t for t in view.current if t not in answered and t not in view.forced[seat]), None)


def answer(tile: TileId, piece: Piece | None) -> moves.Move:
    """Return the answer that lays a piece, or with None sets the tile aside."""
    if piece is None:
        return moves.DeclineFountain() if tile == FOUNTAIN else moves.Decline(tile)
    if isinstance(piece, TangramLaid):
        return moves.TangramPlace(tile, piece.side, piece.turn, piece.at)
    return moves.Fountain(piece.at, piece.corner)


def rest_of(view: TangramView, seat: Seat, tile: TileId) -> tuple[TileId, ...]:
    """Return the seat's open tiles of the last round, in order."""
    answered = {one.tile or FOUNTAIN for one in view.mine}
    others = [one for one in view.current if one not in (tile, *answered, *view.forced[seat])]
    return (tile, *(one for one in (*others, FOUNTAIN) if one not in (tile, *answered)))


def _good_looking(city: City, tile: TileId, rng: Random, lenience: float) -> Piece | None:
    """Pick one of the best-looking places at random."""
    cover = evaluation.cover_of(city)
    pairs = evaluation.rank_ways(cover, tile)
    if not pairs or not (
        (tile != FOUNTAIN and (ONES & ~squares_touched(cover.built)).bit_count() >= PLENTY)
        or _worth_laying(cover, pairs[0][0])
    ):
        return None
    return rng.choice([way for looks, way in pairs if looks >= pairs[0][0] - lenience]).piece


def _worth_laying(cover: evaluation.Cover, looks: float) -> bool:
    """Return True if laying a tile beats setting it aside."""
    return looks > evaluation.promise(cover) - RELUCTANCE


def thoughts(
    view: TangramView,
    seat: Seat,
    city: City,
    tile: TileId,
    rng: Random,
    least: int = 1,
    depth: TangramDepth = STRONG,
) -> list[tuple[float, Piece | None]]:
    """Think the best places through, and with None setting the tile aside.

    Best future first. Leaves out those that can't be the best any more, except for the first `least`.
    """
    coming = [one for one in to_come(view, seat) if one != tile]
    fountains = view.fountains[seat] - (tile == FOUNTAIN or _has_answered(view, FOUNTAIN))
    more = MORE[view.round - 1]
    rests = [_rest_of_round(view, seat, tile, rng) for _ in range(int(more * depth.guesses))]
    cover = evaluation.cover_of(city)
    candidates: list[tuple[float, Piece | None]] = [(_looks(cover, rests), None)]
    likely = [way for _, way in evaluation.rank_ways(cover, tile)[: depth.places]]
    likely += _filling_ways(city, tile, coming, fountains, rng, depth.fillings)
    candidates += [
        (_looks(evaluation.cover_with(cover, way), rests), way.piece) for way in dict.fromkeys(likely)
    ]
    candidates.sort(key=_first, reverse=True)
    most = FILLABLE[view.round - 1] + BALANCED[view.round - 1] * Balance(0, 0).bonus
    thought: list[tuple[float, Piece | None]] = []
    best = float("-inf")
    for looks, piece in candidates:
        if looks + most <= best and len(thought) >= least:
            break
        after = city if piece is None else city.add(piece)
        value = looks + _future(after, coming, fountains, view.round, rng, int(more * depth.fillings))
        thought.append((value, piece))
        best = max(best, value)
    return sorted(thought, key=_first, reverse=True)


def _filling_ways(
    city: City, tile: TileId, coming: list[TileId], fountains: int, rng: Random, fillings: int
) -> list[evaluation.Way]:
    """List the tile's places in some ways to fill the whole city."""
    tiles = coming if tile == FOUNTAIN else [tile, *coming]
    found: list[evaluation.Way] = []
    for _ in range(fillings):
        result = filling(city, tiles, fountains + (tile == FOUNTAIN), rng, tries=TRIES, steps=STEPS)
        if result is None:
            break
        laid = {quarters for one, quarters in result.laid if one == tile}
        fitting = [way for way in evaluation.ways(tile) if way.quarters in laid]
        found += [way for way in fitting if not (way.black & ~result.black or way.green & ~result.green)]
    return found


def _looks(cover: evaluation.Cover, rests: Sequence[Sequence[TileId]]) -> float:
    """Return the mean look of a city after the possible rests of the round."""
    known: dict[tuple[TileId, ...], evaluation.Cover] = {(): cover}
    return sum(evaluation.promise(_play_out(known, tuple(rest))) for rest in rests) / len(rests)


def _first(candidate: tuple[float, Piece | None]) -> float:
    return candidate[0]


def _rest_of_round(view: TangramView, seat: Seat, tile: TileId, rng: Random) -> list[TileId]:
    """Guess the rest of the round after a tile. Known cards, random others, the fountain."""
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


def _play_out(
    known: dict[tuple[TileId, ...], evaluation.Cover], tiles: tuple[TileId, ...]
) -> evaluation.Cover:
    """Lay each of the tiles where it looks best then.

    `known` holds the covers after tiles that were laid before, and gets these.
    """
    if tiles not in known:
        cover = _play_out(known, tiles[:-1])
        pair = evaluation.best_way(cover, tiles[-1])
        if pair is not None and _worth_laying(cover, pair[0]):
            cover = evaluation.cover_with(cover, pair[1])
        known[tiles] = cover
    return known[tiles]


def to_come(view: TangramView, seat: Seat) -> list[TileId]:
    played = {*view.past, *(card.tile for card in view.cards if card.played)}
    answered = {one.tile for one in view.mine}
    open_now = [tile for tile in view.current if tile not in answered and tile not in view.forced[seat]]
    return open_now + [tile for tile in TILES if tile not in played and tile not in answered]


def _future(
    city: City, tiles: list[TileId], fountains: int, number: int, rng: Random, fillings: int
) -> float:
    """Value, by round, the chance to fill the city with these tiles. 0 if it can't be filled."""
    closest: int | None = None
    for _ in range(fillings):
        result = filling(city, tiles, fountains, rng, tries=TRIES, steps=STEPS)
        if result is None:
            break
        distance = distance_of(result.black, result.green)
        closest = distance if closest is None else min(closest, distance)
        if not distance:
            break
    if closest is None:
        return 0.0
    bonus = BALANCED[number - 1] * Balance(closest, 0).bonus
    return FILLABLE[number - 1] + bonus - APART * closest


def advice(view: TangramView, seat: Seat, rng: Random) -> list[Advice]:
    """Return the best places for the first open tile, or setting it aside.

    Tiles that may be answered ahead come after the one that is asked for. If all are answered: confirming in
    the last round, and nothing in the others. Sides of a board are equally good.
    """
    if view.phase == "side":
        return [] if seat in view.answered else [Advice((moves.ChooseSide(side),)) for side in SIDES]
    tile = next_tile(view, seat)
    if tile is None:
        answered = {one.tile or FOUNTAIN for one in view.mine}
        tile = next((one for one in view.ahead if one not in answered), None)
    if tile is None:
        return [Advice((moves.TangramDone(),))] if view.phase == "final" and seat not in view.answered else []
    city = view.without(tile)
    pairs: Sequence[tuple[float, Piece | None]]
    if view.round == LAST_ROUND:
        pairs = endings(city, rest_of(view, seat, tile))
    else:
        pairs = thoughts(view, seat, city, tile, rng, ADVISED)
    return [Advice((answer(tile, piece),)) for _, piece in pairs[:ADVISED]]


def estimate(view: TangramView, seat: Seat) -> float | None:
    """Estimate a seat's points, won and promised by its city. None if it has left."""
    if seat in view.out:
        return None
    return view.scores[seat] + (
        0.0 if view.over else evaluation.promise(evaluation.cover_of(view.cities[seat]))
    )
