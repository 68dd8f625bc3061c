"""The sentences that refuse moves. `choices` alone decides what is legal."""

from collections import Counter
from collections.abc import Iterable

from engines.tanglewood import moves
from engines.tanglewood.legal.moves import Question, ShiftMove, count_required, hops, regions_in_reach
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Colour, Hop, index
from engines.tanglewood.pieces.components import REGIONS, SCORING, Region
from engines.tanglewood.view import Phase
from engines.words import plural

NO_REGION = f"There's no such region. Choose {min(REGIONS)} to {max(REGIONS)}."
NO_WORKER = "There's no worker of that colour there."
NOT_HELD = "You don't have that ballot."
NOT_SORTED = "List them in this order: regions by letter, seats by number, the neutral colour last."
_NUMBERS = {0: "none", 1: "one", 2: "two", 3: "three", 4: "four"}
_NOT_NOW: dict[Phase, str] = {
    "turn": "You can't do that now. Draw or place markers.",
    "step": "You can't do that yet. First choose the track for your step.",
    "ballots": "You can't do that yet. First choose your ballots.",
    "keep": "You can't do that yet. First choose the ballots to keep.",
    "over": "The game is over.",
}


def why_not(question: Question, move: moves.Move) -> str:
    match question.phase, move:
        case "turn", moves.TanglewoodDraw():
            if not question.may_draw:
                return "Your circle is full, so place some markers first."
            return "When you draw, you take a step only if your circle has fewer markers than you can place."
        case "turn", moves.TanglewoodPlace():
            # Rules: Placing.
            if move.region not in REGIONS:
                return NO_REGION
            if not question.circle:
                return "Your circle is empty, so draw markers."
            if move.count < 1:
                return "Place at least one marker."
            if move.count > question.most_placeable:
                return f"Your Place level lets you place at most {plural(question.most_placeable, 'marker')}."
            return f"You have only {plural(question.circle, 'marker')} in your circle."
        case "step", moves.TanglewoodStep():
            shown = ", ".join(components.TRACKS[track].name for track in question.tracks)
            return f"Choose a track that this Tangle shows: {shown}."
        case "benefit" | "effect", _:
            return _answer(question, move)
        case "ballots", moves.PlayBallots(regions):
            if len(regions) != SCORING.ballots_played:
                return f"Choose exactly {_number(SCORING.ballots_played)} ballots."
            return _not_held(question, regions)
        case "keep", moves.KeepBallots(regions):
            if len(regions) > SCORING.ballots_kept:
                return f"You can keep at most {_number(SCORING.ballots_kept)} ballots."
            return _not_held(question, regions)
        case _:
            return _NOT_NOW[question.phase]


def _first(deed: components.Deed | None) -> str:
    """Say what the player must choose first."""
    match deed:
        case components.PlantDeed():
            return "First choose a region for your marker."
        case components.NudgeDeed():
            return "First choose a worker and an adjacent region."
        case components.PlaceAdjacentDeed():
            return "First choose an adjacent region for your marker."
        case components.Shift(way="in"):
            return "First choose which workers come here, and from where."
        case components.Shift(way="out"):
            return "First choose which workers leave, and where they go."
        case _:
            return "First choose which workers move between here and one adjacent region."


def _number(number: int) -> str:
    return _NUMBERS.get(number, str(number))


def _not_held(question: Question, regions: tuple[Region, ...]) -> str:
    """Rules: Secret ballots."""
    return NOT_HELD if Counter(regions) - Counter(question.hand) else NOT_SORTED


def _answer(question: Question, move: moves.Move) -> str:
    """Rules: Steps, Tangles."""
    here = question.here
    match question.deed, move:
        case components.PlantDeed(), moves.TanglewoodPlant():
            return NO_REGION
        case components.NudgeDeed(), moves.TanglewoodNudge(region, colour, to):
            if region not in REGIONS or to not in REGIONS:
                return NO_REGION
            if not _standing(question, region, colour):
                return NO_WORKER
            return "Those regions aren't adjacent."
        case components.PlaceAdjacentDeed(), moves.TanglewoodPlaceAdjacent(region) if here is not None:
            return _elsewhere([region], here) or "Choose adjacent regions."
        case components.Shift() as shift, _ if here is not None and _fits(shift, move):
            return _shift(question, shift, hops(move, here), here)
        case _:
            return _first(question.deed)


def _fits(shift: components.Shift, move: moves.Move) -> bool:
    forms: dict[tuple[str, str], type[ShiftMove]] = {
        ("in", "apart"): moves.Gather,
        ("out", "apart"): moves.Scatter,
        ("out", "together"): moves.Export,
    }
    return isinstance(move, forms.get((shift.way, shift.spread), moves.MoveAdjacent))


def _shift(question: Question, shift: components.Shift, made: tuple[Hop, ...], here: Region) -> str:
    """Rules: Tangles."""
    others = [hop.end if hop.start == here else hop.start for hop in made]
    trouble = _elsewhere(others, here)
    if trouble:
        return trouble
    if any(region not in regions_in_reach(shift, here) for region in others):
        return "Choose adjacent regions."
    if shift.spread == "apart" and len(set(others)) < len(others):
        return f"Choose {_number(shift.workers)} different regions."
    for (region, colour), number in Counter((hop.start, hop.colour) for hop in made).items():
        standing = _standing(question, region, colour)
        if not standing:
            return NO_WORKER
        if standing < number:
            return "There's no second worker of that colour there."
    size = count_required(shift, question.workers, here)
    if len(made) != size:
        return f"You must move {_number(size)} worker{'' if size == 1 else 's'}."
    return NOT_SORTED


def _elsewhere(regions: Iterable[Region], here: Region) -> str | None:
    """Say what is wrong with the regions of any effect, or return None."""
    named = list(regions)
    if any(region not in REGIONS for region in named):
        return NO_REGION
    return "You can't choose the region you placed in." if here in named else None


def _standing(question: Question, region: Region, colour: Colour) -> int:
    """Count a colour's workers in a region. 0 for a colour that isn't in the game."""
    counts = question.workers[region]
    return counts[index(colour, counts)] if colour in question.colours else 0
