"""The middle of the circle, marks on cards, and the last changes."""

from collections.abc import Sequence
from functools import cache, lru_cache

from PIL import Image, ImageChops, ImageDraw

from engines.game import BoardChange, Seat, is_quiet
from engines.ribbon.pieces.board import RibbonTangle
from engines.ribbon.pieces.components import LETTERS, Colour
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, tangles_of
from engines.ribbon.words import captions
from engines.words import seat_name
from render.core.canvas import Point, arrow, coverage, on_circle, seat_mark
from render.core.text import fit
from render.core.theme import Rgb, mix
from render.ribbon import ring
from render.ribbon.colours import CARD_HEIGHT, CARD_WIDTH, LANES, SMALL, RibbonCanvas, RibbonTheme

SWATCH_WIDTH = 118


def tangle_point(tangle: RibbonTangle) -> Point:
    return on_circle(ring.MIDDLE, ring.RIM - LANES[tangle.colour], ring.junction_at(tangle.junction))


@lru_cache(maxsize=16)
def _cross(reach: float, thick: float) -> Image.Image:
    half, side = round(reach) + 2, reach / 2**0.5

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        near, far = (half - side) * scale, (half + side) * scale
        for line in ((near, near, far, far), (near, far, far, near)):
            pen.line(line, fill=255, width=round(thick * scale))

    return coverage(2 * half, 2 * half, draw)


def tangle(canvas: RibbonCanvas, at: Point, colour: Colour, *, standing: bool = False) -> None:
    """Draw a dangerous tangle.

    A red cross in a rim, with the ribbon's letter on it. One that must go this turn has a second rim.
    """
    theme = canvas.theme
    if standing:
        canvas.disc(at, 30, theme.card)
        canvas.disc(at, 29, theme.danger, hole=26.5)
    canvas.disc(at, 24.5, theme.card)
    canvas.disc(at, 23, theme.danger, hole=19)
    canvas.stamp(_cross(20.5, 4.5), at, theme.danger)
    canvas.disc(at, 17, theme.card)
    canvas.write(at, LETTERS[colour], SMALL, theme.ink, weight=800, anchor="middle")


def harmless(canvas: RibbonCanvas, at: Point) -> None:
    """Draw a tangle of a ribbon that nobody remaining owns."""
    canvas.disc(at, 13.5, canvas.theme.card)
    canvas.disc(at, 12.5, canvas.theme.faded, hole=11)
    canvas.stamp(_cross(12, 1.8), at, canvas.theme.faded)


def small_tangle(canvas: RibbonCanvas, at: Point, *, standing: bool = False) -> None:
    """Draw the sign of a tangle next to a line of text."""
    theme = canvas.theme
    if standing:
        canvas.disc(at, 16, theme.danger, hole=14.4)
    canvas.disc(at, 12, theme.danger)
    canvas.disc(at, 9.2, theme.card)
    canvas.stamp(_cross(10, 3), at, theme.danger)


def swatch(
    canvas: RibbonCanvas, at: Point, colour: Colour, width: float = SWATCH_WIDTH, *, faded: bool = False
) -> None:
    """Draw a piece of ribbon with the colour's name on it. Its middle left end is at `at`."""
    dye = canvas.theme.dyes[colour]
    body = mix(dye.light.body, canvas.theme.paper, 0.6) if faded else dye.light.body
    rim = mix(dye.light.edge, canvas.theme.paper, 0.6) if faded else dye.light.edge
    left, y = at
    canvas.box((left, y - 18, left + width, y + 18), rim, radius=4)
    canvas.box((left + 1.5, y - 17, left + width - 1.5, y + 17), body, radius=3)
    canvas.write((left + width / 2, y), colour, SMALL, dye.dark.edge, weight=700, anchor="middle")


@cache
def _eye(width: int) -> Image.Image:
    height = round(width * 0.62)

    def disc(radius: float, middle: float) -> Image.Image:
        def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
            x, y, reach = width / 2 * scale, middle * scale, radius * scale
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

        return coverage(width, height, draw)

    lid = (width**2 + height**2) / (4 * height)
    lens = ImageChops.darker(disc(lid, lid), disc(lid, height - lid))
    ring = ImageChops.subtract(lens, disc(height * 0.36, height / 2))
    return ImageChops.lighter(ring, disc(height * 0.2, height / 2))


def eye(canvas: RibbonCanvas, at: Point, width: int, colour: Rgb) -> None:
    """Draw the sign of a hand card that everybody has seen."""
    canvas.stamp(_eye(width), at, colour)


def little_back(canvas: RibbonCanvas, at: Point) -> None:
    """Draw an unknown hand card."""
    x, y = at
    canvas.box((x - 11, y - 16, x + 11, y + 16), canvas.theme.back, radius=4)
    canvas.box((x - 8, y - 13, x + 8, y + 13), canvas.theme.back_line, radius=2, border=1)


