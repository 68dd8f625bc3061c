"""Pictures of Tanglewood: the forest for everybody, a seat's ballots, and what a choice would come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engines.game import Seat
from engines.tanglewood.moves import PlacedWorker
from engines.tanglewood.pieces.board import Hop
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.trial import try_choice as trial_of
from engines.tanglewood.view import TanglewoodView
from render.core.canvas import Canvas
from render.core.picture import Picture
from render.tanglewood import captions, hands, land, places, scoreboard
from render.tanglewood import preview as previews
from render.tanglewood import scoring as scores
from render.tanglewood.almanac import pages
from render.tanglewood.colours import PALETTE
from render.tanglewood.land import Plan

__all__ = ["PALETTE", "almanac", "board", "forest", "hand", "preview", "scoring", "table"]

EFFORT = 4
"""How hard pictures are packed: more takes a quarter again the time for a twentieth of the size."""


def board(view: TanglewoodView, names: Sequence[str]) -> Picture:
    """The table as everybody may see it."""
    drawn = table(view, names)
    alt = captions.describe_board(_public(view), names)
    return Picture(drawn.png(PALETTE, EFFORT), alt, "tanglewood-table.png")


def table(view: TanglewoodView, names: Sequence[str]) -> Canvas:
    """What the board shows, not packed into a file yet."""
    view = _public(view)
    plan = Plan(len(view.colours))
    canvas = _map(view, plan, scoreboard.height())
    scoreboard.draw(canvas, view, names, plan.height)
    return canvas


def forest(view: TanglewoodView, names: Sequence[str]) -> Picture:
    """The map alone, which is what a choice is about; everybody's numbers and the tracks are on the board."""
    view = _public(view)
    alt = captions.describe_forest(view, names)
    return Picture(_map(view, Plan(len(view.colours))).png(PALETTE, EFFORT), alt, "tanglewood-forest.png")


def _map(view: TanglewoodView, plan: Plan, below: int = 0) -> Canvas:
    """The nine regions as they stand, with so much room below them."""
    canvas = Canvas.over(land.land(plan), plan.height + below)
    for region in REGIONS:
        if region == view.active:
            land.highlight(canvas, region, plan)
        places.region(canvas, view, region, plan)
    return canvas


def _public(view: TanglewoodView) -> TanglewoodView:
    """The view without what only its viewer may know."""
    return msgspec.structs.replace(view, viewer=None, hands=(None,) * view.seats, mine=None, dropped=())


def hand(view: TanglewoodView, seat: Seat, names: Sequence[str]) -> Picture | None:
    """A seat's ballots from its own view, and where they would bring it; None without any."""
    if not view.hands[seat]:
        return None
    canvas = hands.hand(view, seat, names)
    return Picture(
        canvas.png(PALETTE, EFFORT), captions.describe_hand(view, seat, names), "tanglewood-hand.png"
    )


def preview(
    view: TanglewoodView,
    names: Sequence[str],
    hops: tuple[Hop, ...],
    added: Mapping[Region, int],
    evicted: tuple[PlacedWorker, ...] = (),
) -> Picture:
    """The regions concerned as they stand and as they would once the viewer's choice has been made.

    `added` says how many own markers would come to each region, `hops` which workers would move then,
    `evicted` which would leave the board.

    Raises:
        ValueError: for a spectator, who has no choice.
    """
    tried = trial_of(view, hops, added, evicted)
    alt = captions.describe_preview(view, names, tried.after, tried.paid, tried.total)
    return Picture(previews.preview(view, names, tried).png(PALETTE, EFFORT), alt, "tanglewood-preview.png")


def scoring(view: TanglewoodView, names: Sequence[str], number: int) -> Picture:
    """The table of a scoring: 1 is the one in mid-game, 2 the final one.

    Raises:
        ValueError: when there has been no such scoring.
    """
    canvas = scores.scoring(view, names, number)
    alt = captions.describe_scoring(view, names, number)
    return Picture(canvas.png(PALETTE, EFFORT), alt, "tanglewood-scoring.png")


def almanac() -> tuple[Picture, ...]:
    """The Tangles, the Starters, and the tracks with the Fox tiles as they lie when they aren't shuffled."""
    return tuple(
        Picture(canvas.png(PALETTE, EFFORT), alt, f"tanglewood-almanac-{number}.png")
        for number, (canvas, alt) in enumerate(pages(), start=1)
    )
