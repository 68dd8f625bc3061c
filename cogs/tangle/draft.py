"""What a panel asks, one question after the other, and how each answer leads to a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from cogs.play import questions
from cogs.play.questions import Picks
from engines.tangle import decisions, moves
from engines.tangle.legal.check import price_of
from engines.tangle.legal.context import context_of
from engines.tangle.legal.moves import choices, offers
from engines.tangle.legal.tracks import shares
from engines.tangle.pieces.amounts import NOTHING, Amount, minus
from engines.tangle.pieces.components import AREAS, SPACES
from engines.tangle.view import TangleView

Asked = questions.Asked[moves.Move]
MANY = 25
"""As many as a menu has lines."""


class Draft(msgspec.Struct, frozen=True):
    """How far a seat has got in its panel.

    Attributes:
        start: the root that it thinks of moving, `to` where; None for not chosen yet.
        picks: how far it has answered what else is asked.
        several: the areas that it has chosen at once, to be confirmed.
        push: the steps of the trackers that it has chosen in place of an enchantment.
    """

    start: str | None = None
    to: str | None = None
    picks: Picks = ()
    several: tuple[str, ...] = ()
    push: str = ""


def written(amount: Amount) -> str:
    """An amount as part of a pick: "1 0 0 2"."""
    return " ".join(map(str, amount))


def paths(move: moves.Move) -> list[Picks]:
    """The picks that lead to a move; of two tiles that are swapped either may be named first.

    >>> paths(moves.Swap("B3", "B5"))
    [('B3', 'B5'), ('B5', 'B3')]
    """
    match move:
        case moves.TangleSwap(a, b):
            return [(a, b), (b, a)]
        case moves.Recall(start, to):
            return [(start, to)]
        case moves.Offer(area, resource, source, card):
            what = resource or (f"{source} {card}" if card is not None else None)
            return [(area,) if what is None else (area, what)]
        case moves.Takeover(area, pay):
            return [(area,) if pay is None else (area, written(pay))]
        case moves.TanglePlant(seed, area):
            return [(seed, area)]
        case moves.PayToll(_, amount) | moves.Choose(amount):
            return [(written(amount),)]
        case moves.Steps(by) | moves.Lower(by):
            return [(" ".join(map(str, by)),)]
        case moves.TakeRow(slot):
            return [(f"row {slot}",)]
        case moves.TakePile():
            return [("pile",)]
        case moves.Trade(resource):
            return [(f"trade {resource}",)]
        case moves.Buy(seed):
            return [(f"buy {seed}",)]
        case moves.Cast(card):
            return [(card,)]
        case _:
            return _one_area(move)


def _one_area(move: moves.Move) -> list[Picks]:
    """The one pick of a move that names an area and nothing else."""
    return [msgspec.structs.astuple(move)] if move.__struct_fields__ == ("area",) else []


def diverse(move: moves.Move) -> list[Picks]:
    """The picks where several kinds of moves are open at once: the kind comes first."""
    kind = type(move).__name__.lower()
    return [(kind, *path) for path in _one_area(move)]


def asked(view: TangleView, picks: Picks) -> Asked:
    """What is asked after some picks."""
    ways = [(path, move) for move in choices(view) for path in leading(view)(move)]
    return questions.ask(ways, picks, skips_first=True)


def leading(view: TangleView) -> Callable[[moves.Move], list[Picks]]:
    """What says the picks that lead to a move, as the decision is asked."""
    return diverse if isinstance(view.decision, decisions.Diverse) else paths


def prices(view: TangleView, asked: Asked) -> dict[str, Amount]:
    """The answers that lead on, each with the least that moves behind it cost."""
    found: dict[str, Amount] = {}
    for path, move in asked.ways if asked.options else ():
        option, cost = path[len(asked.picks)], price(view, move)
        found[option] = min(found.get(option, cost), cost, key=sum)
    return found


def price(view: TangleView, move: moves.Move) -> Amount:
    """What a legal move costs."""
    return NOTHING if view.decision is None else price_of(context_of(view), view.decision, move)


def prices_of(view: TangleView, made: Sequence[moves.Move]) -> Amount:
    """What a legal move costs; nothing for several, as one may change what the next costs."""
    return price(view, made[0]) if len(made) == 1 else NOTHING


def may_close(view: TangleView) -> bool:
    """Whether what is asked may be closed."""
    return any(isinstance(move, moves.TangleDone) for move in choices(view))


def candidates(view: TangleView, asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The areas and spaces among the answers, or those to which the answers lead where they are none."""
    # The letters of resources are codes of spaces too.
    lie = AREAS.keys() | SPACES.keys() if isinstance(view.decision, decisions.Recalling) else AREAS.keys()
    named = [option for option in asked.options if option in lie]
    if not named:
        behind = dict.fromkeys(pick for path, _ in asked.ways for pick in path)
        named = [pick for pick in behind if pick in lie]
    areas = tuple(option for option in named if option in AREAS)
    return areas, tuple(option for option in named if option not in AREAS)


