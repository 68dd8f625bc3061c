"""Pictures of Ribbon Tangle: the table for everybody, and the hands."""

from collections.abc import Sequence

from engines.game import Seat
from engines.ribbon.pieces.components import COLOURS, Colour, left_side, right_side
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, matters
from engines.ribbon.words import captions
from render.core.canvas import Canvas, Picture, on_circle
from render.ribbon import hands, middle, ring
from render.ribbon.colours import THEMES, RibbonCanvas, RibbonTheme

__all__ = ["THEMES", "board", "hand", "table", "turn"]

LIGHT = THEMES["light"]
EFFORT = 5
"""Packing effort of boards: more takes half again the time for a thirtieth of the size."""


def board(view: RibbonView, names: Sequence[str], theme: RibbonTheme = LIGHT) -> Picture:
    """Draw the table as the viewer may see it. In co-op and solo with the open hands below."""
    drawn = table(view, names, theme)
    return Picture(drawn.png(EFFORT), captions.describe_board(view, names), "ribbon-table.png")


def turn(view: RibbonView, names: Sequence[str], theme: RibbonTheme = LIGHT) -> Picture:
    """Draw the table with the viewer's hand in its middle."""
    if view.mode != "versus" or view.viewer is None:
        return board(view, names, theme)
    canvas = _circle(view, theme, own=view.ribbons[view.viewer])
    hands.inside(canvas, view, view.viewer)
    texts = captions.describe_hand(view, view.viewer, names), captions.describe_board(view, names)
    return Picture(canvas.png(EFFORT), " ".join(texts), "ribbon-turn.png")


def table(view: RibbonView, names: Sequence[str], theme: RibbonTheme = LIGHT) -> RibbonCanvas:
    is_open = view.mode != "versus"
    canvas = _circle(view, theme, hands.STRIP_HEIGHT if is_open else 0)
    middle.draw(canvas, view, names)
    if is_open:
        hands.strip(canvas, view, names, ring.SIZE)
    return canvas


def _circle(view: RibbonView, theme: RibbonTheme, below: int = 0, own: Colour | None = None) -> RibbonCanvas:
    """Draw the circle with an empty middle, the `own` ribbon bolder."""
    canvas = Canvas.over(ring.table(theme), theme, ring.SIZE + below if below else 0)
    for place, (card, hidden) in enumerate(zip(view.circle, view.beneath, strict=True), start=1):
        if card:
            canvas.paint(ring.face_up(canvas.theme, card, place))
        else:
            ring.face_down(canvas, place, hidden or "?")
    _ribbons(canvas, view)
    if own is not None:
        hem = canvas.theme.dyes[own].hem
        for number, card in enumerate(view.circle, start=1):
            if card is not None:
                for way in ring.hems(number, own, left_side(card, own), right_side(card, own)):
                    canvas.line(way, hem, ring.HEM)
    standing = must_go(view)
    for tangle in view.tangles:
        at = middle.tangle_point(tangle)
        if matters(view, tangle) or (view.over and tangle.colour in view.ribbons):
            middle.tangle(canvas, at, tangle.colour, standing=tangle in standing)
        else:
            middle.harmless(canvas, at)
    changed = view.marked
    for number in range(1, len(view.circle) + 1):
        spot = on_circle(ring.MIDDLE, ring.BADGES, ring.middle_of(number))
        shade = canvas.theme.highlight if number in changed else canvas.theme.ink
        canvas.badge(spot, 24.5, str(number), shade)
    middle.arrows(canvas, view)
    return canvas


def hand(view: RibbonView, seat: Seat, names: Sequence[str], theme: RibbonTheme = LIGHT) -> Picture | None:
    """Draw a seat's hand from its own view, in solo all hands. None if the view shows no card of it."""
    if view.mode == "solo":
        canvas = Canvas(ring.SIZE, hands.STRIP_HEIGHT + 4, theme)
        hands.strip(canvas, view, names, 12)
        return Picture(
            canvas.png(palette=theme.large_palette), captions.describe_hands(view, names), "ribbon-hand.png"
        )
    if not any(view.hands[seat]):
        return None
    canvas = hands.large(theme, view, seat, names)
    return Picture(
        canvas.png(palette=theme.large_palette), captions.describe_hand(view, seat, names), "ribbon-hand.png"
    )


def _ribbons(canvas: RibbonCanvas, view: RibbonView) -> None:
    """Draw the junctions. Torn ends, over them the outlines of changed places, then whole ribbons."""
    torn, whole = [], []
    for place, card in enumerate(view.circle, start=1):
        following = view.circle[place % len(view.circle)]
        if card is None or following is None:
            continue
        for colour in COLOURS:
            here, there = right_side(card, colour), left_side(following, colour)
            if here == there:
                whole.append(ring.bridge(canvas.theme, place, colour, here))
            else:
                torn.append(ring.fray(canvas.theme, place, colour, here, there))
    for sprite in torn:
        canvas.paint(sprite)
    middle.outlines(canvas, view)
    for sprite in whole:
        canvas.paint(sprite)
