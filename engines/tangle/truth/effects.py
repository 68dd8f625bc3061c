"""The effects of enchantments, spaces and tiles, and where cards go."""

from collections.abc import Iterable

import msgspec

from engines.game import Draws, Seat
from engines.tangle import decisions, moves
from engines.tangle.legal.context import Context, powers
from engines.tangle.legal.moves import decision_at
from engines.tangle.legal.prices import lying, ripe, toll_due
from engines.tangle.legal.resources import room_below
from engines.tangle.legal.tiles import next_kind
from engines.tangle.pieces import card_language, components
from engines.tangle.pieces.board import BEARS, STACK_OF, STACKS, Kind, TangleTile
from engines.tangle.truth.state import TangleState, add_seeds, context_for, earn, supply_seeds


def take_row(
    state: TangleState, seat: Seat, slot: int, price: components.Amount = components.NOTHING
) -> list[moves.Event]:
    """Take a card of the row, and refill the row at once."""
    card = state.row.pop(slot)
    _into_hand(state, seat, card)
    happened: list[moves.Event] = [moves.TookCard(seat=seat, card=card, price=price)]
    while len(state.row) < components.NUMBERS.row and (state.pile or state.discards):
        happened += _refill_pile(state)
        state.row.append(state.pile.pop(0))
        happened.append(moves.RowFilled(card=state.row[-1]))
    return happened


def take_pile(
    state: TangleState, seat: Seat, price: components.Amount = components.NOTHING
) -> list[moves.Event]:
    """Draw the top card of the pile. Do nothing if there is none at all."""
    if not state.pile and not state.discards:
        return []
    happened = _refill_pile(state)
    card = state.pile.pop(0)
    _into_hand(state, seat, card)
    took = moves.TookCard(seat=seat, card=None, price=price)
    return [*happened, took, moves.SawCard(seat=seat, card=card, only=seat)]


def discard_hand(state: TangleState, seat: Seat) -> None:
    """Discard a seat's whole hand. Rules: Leaving."""
    state.discards += state.hands[seat]
    state.hands[seat] = []
    _count_hand(state, seat)


def _into_hand(state: TangleState, seat: Seat, card: components.CardId) -> None:
    state.hands[seat] = components.in_order([*state.hands[seat], card])
    _count_hand(state, seat)


def _count_hand(state: TangleState, seat: Seat) -> None:
    state.players[seat] = msgspec.structs.replace(state.players[seat], held=len(state.hands[seat]))


def _refill_pile(state: TangleState) -> list[moves.Event]:
    """Refill an empty pile from the discards."""
    if state.pile:
        return []
    state.reshuffles += 1
    state.pile = Draws(state.seed, state.reshuffles).shuffle(state.discards)
    state.discards = []
    return [moves.PileShuffled(number=len(state.pile))]


def fire(
    state: TangleState, seat: Seat, event: card_language.EventName, taken: components.Resource | None = None
) -> list[moves.Event]:
    """Notify the enchantments in front of a seat of an event.

    Rules: Enchantments. `taken` is the resource from a basic resource space.
    """
    result: list[moves.Event] = []
    for card, gain in powers(state.players[seat].front).gains.get(event, ()):
        same = components.unit(taken, gain.same) if taken is not None else components.NOTHING
        result += _gain(state, seat, card, gain, same)
    return result


def _gain(
    state: TangleState,
    seat: Seat,
    card: components.CardId,
    gain: card_language.Gain | card_language.GainOnce,
    more: components.Amount = components.NOTHING,
) -> list[moves.Event]:
    """Gain resources, then seeds while the supply lasts, then cards drawn blind."""
    amount = components.plus((gain.W, gain.E, gain.N, gain.M), more)
    bush, tree = min(gain.bush_seed, state.seeds[0]), min(gain.tree_seed, state.seeds[1])
    earn(state, seat, amount)
    for seed, number in zip(components.SEEDS, (bush, tree), strict=True):
        supply_seeds(state, seed, -number)
        add_seeds(state, seat, seed, number)
    happened: list[moves.Event] = []
    if amount != components.NOTHING or bush or tree:
        happened.append(moves.Gained(seat, card, amount, (bush, tree)))
    for _ in range(gain.cards):
        happened += take_pile(state, seat)
    return happened


