"""Names of Tangle's things, with their signs."""

import re
from collections.abc import Sequence

from engines.game import Seat
from engines.marks import say_as, sign, to_signs, with_icon
from engines.tangle.decisions import Casting
from engines.tangle.legal import prices
from engines.tangle.legal.context import Context, Powers, Thing, powers
from engines.tangle.pieces.board import BEARS, Kind, TangleTile
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import (
    ALTERNATIVES,
    AREAS,
    CARDS,
    CENTRE,
    NOTHING,
    PAID_IN,
    RESOURCE_NAMES,
    RESOURCES,
    SPACES,
    TRACKS,
    Action,
    Amount,
    AreaCode,
    CardId,
    Resource,
    Seed,
    SpaceCode,
    less,
)
from engines.tangle.view import TangleView
from engines.tangle.words.spoken import TRACK_NAMES as TRACK_NAMES
from engines.tangle.words.spoken import table
from engines.words import Names, count_noun, format_points, join_words, player_with_sign, plural

SEEDS: tuple[Seed, ...] = ("bush", "tree")
NO_POWERS = powers(())
KINDS: dict[Kind, str] = {
    "earth": "clean earth",
    "bush": "bush",
    "meadow": "meadow",
    "lake": "lake",
    "sapling": "sapling",
    "tree": "tree",
}
TRACK_SIGNS: dict[TrackName, str] = {"lakes": "tangle_lake", "growth": "tangle_bush", "cards": "tangle_card"}
DOES: dict[Action, str] = {
    "": "You can't do anything there.",
    "resource": "Take all resources from this space.",
    "clean_earth": "You may lay any number of clean earth tiles. From your land, they cost {price}.",
    "place_lake": "You may lay a lake for free, beside your land or on your clean earth.",
    "place_meadows": "You may lay any number of meadows on your clean earth for {price}.",
    "bush_seed": "Take a bush seed.",
    "tree_seed": "Take a tree seed.",
    "plant": "You may plant any number of your seeds on your clean earth for free.",
    "grow": "You may grow any seeds and saplings once each for {price}. Adjacent lakes save 1 W each.",
    "take_cards": "Draw 3 cards.",
    "gather_water": "Gain 1 W for each of your trees.",
    "sprout": (
        "You may lay saplings on clean earth beside your trees for {price}. Adjacent lakes save 1 W each."
    ),
    "spread_meadows": "You may lay meadows on clean earth beside your meadows for {price}.",
    "spread_bushes": "You may put bush seeds on clean earth beside your bushes for {price}.",
    "gather_cards": "Draw 1 card for each of your meadows.",
    "contained_growth": "You may grow 1 thing at the usual price. Then each of your bushes gets 1 E.",
    "mana": "You may change mana into resources, cards or seeds.",
    "shift": "You may swap 2 of your tiles. You can swap once more, but you can move at most 3 tiles in all.",
    "diverse": "You may lay 1 clean earth, lay 1 meadow and grow 1 thing, at the usual prices.",
    "sacrifice": "You may offer tiles: earth brings a resource, lakes or meadows a placement, bushes a cast.",
    "hibernate": "Your root sleeps. Next turn, you can move it before you place a root.",
    "takeover": (
        "You may take over opponents' empty clean earth. You pay 1 E and give the owner 2 resources for each."
    ),
}
"""The rule of each action, with the letters of the resources."""
BRIEFLY: dict[Action, str] = {
    "": "Nothing to do there",
    "resource": "Take all resources there",
    "clean_earth": "Earth, {price}",
    "place_lake": "Lay a lake, free",
    "place_meadows": "Meadows, {price}",
    "bush_seed": "",
    "tree_seed": "",
    "plant": "Plant your seeds, free",
    "grow": "Grow, {price}",
    "take_cards": "Draw 3 cards",
    "gather_water": "1 W for each of your trees",
    "sprout": "Saplings, {price}",
    "spread_meadows": "Meadows beside yours, {price}",
    "spread_bushes": "Bush seeds, {price}",
    "gather_cards": "1 card for each of your meadows",
    "contained_growth": "Grow 1 thing; bushes get 1 E",
    "mana": "Change mana into other things",
    "shift": "Swap your tiles",
    "diverse": "1 earth, 1 meadow, 1 growth",
    "sacrifice": "Give up tiles for something else",
    "hibernate": "Your root sleeps",
    "takeover": "Take over earth: 1 E, 2 to the owner",
}
"""Each action for a menu's line: a phone shows about 45 letters. Empty if its name says it."""
PRICED: dict[Action, tuple[Thing | None, Amount]] = {
    "clean_earth": ("earth", prices.EARTH),
    "place_meadows": ("meadow", prices.MEADOW),
    "spread_meadows": ("meadow", prices.SPREAD),
    "grow": ("grow", prices.GROW),
    "sprout": (None, prices.SPROUT),
    "spread_bushes": (None, prices.HEDGE),
}
"""The price of one of an action, and its name in enchantments."""
DUES = {"lakes": "lake", "growth": "bush or meadow not beside a lake", "cards": "enchantment"}


