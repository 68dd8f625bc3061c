"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tangle.decisions import Decision, Upkeep
from engines.tangle.legal.context import Context
from engines.tangle.pieces import components
from engines.tangle.view import TanglePublic, TurnChanges


class TangleDeal(msgspec.Struct, frozen=True):
    """Every random outcome of a set-up.

    Attributes:
        conditions: all victory conditions: three for seat 0, three for seat 1 and so on, the rest is out.
        cards: all enchantments: three for each seat in turn, then the row, then the pile, top first.
        centre: the drawn action of the centre space; None unless the options say ``random``.
    """

    conditions: tuple[components.ConditionId, ...]
    cards: tuple[components.CardId, ...]
    centre: components.Alternative | None = None


class TangleState(TanglePublic, kw_only=True):
    """A position with all hidden information.

    Attributes:
        reshuffles: how often the discards have been shuffled into a new pile.
        beat: grows when the table should get a fresh post.
        agenda: the open decisions of the turn; the last one is the top.
        pile: the cards to draw, top first.
        hands: the cards of each seat, sorted as in the data file.
        conditions: the victory conditions of each seat.
        box: the conditions that are out of the game.
        changed: the changes of the turn in progress.
        before: the changes of the turn before.
    """

    seed: bytes
    reshuffles: int = 0
    beat: int = 0
    agenda: list[Decision] = msgspec.field(default_factory=list)
    pile: list[components.CardId]
    hands: list[list[components.CardId]]
    conditions: list[tuple[components.ConditionId, ...]]
    box: tuple[components.ConditionId, ...]
    changed: TurnChanges = TurnChanges()
    before: TurnChanges = TurnChanges()

    @property
    def decision(self) -> Decision | None:
        return self.agenda[-1] if self.agenda else None

    def copy(self) -> TangleState:
        return msgspec.structs.replace(
            self,
            agenda=self.agenda[:],
            pile=self.pile[:],
            hands=[hand[:] for hand in self.hands],
            conditions=self.conditions[:],
            **self.public_fields(),
        )


def owing(state: TangleState) -> tuple[Seat, ...]:
    if state.phase == "over":
        return ()
    match state.decision:
        case Upkeep(items=items):
            return tuple(seat for seat, left in enumerate(items) if left)
        case _:
            return (state.seat,)


def context_for(state: TangleState, seat: Seat) -> Context:
    return Context(state, seat, state.hands[seat], len(state.pile) + len(state.discards))


def pay(state: TangleState, seat: Seat, price: components.Amount) -> None:
    if price == components.NOTHING:
        return
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, stash=components.minus(player.stash, price))


def earn(state: TangleState, seat: Seat, amount: components.Amount) -> None:
    if amount == components.NOTHING:
        return
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, stash=components.plus(player.stash, amount))


def add_seeds(state: TangleState, seat: Seat, seed: components.Seed, number: int) -> None:
    """Add to a seat's seeds; a negative number removes some."""
    player = state.players[seat]
    state.players[seat] = msgspec.structs.replace(player, seeds=_more(player.seeds, seed, number))


def supply_seeds(state: TangleState, seed: components.Seed, number: int) -> None:
    """Add to the supply's seeds; a negative number removes some."""
    state.seeds = _more(state.seeds, seed, number)


def move_marker(state: TangleState, number: int, seat: Seat | None) -> None:
    """Give a track's marker to a seat; None sends it home."""
    markers = list(state.markers)
    markers[number] = seat
    lakes, growth, cards = markers
    state.markers = (lakes, growth, cards)


def _more(seeds: tuple[int, int], seed: components.Seed, number: int) -> tuple[int, int]:
    bush, tree = seeds
    return (bush + number, tree) if seed == "bush" else (bush, tree + number)
