"""The circle of twelve cards: flat cloth bent round the middle, and the marks of the junctions.

Angles are in degrees clockwise from the top, the angle of place 12. Bending is the costly part, so it is
done for the first quarter of the circle only; the other places are the same pieces turned. All pieces are
cached.
"""

import math
from collections.abc import Callable, Hashable
from functools import cache
from itertools import chain, pairwise

from PIL import Image, ImageDraw, ImageFilter

from engines.ribbon.pieces.components import COLOURS, LETTERS, PLACES, Card, Colour, Level, left_side
from render.core.canvas import Canvas, Point, Sprite, bounds, coverage, on_circle, ring_points
from render.core.theme import Rgb
from render.ribbon import cloth, colours

SIZE = 1080
MIDDLE: Point = (SIZE / 2, SIZE / 2)
RIM = 486
BADGES = 513
DEGREES_PER_PLACE = 360 / PLACES
UNIT = DEGREES_PER_PLACE / (colours.CARD_WIDTH + colours.GAP)
"""The angle that one unit of flat cloth is bent to."""
QUARTER = PLACES // 4
TURNS = (None, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
HOOP_RADIUS = 247
CELL = 20
PADDING = 2
OUTLINE = ((5, -3), (4, -4 / 3))
"""The start and end of a changed card's pale frame, and of the strong line in it, outside its edge."""
HEM, HEM_STEPS = 6, 4
"""The thickness of an own ribbon's hem in pixels, and the straight pieces of each part of it."""
BENDS = 16
"""The straight pieces of a card's long sides."""


def middle_of(place: int) -> float:
    return place % PLACES * DEGREES_PER_PLACE


def junction_at(junction: int) -> float:
    """Return the angle of the junction of a place with the next."""
    return middle_of(junction) + DEGREES_PER_PLACE / 2


def spot(place: int, along: float, down: float) -> Point:
    """Map a point of a flat card to the board. It is `along` from the left edge and `down` from the top."""
    return on_circle(MIDDLE, RIM - down, middle_of(place) + (along - colours.CARD_WIDTH / 2) * UNIT)


def bend(flat: Image.Image, turn: float, top: float = 0) -> tuple[Image.Image, tuple[int, int]]:
    """Bend flat cloth round the middle of the circle.

    Return it with its left upper corner.
    Args:
        flat: `FINE` times as large as on the board.
        turn: the angle of the middle of its width.
        top: the distance of its upper edge below the rim.
    """
    border = PADDING * colours.FINE  # by which the edges come out smooth; clear or like the corner of a card
    size = (flat.width + 2 * border, flat.height + 2 * border)
    padded = Image.new(flat.mode, size, flat.getpixel((0, 0)) if flat.mode == "RGB" else 0)
    padded.paste(flat, (border, border))
    flat = padded
    top -= PADDING
    half = flat.width / colours.FINE / 2 * UNIT
    outer, inner = RIM - top, RIM - top - flat.height / colours.FINE
    x0, y0, x1, y1 = bounds(ring_points(MIDDLE, inner, outer, turn - half, turn + half))
    size = (x1 - x0, y1 - y0)

    def source(column: int, row: int) -> Point:
        x, y = x0 + column - MIDDLE[0], y0 + row - MIDDLE[1]
        off = (math.degrees(math.atan2(x, -y)) - turn + 180) % 360 - 180
        return off / UNIT * colours.FINE + flat.width / 2, (outer - math.hypot(x, y)) * colours.FINE

    mesh = _mesh(source, size, flat.size)
    return flat.transform(size, Image.Transform.MESH, mesh, Image.Resampling.BILINEAR), (x0, y0)


def _mesh(
    source: Callable[[int, int], Point], size: tuple[int, int], flat: tuple[int, int]
) -> list[tuple[tuple[int, int, int, int], tuple[float, ...]]]:
    """Return a bent picture's cells, each with its four flat points.

    Cells outside the flat picture are left out.
    """
    columns, rows = [*range(0, size[0], CELL), size[0]], [*range(0, size[1], CELL), size[1]]
    points = {(column, row): source(column, row) for row in rows for column in columns}
    result = []
    for upper, lower in pairwise(rows):
        for left_, right in pairwise(columns):
            corners = [
                points[spot] for spot in ((left_, upper), (left_, lower), (right, lower), (right, upper))
            ]
            if all(
                min(along) < end and max(along) > 0
                for along, end in zip(zip(*corners, strict=True), flat, strict=True)
            ):
                result.append(((left_, upper, right, lower), tuple(chain.from_iterable(corners))))
    return result


def _rotate(sprite: Sprite, quarters: int) -> Sprite:
    """Rotate a piece clockwise round the middle by quarters of the circle."""
    (x, y), turn = sprite.at, TURNS[quarters]
    if turn is None:
        return sprite
    width, height = sprite.mask.size
    at = {1: (SIZE - y - height, x), 2: (SIZE - x - width, SIZE - y - height), 3: (y, SIZE - x - width)}[
        quarters
    ]
    return Sprite(sprite.image.transpose(turn), sprite.mask.transpose(turn), at)


@cache
def _bent(make: Callable[..., Image.Image], args: tuple[Hashable, ...], turn: float, top: float) -> Sprite:
    bent, at = bend(make(*args), turn, top)
    return Sprite(bent.convert("RGB"), bent.getchannel("A"), at)


def _at_junction(
    theme: colours.RibbonTheme, junction: int, make: Callable[..., Image.Image], colour: Colour, *sides: Level
) -> Sprite:
    """Bend a flat piece into the ribbon's lane at a junction."""
    quarters, first = divmod(junction % PLACES, QUARTER)
    return _rotate(
        _bent(make, (theme, colour, *sides), junction_at(first), colours.LANES[colour] - colours.REACH),
        quarters,
    )


def _mirror(sprite: Sprite) -> Sprite:
    """Mirror a symmetrical piece from the second place to the third."""
    (x, y), (width, height) = sprite.at, sprite.mask.size
    turn = Image.Transpose.TRANSVERSE
    at = (SIZE - y - height, SIZE - x - width)
    return Sprite(sprite.image.transpose(turn), sprite.mask.transpose(turn), at)


@cache
def bare(theme: colours.RibbonTheme, place: int, card: Card | None) -> Sprite:
    """Return the card or back at a place, without letters."""
    quarters, first = divmod(place % PLACES, QUARTER)
    if quarters:
        return _rotate(bare(theme, first, card), quarters)
    if card is None and place == QUARTER - 1:
        return _mirror(bare(theme, place - 1, None))
    bent, at = bend(cloth.back(theme) if card is None else cloth.face(theme, card), middle_of(place))
    return Sprite(bent, _shape(place, at, bent.size), at)


def edge(place: int, outside: float = 0) -> list[Point]:
    """Return the card's edge, or a line that far outside it."""
    radius = colours.CORNER_RADIUS + outside
    curve, right = colours.CORNER_RADIUS, colours.CARD_WIDTH - colours.CORNER_RADIUS
    left_, top, bottom = curve, curve, colours.CARD_HEIGHT - curve
    corners = ((left_, top), (right, top), (right, bottom), (left_, bottom))
    flat = [
        on_circle(middle, radius, 270 + 90 * corner + 15 * step)
        for corner, middle in enumerate(corners)
        for step in range(7)
    ]
    result = []
    for (x, y), (u, v) in pairwise([*flat, flat[0]]):
        steps = BENDS if abs(u - x) > colours.CARD_WIDTH / 2 else 1
        result += [
            spot(place, x + (u - x) * step / steps, y + (v - y) * step / steps) for step in range(steps)
        ]
    return result


@cache
def _shape(place: int, at: tuple[int, int], size: tuple[int, int], *outsides: float) -> Image.Image:
    """Return a mask of the card, or of a frame around it."""
    lines = [edge(place, outside) for outside in outsides or (0,)]

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        for line, fill in zip(lines, (255, 0), strict=False):
            pen.polygon([((x - at[0]) * scale, (y - at[1]) * scale) for x, y in line], fill)

    return coverage(*size, draw)


@cache
def face_up(theme: colours.RibbonTheme, card: Card, place: int) -> Sprite:
    """Return a face-up card at a place, with upright letters."""
    sprite = bare(theme, place, card)
    canvas = Canvas.over(sprite.image, theme)

    def write(along: float, down: float, text: str, size: int, colour: Rgb) -> None:
        x, y = spot(place, along, down)
        canvas.write((x - sprite.at[0], y - sprite.at[1]), text, size, colour, weight=700, anchor="middle")

    write(colours.CARD_WIDTH / 2, colours.LABEL, card, colours.SMALL, theme.ink)
    for colour in COLOURS:
        side = left_side(card, colour)
        at, ink = colours.ribbon_at(colour, side), theme.letter(colour, side)
        write(colours.LETTER_AT, at, LETTERS[colour], colours.SMALL, ink)
    return Sprite(theme.palette.apply(canvas.image), sprite.mask, sprite.at)


def face_down(canvas: colours.RibbonCanvas, place: int, text: str = "?") -> None:
    """Draw the back of a card at a place. It shows its letter once the game is over."""
    theme = canvas.theme
    canvas.paint(bare(theme, place, None))
    at = spot(place, colours.CARD_WIDTH / 2, colours.CARD_HEIGHT / 2)
    canvas.disc(at, 36, theme.back)
    canvas.disc(at, 36, theme.brass, hole=34.6)
    canvas.write(at, text, 46, theme.back_ink, weight=600, anchor="middle")


@cache
def bridge(theme: colours.RibbonTheme, junction: int, colour: Colour, side: Level) -> Sprite:
    return _at_junction(theme, junction, cloth.bridge, colour, side)


@cache
def fray(theme: colours.RibbonTheme, junction: int, colour: Colour, before: Level, after: Level) -> Sprite:
    return _at_junction(theme, junction, cloth.fray, colour, before, after)


def hems(place: int, colour: Colour, here: Level, there: Level) -> list[list[Point]]:
    """Return the lines along both edges of a ribbon on a card."""
    start, end = colours.ribbon_at(colour, here), colours.ribbon_at(colour, there)
    ways = []
    for beside in (-colours.HALF, colours.HALF):
        flat = [(0, start), (colours.TWIST[0], start), (colours.TWIST[1], end), (colours.CARD_WIDTH, end)]
        points = [
            (x + (u - x) * step / HEM_STEPS, y + (v - y) * step / HEM_STEPS + beside)
            for (x, y), (u, v) in pairwise(flat)
            for step in range(HEM_STEPS + 1)
        ]
        ways.append([spot(place, along, down) for along, down in points])
    return ways


@cache
def outline(theme: colours.RibbonTheme, place: int, colour: Rgb) -> Sprite:
    """Return the outline of a changed place. A strong line in a pale one."""
    quarters, first = divmod(place % PLACES, QUARTER)
    if quarters:
        return _rotate(outline(theme, first, colour), quarters)
    if place == QUARTER - 1:
        return _mirror(outline(theme, place - 1, colour))
    x0, y0, x1, y1 = bounds(edge(place, OUTLINE[0][0]))
    frame, line = (_shape(place, (x0, y0), (x1 - x0, y1 - y0), *ends) for ends in OUTLINE)
    image = Image.new("RGB", frame.size, theme.card)
    image.paste(colour, (0, 0), line)
    return Sprite(image, frame, (x0, y0))


@cache
def table(theme: colours.RibbonTheme) -> Image.Image:
    """Draw the base of every board. The paper, the shadows of twelve cards, and an embroidery hoop."""
    canvas = Canvas(SIZE, SIZE, theme)
    half = Image.new("L", (SIZE // 2, SIZE // 2))
    pen = ImageDraw.Draw(half)
    for place in range(1, PLACES + 1):
        pen.polygon([((x + 1) / 2, (y + 4) / 2) for x, y in edge(place)], 120)
    soft = half.filter(ImageFilter.GaussianBlur(1.5)).resize((SIZE, SIZE), Image.Resampling.BILINEAR)
    canvas.image.paste(theme.around, (0, 0), soft)
    canvas.disc(MIDDLE, HOOP_RADIUS, theme.hoop[0])
    canvas.disc(MIDDLE, HOOP_RADIUS - 1.5, theme.hoop[1])
    canvas.disc(MIDDLE, HOOP_RADIUS - 3, theme.hoop[2], hole=HOOP_RADIUS - 5)
    canvas.disc(MIDDLE, HOOP_RADIUS - 9, theme.hoop[0])
    canvas.disc(MIDDLE, HOOP_RADIUS - 10, theme.paper)
    left_, top = MIDDLE[0] - 17, MIDDLE[1] - HOOP_RADIUS + 1
    canvas.box((left_, top, left_ + 34, top + 16), theme.hoop[0], radius=4)
    canvas.box((left_ + 1, top + 1, left_ + 33, top + 15), theme.hoop[1], radius=3)
    canvas.disc((left_ + 17, top + 8), 5, theme.hoop[0])
    canvas.disc((left_ + 17, top + 8), 3.6, theme.hoop[2])
    return canvas.image
