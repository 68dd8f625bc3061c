"""The board, cards, numbers and options of Tangle, its amounts, and checks of ``tangle.toml``.

Nothing elsewhere depends on what the reconstructed components say, only on their shapes: whoever owns
the printed game can replace them in the data file, and everything else follows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from engines.components import CannotLeaveOut, Data, KnownComponents, Place, find_errors, load_components
from engines.tangle.pieces.card_language import AnyHook, AnyOp, CountName, TrackName

Resource = Literal["W", "E", "N", "M"]
Amount = tuple[int, int, int, int]
"""Numbers of the four resources: [W, E, N, M]."""

RESOURCES: tuple[Resource, ...] = ("W", "E", "N", "M")
NOTHING: Amount = (0, 0, 0, 0)


def unit(resource: Resource, number: int = 1) -> Amount:
    """Return an amount of one resource.

    >>> unit("E", 2)
    (0, 2, 0, 0)
    """
    return of(**{resource: number})


def size(amount: Amount) -> int:
    return amount[0] + amount[1] + amount[2] + amount[3]


def times(amount: Amount, number: int) -> Amount:
    return (amount[0] * number, amount[1] * number, amount[2] * number, amount[3] * number)


def of(**counts: int) -> Amount:
    """Build an amount from its letters.

    >>> of(E=2), of(W=1, N=1)
    ((0, 2, 0, 0), (1, 0, 1, 0))
    """
    return (counts.get("W", 0), counts.get("E", 0), counts.get("N", 0), counts.get("M", 0))


def plus(one: Amount, two: Amount) -> Amount:
    return (one[0] + two[0], one[1] + two[1], one[2] + two[2], one[3] + two[3])


def minus(one: Amount, two: Amount) -> Amount:
    """Subtract the second from the first; may fall below 0.

    >>> minus((2, 2, 0, 0), (0, 1, 0, 0))
    (2, 1, 0, 0)
    """
    return (one[0] - two[0], one[1] - two[1], one[2] - two[2], one[3] - two[3])


def less(price: Amount, off: Amount) -> Amount:
    """Subtract a discount, nowhere below 0.

    >>> less((1, 0, 1, 0), (2, 0, 0, 0))
    (0, 0, 1, 0)
    """
    return (
        max(0, price[0] - off[0]),
        max(0, price[1] - off[1]),
        max(0, price[2] - off[2]),
        max(0, price[3] - off[3]),
    )


def covers(stash: Amount, price: Amount) -> bool:
    return stash[0] >= price[0] and stash[1] >= price[1] and stash[2] >= price[2] and stash[3] >= price[3]


def total(amounts: Iterable[Amount]) -> Amount:
    result = NOTHING
    for amount in amounts:
        result = plus(result, amount)
    return result


def ways(count: int, most: Amount) -> Iterator[Amount]:
    """Yield every amount of that size, in a stable order.

    >>> list(ways(1, (1, 0, 3, 0)))
    [(1, 0, 0, 0), (0, 0, 1, 0)]
    """
    for water in range(min(count, most[0]), -1, -1):
        for earth in range(min(count - water, most[1]), -1, -1):
            for nourishment in range(min(count - water - earth, most[2]), -1, -1):
                mana = count - water - earth - nourishment
                if mana <= most[3]:
                    yield (water, earth, nourishment, mana)


Alternative = Literal["sacrifice", "hibernate", "takeover"]
Centre = Literal["none", "sacrifice", "hibernate", "takeover", "random"]
RoundLimit = Literal[50, 30, 0]
UpkeepPaid = Literal["alone", "asked"]


class TangleOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `centre` is the action of the centre space; `exchange` names spaces that lose their own action and get an
    alternative one, sorted by space; `round_limit` ends the game after that many rounds, 0 never. With
    `upkeep` ``alone``, a seat that can keep everything pays for it automatically; each upkeep has a resource
    of its own, so that nothing else could be bought with it then. In its own turn, it can change that until
    the first placement.

    >>> TangleOptions().centre
    'none'
    """

    centre: Centre = "none"
    exchange: tuple[tuple[str, Alternative], ...] = ()
    round_limit: RoundLimit = 50
    upkeep: UpkeepPaid = "alone"


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


