"""Placements: a root lands, and its space acts. Rules: Placement, Action spaces."""

import msgspec

from engines.game import Seat
from engines.tangle import decisions
from engines.tangle.events import Event, Fed, Recalled, RootMoved, Slept, Took, TookSeed
from engines.tangle.legal.context import Context
from engines.tangle.legal.income import lying, ripe
from engines.tangle.legal.landing import decision_at
from engines.tangle.legal.toll import toll_due
from engines.tangle.pieces.amounts import NOTHING, RESOURCES, plus, unit
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.components import AREAS, NUMBERS, AreaCode, Seed, SpaceCode
from engines.tangle.pieces.ongoing_effects import powers
from engines.tangle.truth.card_effects import fire, gather, set_cubes
from engines.tangle.truth.state import TangleState, add_seeds, context_for, earn, supply_seeds


def place(state: TangleState, start: str, to: str) -> list[Event]:
    """Move a root of the seat to act. On a space, do everything that follows."""
    seat = state.seat
    _leave(state, seat, start)
    events: list[Event] = [RootMoved(seat, start, to)]
    if to in AREAS:
        _come_home(state, to)
        return events + fire(state, seat, "home")
    context = context_for(state, seat)
    due, below = toll_due(context, to), state.roots.get(to, ())
    state.roots[to] = (*below, seat)
    events += _feed(state, context, to)
    harvest = ripe(context, to)
    if harvest:
        events += gather(state, seat, harvest) + fire(state, seat, "harvest")
    covered = [other for other in sorted(set(below)) if context.is_opponent(other)]
    if covered:
        events += fire(state, seat, "cover")
    for other in covered:
        events += fire(state, other, "covered")
    if due:
        state.agenda.append(decisions.Toll(due))
        state.reserve = sum(count for _, count in due)
    return events + _act(state, seat, to)


def recall(state: TangleState, start: SpaceCode, to: AreaCode) -> list[Event]:
    """Bring a root home by a card; nothing is triggered. Rules: Enchantments."""
    _leave(state, state.seat, start)
    _come_home(state, to)
    return [Recalled(state.seat, start, to)]


def _leave(state: TangleState, seat: Seat, start: str) -> None:
    """Remove the seat's topmost root there; a stack closes up."""
    if start in AREAS:
        tile = state.tiles[start]
        state.tiles[start] = msgspec.structs.replace(tile, roots=tile.roots - 1)
        return
    stack = list(state.roots.pop(start))
    del stack[len(stack) - 1 - stack[::-1].index(seat)]
    if stack:
        state.roots[start] = tuple(stack)
    if state.players[seat].sleeper == start and seat not in stack:
        wake(state, seat)


def _come_home(state: TangleState, area: AreaCode) -> None:
    tile = state.tiles[area]
    state.tiles[area] = msgspec.structs.replace(tile, roots=tile.roots + 1)


def wake(state: TangleState, seat: Seat) -> None:
    """Wake a seat's sleeping root. Rules: Alternative spaces."""
    state.players[seat] = msgspec.structs.replace(state.players[seat], sleeper=None)


def _feed(state: TangleState, context: Context, space: SpaceCode) -> list[Event]:
    """Give 1 each along its arrows, and to opponents' tiles nearby."""
    fed = context.board.feeds[space]
    for to, resource in fed:
        state.resources[to] = plus(state.resources[to], unit(resource))
    tiles = tuple(area for area in context.board.beside[space] if _takes_cube(context, area))
    for area in tiles:
        set_cubes(state, area, state.tiles[area].cubes + 1)
    return [Fed(fed, tiles)] if fed or tiles else []


def _takes_cube(context: Context, area: AreaCode) -> bool:
    """Return True if an opponent's bush or meadow there gets a cube."""
    tile = context.public.tiles.get(area)
    if tile is None or not context.is_opponent(tile.owner) or tile.kind not in BEARS:
        return False
    room = NUMBERS.meadow_cap + powers(context.public.players[tile.owner].front).meadow_room
    return tile.kind == "bush" or tile.cubes < room


def _act(state: TangleState, seat: Seat, space: SpaceCode) -> list[Event]:
    """Do the automatic part of the space's action. Put the rest on the agenda."""
    context = context_for(state, seat)
    action = context.board.spaces[space]
    match action:
        case "resource":
            return _take(state, seat, space)
        case "gather_water":
            gained = lying(context, space)
            earn(state, seat, gained)
            return [Took(seat, space, gained)]
        case "bush_seed":
            return _take_seed(state, seat, "bush")
        case "tree_seed":
            return _take_seed(state, seat, "tree")
        case "hibernate":
            state.players[seat] = msgspec.structs.replace(state.players[seat], sleeper=space)
            return [Slept(seat, space)]
        case _:
            events = fire(state, seat, "lore") if action == "take_cards" else []
            asked = decision_at(context, action)
            if asked is not None:
                state.agenda.append(asked)
            return events


def _take(state: TangleState, seat: Seat, space: SpaceCode) -> list[Event]:
    """Take everything on a resource space and refill it. A basic one triggers cards."""
    taken, start = state.resources[space], context_for(state, seat).board.start[space]
    state.resources[space] = start
    earn(state, seat, taken)
    kinds = [resource for resource, number in zip(RESOURCES, start, strict=True) if number]
    events: list[Event] = [Took(seat, space, taken)]
    return events + fire(state, seat, "take", kinds[0]) if len(kinds) == 1 else events


def _take_seed(state: TangleState, seat: Seat, seed: Seed) -> list[Event]:
    """Take a seed of the supply, if it has one."""
    if not state.seeds[seed == "tree"]:
        return []
    supply_seeds(state, seed, -1)
    add_seeds(state, seat, seed, 1)
    return [TookSeed(seat, seed, NOTHING), *fire(state, seat, "bush_seed" if seed == "bush" else "tree_seed")]
