"""The panel beside Tanglewood's forest, with a small map."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from PIL import Image

from engines.game import Seat
from engines.tanglewood.pieces.components import COMPONENTS, REGIONS, TRACKS, Faction, FoxTileKey, Region
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import format_points, seat_name
from render.core.canvas import Box, Canvas, Point
from render.core.text import fit
from render.core.theme import mix
from render.tanglewood import places, signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

HEAD, SEATS, TRACK, GAP = 66, 164, 60, 12
PILL = 21
"""Half the height of a seat's status plate, which hangs over the edge."""
MARGIN = 20
THINGS: tuple[signs.Thing, ...] = ("votes", "circle", "ballots", "draw", "place")
COLUMNS = 0.0, 0.385, 0.735
"""The beginnings of a plate's columns, as shares of its width: ballots hardly have two digits."""


def height(tracks: int = len(TRACKS)) -> int:
    return HEAD + SEATS + PILL + GAP + tracks * TRACK + GAP


def draw(canvas: TanglewoodCanvas, view: TanglewoodView, names: Sequence[str], top: float) -> None:
    right = canvas.image.width - MARGIN
    y = top + HEAD / 2
    taken = canvas.write(
        (MARGIN + 4, y), captions.title(view, names), 50, canvas.theme.ink, weight=700, width=620
    )
    text = "  \u00b7  ".join(captions.remaining(view))
    room = right - MARGIN - taken - 40
    canvas.write(
        (right - 4, y), text, signs.LEAST, canvas.theme.muted, weight=600, anchor="right", width=room
    )
    _seats(canvas, view, names, (MARGIN, top + HEAD, right, top + HEAD + SEATS))
    tracks(canvas, view, (MARGIN, top + HEAD + SEATS + PILL + GAP, right, 0))


def _seats(canvas: TanglewoodCanvas, view: TanglewoodView, names: Sequence[str], box: Box) -> None:
    """Draw a plate for each seat in turn order.

    Arrows connect them; at the end they are in the order of places.
    """
    left, top, right, bottom = box
    places = None if view.outcome is None else view.outcome.places
    order = captions.turns(view)
    if places is not None:
        order = tuple(sorted(order, key=lambda seat: places[seat] or view.seats))
    wide = (right - left + GAP) / len(order)
    for index, seat in enumerate(order):
        x = left + index * wide
        _seat(canvas, view, names, seat, (x, top, x + wide - GAP, bottom))
    for index in range(1, 1 if places else len(order)):
        x = left + index * wide - GAP / 2
        canvas.disc((x, top + 121), 15, canvas.theme.ink)
        canvas.line([(x - 3, top + 113), (x + 5, top + 121), (x - 3, top + 129)], canvas.theme.card, 4)


def _seat(canvas: TanglewoodCanvas, view: TanglewoodView, names: Sequence[str], seat: Seat, box: Box) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    state, gone = captions.status(view, seat).short, seat in view.out
    waited = not view.over and (seat == view.seat or seat in view.owing) and not gone
    canvas.box(box, theme.highlight if waited else theme.line, radius=14)
    rim, ground = (4, theme.glow) if waited else (2, theme.card)
    canvas.box((left + rim, top + rim, right - rim, bottom - rim), ground, radius=11)
    ink = theme.faded if gone else theme.ink
    canvas.emblem(seat, (left + 34, top + 34), 17, theme.faded if gone else theme.seats[seat])
    gain = places.gain_of(view, seat)
    if gain > 0:
        places.note(canvas, format_points(gain), (right - 44, top - 2), gained=True)
    name, room = seat_name(names, seat), right - left - 66
    canvas.write((left + 60, top + 32), name, 38, ink, weight=700, width=room)
    levels = view.draw_value(seat), view.most_placeable(seat)
    numbers = (view.votes[seat], view.circles[seat], view.held[seat], *levels)
    for index, (thing, number) in enumerate(zip(THINGS, numbers, strict=True)):
        row, column = divmod(index, len(COLUMNS))
        x, y = left + 10 + COLUMNS[column] * (right - left - 18), top + 79 + row * 42
        signs.thing(canvas, thing, (x + 17, y), 35)
        canvas.write((x + 38, y), str(number), signs.LEAST, ink, weight=700)
    if state:
        x, y = (left + right) / 2, bottom
        line = fit(state, right - left + 16, signs.LEAST, 700, signs.LEAST)
        half = line.width / 2 + 14
        fill = theme.highlight if waited else ink
        canvas.box((x - half - 2, y - PILL - 2, x + half + 2, y + PILL + 2), theme.paper, radius=PILL + 2)
        canvas.box((x - half, y - PILL, x + half, y + PILL), fill, radius=PILL)
        canvas.draw_line((x, y), line, theme.card, "middle")


