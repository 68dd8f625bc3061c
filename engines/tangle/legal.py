"""Every legal move, each once, in a stable order: from a view as well as from the truth.

A move is legal if `quotes.quote` gives it a price; here are only the moves that can come into question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations

from engines.game import IllegalMove
from engines.tangle import matters, moves
from engines.tangle.amounts import RESOURCES, Amount, minus, ways
from engines.tangle.data import SEEDS, AreaCode
from engines.tangle.desk import Desk, desk_of
from engines.tangle.matters import Matter
from engines.tangle.moves import Done, Move, Steps3
from engines.tangle.prices import GIFT, TAKEOVER
from engines.tangle.quotes import can_pay, check_end, check_start, may_decline, quote, room_below
from engines.tangle.view import View


def choices(view: View) -> list[Move]:
    """Every legal move of the viewer; none when it owes nothing."""
    if view.viewer not in view.owing or view.matter is None:
        return []
    return list(legal(desk_of(view), view.matter))


def offers(view: View) -> list[tuple[Move, Amount]]:
    """Every legal move of the viewer with what it costs, for what is decided now."""
    desk, matter = desk_of(view), view.matter
    return [(move, quote(desk, matter, move)) for move in choices(view) if matter is not None]


def legal(desk: Desk, matter: Matter) -> Iterator[Move]:
    """Every legal move of a seat that owes this matter. Rules: A turn."""
    match matter:
        case matters.Placing():
            yield from _placements(desk, matter)
        case _:
            for move in _candidates(desk, matter):
                try:
                    quote(desk, matter, move)
                except IllegalMove:
                    continue
                yield move
    if may_decline(matter):
        yield Done()


def _placements(desk: Desk, matter: matters.Placing) -> Iterator[Move]:
    """Starts and ends are judged apart: any legal start goes with any other legal end."""
    trees = list(desk.board.among(desk.own_of("tree")))
    standing = [space for space, roots in desk.scene.roots.items() if desk.seat in roots]
    places = [*desk.board.spaces, *trees]
    starts = _passing(
        lambda place: check_start(desk, matter, place),
        (place for place in places if place in {*standing, *trees}),
    )
    ends = _passing(lambda place: check_end(desk, place), [*desk.board.usable, *trees])
    for start in starts:
        for end in ends:
            if start != end:
                yield moves.Place(start, end)


def _passing(check: Callable[[str], None], places: Iterable[str]) -> list[str]:
    found = []
    for place in places:
        try:
            check(place)
        except IllegalMove:
            continue
        found.append(place)
    return found


def _candidates(desk: Desk, matter: Matter) -> Iterator[Move]:
    """At least all legal moves but `Done`, each once."""
    among = desk.board.among
    match matter:
        case matters.Earths():
            return map(moves.Earth, among(desk.empty))
        case matters.Lakes():
            return map(moves.Lake, among(desk.empty | desk.clean))
        case matters.Meadows():
            return map(moves.Meadow, among(desk.clean))
        case matters.Planting():
            return (moves.Plant(seed, area) for seed in SEEDS for area in among(desk.clean))
        case matters.Growing():
            return map(moves.Grow, among(desk.clean | desk.own_of("sapling")))
        case matters.Sprouting():
            return map(moves.Sprout, among(desk.clean))
        case matters.Hedging():
            return map(moves.Hedge, among(desk.clean))
        case matters.Diverse():
            return chain(
                map(moves.Earth, among(desk.empty)),
                map(moves.Meadow, among(desk.clean)),
                map(moves.Grow, among(desk.clean | desk.own_of("sapling"))),
            )
        case matters.TakingOver():
            return _takeovers(desk, matter)
        case matters.Casting():
            return map(moves.Cast, dict.fromkeys(desk.hand))
        case _:
            return _other_candidates(desk, matter)


def _other_candidates(desk: Desk, matter: Matter) -> Iterator[Move]:
    """Like `_candidates`, for what leaves the tiles alone or only moves them about."""
    match matter:
        case matters.Upkeep(items=items):
            yield from _upkeep_answers(items[desk.seat])
        case matters.Toll(due):
            to, count = due[0]
            yield from (moves.PayToll(to, pay) for pay in ways(count, desk.stash))
        case matters.Transforming():
            yield from (moves.Trade(resource) for resource in RESOURCES if resource != "M")
            yield from _draws(desk)
            yield from map(moves.Buy, SEEDS)
        case matters.Drawing():
            yield from _draws(desk)
        case matters.Swapping():
            yield from (moves.Swap(a, b) for a, b in combinations(desk.board.among(desk.own), 2))
        case matters.Sacrificing():
            yield from chain.from_iterable(_offers(desk, area) for area in desk.board.among(desk.own))
        case matters.GainingAny(count):
            yield from map(moves.Choose, ways(count, (count, count, count, count)))
        case matters.Draining():
            yield from map(moves.Drain, desk.board.among(desk.board.mask(desk.scene.tiles) & ~desk.own))
        case matters.Recalling():
            trees = list(desk.board.among(desk.own_of("tree")))
            yield from (moves.Recall(space, tree) for space in desk.board.spaces for tree in trees)
        case matters.Pushing(count):
            yield from map(moves.Steps, shares(count, desk.scene.trackers))
        case matters.Lowering(count):
            yield from map(moves.Lower, shares(count, room_below(desk)))


def _upkeep_answers(items: tuple[str, ...]) -> Iterator[Move]:
    yield moves.PayRest()
    yield moves.DropRest()
    yield from map(moves.Pay, dict.fromkeys(items))
    yield from map(moves.Drop, dict.fromkeys(items))


def _draws(desk: Desk) -> Iterator[Move]:
    yield from map(moves.TakeRow, range(len(desk.scene.row)))
    yield moves.TakePile()


def _takeovers(desk: Desk, matter: matters.TakingOver) -> Iterator[Move]:
    others = desk.board.around(desk.own) & ~desk.own & ~desk.empty
    if matter.free:
        yield from map(moves.Takeover, desk.board.among(others))
    elif can_pay(desk, TAKEOVER):
        pays = list(ways(GIFT, minus(desk.stash, TAKEOVER)))
        yield from (moves.Takeover(area, pay) for area in desk.board.among(others) for pay in pays)


def _offers(desk: Desk, area: AreaCode) -> Iterator[Move]:
    match desk.scene.tiles[area].kind:
        case "earth":
            yield from (moves.Offer(area, resource) for resource in RESOURCES)
        case "bush":
            yield from (moves.Offer(area, source="hand", card=card) for card in dict.fromkeys(desk.hand))
            discards = dict.fromkeys(desk.scene.discards)
            yield from (moves.Offer(area, source="discard", card=card) for card in discards)
        case _:
            yield moves.Offer(area)


def shares(count: int, room: Steps3) -> Iterator[Steps3]:
    """Every way to share out so many steps with at most `room` on each track.

    >>> list(shares(2, (1, 5, 0)))
    [(1, 1, 0), (0, 2, 0)]
    """
    for lakes in range(min(count, room[0]), -1, -1):
        for growth in range(min(count - lakes, room[1]), -1, -1):
            if count - lakes - growth <= room[2]:
                yield (lakes, growth, count - lakes - growth)