say_as({f"tangle_{letter.lower()}": name for letter, name in RESOURCE_NAMES.items()})


def with_few_signs(text: str) -> str:
    """Return a sentence with signs of players and resources alone.

    >>> from engines.marks import to_words
    >>> to_words(with_few_signs(kind("lake"))) == with_few_signs(kind("lake")) == "lake"
    True
    """
    kept = [f"tangle_{letter.lower()}" for letter in RESOURCES]
    return to_signs(
        text, lambda name, word: sign(name, word) if name in kept or name.startswith("seat_") else word
    )


def resource(letter: Resource) -> str:
    """Return a resource's sign, or else its letter."""
    return sign(f"tangle_{letter.lower()}", letter)


def with_resource_signs(text: str) -> str:
    """Replace the letters of resources in a sentence by signs.

    >>> with_resource_signs("2 N each.") == f"2 {resource('N')} each."
    True
    """
    return re.sub(
        rf"(?<=\d )[{''.join(RESOURCES)}]\b", lambda found: sign(f"tangle_{found[0].lower()}", found[0]), text
    )


def does(what: Action, own: Powers = NO_POWERS) -> str:
    """Return an action's rule, at a seat's prices."""
    return with_resource_signs(DOES[what]).format(price=_price_each(what, own))


def does_briefly(what: Action, own: Powers) -> str:
    """Return an action for a menu's line, at a seat's prices."""
    return with_resource_signs(BRIEFLY[what]).format(price=_price_each(what, own))


def _price_each(what: Action, own: Powers) -> str:
    """Return what one costs, and what the first ones cost.

    >>> from engines.marks import to_words
    >>> to_words(_price_each("grow", powers(("warm_rain",))))
    '1 W and 1 N each, the first free'
    >>> to_words(_price_each("clean_earth", powers(("soft_loam",))))
    '1 E a step, first 2 for 1 E less'
    """
    if what not in PRICED:
        return ""
    thing, base = PRICED[what]
    if thing is None:
        return f"{amount(base)} each"
    offs = own.offs.get(thing, ())
    limits = [times for _, times in offs if times is not None]
    after = own.discount(thing, max(limits, default=0))
    first = own.discount(thing, 0)
    if thing == "earth":
        leap = f", {plural(own.reach, 'tile')} jumped free" if own.reach else ""
        less_first = f", first {limits[0]} for {amount(first)} less" if limits else ""
        return f"{amount(base)} a step{less_first}{leap}"
    each = "free" if less(base, after) == NOTHING else f"{amount(less(base, after))} each"
    if not limits:
        return each
    number = "the first" if limits[0] == 1 else f"the first {limits[0]}"
    return f"{each}, {number} {'free' if less(base, first) == NOTHING else amount(less(base, first))}"


def kind(what: Kind) -> str:
    return with_icon(f"tangle_{what}", KINDS[what])


def amount(what: Amount) -> str:
    """Return an amount as people read it.

    >>> amount((1, 0, 2, 0)) == f"1 {resource('W')} and 2 {resource('N')}"
    True
    >>> amount((0, 0, 0, 0))
    'nothing'
    """
    return gains(what, (0, 0))


def total(what: Amount) -> str:
    """Return an amount for a line with lists: "1 W + 2 N"."""
    return gains(what, (0, 0), " + ")


def stash(what: Amount, kept: tuple[int, int] = (0, 0)) -> str:
    """Return a player's resources and seeds: "2 W, no E, 1 N and no M"."""
    entries = [f"{number or 'no'} {resource(one)}" for one, number in zip(RESOURCES, what, strict=True)]
    entries += [f"{number} {seed(one, number)}" for one, number in zip(SEEDS, kept, strict=True) if number]
    return join_words(entries)


def parse_amount(text: str) -> Amount:
    water, earth, nourishment, mana = map(int, text.split())
    return (water, earth, nourishment, mana)


def card(what: CardId) -> str:
    return with_icon("tangle_card", CARDS[what].name)


def card_price(view: TangleView, what: CardId, seat: Seat | None) -> Amount:
    """Return a card's price for a seat, the printed one for None."""
    if seat is None:
        return CARDS[what].cost
    turns = (one.cast for one in view.agenda if isinstance(one, Casting) and seat == view.seat)
    return prices.casting(Context(view, seat, (), 0), what, next(turns, 0))


def card_text(what: CardId) -> str:
    return with_resource_signs(CARDS[what].text)


