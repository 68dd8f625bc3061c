"""A panel's questions one by one, the move of their answers, and things to come."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from cogs.play import questions
from cogs.ui.page import Page
from engines import registry, words
from engines.game import Seat
from engines.tangle import decisions, moves
from engines.tangle.legal import context, resources
from engines.tangle.legal.moves import choices, offers, price_of
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import AREAS, NOTHING, SPACES, TRACKS, Amount, minus
from engines.tangle.preview import TanglePlacementPreview, bill
from engines.tangle.view import TangleView
from engines.tangle.words import event_lines, nouns, previews
from engines.tangle.words.previews import Warnings, waiting
from tables.play.play import Perspective

Asked = questions.NextQuestion[moves.Move]
MENU_LINES = 25
"""The lines of a menu."""


class TangleDraft(msgspec.Struct, frozen=True):
    """A seat's progress in its panel.

    Attributes:
        start: the root to move, `to` its destination; None if not chosen yet.
        picks: the answers to further questions.
        several: the areas chosen at once, to be confirmed.
        push: the steps of the trackers chosen in place of an enchantment.
    """

    start: str | None = None
    to: str | None = None
    picks: questions.Picks = ()
    several: tuple[str, ...] = ()
    push: str = ""


def encode_amount(amount: Amount) -> str:
    """Return an amount as part of a pick: "1 0 0 2"."""
    return " ".join(map(str, amount))


def paths(move: moves.Move) -> list[questions.Picks]:
    """Return a move's picks; a swap's tiles come in either order.

    >>> paths(moves.TangleSwap("B3", "B5"))
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
            return [(area,) if pay is None else (area, encode_amount(pay))]
        case moves.TanglePlant(seed, area):
            return [(seed, area)]
        case moves.PayToll(_, amount) | moves.Choose(amount):
            return [(encode_amount(amount),)]
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


def _one_area(move: moves.Move) -> list[questions.Picks]:
    """Return the single pick of a move that names only an area."""
    return [msgspec.structs.astuple(move)] if move.__struct_fields__ == ("area",) else []


def paths_by_kind(move: moves.Move) -> list[questions.Picks]:
    """Return picks for several kinds of moves: the kind first."""
    kind = type(move).__name__.lower()
    return [(kind, *path) for path in _one_area(move)]


def next_question(view: TangleView, picks: questions.Picks) -> Asked:
    ways = [(path, move) for move in choices(view) for path in path_function(view)(move)]
    return questions.ask(ways, picks, skips_first=True)


def path_function(view: TangleView) -> Callable[[moves.Move], list[questions.Picks]]:
    return paths_by_kind if isinstance(view.decision, decisions.Diverse) else paths


def prices(view: TangleView, asked: Asked) -> dict[str, Amount]:
    """Return the answers that lead on, with their least prices."""
    result: dict[str, Amount] = {}
    for path, move in asked.ways if asked.options else ():
        option, cost = path[len(asked.picks)], price(view, move)
        result[option] = min(result.get(option, cost), cost, key=sum)
    return result


def price(view: TangleView, move: moves.Move) -> Amount:
    return NOTHING if view.decision is None else price_of(context.context_of(view), view.decision, move)


def prices_of(view: TangleView, made: Sequence[moves.Move]) -> Amount:
    """Return a move's price; nothing for several, which interact."""
    return price(view, made[0]) if len(made) == 1 else NOTHING


def may_close(view: TangleView) -> bool:
    return any(isinstance(move, moves.TangleDone) for move in choices(view))


