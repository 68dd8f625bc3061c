"""The facts that the rules use for a decision, lasting cards, a seat's conditions, and a rule's contract.

The effects of answers use hidden information; they are in `engines.tangle.truth.play`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from engines.game import IllegalMove, Seat
from engines.tangle.decisions import Decision
from engines.tangle.legal import sentences
from engines.tangle.moves import Move
from engines.tangle.pieces import card_language, components
from engines.tangle.pieces.board import Kind, Mask, TangleBoard, TangleTile, board
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.view import TanglePublic, TangleView

Thing = Literal["earth", "meadow", "grow", "cast"]
"""The things that cards make cheaper by resources."""


class Powers(msgspec.Struct, frozen=True):
    """The lasting effects of some enchantments; two copies work twice. Rules: Enchantments.

    Attributes:
        grip: the surcharge that the seat gets for its roots below.
        step: the discount on its tolls to each opponent.
        reach: the tiles that its clean earth may jump for nothing.
        slow: the steps that its trackers are spared.
        meadow_room: the extra cubes that its meadows hold.
        free: for each track the items that need no payment.
        counted: the bonus to its numbers when conditions are checked.
        gains: its gains at each event, with the card that says so.
        offs: each discount on a thing with the number of units of an action that it works for.
    """

    grip: int
    step: int
    reach: int
    slow: int
    meadow_room: int
    free: dict[card_language.TrackName, int]
    counted: dict[card_language.CountName, int]
    gains: dict[card_language.EventName, tuple[tuple[components.CardId, card_language.Gain], ...]]
    offs: dict[card_language.Priced, tuple[tuple[components.Amount, int | None], ...]]

    def discount(self, thing: Thing, nth: int) -> components.Amount:
        """Return the discount on the unit number `nth`, from 0, of an action."""
        result = components.NOTHING
        for off, times in self.offs.get(thing, ()):
            if times is None or nth < times:
                result = components.plus(result, off)
        return result


@lru_cache(maxsize=20_000)
def powers(front: tuple[components.CardId, ...]) -> Powers:
    hooks = [(card, hook) for card in front for hook in components.CARDS[card].hooks]
    free: dict[card_language.TrackName, int] = {}
    counted: dict[card_language.CountName, int] = {}
    gains: dict[card_language.EventName, tuple[tuple[components.CardId, card_language.Gain], ...]] = {}
    offs: dict[card_language.Priced, tuple[tuple[components.Amount, int | None], ...]] = {}
    for card, hook in hooks:
        match hook:
            case card_language.FreeUpkeep(track, count):
                free[track] = free.get(track, 0) + count
            case card_language.CountsAs(what, amount):
                counted[what] = counted.get(what, 0) + amount
            case card_language.When(event, gain):
                gains[event] = (*gains.get(event, ()), (card, gain))
            case card_language.Cheaper(what, off, times) if off != card_language.Off():
                offs[what] = (*offs.get(what, ()), (components.of(W=off.W, E=off.E, N=off.N, M=off.M), times))
            case _:
                pass
    ongoing = [hook for _, hook in hooks]
    return Powers(
        grip=_sum(ongoing, card_language.Grip),
        step=sum(hook.amount for hook in ongoing if isinstance(hook, card_language.Cheaper)),
        reach=_sum(ongoing, card_language.Leap),
        slow=_sum(ongoing, card_language.Slow),
        meadow_room=_sum(ongoing, card_language.MeadowCap),
        free=free,
        counted=counted,
        gains=gains,
        offs=offs,
    )


def _sum(
    hooks: Sequence[card_language.AnyHook],
    kind: type[card_language.Grip | card_language.Leap | card_language.Slow | card_language.MeadowCap],
) -> int:
    return sum(hook.amount for hook in hooks if isinstance(hook, kind))


def board_of(public: TanglePublic) -> TangleBoard:
    return board(public.seats, public.options.exchange, public.centre)


class Context:
    """The facts for one decision of a seat; it caches what it has computed.

    Attributes:
        public: the public facts.
        seat: the deciding seat.
        hand: the cards of its hand.
        blind: the number of cards that can be drawn from the pile, including the discards.
        board: the board of the table.
    """

    def __init__(
        self, public: TanglePublic, seat: Seat, hand: Sequence[components.CardId], blind: int
    ) -> None:
        self.public = public
        self.seat = seat
        self.hand = hand
        self.blind = blind
        self.board = board_of(public)
        self.player = public.players[seat]
        self.stash = self.player.stash
        self.powers: Powers = powers(self.player.front)

    @cached_property
    def own(self) -> Mask:
        tiles, seat = self.public.tiles.items(), self.seat
        return self.board.mask(area for area, tile in tiles if tile.owner == seat)

    @cached_property
    def opponents(self) -> Mask:
        """The areas with a tile of another seat that is still in the game."""
        tiles = self.public.tiles.items()
        return self.board.mask(area for area, tile in tiles if self.is_opponent(tile.owner))

    @cached_property
    def empty(self) -> Mask:
        return self.board.all & ~self.board.mask(self.public.tiles)

    @cached_property
    def clean(self) -> Mask:
        """The seat's clean earth, with and without seeds."""
        return self.own_of("earth")

    @cached_property
    def seedless(self) -> Mask:
        """The seat's clean earth without seeds."""
        tiles, seat = self.public.tiles.items(), self.seat
        return self.board.mask(
            area for area, tile in tiles if tile.owner == seat and tile.kind == "earth" and tile.seed is None
        )

    @cached_property
    def lakes(self) -> Mask:
        return self.board.mask(area for area, tile in self.public.tiles.items() if tile.kind == "lake")

    def own_of(self, kind: Kind) -> Mask:
        tiles, seat = self.public.tiles.items(), self.seat
        return self.board.mask(area for area, tile in tiles if tile.kind == kind and tile.owner == seat)

    def dues(self, track: TrackName) -> tuple[str, ...]:
        """Return the areas or cards that a track's upkeep costs."""
        match track:
            case "lakes":
                return tuple(self.board.among(self.own_of("lake")))
            case "growth":
                sheltered = self.board.around(self.lakes)
                return tuple(self.board.among((self.own_of("bush") | self.own_of("meadow")) & ~sheltered))
            case "cards":
                return self.player.front

    def tile(self, area: components.AreaCode) -> TangleTile | None:
        """Return the seat's own tile on an area, or None."""
        tile = self.public.tiles.get(area)
        return tile if tile is not None and tile.owner == self.seat else None

    def is_opponent(self, seat: Seat) -> bool:
        """Return True for another seat that is still in the game."""
        return seat != self.seat and seat not in self.public.out

    def can_pay(self, price: components.Amount) -> bool:
        """Return True if the seat can pay a price and keep its reserve. Rules: Toll."""
        stash = self.stash
        return (
            components.covers(stash, price)
            and components.size(stash) - components.size(price) >= self.public.reserve
        )


