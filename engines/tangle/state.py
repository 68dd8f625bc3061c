"""The whole truth of one table, and what its set-up was dealt. Never shown to anybody as it is.

What lies in a state is immutable, only its lists and dicts are changed: a copy of these is a copy of all.
"""

from __future__ import annotations

import msgspec

from engines.game import Outcome, Seat
from engines.tangle.amounts import Amount, minus, plus
from engines.tangle.data import AreaCode, CardId, ConditionId, Seed, SpaceCode
from engines.tangle.desk import Desk
from engines.tangle.land import Tile
from engines.tangle.matters import Matter, Upkeep
from engines.tangle.options import Alternative, Options
from engines.tangle.view import Changed, Phase, Player


class Deal(msgspec.Struct, frozen=True):
    """Every random outcome of a set-up.

    Attributes:
        conditions: all victory conditions: three for seat 0, three for seat 1 and so on, the rest is out.
        cards: all enchantments: three for each seat in turn, then the row, then the pile, top first.
        centre: the action of the centre space that was drawn; None unless the options say ``random``.
    """

    conditions: tuple[ConditionId, ...]
    cards: tuple[CardId, ...]
    centre: Alternative | None = None


class State(msgspec.Struct, kw_only=True):
    """A position with everything that is hidden in it. What is in `View` too means the same here.

    Attributes:
        reshuffles: how often the discards have been shuffled into a new pile.
        beat: grows when the table should get a fresh post.
        agenda: the open matters of the turn; the last one is the top.
        offered: how many extra placements this turn's sacrifices have brought.
        pile: the cards to draw, top first.
        hands: the cards of each seat, sorted as in the data file.
        conditions: the victory conditions of each seat.
        box: the conditions that are out of the game.
        changed: what the turn in progress has changed.
        before: what the turn before has changed.
    """

    options: Options
    seats: int
    seed: bytes
    reshuffles: int = 0
    beat: int = 0
    phase: Phase = "play"
    round: int = 1
    turn: int = 1
    seat: Seat = 0
    centre: Alternative | None = None
    agenda: list[Matter] = []
    reserve: int = 0
    changes: int = 0
    extra: int = 0
    offered: int = 0
    tiles: dict[AreaCode, Tile]
    roots: dict[SpaceCode, tuple[Seat, ...]] = {}
    resources: dict[SpaceCode, Amount]
    players: list[Player]
    seeds: tuple[int, int]
    pile: list[CardId]
    row: list[CardId]
    discards: list[CardId] = []
    trackers: tuple[int, int, int]
    markers: tuple[Seat | None, Seat | None, Seat | None] = (None, None, None)
    hands: list[list[CardId]]
    conditions: list[tuple[ConditionId, ...]]
    box: tuple[ConditionId, ...]
    changed: Changed = Changed()
    before: Changed = Changed()
    out: list[Seat] = []
    shown: list[tuple[ConditionId, ...]]
    outcome: Outcome | None = None

    @property
    def matter(self) -> Matter | None:
        """The matter on the top of the agenda."""
        return self.agenda[-1] if self.agenda else None

    def copied(self) -> State:
        """Another state that can be changed without changing this one."""
        return msgspec.structs.replace(
            self,
            agenda=self.agenda[:],
            tiles=self.tiles.copy(),
            roots=self.roots.copy(),
            resources=self.resources.copy(),
            players=self.players[:],
            pile=self.pile[:],
            row=self.row[:],
            discards=self.discards[:],
            hands=[hand[:] for hand in self.hands],
            conditions=self.conditions[:],
            out=self.out[:],
            shown=self.shown[:],
        )


def remaining(state: State) -> list[Seat]:
    """The seats that are still in the game, in seat order."""
    return [seat for seat in range(state.seats) if seat not in state.out]


def owing(state: State) -> tuple[Seat, ...]:
    """The seats that owe a decision now, in seat order."""
    if state.phase == "over":
        return ()
    match state.matter:
        case Upkeep(items=items):
            return tuple(seat for seat, left in enumerate(items) if left)
        case _:
            return (state.seat,)


def desk(state: State, seat: Seat) -> Desk:
    """All that the rules look up for a decision of that seat."""
    return Desk(state, seat, state.hands[seat], len(state.pile) + len(state.discards))


def pay(state: State, seat: Seat, price: Amount) -> None:
    """A seat pays a price into the pool."""
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, stash=minus(player.stash, price))


def earn(state: State, seat: Seat, amount: Amount) -> None:
    """A seat gets resources."""
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, stash=plus(player.stash, amount))


def add_seeds(state: State, seat: Seat, seed: Seed, number: int) -> None:
    """A seat gets so many seeds, or with a negative number gives them away."""
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, seeds=_more(player.seeds, seed, number))


def supply_seeds(state: State, seed: Seed, number: int) -> None:
    """The supply gets so many seeds, or with a negative number gives them away."""
    state.seeds = _more(state.seeds, seed, number)


def move_marker(state: State, number: int, seat: Seat | None) -> None:
    """The marker of a track lies before that seat now, or with None at home."""
    markers = list(state.markers)
    markers[number] = seat
    lakes, growth, cards = markers
    state.markers = (lakes, growth, cards)


def _more(seeds: tuple[int, int], seed: Seed, number: int) -> tuple[int, int]:
    bush, tree = seeds
    return (bush + number, tree) if seed == "bush" else (bush, tree + number)
