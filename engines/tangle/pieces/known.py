"""Says what is sure about the components of Tangle, whatever its map and its cards say."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from engines.component_check import CannotLeaveOut, Data, KnownComponents, Place, find_errors
from engines.tangle.pieces.card_language import AnyHook, AnyOp
from engines.tangle.pieces.components import CENTRE, TangleComponents

CARDS, SEEDS, ROOTS, TILES = 71, 20, 5, 25
SPACES = {2: 13, 3: 19, 4: 25}
"""The number of spaces in play, the centre among them, by the number of seats."""
FIRST_EXCHANGED = 3
"""Only spaces of this section and on may be exchanged."""
FARTHEST = 12
BASIC = ("W", "E", "N", "M")
AREA = re.compile(r"[A-F]\d{1,2}")
OLD_FOREST = {"trees": 4, "meadows": 2, "bushes": 2, "lakes": 2, "enchantments": 7}


def _errors(data: TangleComponents) -> Iterator[str]:
    supply = data.supply
    if supply.bush_seeds + supply.tree_seeds != SEEDS:
        yield f"supply: there are {SEEDS} seeds, not {supply.bush_seeds + supply.tree_seeds}."
    if supply.roots != ROOTS:
        yield f"supply, roots: a seat has {ROOTS} roots, not {supply.roots}."
    tiles = supply.earth_bush + supply.meadow + supply.lake + supply.sapling_tree
    if tiles != TILES:
        yield f"supply: a seat has {TILES} tiles, not {tiles}."
    cards = len(data.conditions.card) + sum(card.copies for card in data.enchantments.card)
    if cards != CARDS:
        yield f"conditions and enchantments: there are {CARDS} cards, not {cards}."
    if len(data.conditions.card) < 4 * data.rules.conditions:
        yield f"conditions: 4 seats need {4 * data.rules.conditions}, not {len(data.conditions.card)}."
    if sorted(one.action for one in data.alternative) != ["hibernate", "sacrifice", "takeover"]:
        yield "alternative: there's one each for sacrifice, hibernate and takeover."
    yield from _board_errors(data)
    yield from _place_errors(data)
    yield from _start_errors(data)
    yield from _effect_errors(data)


def _board_errors(data: TangleComponents) -> Iterator[str]:
    spaces = {space.code: space for space in data.board.space}
    areas = {area.code: area for area in data.board.area}
    for seats, number in SPACES.items():
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
                yield f"Space {code}: it's adjacent to {other}, but {other} isn't to it."
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


def _place_errors(data: TangleComponents) -> Iterator[str]:
    for noun, things in (("Space", data.board.space), ("Area", data.board.area)):
        taken = Counter((thing.x, thing.y) for thing in things)
        for thing in things:
            if thing.section not in SPACES:
                yield f"{noun} {thing.code}, section: it's 2, 3 or 4, the least number of players."
            if max(abs(thing.x), abs(thing.y)) > FARTHEST:
                yield f"{noun} {thing.code}: x and y are at most {FARTHEST} from the centre."
            elif taken[thing.x, thing.y] > 1:
                yield f"{noun} {thing.code}: another one is at the same place."


def _start_errors(data: TangleComponents) -> Iterator[str]:
    sections = {area.code: area.section for area in data.board.area}
    for seats in SPACES:
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


def _effect_errors(data: TangleComponents) -> Iterator[str]:
    for card in data.enchantments.card:
        place = Place(KNOWN, "", f"Card {card.id}, effect")
        if not card.effect:
            yield place.says("it has none.")
        for piece in card.effect:
            kind: Any = AnyHook if "hook" in piece else AnyOp
            yield from find_errors(piece, kind, None, place)


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
            _empty_space(space, name)
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


def _empty_space(space: Data, name: str) -> None:
    """Take away a space's action, so that no root goes there."""
    if name == CENTRE:
        raise CannotLeaveOut("Space X has no action: nothing would change without it.")
    if name in BASIC:
        raise CannotLeaveOut(f"Tangle can't do without {name}: cards and upkeep need all four resources.")
    space["action"] = ""


def _choices(data: Data, seats: int) -> dict[str, list[Any]]:
    """Return every exchange of one space that these seats can play."""
    spaces = [
        space["code"] for space in data["board"]["space"] if FIRST_EXCHANGED <= space["section"] <= seats
    ]
    return {"exchange": [[[space, other["action"]]] for space in spaces for other in data["alternative"]]}


def _reason_to_keep(name: str) -> str | None:
    if AREA.fullmatch(name) is None:
        return None
    return f"Tangle can't do without {name}: areas hold the tiles, and their edges measure every distance."


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
    reason_to_keep=_reason_to_keep,
)