CARD_COUNT, SEED_COUNT, ROOTS, TILES = 71, 20, 5, 25
SPACE_COUNTS = {2: 13, 3: 19, 4: 25}
"""The number of spaces in play, the centre among them, by the number of seats."""
FIRST_EXCHANGED = 3
"""Only spaces of this section and on may be exchanged."""
FARTHEST = 12
BASIC = ("W", "E", "N", "M")
AREA = re.compile(r"[A-F]\d{1,2}")
OLD_FOREST = {"trees": 4, "meadows": 2, "bushes": 2, "lakes": 2, "enchantments": 7}


def _errors(data: TangleComponents) -> Iterator[str]:
    supply = data.supply
    if supply.bush_seeds + supply.tree_seeds != SEED_COUNT:
        yield f"supply: there are {SEED_COUNT} seeds, not {supply.bush_seeds + supply.tree_seeds}."
    if supply.roots != ROOTS:
        yield f"supply, roots: a seat has {ROOTS} roots, not {supply.roots}."
    tiles = supply.earth_bush + supply.meadow + supply.lake + supply.sapling_tree
    if tiles != TILES:
        yield f"supply: a seat has {TILES} tiles, not {tiles}."
    cards = len(data.conditions.card) + sum(card.copies for card in data.enchantments.card)
    if cards != CARD_COUNT:
        yield f"conditions and enchantments: there are {CARD_COUNT} cards, not {cards}."
    if len(data.conditions.card) < 4 * data.rules.conditions:
        yield f"conditions: 4 seats need {4 * data.rules.conditions}, not {len(data.conditions.card)}."
    if sorted(one.action for one in data.alternative) != ["hibernate", "sacrifice", "takeover"]:
        yield "alternative: there's one each for sacrifice, hibernate and takeover."
    yield from _board_errors(data)
    for noun, things in (("Space", data.board.space), ("Area", data.board.area)):
        taken = Counter((thing.x, thing.y) for thing in things)
        for thing in things:
            if thing.section not in SPACE_COUNTS:
                yield f"{noun} {thing.code}, section: it's 2, 3 or 4, the least number of players."
            if max(abs(thing.x), abs(thing.y)) > FARTHEST:
                yield f"{noun} {thing.code}: x and y are at most {FARTHEST} from the centre."
            elif taken[thing.x, thing.y] > 1:
                yield f"{noun} {thing.code}: another one is at the same place."
    yield from _start_errors(data)
    for card in data.enchantments.card:
        place = Place(KNOWN, "", f"Card {card.id}, effect")
        if not card.effect:
            yield place.says("it has none.")
        for piece in card.effect:
            kind: Any = AnyHook if "hook" in piece else AnyOp
            yield from find_errors(piece, kind, None, place)


def _board_errors(data: TangleComponents) -> Iterator[str]:
    spaces = {space.code: space for space in data.board.space}
    areas = {area.code: area for area in data.board.area}
    for seats, number in SPACE_COUNTS.items():
        there = sum(space.section <= seats for space in spaces.values())
        if there != number:
            yield f"board, space: {seats} players have {number} spaces with the centre, not {there}."
    for code in (CENTRE, *BASIC):
        if code not in spaces:
            yield f"board, space: the space {code} is missing."
    for code, space in spaces.items():
        for other in space.adjacent:
            if other not in spaces:
                yield f"Space {code}: there's no space {other}."
            elif code not in spaces[other].adjacent:
                yield f"Space {code}: it's adjacent to {other}, but not the other way round."
        for other in space.arrows:
            if other not in space.adjacent:
                yield f"Space {code}: an arrow comes from {other}, which isn't adjacent."
    for code, area in areas.items():
        for other in area.spaces:
            if other not in spaces:
                yield f"Area {code}: there's no space {other}."
        for other in area.borders:
            if other not in areas:
                yield f"Area {code}: there's no area {other}."
            elif code not in areas[other].borders:
                yield f"Area {code}: it borders {other}, but {other} doesn't border it."


