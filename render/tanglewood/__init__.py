"""Pictures of Tanglewood: the forest for everybody, a seat's ballots, and previews of choices."""

from collections.abc import Mapping, Sequence

import msgspec

from engines.game import Seat
from engines.tanglewood.moves import PlacedWorker
from engines.tanglewood.pieces.board import Hop
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.preview import try_choice as trial_of
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from render.core.canvas import Canvas, Picture
from render.tanglewood import hands, land, places, scoreboard
from render.tanglewood import scoring as scores
from render.tanglewood.cards import pages
from render.tanglewood.colours import THEMES, TanglewoodCanvas, TanglewoodTheme
from render.tanglewood.land import ForestPlan

__all__ = ["THEMES", "almanac", "board", "forest", "hand", "preview", "scoring", "table"]

LIGHT = THEMES["light"]
EFFORT = 4
"""Packing effort: more takes a quarter again the time for a twentieth of the size."""


def board(view: TanglewoodView, names: Sequence[str], theme: TanglewoodTheme = LIGHT) -> Picture:
    """Draw the table as everybody may see it."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(EFFORT), captions.describe_board(_public(view), names), "tanglewood-table.png")


def table(view: TanglewoodView, names: Sequence[str], theme: TanglewoodTheme = LIGHT) -> TanglewoodCanvas:
    view = _public(view)
    plan = ForestPlan(len(view.colours))
    canvas = _map(theme, view, plan, scoreboard.height())
    scoreboard.draw(canvas, view, names, plan.height)
    return canvas


def forest(view: TanglewoodView, names: Sequence[str], theme: TanglewoodTheme = LIGHT) -> Picture:
    """Draw the map alone, for choices about it. Everybody's numbers and the tracks are on the board."""
    view = _public(view)
    alt = captions.describe_forest(view, names)
    return Picture(_map(theme, view, ForestPlan(len(view.colours))).png(EFFORT), alt, "tanglewood-forest.png")


def _map(theme: TanglewoodTheme, view: TanglewoodView, plan: ForestPlan, below: int = 0) -> TanglewoodCanvas:
    """Draw the nine regions, with that much room below them."""
    canvas = Canvas.over(land.land(theme, plan), theme, plan.height + below)
    for region in REGIONS:
        if region == view.active:
            land.highlight(canvas, region, plan)
        places.region(canvas, view, region, plan)
    places.arrows(canvas, view, plan)
    return canvas


def _public(view: TanglewoodView) -> TanglewoodView:
    """Return the view without its viewer's secrets."""
    return msgspec.structs.replace(view, viewer=None, hands=(None,) * view.seats, mine=None, dropped=())


def hand(
    view: TanglewoodView, seat: Seat, names: Sequence[str], theme: TanglewoodTheme = LIGHT
) -> Picture | None:
    """Draw a seat's ballots from its own view, with their effect. None without any."""
    if not view.hands[seat]:
        return None
    canvas = hands.hand(theme, view, seat, names)
    return Picture(canvas.png(EFFORT), captions.describe_hand(view, seat, names), "tanglewood-hand.png")


def preview(
    view: TanglewoodView,
    names: Sequence[str],
    hops: tuple[Hop, ...],
    added: Mapping[Region, int],
    evicted: tuple[PlacedWorker, ...] = (),
    theme: TanglewoodTheme = LIGHT,
) -> Picture:
    """Draw the affected regions before and after the viewer's choice.

    `added` is the number of own markers that come to each region, `hops` the workers that move, `evicted`
    those that leave the board. Raise ValueError for a spectator, who has no choice.
    """
    tried = trial_of(view, hops, added, evicted)
    alt = captions.describe_preview(view, names, tried.after, tried.paid, tried.total)
    return Picture(scores.preview(theme, view, names, tried).png(EFFORT), alt, "tanglewood-preview.png")


def scoring(
    view: TanglewoodView, names: Sequence[str], number: int, theme: TanglewoodTheme = LIGHT
) -> Picture:
    """Draw the table of a scoring.

    1 is the one in mid-game, 2 the final one. Raise ValueError if there has been no such scoring.
    """
    canvas = scores.scoring(theme, view, names, number)
    alt = captions.describe_scoring(view, names, number)
    return Picture(canvas.png(EFFORT), alt, "tanglewood-scoring.png")


def almanac(theme: TanglewoodTheme = LIGHT) -> tuple[Picture, ...]:
    """Draw the Tangles, the Starters, and the tracks. The Fox tiles are in their unshuffled order."""
    return tuple(
        Picture(canvas.png(EFFORT), alt, f"tanglewood-almanac-{number}.png")
        for number, (canvas, alt) in enumerate(pages(theme), start=1)
    )