def tracks(canvas: TanglewoodCanvas, view: TanglewoodView, box: Box) -> None:
    left, top, right, _ = (round(edge) for edge in box)
    canvas.image.paste(
        _rails(canvas.theme, right - left, top % 2, tuple(view.fox_tiles)), (left, top - top % 2)
    )
    for index, key in enumerate(TRACKS):
        y = top + (index + 0.5) * TRACK
        for number, x in enumerate(_steps(key, right - left)):
            here = [seat for seat in range(view.seats) if view.steps[seat].get(key, 0) == number]
            lines = [here] if len(here) <= 3 else [here[:3], here[3:]]
            for row, line in enumerate(lines):
                middle = y + (row - (len(lines) - 1) / 2) * 28
                for column, seat in enumerate(line):
                    canvas.emblem(seat, (left + x + (96 if number else 22) + 27 * column, middle), 11)


def _steps(key: Faction, width: float) -> list[float]:
    count = len(TRACKS[key].steps) + 1
    return [76 + number * (width - 76) / count for number in range(count)]


@lru_cache(maxsize=16)
def _rails(theme: TanglewoodTheme, width: int, top: int, tiles: tuple[FoxTileKey, ...]) -> Image.Image:
    """Draw the tracks from `top` down with every step's benefit; cached.

    `tiles` are those on the slots. Drawn from an even row, they look the same as in the picture: half pixels
    round to even ones.
    """
    canvas = Canvas(width, top + len(TRACKS) * TRACK, theme)
    for index, key in enumerate(TRACKS):
        y, colour = top + (index + 0.5) * TRACK, theme.factions[key]
        upper, lower, line = y - TRACK / 2 + 3, y + TRACK / 2 - 3, mix(colour, theme.card, 0.35)
        canvas.box((0, upper, width, lower), line, radius=14)
        canvas.box((2, upper + 2, width - 2, lower - 2), mix(colour, theme.card, 0.85), radius=12)
        signs.faction(canvas, key, (38, y), 56)
        for x in _steps(key, width)[1:]:
            canvas.line([(x, upper + 8), (x, lower - 8)], line, 2)
        for deed, x in zip(TRACKS[key].steps, _steps(key, width)[1:], strict=True):
            signs.deed(canvas, deed, (x + 28, y), 50, tiles)
    return canvas.image


def forest(
    canvas: TanglewoodCanvas, centre: Point, wide: float, shaded: Collection[Region], letters: int = 0
) -> None:
    """Draw nine patches, some of them shaded. With letters of that size on them."""
    theme = canvas.theme
    columns, rows = COMPONENTS.board.columns, COMPONENTS.board.rows
    left, top = centre[0] - wide / 2, centre[1] - wide / 2 * rows / columns
    step = wide / columns
    gap = max(2.0, 0.07 * step)
    pad = 0.12 * step
    frame = (left - pad, top - pad, left + wide + pad, top + rows * step + pad)
    canvas.box(frame, theme.forest_edge, radius=0.32 * step)
    canvas.box((frame[0] + 2, frame[1] + 2, frame[2] - 2, frame[3] - 2), theme.forest, radius=0.3 * step)
    for region, facts in REGIONS.items():
        x, y = left + facts.column * step, top + facts.row * step
        floor, chosen = theme.ground(region), region in shaded
        box = (x + gap, y + gap, x + step - gap, y + step - gap)
        canvas.box(box, floor.edge if chosen else mix(floor.edge, floor.tint, 0.6), radius=0.24 * step)
        if not chosen:
            canvas.box((box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2), floor.tint, radius=0.2 * step)
        if letters:
            ink = theme.card if chosen else mix(floor.edge, floor.tint, 0.3)
            canvas.word((x + step / 2, y + step / 2), region, letters, ink, weight=700)
