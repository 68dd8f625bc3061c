"""Spoken names for Tangle: resources, tiles, spaces and decisions."""

from collections.abc import Iterable
from typing import assert_never

from engines.tangle import decisions
from engines.tangle.legal.moves import rule_of
from engines.tangle.pieces.board import Kind, TangleBoard, TangleTile, board
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import (
    ALTERNATIVES,
    CARDS,
    PAID_IN,
    RESOURCE_NAMES,
    RESOURCES,
    SPACES,
    Amount,
    AreaCode,
    SpaceCode,
)
from engines.tangle.view import TangleView
from engines.words import Names, count_noun, join_words, name_or_you, possessive

KINDS: dict[Kind, tuple[str, str]] = {
    "tree": ("tree", "trees"),
    "sapling": ("sapling", "saplings"),
    "bush": ("bush", "bushes"),
    "meadow": ("meadow", "meadows"),
    "lake": ("lake", "lakes"),
    "earth": ("clean earth", "clean earth"),
}
TRACK_NAMES: dict[TrackName, str] = {
    "lakes": "lakes",
    "growth": "bushes and meadows",
    "cards": "enchantments",
}


def amount(what: Amount) -> str:
    """Say an amount by the names of the resources.

    >>> amount((1, 0, 2, 0)), amount((0, 0, 0, 0))
    ('1 water and 2 nourishment', 'nothing')
    """
    lines = [f"{n} {RESOURCE_NAMES[letter]}" for letter, n in zip(RESOURCES, what, strict=True) if n]
    return join_words(lines) or "nothing"


def resource_name(letter: str) -> str:
    return next(name for key, name in RESOURCE_NAMES.items() if key == letter)


def table(view: TangleView) -> TangleBoard:
    return board(view.seats, view.options.exchange, view.centre)


def space_name(view: TangleView, code: SpaceCode) -> str:
    """Name a space by code and name: "CE (Clean earth)"."""
    action = table(view).spaces.get(code, "")
    return f"{code} ({ALTERNATIVES[action].name if action in ALTERNATIVES else SPACES[code].name})"


def where(view: TangleView, code: str) -> str:
    """Name a space by code and name, or a tree by its area."""
    return space_name(view, code) if code in SPACES else f"the tree on {code}"


def kind_of(count: int, kind: Kind) -> str:
    return count_noun(count, *KINDS[kind])


def with_what(lies: TangleTile) -> str:
    """Say what is on a tile: "with 2 nourishment"."""
    text = f" with a {lies.seed} seed" if lies.seed is not None else ""
    if lies.cubes:
        text += f" with {lies.cubes} {'nourishment' if lies.kind == 'meadow' else 'earth'}"
    if lies.roots:
        text += f" with {count_noun(lies.roots, 'root')} at home"
    return text


def tile(view: TangleView, names: Names, area: AreaCode) -> str:
    """Describe an area's tile: "your meadow with 2 nourishment"."""
    lies = view.tiles.get(area)
    if lies is None:
        return "empty"
    return f"{possessive(names, lies.owner, view.viewer)} {KINDS[lies.kind][0]}{with_what(lies)}"


def _more(left: int | None, noun: str, several: str = "") -> str:
    return (
        f"any number of {several or noun + 's'}"
        if left is None
        else f"up to {count_noun(left, noun, several)}"
    )


def must(asked: decisions.Decision, view: TangleView, names: Names) -> str:
    """Describe a decision, and if it can be declined: "may lay lakes"."""
    runs = isinstance(asked, decisions.RunningCard)
    may = not runs and rule_of(asked).may_end(asked)
    return f"{'may' if may else 'must'} {decision(asked, view, names)}"