def cast(
    state: TangleState,
    seat: Seat,
    card: components.CardId,
    price: components.Amount,
    *,
    discarded: bool = False,
) -> list[moves.Event]:
    """Cast a paid card from hand or discards, and run its ops. Rules: Casting."""
    if discarded:
        state.discards.remove(card)
    else:
        state.hands[seat].remove(card)
        _count_hand(state, seat)
    happened: list[moves.Event] = [moves.WasCast(seat, card, price), *fire(state, seat, "cast")]
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, front=(*player.front, card))
    if components.CARDS[card].ops:
        state.agenda.append(decisions.RunningCard(components.CARDS[card].ops, card))
    return happened


def run(state: TangleState, op: card_language.AnyOp, card: components.CardId) -> list[moves.Event]:
    """Run one piece of a cast card, or queue its decision."""
    match op:
        case card_language.GainOnce():
            return _gain(state, state.seat, card, op)
        case card_language.Harvest(extra):
            areas = [
                area for area, tile in state.tiles.items() if tile.owner == state.seat and tile.kind in BEARS
            ]
            return gather(state, state.seat, areas, extra) if areas else []
        case card_language.ExtraPlacement(count):
            return place_again(state, count)
        case card_language.LowerTrackers(count):
            state.agenda.append(decisions.Lowering(min(count, sum(room_below(state)))))
        case _:
            state.agenda.append(decisions.decision_for(op))
    return []


def place_again(state: TangleState, count: int) -> list[moves.Event]:
    """Give the seat to act extra placements. Rules: Placement."""
    state.extra += count
    return [moves.MayPlaceAgain(state.seat, count)]


def gather(
    state: TangleState, seat: Seat, areas: Iterable[components.AreaCode], extra: int = 0
) -> list[moves.Event]:
    """Harvest a seat's meadows and bushes, with an extra cube each."""
    emptied = tuple(areas)
    gained = components.total(
        components.unit(BEARS[tile.kind], tile.cubes + extra)
        for tile in map(state.tiles.__getitem__, emptied)
    )
    for area in emptied:
        set_cubes(state, area, 0)
    earn(state, seat, gained)
    return [moves.Harvested(seat, emptied, gained)]


def set_cubes(state: TangleState, area: components.AreaCode, cubes: int) -> None:
    state.tiles[area] = msgspec.structs.replace(state.tiles[area], cubes=cubes)


def place(state: TangleState, start: str, to: str) -> list[moves.Event]:
    """Move a root of the seat to act. On a space, do everything that follows."""
    seat = state.seat
    _leave(state, seat, start)
    happened: list[moves.Event] = [moves.RootMoved(seat, start, to)]
    if to in components.AREAS:
        _come_home(state, to)
        return happened + fire(state, seat, "home")
    context = context_for(state, seat)
    due, below = toll_due(context, to), state.roots.get(to, ())
    state.roots[to] = (*below, seat)
    fed = context.board.feeds[to]
    for fed_space, resource in fed:
        state.resources[fed_space] = components.plus(state.resources[fed_space], components.unit(resource))
    tiles = tuple(area for area in context.board.beside[to] if _takes_cube(context, area))
    for area in tiles:
        set_cubes(state, area, state.tiles[area].cubes + 1)
    happened += [moves.Fed(fed, tiles)] if fed or tiles else []
    harvest = ripe(context, to)
    if harvest:
        happened += gather(state, seat, harvest) + fire(state, seat, "harvest")
    covered = [other for other in sorted(set(below)) if context.is_opponent(other)]
    if covered:
        happened += fire(state, seat, "cover")
    for other in covered:
        happened += fire(state, other, "covered")
    if due:
        state.agenda.append(decisions.Toll(due))
        state.reserve = sum(count for _, count in due)
    return happened + _act(state, seat, to)


