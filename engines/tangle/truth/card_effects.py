"""The effects of enchantments: the one place where events trigger cards, and every op."""

from collections.abc import Iterable

import msgspec

from engines.game import Seat
from engines.tangle import decisions
from engines.tangle.events import Event, Gained, Harvested, MayPlaceAgain, WasCast
from engines.tangle.legal.tracks import room_below
from engines.tangle.pieces.amounts import NOTHING, Amount, Resource, plus, total, unit
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.card_language import (
    AnyOp,
    EventName,
    ExtraPlacement,
    Gain,
    GainOnce,
    Harvest,
    LowerTrackers,
)
from engines.tangle.pieces.components import CARDS, SEEDS, AreaCode, CardId
from engines.tangle.pieces.ongoing_effects import powers
from engines.tangle.truth.card_zones import leave_hand, take_pile
from engines.tangle.truth.state import TangleState, add_seeds, earn, supply_seeds


def fire(state: TangleState, seat: Seat, event: EventName, taken: Resource | None = None) -> list[Event]:
    """Notify the enchantments in front of a seat of an event.

    Rules: Enchantments. `taken` is the resource from a basic resource space.
    """
    result: list[Event] = []
    for card, gain in powers(state.players[seat].front).gains.get(event, ()):
        same = unit(taken, gain.same) if taken is not None else NOTHING
        result += _gain(state, seat, card, gain, same)
    return result


def _gain(
    state: TangleState, seat: Seat, card: CardId, gain: Gain | GainOnce, more: Amount = NOTHING
) -> list[Event]:
    """Gain resources, then seeds while the supply lasts, then cards drawn blind."""
    amount = plus((gain.W, gain.E, gain.N, gain.M), more)
    bush, tree = min(gain.bush_seed, state.seeds[0]), min(gain.tree_seed, state.seeds[1])
    earn(state, seat, amount)
    for seed, number in zip(SEEDS, (bush, tree), strict=True):
        supply_seeds(state, seed, -number)
        add_seeds(state, seat, seed, number)
    events: list[Event] = []
    if amount != NOTHING or bush or tree:
        events.append(Gained(seat, card, amount, (bush, tree)))
    for _ in range(gain.cards):
        events += take_pile(state, seat)
    return events


def cast(
    state: TangleState, seat: Seat, card: CardId, price: Amount, *, discarded: bool = False
) -> list[Event]:
    """Cast a paid card from hand or discards, and run its ops. Rules: Casting."""
    if discarded:
        state.discards.remove(card)
    else:
        leave_hand(state, seat, card)
    events: list[Event] = [WasCast(seat, card, price), *fire(state, seat, "cast")]
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, front=(*player.front, card))
    if CARDS[card].ops:
        state.agenda.append(decisions.RunningCard(CARDS[card].ops, card))
    return events


def run(state: TangleState, op: AnyOp, card: CardId) -> list[Event]:
    """Run one piece of a cast card, or queue its decision."""
    match op:
        case GainOnce():
            return _gain(state, state.seat, card, op)
        case Harvest(extra):
            return _harvest(state, extra)
        case ExtraPlacement(count):
            return place_again(state, count)
        case LowerTrackers(count):
            state.agenda.append(decisions.Lowering(min(count, sum(room_below(state)))))
        case _:
            state.agenda.append(decisions.decision_for(op))
    return []


def place_again(state: TangleState, count: int) -> list[Event]:
    """Give the seat to act extra placements. Rules: Placement."""
    state.extra += count
    return [MayPlaceAgain(state.seat, count)]


def _harvest(state: TangleState, extra: int) -> list[Event]:
    """Harvest every own meadow and bush, with some extra, empty ones too."""
    areas = [area for area, tile in state.tiles.items() if tile.owner == state.seat and tile.kind in BEARS]
    return gather(state, state.seat, areas, extra) if areas else []


def gather(state: TangleState, seat: Seat, areas: Iterable[AreaCode], extra: int = 0) -> list[Event]:
    """Harvest a seat's meadows and bushes, with an extra cube each."""
    emptied = tuple(areas)
    gained = total(
        unit(BEARS[tile.kind], tile.cubes + extra) for tile in map(state.tiles.__getitem__, emptied)
    )
    for area in emptied:
        set_cubes(state, area, 0)
    earn(state, seat, gained)
    return [Harvested(seat, emptied, gained)]


def set_cubes(state: TangleState, area: AreaCode, cubes: int) -> None:
    state.tiles[area] = msgspec.structs.replace(state.tiles[area], cubes=cubes)