def item(what: str) -> str:
    """Return an item of upkeep: an area's code or a card's name."""
    return card(what) if what in CARDS else what


def action(view: TangleView, space: SpaceCode) -> Action:
    exchanged = dict(view.options.exchange)
    if space in exchanged:
        return exchanged[space]
    if space == CENTRE:
        return view.centre or ""
    return SPACES[space].action


def place(view: TangleView, where: str) -> str:
    """Return a space's code and name, or a tree's area."""
    if where not in SPACES:
        return with_icon("tangle_tree", f"the tree {where}")
    done = action(view, where)
    name = ALTERNATIVES[done].name if done in ALTERNATIVES else SPACES[where].name
    text = f"{where} ({name})"
    return with_icon(f"tangle_do_{done}", text) if done else text


def tile(view: TangleView, lies: TangleTile, names: Names) -> str:
    """Return the tile of an area: "your meadow with 2 N"."""
    whose = "your" if lies.owner == view.viewer else f"{player_with_sign(names, lies.owner)}'s"
    text = f"{whose} {kind(lies.kind)}"
    if lies.seed is not None:
        text += f" with a {seed(lies.seed)}"
    if lies.cubes:
        text += f" with {lies.cubes} {resource('N' if lies.kind == 'meadow' else 'E')}"
    if lies.roots:
        text += f" with {lies.roots} {with_icon('tangle_root', 'root' if lies.roots == 1 else 'roots')}"
    return text


def touching(view: TangleView, area: AreaCode) -> str:
    """Return an area's spaces, and the lakes that make growing cheaper. "beside E, CE and 1 lake"."""
    here = table(view)
    spaces = [code for code in AREAS[area].spaces if code in here.spaces]
    lakes = sum(
        other in view.tiles and view.tiles[other].kind == "lake" for other in here.among(here.borders[area])
    )
    things = [*spaces, *([count_noun(lakes, "lake")] if lakes else [])]
    return f"beside {join_words(things)}" if things else ""


def shelter(view: TangleView, area: AreaCode, seat: Seat) -> str:
    """Return the own meadows and bushes that a lake would spare upkeep.

    "shelters your meadow C6 and bush C7".
    """
    here = table(view)
    wet = {near for code, lies in view.tiles.items() if lies.kind == "lake" for near in AREAS[code].borders}
    around = {other: view.tiles[other] for other in here.among(here.borders[area]) if other in view.tiles}
    own = [(other, lies) for other, lies in around.items() if lies.owner == seat and lies.kind in BEARS]
    spared = [f"{KINDS[lies.kind]} {other}" for other, lies in own if other not in wet]
    return f"shelters your {join_words(spared)}" if spared else ""


def steps(by: Sequence[int]) -> str:
    """Return steps on the tracks: "lakes 2 steps, enchantments 1 step"."""
    pairs = [(track, number) for track, number in zip(TRACKS, by, strict=True) if number]
    lines = [with_icon(TRACK_SIGNS[one], f"{TRACK_NAMES[one]} {plural(n, 'step')}") for one, n in pairs]
    return ", ".join(lines) or "none"


def name_pushes(by: Sequence[int]) -> str:
    """Return steps for a menu's line: "lakes +2, enchantments +1"."""
    pairs = [(track, number) for track, number in zip(TRACKS, by, strict=True) if number]
    return ", ".join(
        with_icon(TRACK_SIGNS[one], f"{TRACK_NAMES[one]} {format_points(n)}") for one, n in pairs
    )


def seed(which: Seed, number: int = 1) -> str:
    return with_icon(f"tangle_{which}_seed", f"{which} {'seed' if number == 1 else 'seeds'}")


def gains(gained: Amount, got: tuple[int, int], joint: str = "") -> str:
    """Return resources and seeds: "1 W, 1 N and 2 tree seeds"."""
    lines = [
        f"{number} {resource(letter)}" for letter, number in zip(RESOURCES, gained, strict=True) if number
    ]
    lines += [f"{number} {seed(which, number)}" for which, number in zip(SEEDS, got, strict=True) if number]
    return (joint.join(lines) if joint else join_words(lines)) or "nothing"


def cost(track: TrackName, number: int) -> str:
    """Return the price of `number` items of a track: "2 E"."""
    return f"{number} {resource(PAID_IN[track])}"


def resources() -> str:
    return ", ".join(
        with_icon(f"tangle_{letter.lower()}", f"{letter} {RESOURCE_NAMES[letter]}") for letter in RESOURCES
    )


def price_suffix(price: Amount) -> str:
    """Return a price in brackets; empty if it is free."""
    return "" if price == NOTHING else f" ({total(price)})"


def colour(seat: Seat, names: Names) -> str:
    """Return a player's name, with the sign of the seat."""
    return player_with_sign(names, seat)
