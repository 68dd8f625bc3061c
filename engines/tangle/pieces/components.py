"""The board, the cards and the numbers of the game, read once from ``tangle.toml``.

Nothing elsewhere depends on what the reconstructed components say, only on their shapes: whoever owns
the printed game can replace them in the data file, and everything else follows.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from engines.component_data import load_components
from engines.tangle.options import Alternative
from engines.tangle.pieces.amounts import Amount, Resource, of
from engines.tangle.pieces.card_language import AnyHook, AnyOp, CountName, TrackName

SpaceCode = str
"""The letters of an action space, like ``CE`` or ``S1``."""

AreaCode = str
"""The code of an area, like ``C6``."""

CardId = str
"""The kind of an enchantment; to the rules, two copies of a kind are the same."""

ConditionId = str
Seed = Literal["bush", "tree"]
Action = Literal[
    "",
    "resource",
    "clean_earth",
    "place_lake",
    "place_meadows",
    "bush_seed",
    "tree_seed",
    "plant",
    "grow",
    "take_cards",
    "gather_water",
    "sprout",
    "spread_meadows",
    "spread_bushes",
    "gather_cards",
    "contained_growth",
    "mana",
    "shift",
    "diverse",
    "sacrifice",
    "hibernate",
    "takeover",
]
SEEDS: tuple[Seed, Seed] = ("bush", "tree")
CENTRE: SpaceCode = "X"


class Supply(msgspec.Struct, frozen=True):
    """Seeds for all, and each seat's roots and tiles by stack."""

    bush_seeds: int
    tree_seeds: int
    roots: int
    earth_bush: int
    meadow: int
    lake: int
    sapling_tree: int


class Numbers(msgspec.Struct, frozen=True):
    """Cards dealt, the length of the row, draws at Take enchantment cards, cubes that a meadow holds."""

    conditions: int
    hand: int
    row: int
    take_cards: int
    meadow_cap: int


class Prices(msgspec.Struct, frozen=True):
    """All prices; `buy` is in mana, `takeover` includes its gift to the opponent."""

    earth: dict[Resource, int]
    meadow: dict[Resource, int]
    spread_meadow: dict[Resource, int]
    grow: dict[Resource, int]
    sprout: dict[Resource, int]
    hedge: dict[Resource, int]
    buy: dict[str, int]
    takeover: dict[str, int]


class UpkeepFacts(msgspec.Struct, frozen=True):
    """The tracks in the order of paying, their resources, and the start of trackers."""

    tracks: tuple[TrackName, ...]
    pay: dict[TrackName, Resource]
    extra_steps: int


class SpaceFacts(msgspec.Struct, frozen=True):
    """An action space: its position, its action, and the least number of seats that brings it into play.

    `start` is its resources at first and after each refill; `arrows` says which resource a root on another
    space brings here.
    """

    code: SpaceCode
    name: str
    action: Action
    x: int
    y: int
    section: int
    adjacent: tuple[SpaceCode, ...]
    start: dict[Resource, int] = {}
    arrows: dict[SpaceCode, Resource] = {}


class AreaFacts(msgspec.Struct, frozen=True):
    """An area: its position, the spaces at its corners and the areas across its edges."""

    code: AreaCode
    x: int
    y: int
    up: bool
    section: int
    spaces: tuple[SpaceCode, ...]
    borders: tuple[AreaCode, ...]


class BoardFacts(msgspec.Struct, frozen=True):
    """All spaces and areas, whatever the number of seats."""

    space: tuple[SpaceFacts, ...]
    area: tuple[AreaFacts, ...]


class AlternativeFacts(msgspec.Struct, frozen=True):
    """An alternative action for the centre or an exchanged space."""

    code: str
    name: str
    action: Alternative


class VictoryCondition(msgspec.Struct, frozen=True):
    """A victory condition: the least of each number that fulfils it."""

    id: ConditionId
    name: str
    need: dict[CountName, int]