def _start_errors(data: TangleComponents) -> Iterator[str]:
    sections = {area.code: area.section for area in data.board.area}
    for seats in SPACE_COUNTS:
        place = f"start, {seats}"
        try:
            pairs = msgspec.convert(data.start.get(str(seats)), tuple[tuple[str, str], ...])
        except msgspec.ValidationError:
            yield f"{place}: must be a pair of areas for each seat."
            continue
        trees = [area for pair in pairs for area in pair]
        if len(pairs) != seats or len(set(trees)) < len(trees):
            yield f"{place}: must be {seats} pairs of areas, each area once."
        for area in trees:
            if sections.get(area, 99) > seats:
                yield f"{place}: {seats} players have no area {area}."


def _doubts(data: TangleComponents) -> Iterator[str]:
    spaces = {space.code: space for space in data.board.space}
    actions = Counter(space.action for space in data.board.space)
    for action, count in actions.items():
        if action not in ("", "resource") and count > 1:
            yield f"board, space: {count} spaces do “{action}”; each does something else."
    for code in BASIC:
        space = spaces[code]
        if space.action != "resource" or set(space.arrows) != set(space.adjacent):
            yield f"Space {code}: it's a resource space that every adjacent space feeds."
    old = next((one for one in data.conditions.card if one.id == "old_forest"), None)
    if old is None or old.need != OLD_FOREST:
        yield "The Old Forest needs 4 trees, 2 meadows, 2 bushes, 2 lakes and 7 enchantments."
    for card in data.enchantments.card:
        has_once = any("op" in piece for piece in card.effect)
        if has_once != (card.kind == "once"):
            yield f"Card {card.id}: a card with an hourglass (kind = once) has ops, a lasting one hooks."


def _parts(data: Data, options: Data, seats: int) -> list[str]:
    cards = [card["id"] for name in ("enchantments", "conditions") for card in data[name]["card"]]
    return [*(space["code"] for space in data["board"]["space"] if space["section"] <= seats), *cards]


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    for space in data["board"]["space"]:
        if space["code"] == name:
            # Take away a space's action, so that no root goes there.
            if name == CENTRE:
                raise CannotLeaveOut("Space X has no action: nothing would change without it.")
            if name in BASIC:
                raise CannotLeaveOut(
                    f"Tangle can't do without {name}: cards and upkeep need all four resources."
                )
            space["action"] = ""
            return
    for kind, least in (("conditions", data["rules"]["conditions"] * seats), ("enchantments", 1)):
        cards = data[kind]["card"]
        rest = [card for card in cards if card["id"] != name]
        if len(rest) < len(cards) and len(rest) < least:
            raise CannotLeaveOut(f"Tangle can't do without {name}: {seats} players need {least} conditions.")
        data[kind]["card"] = rest
    dealt = seats * data["rules"]["hand"] + data["rules"]["row"]
    if sum(card["copies"] for card in data["enchantments"]["card"]) < dealt:
        raise CannotLeaveOut(f"Tangle can't do without {name} too: {dealt} enchantments are dealt.")


def _choices(data: Data, seats: int) -> dict[str, list[Any]]:
    """Return every exchange of one space that these seats can play."""
    spaces = [
        space["code"] for space in data["board"]["space"] if FIRST_EXCHANGED <= space["section"] <= seats
    ]
    return {"exchange": [[[space, other["action"]]] for space in spaces for other in data["alternative"]]}


KNOWN = KnownComponents(
    kind=TangleComponents,
    labels={
        "board.space": lambda space: f"Space {space['code']}",
        "board.area": lambda area: f"Area {area['code']}",
        "alternative": lambda space: f"Alternative space {space['code']}",
        "conditions.card": lambda card: f"Condition {card['id']}",
        "enchantments.card": lambda card: f"Card {card['id']}",
    },
    errors=_errors,
    doubts=_doubts,
    parts=_parts,
    leave_out=_leave_out,
    signed=frozenset({"x", "y"}),
    choices=_choices,
    reason_to_keep=lambda name: (
        f"Tangle can't do without {name}: areas hold the tiles, and their edges measure every distance."
        if AREA.fullmatch(name)
        else None
    ),
)