def decision(asked: decisions.Decision, view: TangleView, names: Names) -> str:
    """Describe a decision, as the end of a sentence."""
    match asked:
        case decisions.Upkeep(track, items, free, reopened=reopened):
            owed = [
                f"{name_or_you(names, seat, view.viewer)} for {_items(mine)}"
                + (f", {spared} of them free" if spared else "")
                for seat, (mine, spared) in enumerate(zip(items, free, strict=True))
                if mine or spared
            ]
            price = f"pay upkeep for {TRACK_NAMES[track]}, 1 {resource_name(PAID_IN[track])} each"
            price += ", chosen again" if reopened else ""
            return f"{price}: {'; '.join(owed)}" if owed else price
        case decisions.Placing(sleeper, extra, paid):
            due = [] if paid is None else [item for one in paid.due for own in one.items for item in own]
            before = f", or change the {amount(paid.price)} paid for {_items(due)}" if paid else ""
            if sleeper:
                return f"move or leave the root that sleeps on {sleeper}{before}"
            return f"place {'another' if extra else 'a'} root{before}"
        case decisions.Toll(due):
            rivals = join_words(
                f"{name_or_you(names, seat, view.viewer)} {count_noun(n, 'resource')}" for seat, n in due
            )
            return f"pay for the roots below: {rivals}"
        case decisions.Casting(cast):
            return f"cast enchantments{f', {cast} cast so far' if cast else ''}"
        case decisions.Pushing(count):
            return f"push the upkeep trackers up {count_noun(count, 'step')}"
        case decisions.Earths(left, free, laid):
            return f"lay {_more(left, 'clean earth', 'clean earth')}{_free(free)}{_so_far(laid)}"
        case decisions.Lakes(left):
            return f"lay {_more(left, 'lake')}"
        case decisions.Meadows(left, free, laid, only):
            near = "" if only is None else f" on {join_words(only, 'or') or 'no area'}, for less"
            return f"lay {_more(left, 'meadow')}{near}{_free(free)}{_so_far(laid)}"
        case decisions.Planting():
            return "plant seeds"
        case decisions.Growing(left, free, grown, contained):
            done = f", {join_words(grown)} grew so far" if grown else ""
            bushes = ", and then each own bush gets 1 earth" if contained else ""
            return f"grow {_more(left, 'tile')}{_free(free)}{done}{bushes}"
        case decisions.DrawingCards(left):
            return f"draw {count_noun(left, 'card')}"
        case decisions.Sprouting():
            return "lay saplings beside trees"
        case decisions.Hedging():
            return "put bush seeds beside bushes"
        case decisions.Transforming():
            return "change mana into other things"
        case decisions.Swapping(left, most, areas):
            swapped = f", {join_words(areas)} swapped so far" if areas else ""
            return (
                f"swap own tiles, {count_noun(left, 'swap')} left, "
                f"{count_noun(most, 'tile')} at most{swapped}"
            )
        case decisions.Diverse(earth, meadow, grow):
            still = ["lay clean earth"] * earth + ["lay a meadow"] * meadow + ["grow something"] * grow
            return join_words(still, "or") or "do nothing more"
        case decisions.Sacrificing():
            return "offer own tiles"
        case decisions.TakingOver(left, free):
            return f"take over opponents' empty clean earth, {_more(left, 'tile')}{_free(free)}"
        case decisions.GainingAny(count):
            return f"choose {count_noun(count, 'resource')} to gain"
        case decisions.Draining(left, most):
            return f"take up to {most} from an opponent's tile, {count_noun(left, 'time')}"
        case decisions.Recalling(left):
            return f"bring up to {count_noun(left, 'root')} home"
        case decisions.Lowering(count):
            return f"move the upkeep trackers down {count_noun(count, 'step')}"
        case decisions.RunningCard(ops, card):
            return f"finish {CARDS[card].name}, {count_noun(len(ops), 'effect')} left"
        case _:
            assert_never(asked)


def _free(free: bool) -> str:
    return " for free" if free else ""


def _so_far(laid: int) -> str:
    return f", {laid} laid so far" if laid else ""


def _items(items: Iterable[str]) -> str:
    return join_words(CARDS[item].name if item in CARDS else item for item in items) or "nothing"