def recall(state: TangleState, start: components.SpaceCode, to: components.AreaCode) -> list[moves.Event]:
    """Bring a root home by a card; nothing is triggered. Rules: Enchantments."""
    _leave(state, state.seat, start)
    _come_home(state, to)
    return [moves.Recalled(state.seat, start, to)]


def _leave(state: TangleState, seat: Seat, start: str) -> None:
    """Remove the seat's topmost root there; a stack closes up."""
    if start in components.AREAS:
        tile = state.tiles[start]
        state.tiles[start] = msgspec.structs.replace(tile, roots=tile.roots - 1)
        return
    stack = list(state.roots.pop(start))
    del stack[len(stack) - 1 - stack[::-1].index(seat)]
    if stack:
        state.roots[start] = tuple(stack)
    if state.players[seat].sleeper == start and seat not in stack:
        wake(state, seat)


def _come_home(state: TangleState, area: components.AreaCode) -> None:
    tile = state.tiles[area]
    state.tiles[area] = msgspec.structs.replace(tile, roots=tile.roots + 1)


def wake(state: TangleState, seat: Seat) -> None:
    """Wake a seat's sleeping root. Rules: Alternative spaces."""
    state.players[seat] = msgspec.structs.replace(state.players[seat], sleeper=None)


def _takes_cube(context: Context, area: components.AreaCode) -> bool:
    """Return True if an opponent's bush or meadow there gets a cube."""
    tile = context.public.tiles.get(area)
    if tile is None or not context.is_opponent(tile.owner) or tile.kind not in BEARS:
        return False
    room = components.NUMBERS.meadow_cap + powers(context.public.players[tile.owner].front).meadow_room
    return tile.kind == "bush" or tile.cubes < room


def _act(state: TangleState, seat: Seat, space: components.SpaceCode) -> list[moves.Event]:
    """Do the automatic part of the space's action. Put the rest on the agenda."""
    context = context_for(state, seat)
    action = context.board.spaces[space]
    match action:
        case "resource":
            taken, start = state.resources[space], context_for(state, seat).board.start[space]
            state.resources[space] = start
            earn(state, seat, taken)
            kinds = [resource for resource, number in zip(components.RESOURCES, start, strict=True) if number]
            happened: list[moves.Event] = [moves.Took(seat, space, taken)]
            return happened + fire(state, seat, "take", kinds[0]) if len(kinds) == 1 else happened
        case "gather_water":
            gained = lying(context, space)
            earn(state, seat, gained)
            return [moves.Took(seat, space, gained)]
        case "bush_seed":
            return _take_seed(state, seat, "bush")
        case "tree_seed":
            return _take_seed(state, seat, "tree")
        case "hibernate":
            state.players[seat] = msgspec.structs.replace(state.players[seat], sleeper=space)
            return [moves.Slept(seat, space)]
        case _:
            happened = fire(state, seat, "lore") if action == "take_cards" else []
            asked = decision_at(context, action)
            if asked is not None:
                state.agenda.append(asked)
            return happened


def _take_seed(state: TangleState, seat: Seat, seed: components.Seed) -> list[moves.Event]:
    """Take a seed of the supply, if it has one."""
    if not state.seeds[seed == "tree"]:
        return []
    supply_seeds(state, seed, -1)
    add_seeds(state, seat, seed, 1)
    return [
        moves.TookSeed(seat, seed, components.NOTHING),
        *fire(state, seat, "bush_seed" if seed == "bush" else "tree_seed"),
    ]