def little_face(canvas: RibbonCanvas, at: Point, letter: str, *, shown: bool) -> None:
    """Draw a known hand card, with the eye if everybody knows it."""
    theme = canvas.theme
    x, y = at
    canvas.box((x - 15, y - 21, x + 15, y + 21), theme.muted, radius=4)
    canvas.box((x - 13.5, y - 19.5, x + 13.5, y + 19.5), theme.card, radius=3)
    if shown:
        canvas.write((x, y - 6), letter, SMALL, theme.ink, weight=700, anchor="middle")
        eye(canvas, (x, y + 13), 16, theme.muted)
    else:
        canvas.write((x, y), letter, SMALL, theme.ink, weight=700, anchor="middle")


PLATE_WIDTH = 360
TITLE_HEIGHT = 54
CAPTION_HEIGHT = 38
GAP = 8
PITCH = 35
"""From one card of a hand to the next."""


def draw(canvas: RibbonCanvas, view: RibbonView, names: Sequence[str]) -> None:
    lines = captions.to_do(view)
    plate_height = 88 if view.mode == "versus" else 66
    pitch = plate_height + GAP
    height = TITLE_HEIGHT + view.seats * pitch + CAPTION_HEIGHT * len(lines)
    x, top = ring.MIDDLE[0], ring.MIDDLE[1] - height / 2 - 6
    title, ink = captions.title(view, names), canvas.theme.ink
    canvas.write((x, top + 18), title, 42, ink, weight=700, anchor="middle", width=270)
    top += TITLE_HEIGHT
    for seat in range(view.seats):
        _plate(canvas, view, names, seat, top, plate_height)
        top += pitch
    for caption in lines:
        y, theme = top + CAPTION_HEIGHT / 2, canvas.theme
        line = fit(caption.text, 364, SMALL, 600 if caption.sign == "tangle" else 500)
        room = 36 if caption.sign else 0
        left = ring.MIDDLE[0] - (line.width + room) / 2
        if caption.sign == "tangle":
            small_tangle(canvas, (left + 13, y), standing=bool(must_go(view)))
        elif caption.sign == "back":
            little_back(canvas, (left + 13, y))
        canvas.draw_line((left + room, y), line, theme.danger if caption.sign == "tangle" else theme.muted)
        top += CAPTION_HEIGHT


def _plate(
    canvas: RibbonCanvas, view: RibbonView, names: Sequence[str], seat: Seat, top: float, height: float
) -> None:
    theme = canvas.theme
    left, right = ring.MIDDLE[0] - PLATE_WIDTH / 2, ring.MIDDLE[0] + PLATE_WIDTH / 2
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
        swatch(canvas, (left, y), colour, faded=is_out)
        pen = left + 142
    if is_out:
        return
    shown = view.shown[seat]
    open_cards = [card for card in view.hands[seat] if card is not None and (view.over or card in shown)]
    for card in sorted(open_cards):
        little_face(canvas, (pen, y), card, shown=card in shown)
        pen += PITCH
    for _ in range(len(view.hands[seat]) - len(open_cards)):
        little_back(canvas, (pen, y))
        pen += PITCH
    count = len(tangles_of(view, colour)) if colour and not view.over else 0
    if count:
        taken = canvas.write((right, y), str(count), 30, canvas.theme.danger, weight=700, anchor="right")
        small_tangle(canvas, (right - taken - 18, y))


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
        colour, place = _colour(canvas.theme, view, change), int(change.place)
        at = ring.spot(place, *CORNER)
        if change.kind == "swapped":  # outside the rim, from one number to the other
            junction = ring.junction_at(place)
            at = on_circle(ring.MIDDLE, ring.BADGES, junction)
            way = [on_circle(ring.MIDDLE, ring.BADGES, junction + turn) for turn in ARC]
            arrow(canvas, way, colour, THICK, is_double=True)
        elif change.kind == "exchanged":  # from the middle to the card, and back
            high, low = CARD_HEIGHT - 54, CARD_HEIGHT + 14
            for along, ends in zip(SHIFT, ((low, high), (high, low)), strict=True):
                arrow(canvas, [ring.spot(place, CARD_WIDTH - along, down) for down in ends], colour, THICK)
        if change.seat is not None:
            seat_mark(canvas, change.seat, at, MARK, colour, is_quiet=is_quiet(change, view.shown_changes))


def _colour(theme: RibbonTheme, view: RibbonView, change: BoardChange) -> Rgb:
    """Return the colour of the seat's ribbon; without a seat the highlight."""
    if change.seat is None:
        return theme.highlight
    ribbon = view.ribbons[change.seat]
    colour = theme.seat(change.seat) if ribbon is None else theme.emblem(ribbon)
    return mix(colour, theme.card, 0.4) if is_quiet(change, view.shown_changes) else colour
