"""The middle of the board: the turn, a plate for each seat, and the open tasks."""

from collections.abc import Sequence

from engines.captions import seat_name
from engines.game import Seat
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, tangles_of
from engines.ribbon.words import captions
from render.core.text import fit
from render.ribbon import marks
from render.ribbon.colours import RibbonCanvas
from render.ribbon.measures import SMALL
from render.ribbon.ring import MIDDLE

PLATE_WIDTH = 360
TITLE_HEIGHT = 54
CAPTION_HEIGHT = 38
GAP = 8
PITCH = 32
"""From one card of a hand to the next."""


def draw(canvas: RibbonCanvas, view: RibbonView, names: Sequence[str]) -> None:
    lines = captions.to_do(view)
    plate_height = 88 if view.mode == "versus" else 66
    pitch = plate_height + GAP
    height = TITLE_HEIGHT + view.seats * pitch + CAPTION_HEIGHT * len(lines)
    x, top = MIDDLE[0], MIDDLE[1] - height / 2 - 6
    canvas.write(
        (x, top + 18),
        captions.title(view, names),
        42,
        canvas.theme.ink,
        weight=700,
        anchor="middle",
        width=270,
    )
    top += TITLE_HEIGHT
    for seat in range(view.seats):
        _plate(canvas, view, names, seat, top, plate_height)
        top += pitch
    for caption in lines:
        _caption(canvas, view, caption, top + CAPTION_HEIGHT / 2)
        top += CAPTION_HEIGHT


def _plate(
    canvas: RibbonCanvas, view: RibbonView, names: Sequence[str], seat: Seat, top: float, height: float
) -> None:
    """Draw one seat. Its name, its status, and in versus its ribbon, its cards and its tangles."""
    theme = canvas.theme
    left, right = MIDDLE[0] - PLATE_WIDTH / 2, MIDDLE[0] + PLATE_WIDTH / 2
    is_out = seat in view.out
    won = view.outcome is not None and view.outcome.places[seat] == 1
    is_lit = seat in view.owes or won
    if is_lit:
        canvas.box((left, top, right, top + height), theme.highlight, radius=14)
        canvas.box((left + 3, top + 3, right - 3, top + height - 3), theme.glow, radius=11)
    middle = top + (27 if view.mode == "versus" else height / 2)
    ink = theme.faded if is_out else theme.ink
    colour = view.ribbons[seat] if view.mode == "versus" else None
    canvas.emblem(seat, (left + 30, middle), 14, theme.faded if is_out else canvas.theme.emblem(colour))
    status = captions.status(view, seat)
    taken = 0.0
    if status:
        shade = theme.highlight if is_lit else ink
        taken = 16 + canvas.write((right - 16, middle), status, SMALL, shade, weight=600, anchor="right")
    room = PLATE_WIDTH - 54 - 16 - taken
    canvas.write((left + 54, middle), seat_name(names, seat), 30, ink, weight=700, width=room)
    if view.mode == "versus":
        _belongings(canvas, view, seat, left + 16, right - 16, top + 64)


def _belongings(
    canvas: RibbonCanvas, view: RibbonView, seat: Seat, left: float, right: float, y: float
) -> None:
    colour, is_out = view.ribbons[seat], seat in view.out
    pen = left + 48
    if colour is not None:
        marks.swatch(canvas, (left, y), colour, faded=is_out)
        pen = left + 122
    if is_out:
        return
    shown = view.shown[seat]
    open_cards = [card for card in view.hands[seat] if card is not None and (view.over or card in shown)]
    for card in sorted(open_cards):
        marks.little_face(canvas, (pen, y), card, shown=card in shown)
        pen += PITCH
    for _ in range(len(view.hands[seat]) - len(open_cards)):
        marks.little_back(canvas, (pen, y))
        pen += PITCH
    count = len(tangles_of(view, colour)) if colour and not view.over else 0
    if count:
        taken = canvas.write((right, y), str(count), 30, canvas.theme.danger, weight=700, anchor="right")
        marks.small_tangle(canvas, (right - taken - 18, y))


def _caption(canvas: RibbonCanvas, view: RibbonView, caption: captions.Caption, y: float) -> None:
    """Draw a line below the plates, with its sign if any."""
    theme = canvas.theme
    x = MIDDLE[0]
    line = fit(caption.text, 340, 25, 600 if caption.sign == "tangle" else 500)
    room = 36 if caption.sign else 0
    left = x - (line.width + room) / 2
    if caption.sign == "tangle":
        marks.small_tangle(canvas, (left + 13, y), standing=bool(must_go(view)))
    elif caption.sign == "back":
        marks.little_back(canvas, (left + 13, y))
    canvas.draw_line((left + room, y), line, theme.danger if caption.sign == "tangle" else theme.muted)
