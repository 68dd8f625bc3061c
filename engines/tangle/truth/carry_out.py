"""The effect of each legal and paid decision."""

from typing import assert_never

from engines.game import Seat
from engines.tangle import moves
from engines.tangle.decisions import Decision
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
from engines.tangle.legal.check import gain_of
from engines.tangle.moves import Move, Steps3
from engines.tangle.pieces.amounts import NOTHING, Amount, size
from engines.tangle.truth import card_effects, card_zones, spaces, tiles, upkeep
from engines.tangle.truth.state import TangleState, add_seeds, context_for, earn, pay, supply_seeds


def bedew(state: TangleState) -> list[Event]:
    """Put a cube on every bush of the seat to act. Rules: Action spaces."""
    context = context_for(state, state.seat)
    bushes = tuple(context.board.among(context.own_of("bush")))
    for area in bushes:
        card_effects.set_cubes(state, area, state.tiles[area].cubes + 1)
    return [Bedewed(state.seat, bushes)] if bushes else []


def do(state: TangleState, decision: Decision, move: Move, price: Amount) -> list[Event]:
    """Carry out a move without closing its decision or paying upkeep."""
    seat = state.seat
    gain = gain_of(state, decision, move)
    pay(state, seat, price)
    earn(state, seat, gain)
    match move:
        case moves.TanglePlace(start, to):
            return spaces.place(state, start, to)
        case moves.ChangeUpkeep():
            return upkeep.reopen(state, decision)
        case moves.Recall(start, to):
            return spaces.recall(state, start, to)
        case moves.PayToll(to, paid):
            return _pay_toll(state, to, paid)
        case moves.Cast(card):
            return card_effects.cast(state, seat, card, price)
        case moves.TakeRow(slot):
            return card_zones.take_row(state, seat, slot, price)
        case moves.TakePile():
            return card_zones.take_pile(state, seat, price)
        case moves.Earth(area):
            return tiles.lay(state, area, "earth", price)
        case moves.Lake(area):
            return tiles.lay(state, area, "lake", price)
        case moves.Meadow(area):
            return tiles.lay(state, area, "meadow", price)
        case moves.Sprout(area):
            return tiles.lay(state, area, "sapling", price)
        case moves.Grow(area):
            return tiles.grow(state, area, price)
        case moves.TanglePlant(seed, area):
            return tiles.plant(state, seed, area)
        case moves.Hedge(area):
            return tiles.hedge(state, area)
        case moves.TangleSwap(a, b):
            return tiles.swap(state, a, b)
        case moves.Takeover(area, gift):
            return tiles.take_over(state, area, gift or NOTHING)
        case moves.Offer():
            return _offer(state, move)
        case moves.Drain(area):
            card_effects.set_cubes(state, area, state.tiles[area].cubes - size(gain))
            return [Drained(seat, area, gain)]
        case moves.Choose():
            return [Gained(seat, None, gain)]
        case moves.Trade(resource):
            return [Traded(seat, resource)]
        case moves.Buy(seed):
            supply_seeds(state, seed, -1)
            add_seeds(state, seat, seed, 1)
            return [TookSeed(seat, seed, price)]
        case moves.Steps(by):
            state.trackers = _move_trackers(state.trackers, by, -1)
            return [StepsMade(seat, by)]
        case moves.Lower(by):
            state.trackers = _move_trackers(state.trackers, by, 1)
            return [Lowered(seat, by)]
        case moves.TangleDone():
            return []
        case moves.PayRest() | moves.DropRest() | moves.Pay() | moves.Drop():
            raise ValueError("upkeep is answered by every seat for itself")
        case _:
            assert_never(move)


def _pay_toll(state: TangleState, to: Seat, paid: Amount) -> list[Event]:
    """Pay an opponent, and reduce the reserve. Rules: Toll."""
    earn(state, to, paid)
    state.reserve -= sum(paid)
    return [TollPaid(state.seat, to, paid)]


def _offer(state: TangleState, move: moves.Offer) -> list[Event]:
    """Give up an own tile for something. Rules: Alternative spaces."""
    seat = state.seat
    kind = tiles.take_up(state, move.area).kind
    events: list[Event] = [Offered(seat, move.area, kind, move.resource, move.card)]
    if move.resource is not None:
        return events
    if move.card is not None:
        discarded = move.source == "discard"
        return events + card_effects.cast(state, seat, move.card, NOTHING, discarded=discarded)
    state.offered += 1
    return events + card_effects.place_again(state, 1)


def _move_trackers(trackers: Steps3, by: Steps3, way: int) -> Steps3:
    """Return the trackers after these steps, down with a `way` of 1 and up with -1."""
    lakes, growth, cards = (left + way * step for left, step in zip(trackers, by, strict=True))
    return (lakes, growth, cards)