PUSH, SEVERAL = "push ", "all "
"""How what is to be confirmed begins that is no answer to one question: trackers, and several areas."""


def pushes(view: TangleView) -> list[moves.Steps]:
    """The ways to share out the steps that are due once no more is cast; none where none are due."""
    if not isinstance(view.decision, decisions.Casting):
        return []
    count = min(max(0, view.changes - context_of(view).powers.slow), sum(view.trackers))
    return [moves.Steps(by) for by in shares(count, view.trackers)] if count else []


def pending(view: TangleView, draft: Draft) -> str:
    """What is chosen but for its confirmation, as the argument of a press; empty where something is asked."""
    if draft.push and confirmed(view, PUSH + draft.push):
        return PUSH + draft.push
    if draft.several and confirmed(view, SEVERAL + "/".join(draft.several)):
        return SEVERAL + "/".join(draft.several)
    found = asked(view, draft.picks)
    return "/".join(found.picks) if found.move is not None else ""


def confirmed(view: TangleView, arg: str) -> list[moves.Move]:
    """The moves that a confirmation sends; none for what can't be done any more."""
    if arg.startswith(PUSH):
        return [
            move
            for steps in pushes(view)
            if paths(steps) == [(arg.removeprefix(PUSH),)]
            for move in (moves.TangleDone(), steps)
        ]
    if arg.startswith(SEVERAL):
        return several(view, arg.removeprefix(SEVERAL).split("/"))
    move = asked(view, tuple(arg.split("/"))).move
    return [] if move is None else [move]


def unevenness(view: TangleView, pay: Amount) -> int:
    """How uneven the viewer's stash would be after a payment: what it has most of is missed least."""
    left = minus(view.players[view.viewer or 0].stash, pay)
    return sum(number * number for number in left)


def at_once(view: TangleView) -> int:
    """How many answers to the question may be given at once: several areas of one action."""
    match view.decision:
        case decisions.Earths(left=left) | decisions.Meadows(left=left) | decisions.Growing(left=left):
            return MANY if left is None else left
        case decisions.Sprouting() | decisions.Hedging():
            return MANY
        case _:
            return 1


def several(view: TangleView, areas: Sequence[str]) -> list[moves.Move]:
    """The moves on several areas, in the order that costs least: the nearest earth, the dearest growth first.

    An area on which nothing can be done any more is left out.
    """
    chosen = {(area,) for area in areas}
    found = [(sum(price), move) for move, price in offers(view) if chosen.intersection(paths(move))]
    found.sort(key=lambda one: one[0], reverse=isinstance(view.decision, decisions.Growing))
    return [move for _, move in found]


def starts(view: TangleView) -> list[str]:
    """The places from which a root may move, those away from home first."""
    found = dict.fromkeys(move.start for move in choices(view) if isinstance(move, moves.TanglePlace))
    return sorted(found, key=lambda place: place in view.tiles)


def ends(view: TangleView, start: str) -> list[moves.TanglePlace]:
    """The placements of a root that stands there."""
    return [move for move in choices(view) if isinstance(move, moves.TanglePlace) and move.start == start]


def sleeper_may_stay(view: TangleView) -> bool:
    """Whether a root that has slept may be left where it is."""
    return isinstance(view.decision, decisions.Placing) and view.decision.sleeper is not None
