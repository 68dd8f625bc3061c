"""What each decision does, once it is known to be legal and what it costs."""

from __future__ import annotations

from engines.game import Seat
from engines.tangle import actions, cards, effects, matters, moves, tilework
from engines.tangle.amounts import NOTHING, Amount, unit
from engines.tangle.data import AreaCode
from engines.tangle.events import (
    Bedewed,
    Drained,
    Event,
    Gained,
    Lowered,
    Offered,
    StepsMade,
    TollPaid,
    TookSeed,
    Traded,
)
from engines.tangle.matters import Matter
from engines.tangle.moves import Move, Steps3
from engines.tangle.placement import BEARS
from engines.tangle.state import State, add_seeds, desk, earn, pay, supply_seeds


def bedew(state: State) -> list[Event]:
    """Every bush of the seat to act gets a cube. Rules: Action spaces."""
    looks = desk(state, state.seat)
    bushes = tuple(looks.board.among(looks.own_of("bush")))
    for area in bushes:
        effects.set_cubes(state, area, state.tiles[area].cubes + 1)
    return [Bedewed(state.seat, bushes)] if bushes else []


def do(state: State, matter: Matter, move: Move, price: Amount) -> list[Event]:
    """What a decision of the seat to act on a matter does, apart from closing the matter."""
    seat = state.seat
    match move:
        case moves.Place(start, to):
            return actions.place(state, start, to)
        case moves.PayToll(to, paid):
            return _pay_toll(state, to, paid)
        case moves.Cast(card):
            return effects.cast(state, seat, card, price)
        case moves.Earth(area):
            return tilework.lay(state, area, "earth", price)
        case moves.Lake(area):
            return tilework.lay(state, area, "lake", price)
        case moves.Meadow(area):
            return tilework.lay(state, area, "meadow", price)
        case moves.Sprout(area):
            return tilework.lay(state, area, "sapling", price)
        case moves.Grow(area):
            return tilework.grow(state, area, price)
        case moves.Plant(seed, area):
            return tilework.plant(state, seed, area)
        case moves.Hedge(area):
            return tilework.hedge(state, area, price)
        case moves.Swap(a, b):
            return tilework.swap(state, a, b)
        case moves.Takeover(area, gift):
            return tilework.take_over(state, area, gift or NOTHING, price)
        case moves.Offer():
            return _offer(state, move)
        case moves.Recall(start, to):
            return actions.recall(state, start, to)
        case _:
            return _do_other(state, matter, move, price)


def _do_other(state: State, matter: Matter, move: Move, price: Amount) -> list[Event]:
    """Like `do`, for resources, cards and trackers."""
    seat = state.seat
    pay(state, seat, price)
    match move:
        case moves.Drain(area) if isinstance(matter, matters.Draining):
            return [_drain(state, area, matter.most)]
        case moves.TakeRow(slot):
            return cards.take_row(state, seat, slot)
        case moves.TakePile():
            return cards.take_pile(state, seat)
        case moves.Trade(resource):
            earn(state, seat, unit(resource))
            return [Traded(seat, resource)]
        case moves.Buy(seed):
            supply_seeds(state, seed, -1)
            add_seeds(state, seat, seed, 1)
            return [TookSeed(seat, seed, price)]
        case moves.Choose(gain):
            earn(state, seat, gain)
            return [Gained(seat, None, gain)]
        case moves.Steps(by):
            state.trackers = _moved(state.trackers, by, -1)
            return [StepsMade(seat, by)]
        case moves.Lower(by):
            state.trackers = _moved(state.trackers, by, 1)
            return [Lowered(seat, by)]
        case _:
            return []


def _pay_toll(state: State, to: Seat, paid: Amount) -> list[Event]:
    """Resources go from stash to stash, and less is to be kept. Rules: Toll."""
    pay(state, state.seat, paid)
    earn(state, to, paid)
    state.reserve -= sum(paid)
    return [TollPaid(state.seat, to, paid)]


def _offer(state: State, move: moves.Offer) -> list[Event]:
    """An own tile is given up for a resource, an extra placement, or a card. Rules: Alternative spaces."""
    seat = state.seat
    kind = tilework.take_up(state, move.area).kind
    events: list[Event] = [Offered(seat, move.area, kind, move.resource, move.card)]
    if move.resource is not None:
        earn(state, seat, unit(move.resource))
        return events
    if move.card is not None:
        discarded = move.source == "discard"
        return events + effects.cast(state, seat, move.card, NOTHING, discarded=discarded)
    state.offered += 1
    return events + effects.place_again(state, 1)


def _drain(state: State, area: AreaCode, most: int) -> Event:
    """Cubes of an opponent's tile go to the stash of the seat to act."""
    tile = state.tiles[area]
    taken = min(most, tile.cubes)
    effects.set_cubes(state, area, tile.cubes - taken)
    gained = unit(BEARS[tile.kind], taken)
    earn(state, state.seat, gained)
    return Drained(state.seat, area, gained)


def _moved(trackers: Steps3, by: Steps3, way: int) -> Steps3:
    """The trackers after so many steps, down with a `way` of 1 and up with -1."""
    lakes, growth, cards = (left + way * step for left, step in zip(trackers, by, strict=True))
    return (lakes, growth, cards)
