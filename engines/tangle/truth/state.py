"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engines.game import Draws, IllegalDeal, IllegalSetup, Seat, clip
from engines.tangle.decisions import Casting, Decision, Placing, Upkeep
from engines.tangle.legal.context import Context
from engines.tangle.pieces import components
from engines.tangle.pieces.board import TangleTile, board
from engines.tangle.view import Player, TanglePublic, TurnChanges


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


SEATS = range(2, 5)


_FIRST_EXCHANGED = 3
"""Only spaces of this section and on may be exchanged."""


def settle(seats: int, options: components.TangleOptions) -> components.TangleOptions:
    """Sort the exchanged spaces. Raises IllegalSetup for options that can't be played."""
    exchanged = dict(options.exchange)
    if len(exchanged) < len(options.exchange):
        raise IllegalSetup("You can exchange a space only once.")
    for space in exchanged:
        if (
            space not in components.SPACES
            or not _FIRST_EXCHANGED <= components.SPACES[space].section <= seats
        ):
            raise IllegalSetup(f"With {seats} players, you can't exchange the space {clip(space)}.")
    used = [*exchanged.values(), *([] if options.centre in ("none", "random") else [options.centre])]
    if len(set(used)) < len(used):
        raise IllegalSetup("You can use each alternative space only once.")
    if options.centre == "random" and not _free_alternatives(options):
        raise IllegalSetup("No alternative space is left for the centre.")
    return msgspec.structs.replace(options, exchange=tuple(sorted(exchanged.items())))


def _free_alternatives(options: components.TangleOptions) -> list[components.Alternative]:
    """Return the alternative spaces that a random centre is drawn from."""
    used = {alternative for _, alternative in options.exchange}
    return [alternative for alternative in components.ALTERNATIVES if alternative not in used]


def deal(options: components.TangleOptions, seed: bytes) -> TangleDeal:
    draws = Draws(seed, 0)
    conditions, cards = draws.shuffle(tuple(components.CONDITIONS)), draws.shuffle(components.ALL_CARDS)
    centre = draws.shuffle(_free_alternatives(options))[0] if options.centre == "random" else None
    return TangleDeal(tuple(conditions), tuple(cards), centre)


def begin(seats: int, options: components.TangleOptions, deal: TangleDeal, seed: bytes) -> TangleState:
    """Set up the first state from a deal.

    Seat 0 is to place a root. Raise IllegalDeal if the deal isn't one that could be dealt.
    """
    check_deal(options, deal)
    trees = components.starting_trees(seats)
    row = components.NUMBERS.hand * seats
    pile = row + components.NUMBERS.row
    centre = deal.centre if options.centre == "random" else options.centre
    if centre == "none":
        centre = None
    land = board(seats, options.exchange, centre)
    return TangleState(
        options=options,
        seats=seats,
        seed=seed,
        centre=centre,
        agenda=[Casting(), Placing()],
        tiles={area: TangleTile(seat, "tree", roots=1) for seat, own in enumerate(trees) for area in own},
        resources=dict(land.start),
        # A root is on each of a seat's trees, the rest in its stash.
        players=[
            Player(
                stash=components.START,
                seeds=(0, 0),
                tiles=(
                    components.SUPPLY.earth_bush,
                    components.SUPPLY.meadow,
                    components.SUPPLY.lake,
                    components.SUPPLY.sapling_tree - len(own),
                ),
                roots=components.SUPPLY.roots - len(own),
                held=components.NUMBERS.hand,
                front=(),
            )
            for own in trees
        ],
        seeds=(components.SUPPLY.bush_seeds, components.SUPPLY.tree_seeds),
        pile=list(deal.cards[pile:]),
        row=list(deal.cards[row:pile]),
        trackers=(land.bottom, land.bottom, land.bottom),
        hands=[
            components.in_order(_share(deal.cards, components.NUMBERS.hand, seat)) for seat in range(seats)
        ],
        conditions=[_share(deal.conditions, components.NUMBERS.conditions, seat) for seat in range(seats)],
        box=deal.conditions[components.NUMBERS.conditions * seats :],
        shown=[()] * seats,
    )


def check_deal(options: components.TangleOptions, deal: TangleDeal) -> None:
    _check_order("The victory conditions", deal.conditions, tuple(components.CONDITIONS))
    _check_order("The enchantments", deal.cards, components.ALL_CARDS)
    if options.centre == "random" and deal.centre not in _free_alternatives(options):
        raise IllegalDeal("The centre must be one of the alternative spaces, and no other space can use it.")
    if options.centre != "random" and deal.centre is not None:
        raise IllegalDeal("These options draw nothing for the centre.")


def _check_order(what: str, order: Sequence[str], all_of_them: Sequence[str]) -> None:
    if sorted(order) != sorted(all_of_them):
        raise IllegalDeal(f"{what} must be all {len(all_of_them)}, each once.")


def _share(order: tuple[str, ...], size: int, seat: int) -> tuple[str, ...]:
    return order[size * seat : size * (seat + 1)]