def context_of(view: TangleView) -> Context:
    """Return the context of the viewer's decision. Raises ValueError for a spectator."""
    if view.viewer is None:
        raise ValueError("a spectator decides nothing")
    return Context(view, view.viewer, view.hand or (), view.pile + len(view.discards))


Counts = Mapping[CountName, int]
"""Numbers that a condition needs, or that a seat has."""

_WHOLE = board(max(facts.section for facts in components.AREAS.values()))
_KINDS: dict[Kind, CountName] = {
    "tree": "trees",
    "sapling": "saplings",
    "meadow": "meadows",
    "bush": "bushes",
    "lake": "lakes",
}
_NONE: dict[CountName, int] = dict.fromkeys((*_KINDS.values(), "tiles", "group", "enchantments"), 0)


def counts(
    tiles: Mapping[components.AreaCode, TangleTile], front: tuple[components.CardId, ...], seat: Seat
) -> dict[CountName, int]:
    """Return every number of a seat, including the bonus of its enchantments."""
    own = {area: tile for area, tile in tiles.items() if tile.owner == seat}
    numbers = _count_ungrouped(own.values(), [front], lambda _: 0)[0]
    numbers["group"] += largest_group(own)
    return numbers


def _count_ungrouped(
    tiles: Iterable[TangleTile],
    fronts: Sequence[tuple[components.CardId, ...]],
    number_of: Callable[[TangleTile], int],
) -> list[dict[CountName, int]]:
    """Count everything but the largest groups for several seats."""
    result: list[dict[CountName, int]] = [_NONE | {"enchantments": len(front)} for front in fronts]
    for tile in tiles:
        have = result[number_of(tile)]
        have["tiles"] += 1
        name = _KINDS.get(tile.kind)
        if name is not None:
            have[name] += 1
    for have, front in zip(result, fronts, strict=True):
        for counted, more in powers(front).counted.items():
            have[counted] += more
    return result


def counts_of(context: Context) -> dict[CountName, int]:
    return counts(context.public.tiles, context.player.front, context.seat)


def largest_group(own: Iterable[components.AreaCode]) -> int:
    """Return the size of the largest connected group of these areas.

    >>> largest_group(["B5", "B6", "C6", "E9"])
    3
    """
    return _WHOLE.largest_group(_WHOLE.mask(own))