class TangleCard(msgspec.Struct, frozen=True):
    """An enchantment: `hooks` work while it is in front of a seat, `ops` run when it is cast."""

    id: CardId
    name: str
    copies: int
    cost: Amount
    kind: Literal["lasting", "once"]
    text: str
    hooks: tuple[AnyHook, ...]
    ops: tuple[AnyOp, ...]


class _Printed(msgspec.Struct, frozen=True):
    id: CardId
    name: str
    copies: int
    cost: dict[Resource, int]
    kind: Literal["lasting", "once"]
    text: str
    effect: tuple[dict[str, Any], ...]

    def card(self) -> TangleCard:
        """Return the card with its pieces sorted into hooks and ops."""
        return TangleCard(
            self.id,
            self.name,
            self.copies,
            amount(self.cost),
            self.kind,
            self.text,
            tuple(msgspec.convert(piece, AnyHook) for piece in self.effect if "hook" in piece),
            tuple(msgspec.convert(piece, AnyOp) for piece in self.effect if "op" in piece),
        )


class _Enchantments(msgspec.Struct, frozen=True):
    card: tuple[_Printed, ...]


class _Conditions(msgspec.Struct, frozen=True):
    card: tuple[VictoryCondition, ...]


class _Resources(msgspec.Struct, frozen=True):
    start: dict[Resource, int]
    names: dict[Resource, str]


class TangleComponents(msgspec.Struct, frozen=True):
    """The content of ``tangle.toml``."""

    resources: _Resources
    supply: Supply
    rules: Numbers
    prices: Prices
    upkeep: UpkeepFacts
    start: dict[str, Any]
    board: BoardFacts
    alternative: tuple[AlternativeFacts, ...]
    conditions: _Conditions
    enchantments: _Enchantments


def amount(counts: dict[Resource, int]) -> Amount:
    """Convert an amount from the form in the data file."""
    return of(**counts)


COMPONENTS = load_components("tangle", TangleComponents)
START: Amount = amount(COMPONENTS.resources.start)
RESOURCE_NAMES = COMPONENTS.resources.names
SUPPLY = COMPONENTS.supply
NUMBERS = COMPONENTS.rules
PRICES = COMPONENTS.prices
TRACKS: tuple[TrackName, ...] = COMPONENTS.upkeep.tracks
PAID_IN: dict[TrackName, Resource] = COMPONENTS.upkeep.pay
EXTRA_STEPS = COMPONENTS.upkeep.extra_steps
SPACES: dict[SpaceCode, SpaceFacts] = {space.code: space for space in COMPONENTS.board.space}
AREAS: dict[AreaCode, AreaFacts] = {area.code: area for area in COMPONENTS.board.area}
ALTERNATIVES: dict[Alternative, AlternativeFacts] = {one.action: one for one in COMPONENTS.alternative}
CONDITIONS: dict[ConditionId, VictoryCondition] = {one.id: one for one in COMPONENTS.conditions.card}
CARDS: dict[CardId, TangleCard] = {one.id: one.card() for one in COMPONENTS.enchantments.card}
ALL_CARDS: tuple[CardId, ...] = tuple(card.id for card in CARDS.values() for _ in range(card.copies))


_CARD_ORDER = {card: number for number, card in enumerate(CARDS)}


def in_order(cards: Iterable[CardId]) -> list[CardId]:
    """Sort enchantments in the order of the data file.

    >>> in_order(["windfall", "thorn_toll", "windfall"])
    ['thorn_toll', 'windfall', 'windfall']
    """
    return sorted(cards, key=_CARD_ORDER.__getitem__)


def seeds_of(seeds: tuple[int, int], kind: Seed) -> int:
    """Return the number of a kind among seeds [bush, tree].

    0 for anything else.

    >>> seeds_of((3, 1), "tree")
    1
    """
    return dict(zip(SEEDS, seeds, strict=True)).get(kind, 0)


def starting_trees(seats: int) -> tuple[tuple[AreaCode, AreaCode], ...]:
    """Return the two areas of each seat's first trees.

    >>> starting_trees(2)
    (('B5', 'E9'), ('B9', 'E5'))
    """
    return tuple((one, two) for one, two in COMPONENTS.start[str(seats)])
