"""The panel below the board, a plate for each seat, and the tiles of a hand."""

from collections.abc import Sequence

from engines.game import Seat
from engines.tesla.pieces.board import Circuit, CircuitId, circuit_name
from engines.tesla.pieces.components import COMMON, Face, Tiles, segments
from engines.tesla.view import TeslaView
from engines.tesla.words import captions
from engines.words import format_total, plural, seat_name
from render.core.canvas import Box, Canvas, Point
from render.core.text import fit
from render.core.theme import Rgb, mix
from render.tesla import paths, tags, tiles
from render.tesla.colours import TeslaCanvas, TeslaTheme

STRIP_UNIT = 68
STRIP_HEIGHT = 196
PILLAR_WIDTH = 244
LARGE_UNIT = 112
LARGE_HEIGHT = 400
LARGE_WIDTH = 1040


def single(canvas: TeslaCanvas, shape: Tiles, face: Face, at: Point, unit: int) -> None:
    """Draw a tile that isn't on the board."""
    theme = canvas.theme
    bowed = paths.is_bowed(shape, face)
    pieces = [tiles.shadow(theme, shape, unit), tiles.slate(theme, shape, unit)]
    pieces += [tiles.wire(theme, shape, segment, theme.free, None, unit, bowed) for segment in segments(face)]
    for piece in pieces:
        canvas.image.paste(
            piece.image, (round(at[0]) + piece.step[0], round(at[1]) + piece.step[1]), piece.mask
        )


def strip(canvas: TeslaCanvas, view: TeslaView, seat: Seat) -> None:
    """Draw the hand in a row at the lower edge. Tiles count from 1."""
    held, (width, height) = view.hands[seat] or (), canvas.image.size
    pitch = min(240.0, (width - 200) / max(1, len(held)))
    left = width / 2 - pitch * (len(held) - 1) / 2 + 22
    for number, face in enumerate(held, start=1):
        at = (left + (number - 1) * pitch, height - 6 - STRIP_HEIGHT / 2)
        _tile(canvas, view.board.shape, face, at, number, canvas.theme.ink)


def pillar(canvas: TeslaCanvas, view: TeslaView, chosen: int, middle: float) -> None:
    """Draw the acting hand in a column, the chosen tile framed."""
    theme, held = canvas.theme, view.hands[view.seat] or ()
    x, top = canvas.image.width - PILLAR_WIDTH + 132, middle - len(held) * STRIP_HEIGHT / 2
    for number, face in enumerate(held, start=1):
        y = top + (number - 0.5) * STRIP_HEIGHT
        if number == chosen:
            box = (x - 132, y - 90, x + 88, y + 90)
            canvas.box(box, theme.highlight, radius=16)
            canvas.box((box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4), theme.glow, radius=12)
        colour = theme.highlight if number == chosen else theme.ink
        _tile(canvas, view.board.shape, face, (x, y), number, colour)


def _tile(canvas: TeslaCanvas, shape: Tiles, face: Face, at: Point, number: int, colour: Rgb) -> None:
    single(canvas, shape, face, at, STRIP_UNIT)
    canvas.badge((at[0] - 96, at[1]), 30, str(number), colour)


def large(theme: TeslaTheme, view: TeslaView, seat: Seat, names: Sequence[str]) -> TeslaCanvas:
    """Draw the hand for its owner."""
    held = view.hands[seat] or ()
    canvas = Canvas(LARGE_WIDTH, LARGE_HEIGHT, theme)
    canvas.emblem(seat, (60, 48), 20, theme.seats[seat])
    canvas.write((94, 48), seat_name(names, seat), 34, theme.ink, weight=700, width=LARGE_WIDTH - 300)
    canvas.write(
        (LARGE_WIDTH - 44, 48), plural(len(held), "tile"), 30, theme.muted, weight=500, anchor="right"
    )
    pitch = (LARGE_WIDTH - 60) / 4
    left = LARGE_WIDTH / 2 - pitch * (len(held) - 1) / 2
    for number, face in enumerate(held, start=1):
        x, y = left + (number - 1) * pitch, 224.0
        single(canvas, view.board.shape, face, (x, y), LARGE_UNIT)
        canvas.badge((x, y + LARGE_UNIT + 22), 26, str(number))
    return canvas


