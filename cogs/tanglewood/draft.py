"""A panel's small questions, one after the other, and the choice that the answers lead to."""

from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec

from cogs.play import questions
from cogs.ui.page import MENU_LIMIT
from engines.tanglewood import moves
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.pieces.board import NEUTRAL, Colour
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.preview import ends_turn, swings, workers_to_come
from engines.tanglewood.view import TanglewoodView

Asked = questions.NextQuestion[moves.Move]
AND = ","
"""Separates two workers that cross in one answer."""
COPY = "#"
"""Separates a crossing worker from its number among like ones."""
TOLD_WHOLE = (moves.TanglewoodStep, moves.TanglewoodPlant, moves.TanglewoodPlaceAdjacent)
"""Choices by one button that says what comes of it."""


class TanglewoodDraft(msgspec.Struct, frozen=True):
    """A seat's progress in its panel.

    Attributes:
        region: the region to place in.
        picks: the answers so far to a benefit, a Tangle or a scoring.
        votes: True while the panel shows the present votes.
    """

    region: Region | None = None
    picks: questions.Picks = ()
    votes: bool = False


def sign(colour: Colour) -> str:
    return "n" if colour == NEUTRAL else str(colour)


def _signs(colours: Iterable[Colour]) -> str:
    return "".join(map(sign, colours))


def path(move: moves.Move) -> questions.Picks:
    """Return a choice's picks; a turn has none, but buttons.

    >>> path(moves.Export("B", (0, "neutral")))
    ('0n', 'B')
    >>> path(moves.MoveAdjacent("B", (moves.Crossing("in", 0), moves.Crossing("out", "neutral"))))
    ('B', 'in 0,out n')
    """
    match move:
        case moves.TanglewoodStep(track):
            return (track,)
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return (region,)
        case moves.TanglewoodNudge(region, colour, to):
            return region, f"{sign(colour)} {to}"
        case moves.Gather(workers):
            return "".join(one.region for one in workers), _signs(one.colour for one in workers)
        case moves.Scatter(sent):
            return "".join(one.to for one in sent), _signs(one.colour for one in sent)
        case moves.Export(to, colours):
            return _signs(colours), to
        case moves.MoveAdjacent(region, crossings):
            return region, AND.join(f"{one.way} {sign(one.colour)}" for one in crossings)
        case moves.PlayBallots(regions) | moves.KeepBallots(regions):
            return ("".join(regions),)
        case moves.TanglewoodDraw() | moves.TanglewoodPlace():
            return ()
        case _:
            assert_never(move)


def answer(values: Sequence[str]) -> str:
    """Return a menu's answer: regions by letter, or crossing workers.

    >>> answer(["F", "C"]), answer(["A2", "A1"]), answer(["out n#1", "in 0#2"]), answer(["0 C"])
    ('CF', 'AA', 'in 0,out n', '0 C')
    """
    if all(value[:1] in REGIONS for value in values):
        return "".join(sorted(value[:1] for value in values))
    if all(COPY in value for value in values):
        return AND.join(sorted(value.partition(COPY)[0] for value in values))
    return values[0]


def next_question(view: TanglewoodView, picks: questions.Picks) -> Asked:
    ways = [(whole, move) for move in choices(view) if (whole := path(move))]
    return questions.ask(ways, picks, skips_first=False)


def endings(view: TanglewoodView, picks: questions.Picks) -> dict[str, moves.Move]:
    """Return the choices that one answer completes; none if more follow."""
    ways = ((path(move), move) for move in choices(view))
    return {whole[-1]: move for whole, move in ways if whole and whole[:-1] == picks}


def is_first_of_several(asked: Asked) -> bool:
    """Return True if more questions follow the first, about workers."""
    return not asked.picks and any(len(path) > 1 for path, _ in asked.ways)


def best_choices(view: TanglewoodView) -> list[tuple[questions.Picks, moves.Move, list[int]]]:
    """Return the choices with the most votes, with everybody's gains.

    A worker counts them: two workers can go hundreds of ways.
    """
    me = view.viewer or 0
    result = [(path(move), move, swings(view, workers_to_come(view, me, move))) for move in choices(view)]
    return sorted(result, key=lambda one: (-one[2][me], sum(one[2])))[:MENU_LIMIT]


def is_sent_at_once(view: TanglewoodView, move: moves.Move) -> bool:
    """Return True if a choice needs no confirmation.

    Ballots are confirmed: once sent they are final. So is what ends the turn, unless its button tells all.
    """
    if isinstance(move, moves.PlayBallots | moves.KeepBallots):
        return False
    return isinstance(move, TOLD_WHOLE) or not ends_turn(view, view.viewer or 0, move)
