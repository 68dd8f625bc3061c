"""Sentences of a panel about things to come: upkeep, the nearest condition, what moves leave."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from cogs.ui.page import Page
from engines.game import Seat
from engines.registry import game
from engines.tangle import decisions, moves
from engines.tangle.legal.moves import choices
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import TRACKS
from engines.tangle.preview import TanglePlacementPreview, bill
from engines.tangle.view import TangleView
from engines.tangle.words import nouns, previews
from engines.tangle.words.move_names import move_name
from engines.tangle.words.previews import Warnings, waiting
from engines.words import Names
from tables.play.play import Perspective

LAYS = (decisions.Lakes, decisions.Meadows, decisions.Growing, decisions.Sprouting, decisions.Hedging)
"""The decisions that bring tiles with upkeep."""


def foresee(view: TangleView, seat: Seat, made: Sequence[moves.Move]) -> TangleView:
    """Return a seat's view after the sure effects of its moves."""
    return cast(TangleView, game("tangle").foresee(view, seat, made))


def preview(view: TangleView, move: moves.TanglePlace) -> TanglePlacementPreview:
    """Return the sure effects of a placement of the viewer."""
    return cast(TanglePlacementPreview, game("tangle").preview(view, view.viewer or 0, move))


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
    told = [line for part in page.parts if isinstance(part, str) for line in part.split("\n")]
    return replace(
        page,
        warnings=tuple(dict.fromkeys((*noted.urgent, *page.warnings))),
        optional=[[line] for line in lines if line not in told],
    )


def purse(perspective: Perspective) -> str:
    view = perspective.view
    keep = ""
    if view.reserve and not isinstance(view.decision, decisions.Toll):
        keep = f" You must keep {view.reserve} of them to pay for the roots below your root."
    return f"-# You have {possessions(view, perspective.me)}.{keep}"


def possessions(view: TangleView, me: Seat) -> str:
    player = view.players[me]
    return nouns.stash(player.stash) + (f", {nouns.seeds(player.seeds)}" if any(player.seeds) else "")


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
    after = {move_name(move, view, names): foresee(view, me, [move]) for move in answers}
    return previews.warnings_of_choices(view, me, names, after)


def describe_free_upkeep(view: TangleView, names: Names, made: Sequence[moves.Move]) -> list[str]:
    """Return the upkeep that comes though the viewer has nothing for it."""
    after = foresee(view, view.viewer or 0, made).trackers
    return [
        f"-# Then the tracker of {nouns.TRACK_NAMES[track]} {waiting(holder, names)}: {due(view, track)}."
        if holder is not None
        else f"-# Then you get the marker of {nouns.TRACK_NAMES[track]}, and everyone pays at the start of "
        f"your next turn: {due(view, track)}."
        for track, before, steps, holder in zip(TRACKS, view.trackers, after, view.markers, strict=True)
        if steps == 0 < before
    ]


def brings_upkeep(perspective: Perspective, made: Sequence[moves.Move]) -> bool:
    """Return True if a tracker reaches the top, or upkeep comes."""
    view = perspective.view
    steps = zip(view.trackers, foresee(view, perspective.me, made).trackers, strict=True)
    return any(after == 0 < before for before, after in steps) or new_upkeep(perspective, made) != Warnings()