def somebody_has_won(public: TanglePublic, conditions: Sequence[Iterable[components.ConditionId]]) -> bool:
    """Return True if a remaining seat has fulfilled one of its conditions. Rules: Winning."""
    entries = _count_ungrouped(
        public.tiles.values(), [one.front for one in public.players], attrgetter("owner")
    )
    for seat in public.remaining:
        # A group is hardly ever measured: most conditions are far away even if all tiles hang together.
        most = entries[seat]
        most["group"] += most["tiles"]
        near = [one for one in conditions[seat] if not lacking(one, most)]
        if near and not shortfall(public, seat, near):
            return True
    return False


def shortfall(public: TanglePublic, seat: Seat, conditions: Iterable[components.ConditionId]) -> int:
    """Return what a seat lacks on the best of some conditions."""
    have = counts(public.tiles, public.players[seat].front, seat)
    return min(lacking(condition, have) for condition in conditions)


def lacking(condition: components.ConditionId, have: Mapping[CountName, int]) -> int:
    """Return what is lacking for a condition; 0 when it is fulfilled.

    >>> lacking("garden", {"trees": 3, "meadows": 2, "bushes": 0, "lakes": 3})
    4
    """
    return lacking_of(components.CONDITIONS[condition].need, have)


def lacking_of(need: Counts, have: Counts) -> int:
    result = 0
    for name, number in need.items():
        missing = number - have.get(name, 0)
        if missing > 0:
            result += missing
    return result


def tally(view: TangleView, end: TangleView) -> tuple[int | None, ...] | None:
    """Return each seat's shortfall on its best condition, known from the end. None if it left."""
    if end.secrets is None:
        return None
    return tuple(
        None if seat in view.out else shortfall(view, seat, secret) for seat, secret in enumerate(end.secrets)
    )


D = TypeVar("D", bound=Decision)
M = TypeVar("M", bound=Move)


class Rule(ABC, Generic[D, M]):
    """Defines the choices, prices, refusals and remainder of a kind of decision.

    Attributes:
        decision: the kind of decision.
        answers: the kinds of moves that answer it, apart from `TangleDone`.
        is_required: True if `TangleDone` never closes it.

    >>> from engines.tangle.legal.resources import TollRule
    >>> TollRule.decision.__name__, [answer.__name__ for answer in TollRule.answers]
    ('Toll', ['PayToll'])
    """

    decision: type[D]
    answers: tuple[type[M], ...]
    is_required: ClassVar[bool] = False

    @abstractmethod
    def choices(self, context: Context, decision: D) -> Iterable[M]:
        """Return every allowed and payable answer once, in a stable order."""

    @abstractmethod
    def check(self, context: Context, decision: D, move: M) -> None:
        """Refuse a forbidden choice, whatever its cost. Raises IllegalMove with the reason."""

    def price(self, context: Context, decision: D, move: M) -> components.Amount:
        """Return the cost of an allowed answer, with tolls, gifts and upkeep."""
        return components.NOTHING

    def spares(self, move: M) -> bool:
        """Return True if the payment must leave the seat's reserve alone. Rules: Toll."""
        return True

    def gain(self, public: TanglePublic, decision: D, move: M) -> components.Amount:
        """Return the resources that the seat gets by an answer at once."""
        return components.NOTHING

    def may_end(self, decision: D) -> bool:
        """Return True if `TangleDone` may close the decision."""
        return not self.is_required

    def rest(self, decision: D, move: M) -> D | None:
        """Return the decision that remains after an answer. None after the last one."""
        return None

    def payable(self, context: Context, decision: D, answers: Iterable[M]) -> Iterator[M]:
        return (move for move in answers if context.can_pay(self.price(context, decision, move)))


class CountedRule(Rule[D, M]):
    """A decision with a limited number of answers, its field `left`; None is any number."""

    def rest(self, decision: D, move: M) -> D | None:
        return one_less(decision)


def one_less(decision: D, **changes: Any) -> D | None:
    """Return a decision with one answer less and some changes. None after the last one."""
    left: int | None = getattr(decision, "left", None)
    if left is None:
        return msgspec.structs.replace(decision, **changes)
    return msgspec.structs.replace(decision, left=left - 1, **changes) if left > 1 else None


def check_size(amount: components.Amount, count: int) -> None:
    if len(amount) != len(components.RESOURCES) or min(amount) < 0 or sum(amount) != count:
        raise IllegalMove(sentences.exactly(count))


def check_own_tree(context: Context, area: str) -> None:
    tile = context.tile(area)
    if tile is None or tile.kind != "tree":
        raise IllegalMove(sentences.NOT_YOUR_TREE)
