"""Changes of tiles: laid, grown, planted, taken up, swapped. Callers have checked and paid."""

import msgspec

from engines.game import Seat
from engines.tangle.events import Event, Grew, TangleLaid, TanglePlanted, TangleSwapped, TileTakenOver
from engines.tangle.legal.tiles import next_kind
from engines.tangle.pieces.amounts import Amount
from engines.tangle.pieces.board import STACK_OF, STACKS, Kind, TangleTile
from engines.tangle.pieces.components import AreaCode, Seed
from engines.tangle.truth.card_effects import fire
from engines.tangle.truth.state import TangleState, add_seeds, earn, supply_seeds


def lay(state: TangleState, area: AreaCode, kind: Kind, price: Amount) -> list[Event]:
    """Lay a tile for the seat to act, replacing its clean earth there."""
    seat = state.seat
    if area in state.tiles:
        take_up(state, area)
    _put(state, seat, area, kind)
    state.changes += 1
    return [TangleLaid(seat, area, kind, price), *fire(state, seat, kind)]


def grow(state: TangleState, area: AreaCode, price: Amount) -> list[Event]:
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
    events = [*fire(state, seat, kind), *fire(state, seat, "grow")]
    return [Grew(seat, area, kind, price, rooted), *events]


def plant(state: TangleState, seed: Seed, area: AreaCode) -> list[Event]:
    """Put a seed of the seat to act onto its clean earth."""
    add_seeds(state, state.seat, seed, -1)
    _sow(state, area, seed)
    return [TanglePlanted(state.seat, seed, area)]


def hedge(state: TangleState, area: AreaCode) -> list[Event]:
    """Put a bush seed of the supply onto clean earth of the seat to act."""
    supply_seeds(state, "bush", -1)
    _sow(state, area, "bush")
    return [TanglePlanted(state.seat, "bush", area, hedge=True)]


def swap(state: TangleState, a: AreaCode, b: AreaCode) -> list[Event]:
    """Swap two tiles, with all that is on them."""
    state.tiles[a], state.tiles[b] = state.tiles[b], state.tiles[a]
    return [TangleSwapped(state.seat, a, b)]


def take_over(state: TangleState, area: AreaCode, gift: Amount) -> list[Event]:
    """Replace an opponent's clean earth; the opponent gets `gift` of the payment."""
    seat = state.seat
    loser = take_up(state, area).owner
    _put(state, seat, area, "earth")
    earn(state, loser, gift)
    state.changes += 1
    return [TileTakenOver(seat, area, loser, gift), *fire(state, seat, "earth")]


def wither(state: TangleState, area: AreaCode) -> None:
    """Replace an unpaid tile by clean earth if possible. Rules: Upkeep."""
    owner = take_up(state, area).owner
    if state.players[owner].tiles[STACKS.index("earth")]:
        _put(state, owner, area, "earth")


def take_up(state: TangleState, area: AreaCode) -> TangleTile:
    """Return a tile to its stack, its seed to the supply, its cubes to the pool."""
    tile = state.tiles.pop(area)
    _count_tile(state, tile.owner, tile.kind, 1)
    if tile.seed is not None:
        supply_seeds(state, tile.seed, 1)
    return tile


def _put(state: TangleState, seat: Seat, area: AreaCode, kind: Kind) -> None:
    _count_tile(state, seat, kind, -1)
    state.tiles[area] = TangleTile(seat, kind)


def _count_tile(state: TangleState, seat: Seat, kind: Kind, more: int) -> None:
    player = state.players[seat]
    left = list(player.tiles)
    left[STACKS.index(STACK_OF[kind])] += more
    earth, meadow, lake, sapling = left
    state.players[seat] = msgspec.structs.replace(player, tiles=(earth, meadow, lake, sapling))


def _sow(state: TangleState, area: AreaCode, seed: Seed) -> None:
    state.tiles[area] = msgspec.structs.replace(state.tiles[area], seed=seed)