LINE_HEIGHT = 38
TITLE_HEIGHT = 58
COLUMNS = 2
HEAD = TITLE_HEIGHT + 12
PLATE = 148
GAP = 14
INSET = 18
SMALL = 33
ICONS: dict[Tiles, Face] = {"hex": "02-35", "square": "01-23"}
"""The tile that represents the tiles in a hand."""
BAR = (170, 58)
"""The room for numbers left and right of a plate's bar."""
THICK = 13
"""Half the height of a bar."""


def height(view: TeslaView) -> int:
    if _takes_a_place(view):
        return 2 * PLATE + GAP
    rows = -(-view.seats // COLUMNS)
    return HEAD + rows * (PLATE + GAP) - GAP


def _takes_a_place(view: TeslaView) -> bool:
    """Return True if the head takes a plate's place."""
    return view.seats % COLUMNS == 1


def draw(canvas: TeslaCanvas, view: TeslaView, names: Sequence[str], at: Point, width: float) -> None:
    left, top = at
    each, theme = (width - GAP * (COLUMNS - 1)) / COLUMNS, canvas.theme
    first, y, title = 0, top + TITLE_HEIGHT / 2, captions.title(view, names)
    facts = [fact for fact in (captions.aims(view), captions.stock(view)) if fact]
    if _takes_a_place(view):
        first, y = 1, top + 14 + TITLE_HEIGHT / 2
        canvas.write((left + 4, y), title, 40, theme.ink, weight=700, width=each - 8)
        y += TITLE_HEIGHT / 2 + LINE_HEIGHT / 2
        for fact in facts:
            canvas.write((left + 4, y), fact, SMALL, theme.muted, weight=500, width=each - 8)
            y += LINE_HEIGHT
    else:
        end, text = (left + width - 4, y + 4), " · ".join(facts)
        taken = canvas.write(end, text, SMALL, theme.muted, weight=500, anchor="right", width=790)
        canvas.write((left + 4, y), title, 36, theme.ink, weight=700, width=width - taken - 44)
        top += HEAD
    for seat in range(view.seats):
        row, column = divmod(first + seat, COLUMNS)
        x, y = left + column * (each + GAP), top + row * (PLATE + GAP)
        Plate(canvas, view, seat, (x, y, x + each, y + PLATE)).draw(seat_name(names, seat))


class Plate:
    """One seat's plate: its name, its status, its score, its markers and tiles, its circuits."""

    def __init__(self, canvas: TeslaCanvas, view: TeslaView, seat: Seat, box: Box) -> None:
        theme = canvas.theme
        self.canvas, self.view, self.seat, self.box = canvas, view, seat, box
        self.is_out = seat in view.out
        won = view.outcome is not None and view.outcome.places[seat] == 1
        self.is_lit = won or (not view.over and seat == view.seat)
        self.ink = theme.faded if self.is_out else theme.ink
        self.colour = theme.faded if self.is_out else theme.seats[seat]
        self.left, self.right = box[0] + INSET, box[2] - INSET
        self.circuits = captions.circuits_of(view, seat)
        self.promise = 0 if view.over else sum(captions.points_of(circuit) for _, circuit in self.circuits)

    def draw(self, name: str) -> None:
        top = self.box[1]
        theme = self.canvas.theme
        left, top, right, bottom = self.box
        edge = 3 if self.is_lit else 1.5
        self.canvas.box(self.box, theme.highlight if self.is_lit else theme.line, radius=14)
        inner = (left + edge, top + edge, right - edge, bottom - edge)
        self.canvas.box(inner, theme.glow if self.is_lit else theme.card, radius=14 - edge)
        if self.is_out:
            self._name(top + PLATE / 2 - 26, name)
            self._score(top + PLATE / 2 + 28)
            return
        self._name(top + 30, name)
        self._score(top + 74)
        y, pen = top + 120, self.left + 38
        tags.token(self.canvas, self.seat, (self.left + 16, y), 14)
        text = f"{self.view.supplies[self.seat]} of {COMMON.markers[self.view.seats]}"
        pen += 28 + self.canvas.write((pen, y), text, SMALL, theme.ink, weight=600)
        shape = self.view.board.shape
        single(self.canvas, shape, ICONS[shape], (pen, y), 18)
        pen += 24
        pen += self.canvas.write((pen, y), str(self.view.held[self.seat]), SMALL, theme.ink, weight=600)
        self._circuits(pen, y)

    def _name(self, y: float, name: str) -> None:
        self.canvas.emblem(self.seat, (self.left + 19, y), 19, self.colour)
        status, taken = captions.status(self.view, self.seat).short, 0.0
        if status:
            shade = self.canvas.theme.highlight if self.is_lit else self.ink
            taken = 14 + self.canvas.write((self.right, y), status, SMALL, shade, weight=600, anchor="right")
        start = self.left + 50
        self.canvas.write((start, y), name, 34, self.ink, weight=700, width=self.right - start - taken)

    def _score(self, y: float) -> None:
        """Draw the score, and a bar from 0 to winning.

        It begins at the lowest score of those still in, if that is below 0: the bar of a seat that is out
        ends there. The pale part of the bar is the gain of the markers on the board now. A red line marks
        the score at which the seat would be out.
        """
        theme = self.canvas.theme
        score = self.view.scores[self.seat]
        self.canvas.write((self.left, y), format_total(score), 42, self.ink, weight=700, width=84)
        out, high = self.view.leader - self.view.behind, self.view.options.win
        low = min(0, *(self.view.scores[seat] for seat in self.view.remaining or range(self.view.seats)))
        start, end = self.left + BAR[0], self.right - BAR[1]
        at = (start - 10, y)
        self.canvas.write(at, format_total(low), SMALL, theme.ink, weight=700, anchor="right", width=70)
        self.canvas.write((end + 10, y), str(high), SMALL, theme.ink, weight=700)
        self.canvas.box((start, y - THICK, end, y + THICK), theme.line, radius=THICK)
        pale = mix(self.colour, theme.card, 0.62)
        for points, colour in ((score + self.promise, pale), (score, self.colour)):
            share = min(1.0, max(0.0, (points - low) / (high - low)))
            reach = start + max(2 * THICK, (end - start) * share)
            self.canvas.box((start, y - THICK, reach, y + THICK), colour, radius=THICK)
        if low < out < high and not self.is_out:
            x = start + (end - start) * (out - low) / (high - low)
            self.canvas.line([(x, y - THICK - 5), (x, y + THICK + 5)], theme.danger, 5)

    def _circuits(self, pen: float, y: float) -> None:
        """Draw the markers' gain, and the circuits that fit. Those worth most come first."""
        if not self.circuits:
            return
        pen, end = pen + 22, self.right
        if self.promise:
            text = f"+{self.promise} on board"
            chips = sum(_chip_width(number, circuit) + 10 for number, circuit in self.circuits)
            if pen + chips + fit(text, 400, SMALL, 700).width > end:
                text = f"+{self.promise}"
            ink = self.canvas.theme.ink
            end -= 14 + self.canvas.write((end, y), text, SMALL, ink, weight=700, anchor="right")
        for index, (number, circuit) in enumerate(self.circuits):
            rest = len(self.circuits) - index
            more = f"+{rest} more"
            reserve = 0 if rest == 1 else fit(f"+{rest - 1} more", 200, SMALL, 500).width + 8
            if pen + _chip_width(number, circuit) + reserve > end:
                self.canvas.write((pen, y), more, SMALL, self.canvas.theme.muted, weight=500)
                return
            theme = self.canvas.theme
            name, colour = circuit_name(number), theme.seats[self.seat]
            split = _letter_width(number)
            self.canvas.box((pen, y - 17, pen + split, y + 17), colour, radius=8)
            self.canvas.write(
                (pen + split / 2, y), name, SMALL, theme.letter(colour), weight=700, anchor="middle"
            )
            self.canvas.write((pen + split + 6, y), captions.sum_of(circuit), SMALL, theme.ink, weight=600)
            pen += _chip_width(number, circuit) + 10


def _letter_width(number: CircuitId) -> float:
    return fit(circuit_name(number), 200, SMALL, 700).width + 16


def _chip_width(number: CircuitId, circuit: Circuit) -> float:
    return _letter_width(number) + 6 + fit(captions.sum_of(circuit), 400, SMALL, 600).width