def lay(
    state: TangleState, area: components.AreaCode, kind: Kind, price: components.Amount
) -> list[moves.Event]:
    """Lay a tile for the seat to act, replacing its clean earth there."""
    seat = state.seat
    if area in state.tiles:
        take_up(state, area)
    _put(state, seat, area, kind)
    state.changes += 1
    return [moves.TangleLaid(seat, area, kind, price), *fire(state, seat, kind)]


def grow(state: TangleState, area: components.AreaCode, price: components.Amount) -> list[moves.Event]:
    """Grow a seed or a sapling. A new tree gets a root of the stash. Rules: Growing."""
    seat, tile = state.seat, state.tiles[area]
    kind = next_kind(tile)
    assert kind is not None
    take_up(state, area)
    _put(state, seat, area, kind)
    player = state.players[seat]
    rooted = kind == "tree" and player.roots > 0
    if rooted:
        state.players[seat] = msgspec.structs.replace(player, roots=player.roots - 1)
        state.tiles[area] = msgspec.structs.replace(state.tiles[area], roots=1)
    state.changes += 1 + rooted
    happened = [*fire(state, seat, kind), *fire(state, seat, "grow")]
    return [moves.Grew(seat, area, kind, price, rooted), *happened]


def plant_seed(state: TangleState, seed: components.Seed, area: components.AreaCode) -> list[moves.Event]:
    add_seeds(state, state.seat, seed, -1)
    _sow(state, area, seed)
    return [moves.TanglePlanted(state.seat, seed, area)]


def hedge(state: TangleState, area: components.AreaCode) -> list[moves.Event]:
    """Put a bush seed of the supply onto clean earth of the seat to act."""
    supply_seeds(state, "bush", -1)
    _sow(state, area, "bush")
    return [moves.TanglePlanted(state.seat, "bush", area, hedge=True)]


def swap(state: TangleState, a: components.AreaCode, b: components.AreaCode) -> list[moves.Event]:
    """Swap two tiles, with all that is on them."""
    state.tiles[a], state.tiles[b] = state.tiles[b], state.tiles[a]
    return [moves.TangleSwapped(state.seat, a, b)]


def take_over(state: TangleState, area: components.AreaCode, gift: components.Amount) -> list[moves.Event]:
    """Replace an opponent's clean earth; the opponent gets `gift` of the payment."""
    seat = state.seat
    loser = take_up(state, area).owner
    _put(state, seat, area, "earth")
    earn(state, loser, gift)
    state.changes += 1
    return [moves.TileTakenOver(seat, area, loser, gift), *fire(state, seat, "earth")]


def wither(state: TangleState, area: components.AreaCode) -> None:
    """Replace an unpaid tile by clean earth if possible. Rules: Upkeep."""
    owner = take_up(state, area).owner
    if state.players[owner].tiles[STACKS.index("earth")]:
        _put(state, owner, area, "earth")


def take_up(state: TangleState, area: components.AreaCode) -> TangleTile:
    """Return a tile to its stack, its seed to the supply, its cubes to the pool."""
    tile = state.tiles.pop(area)
    _count_tile(state, tile.owner, tile.kind, 1)
    if tile.seed is not None:
        supply_seeds(state, tile.seed, 1)
    return tile


def _put(state: TangleState, seat: Seat, area: components.AreaCode, kind: Kind) -> None:
    _count_tile(state, seat, kind, -1)
    state.tiles[area] = TangleTile(seat, kind)


def _count_tile(state: TangleState, seat: Seat, kind: Kind, more: int) -> None:
    player = state.players[seat]
    left = list(player.tiles)
    left[STACKS.index(STACK_OF[kind])] += more
    earth, meadow, lake, sapling = left
    state.players[seat] = msgspec.structs.replace(player, tiles=(earth, meadow, lake, sapling))


def _sow(state: TangleState, area: components.AreaCode, seed: components.Seed) -> None:
    state.tiles[area] = msgspec.structs.replace(state.tiles[area], seed=seed)
