"""What a panel asks, one small question after the other, and how the answers lead to a choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec

from cogs.play import questions
from cogs.play.questions import Picks
from engines.tanglewood import moves
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.pieces.board import NEUTRAL, Colour
from engines.tanglewood.pieces.components import (
    REGIONS,
    Region,
)
from engines.tanglewood.preview import ends_turn
from engines.tanglewood.view import TanglewoodView

Asked = questions.Asked[moves.Move]
AND = ","
"""Between two workers that cross in one answer."""
COPY = "#"
"""Between a worker that crosses and which of those alike it is."""


class Draft(msgspec.Struct, frozen=True):
    """How far a seat has got in its panel.

    Attributes:
        region: where it thinks of placing.
        picks: how far it has answered what a benefit, a Tangle or a scoring asks.
        votes: whether it looks at what everybody would score now.
    """

    region: Region | None = None
    picks: Picks = ()
    votes: bool = False


def sign(colour: Colour) -> str:
    """A colour as part of a pick: its seat, or ``n``."""
    return "n" if colour == NEUTRAL else str(colour)


def _signs(colours: Iterable[Colour]) -> str:
    return "".join(map(sign, colours))


def colour_of(pick: str) -> Colour:
    """The colour of a pick.

    >>> colour_of("2"), colour_of("n")
    (2, 'neutral')
    """
    return NEUTRAL if pick == "n" else int(pick)


def path(move: moves.Move) -> Picks:
    """The picks that lead to a choice; none to a turn, which is begun by buttons of its own.

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
    """The answer that the lines chosen in a menu make up: regions by their letters, workers that cross.

    >>> answer(["F", "C"]), answer(["A2", "A1"]), answer(["out n#1", "in 0#2"]), answer(["0 C"])
    ('CF', 'AA', 'in 0,out n', '0 C')
    """
    if all(value[:1] in REGIONS for value in values):
        return "".join(sorted(value[:1] for value in values))
    if all(COPY in value for value in values):
        return AND.join(sorted(value.partition(COPY)[0] for value in values))
    return values[0]


def asked(view: TanglewoodView, picks: Picks) -> Asked:
    """What is asked after some picks."""
    ways = [(whole, move) for move in choices(view) if (whole := path(move))]
    return questions.ask(ways, picks, skips_first=False)


def endings(view: TanglewoodView, picks: Picks) -> dict[str, moves.Move]:
    """The choices that one more answer completes, by that answer; none where more is asked after it."""
    ways = ((path(move), move) for move in choices(view))
    return {whole[-1]: move for whole, move in ways if whole and whole[:-1] == picks}


def sent_at_once(view: TanglewoodView, move: moves.Move) -> bool:
    """Whether a choice needs no second look: its button says what it does, or the turn goes on after it.

    Ballots are looked at twice, for they stand once they are sent.
    """
    if isinstance(move, moves.PlayBallots | moves.KeepBallots):
        return False
    return isinstance(move, moves.TanglewoodStep) or not ends_turn(view, view.viewer or 0, move)
