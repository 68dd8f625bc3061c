"""The changes of the circle: outlines of flipped cards, arrows for swaps and exchanges, and by whom."""

from engines.changes import BoardChange, is_quiet
from engines.ribbon.view import RibbonView
from render.core.arrows import arrow, seat_mark
from render.core.canvas import Point, on_circle
from render.core.palette import Rgb, mix
from render.ribbon import ring
from render.ribbon.colours import RibbonCanvas, RibbonTheme
from render.ribbon.measures import CARD_HEIGHT, CARD_WIDTH

THICK = 9
ARC = range(-9, 10, 2)
"""The angles of a swap's arrow, from the middle of the junction."""
MARK = 21
CORNER = (34, 206)
"""The middle of the mark of a seat on a card: along its width, and down from the rim."""
SHIFT = (24, 52)
"""The two arrows of an exchange, along the width of the card."""


def outlines(canvas: RibbonCanvas, view: RibbonView) -> None:
    """Draw the outlines of flipped cards; whole ribbons go over them."""
    for change in view.shown_changes:
        if change.kind in ("flipped", "changed"):
            canvas.paint(ring.outline(canvas.theme, int(change.place), _colour(canvas.theme, view, change)))


def arrows(canvas: RibbonCanvas, view: RibbonView) -> None:
    """Draw the arrows, and the emblem of each seat at its changes."""
    for change in reversed(view.shown_changes):
        colour = _colour(canvas.theme, view, change)
        if change.kind == "swapped":
            _swap(canvas, int(change.place), colour)
        elif change.kind == "exchanged":
            _exchange(canvas, int(change.place), colour)
        if change.seat is not None:
            at, quiet = _mark_at(change), is_quiet(change, view.shown_changes)
            seat_mark(canvas, change.seat, at, MARK, colour, is_quiet=quiet)


def _colour(theme: RibbonTheme, view: RibbonView, change: BoardChange) -> Rgb:
    """Return the colour of the seat's ribbon; without a seat the highlight."""
    if change.seat is None:
        return theme.highlight
    ribbon = view.ribbons[change.seat]
    colour = theme.seat(change.seat) if ribbon is None else theme.emblem(ribbon)
    return mix(colour, theme.card, 0.4) if is_quiet(change, view.shown_changes) else colour


def _mark_at(change: BoardChange) -> Point:
    place = int(change.place)
    if change.kind == "swapped":
        return on_circle(ring.MIDDLE, ring.BADGES, ring.junction_at(place))
    return ring.spot(place, *CORNER)


def _swap(canvas: RibbonCanvas, place: int, colour: Rgb) -> None:
    """Draw an arrow outside the rim, from one number to the other."""
    middle = ring.junction_at(place)
    way = [on_circle(ring.MIDDLE, ring.BADGES, middle + turn) for turn in ARC]
    arrow(canvas, way, colour, THICK, is_double=True)


def _exchange(canvas: RibbonCanvas, place: int, colour: Rgb) -> None:
    """Draw an arrow from the middle to the card, and one back."""
    high, low = CARD_HEIGHT - 54, CARD_HEIGHT + 14
    for along, ends in zip(SHIFT, ((low, high), (high, low)), strict=True):
        way = [ring.spot(place, CARD_WIDTH - along, down) for down in ends]
        arrow(canvas, way, colour, THICK)