def candidates(view: TangleView, asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the areas and spaces that the answers name or reach."""
    # The letters of resources are codes of spaces too.
    lie = AREAS.keys() | SPACES.keys() if isinstance(view.decision, decisions.Recalling) else AREAS.keys()
    named = [option for option in asked.options if option in lie]
    if not named:
        behind = dict.fromkeys(pick for path, _ in asked.ways for pick in path)
        named = [pick for pick in behind if pick in lie]
    areas = tuple(option for option in named if option in AREAS)
    return areas, tuple(option for option in named if option not in AREAS)


PUSH, SEVERAL = "push ", "all "
"""Prefixes of pending choices that answer no single question: trackers, and several areas."""


def pushes(view: TangleView) -> list[moves.Steps]:
    """Return the ways to share out steps; none if none are due."""
    if not isinstance(view.decision, decisions.Casting):
        return []
    count = min(max(0, view.changes - context.context_of(view).powers.slow), sum(view.trackers))
    return [moves.Steps(by) for by in resources.shares(count, view.trackers)] if count else []


def pending(view: TangleView, draft: TangleDraft) -> str:
    """Return an unconfirmed choice as an argument; empty for none."""
    if draft.push and moves_to_confirm(view, PUSH + draft.push):
        return PUSH + draft.push
    if draft.several and moves_to_confirm(view, SEVERAL + "/".join(draft.several)):
        return SEVERAL + "/".join(draft.several)
    question = next_question(view, draft.picks)
    return "/".join(question.picks) if question.move is not None else ""


def moves_to_confirm(view: TangleView, arg: str) -> list[moves.Move]:
    """Return a confirmation's moves; none if no longer legal."""
    if arg.startswith(PUSH):
        return [
            move
            for steps in pushes(view)
            if paths(steps) == [(arg.removeprefix(PUSH),)]
            for move in (moves.TangleDone(), steps)
        ]
    if arg.startswith(SEVERAL):
        return several(view, arg.removeprefix(SEVERAL).split("/"))
    move = next_question(view, tuple(arg.split("/"))).move
    return [] if move is None else [move]


def unevenness(view: TangleView, pay: Amount) -> int:
    left = minus(view.players[view.viewer or 0].stash, pay)
    return sum(number * number for number in left)


def most_answers(view: TangleView) -> int:
    """Return how many areas of one action can be answered together.

    No more than the viewer can pay for at the least price.
    """
    match view.decision:
        case decisions.Earths(left=left) | decisions.Meadows(left=left) | decisions.Growing(left=left):
            return min(MENU_LINES if left is None else left, _affordable(view))
        case decisions.Sprouting() | decisions.Hedging():
            return min(MENU_LINES, _affordable(view))
        case _:
            return 1


def _affordable(view: TangleView) -> int:
    """Return how often the least price can be paid; at least 1."""
    prices = [price for move, price in offers(view) if not isinstance(move, moves.TangleDone)]
    least = [min(each) for each in zip(*prices, strict=True)]
    stash = view.players[view.viewer or 0].stash
    return max(
        1, min((has // pays for has, pays in zip(stash, least, strict=True) if pays), default=MENU_LINES)
    )


def several(view: TangleView, areas: Sequence[str]) -> list[moves.Move]:
    """Return the moves on several areas in the cheapest order.

    The nearest earth and the dearest growth come first. Areas without a legal move are left out.
    """
    chosen = {(area,) for area in areas}
    pairs = [(sum(price), move) for move, price in offers(view) if chosen.intersection(paths(move))]
    pairs.sort(key=lambda one: one[0], reverse=isinstance(view.decision, decisions.Growing))
    return [move for _, move in pairs]


def starts(view: TangleView) -> list[str]:
    """Return the places of movable roots, those away from home first."""
    entries = dict.fromkeys(move.start for move in choices(view) if isinstance(move, moves.TanglePlace))
    return sorted(entries, key=lambda place: place in view.tiles)


def ends(view: TangleView, start: str) -> list[moves.TanglePlace]:
    return [move for move in choices(view) if isinstance(move, moves.TanglePlace) and move.start == start]


def sleeper_may_stay(view: TangleView) -> bool:
    return isinstance(view.decision, decisions.Placing) and view.decision.sleeper is not None


LAYS = (decisions.Lakes, decisions.Meadows, decisions.Growing, decisions.Sprouting, decisions.Hedging)
"""The decisions that bring tiles with upkeep."""


def foresee(view: TangleView, seat: Seat, made: Sequence[moves.Move]) -> TangleView:
    return cast(TangleView, registry.game("tangle").foresee(view, seat, made))


def preview(view: TangleView, move: moves.TanglePlace) -> TanglePlacementPreview:
    return cast(TanglePlacementPreview, registry.game("tangle").preview(view, view.viewer or 0, move))


def with_notes(perspective: Perspective, page: Page, made: Sequence[moves.Move] = ()) -> Page:
    """Return a page with the upkeep soon due and the nearest condition.

    They count the sure effects of the drafted moves. No condition in a puzzle.
    """
    view, me, names = perspective.view, perspective.me, perspective.table.names
    if isinstance(view.decision, decisions.Pushing) and not made:
        noted = previews.trackers(view, me, names)
    else:
        view = foresee(view, me, made)
        noted = previews.warnings(view, me, names, lead="then " if made else "")
    lines = list(noted.others)
    if view.conditions and perspective.table.suggests:
        lines.append(previews.nearest(view, me))
    warned = tuple(dict.fromkeys((*noted.urgent, *page.warnings)))
    parts = [
        "\n".join(line for line in part.split("\n") if line not in warned) if isinstance(part, str) else part
        for part in page.parts
    ]
    told = [line for part in parts if isinstance(part, str) for line in part.split("\n")]
    return replace(
        page, parts=parts, warnings=warned, optional=[[line] for line in lines if line not in told]
    )


def purse(perspective: Perspective) -> str:
    view = perspective.view
    keep = ""
    if view.reserve and not isinstance(view.decision, decisions.Toll):
        keep = f" You must keep {view.reserve} of them to pay for the roots below your root."
    return f"-# You have {possessions(view, perspective.me)}.{keep}"


def possessions(view: TangleView, me: Seat) -> str:
    player = view.players[me]
    return nouns.stash(player.stash, player.seeds)


def due(view: TangleView, track: TrackName) -> str:
    """Return the viewer's cost if a tracker were at the top."""
    return previews.own_bill(bill(view, view.viewer or 0, track), track)


def new_upkeep(perspective: Perspective, made: Sequence[moves.Move]) -> Warnings:
    view, me = perspective.view, perspective.me
    after = {"": foresee(view, me, made)}
    return previews.warnings_of_choices(view, me, perspective.table.names, after, lead="then ")


def new_upkeep_of_answers(perspective: Perspective) -> Warnings:
    """Return the upkeep of single answers that lay or grow something."""
    view, me, names = perspective.view, perspective.me, perspective.table.names
    if not isinstance(view.decision, LAYS):
        return Warnings()
    answers = [move for move in choices(view) if not isinstance(move, moves.TangleDone)]
    after = {event_lines.move_name(move, view, names): foresee(view, me, [move]) for move in answers}
    return previews.warnings_of_choices(view, me, names, after)


def describe_free_upkeep(view: TangleView, names: words.Names, made: Sequence[moves.Move]) -> list[str]:
    """Return the upkeep that comes though the viewer has nothing for it."""
    after = foresee(view, view.viewer or 0, made).trackers
    return [
        f"-# Then the {nouns.TRACK_NAMES[track]} tracker {waiting(holder, names)}: {due(view, track)}."
        if holder is not None
        else f"-# Then you get the {nouns.TRACK_NAMES[track]} marker, and everyone pays at the start of "
        f"your next turn: {due(view, track)}."
        for track, before, steps, holder in zip(TRACKS, view.trackers, after, view.markers, strict=True)
        if steps == 0 < before
    ]


def brings_upkeep(perspective: Perspective, made: Sequence[moves.Move]) -> bool:
    view = perspective.view
    steps = zip(view.trackers, foresee(view, perspective.me, made).trackers, strict=True)
    return any(after == 0 < before for before, after in steps) or new_upkeep(perspective, made) != Warnings()
