"""Boards as layers: each turn adds only what changed, so that a whole game fits in one file.

A board is a pile of layers: a whole picture, what has changed since and stays, and on top what only this turn
shows, such as the marks of its changes. A layer is transparent where nothing changed. A `LayerPile` carries
what the next turn needs, so boards are drawn in batches, with room for other work in between.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO
from math import sqrt

from PIL import Image, ImageChops, ImageFilter

from engines.marks import quote_players, to_plain
from engines.registry import words
from engines.words import Part, section
from render.core.canvas import Picture

WIDEST, NARROWEST = 720, 600
"""The width of a board: sharp on a phone, or a little less in a long game."""
FULL_WIDTH = 50
"""The most turns of a game whose boards have full width."""
QUALITY, EFFORT = 50, 2
"""WebP's: more quality is larger, more effort is smaller and slower."""
CELL, COARSE = 8, 8
"""Pixels of a cell, which changes as a whole, and cells of a block; blocks that touch share a layer."""
SEAM = 4
"""Unchanged pixels around a change, so that no edge shows where a browser scales the layers."""
MOST_LAYERS, MOST_AREA = 90, 7.0
"""A pile of more layers, or of more than that many times the board, begins anew with a whole picture."""
Size = tuple[int, int]
Cells = Image.Image
"""A small picture with a white pixel for each cell that changed."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of a board: its place, the size of the board, and its WebP in base64."""

    box: tuple[int, int, int, int]
    board: Size
    webp: str


@dataclass(frozen=True, slots=True)
class LayeredBoard:
    """A board after a turn.

    Attributes:
        size: its width and height.
        alt: its description.
        layers: the numbers of its layers, the lowest first.
        words: the board in words.
    """

    size: Size
    alt: str
    layers: tuple[int, ...]
    words: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class DrawnView:
    """A drawn board that waits for the one after it, with its description and words."""

    image: Image.Image
    alt: str
    words: tuple[Part, ...]


@dataclass
class LayerPile:
    """The layers that stay, what they show, their area in boards, and the number of all layers so far."""

    numbers: tuple[int, ...] = ()
    shown: Image.Image | None = None
    area: float = 0.0
    count: int = 0
    waiting: DrawnView | None = None


@dataclass(frozen=True, slots=True)
class LayerBatch:
    """The finished boards of a batch, their new layers, and the pile for the next batch."""

    boards: list[LayeredBoard]
    layers: list[Layer]
    pile: LayerPile


@dataclass
class _Writer:
    """Turns drawn boards into layers on a pile."""

    pile: LayerPile
    layers: list[Layer] = field(default_factory=list)

    def finish(self, drawn: DrawnView, after: Image.Image | None) -> LayeredBoard:
        """Return a board in layers; `after` is the next one's picture."""
        pile, image = self.pile, drawn.image
        is_other = pile.shown is None or pile.shown.size != image.size
        if is_other or len(pile.numbers) > MOST_LAYERS or pile.area > MOST_AREA:
            pile.numbers = tuple(self._add(image, [None]))
            pile.shown, pile.area = image.copy(), 1.0
            return LayeredBoard(image.size, drawn.alt, pile.numbers, drawn.words)
        assert pile.shown is not None
        stays, goes = find_changes(pile.shown, image), None
        if after is not None and after.size == image.size:
            moves = find_changes(image, after)
            goes = ImageChops.darker(stays, moves)
            stays = ImageChops.subtract(stays, moves)
        pile.shown.paste(image, (0, 0), _enlarge(stays, CELL).crop((0, 0, *image.size)))
        # The seam around what stays is what is below it, never a neighbour that only this turn shows.
        pile.numbers += tuple(self._add(pile.shown, group_cells(stays), on_pile=True))
        passing = () if goes is None else tuple(self._add(image, group_cells(goes)))
        return LayeredBoard(image.size, drawn.alt, pile.numbers + passing, drawn.words)

    def _add(
        self, image: Image.Image, groups: Iterable[Cells | None], *, on_pile: bool = False
    ) -> Iterator[int]:
        """Pack groups of cells, or with None all, and yield their numbers."""
        for cells in groups:
            layer = _pack(image, cells)
            left, top, right, bottom = layer.box
            self.pile.area += (right - left) * (bottom - top) / (image.width * image.height) if on_pile else 0
            self.layers.append(layer)
            yield self.pile.count
            self.pile.count += 1


def width_for(turns: int) -> int:
    """Return the width of a game's boards: less for many turns.

    >>> width_for(10), width_for(70), width_for(500)
    (720, 609, 600)
    """
    return round(max(NARROWEST, WIDEST * min(1.0, sqrt(FULL_WIDTH / turns))))


def draw_boards(
    slug: str,
    names: Sequence[str],
    views: Sequence[object],
    pile: LayerPile | None,
    theme: str,
    width: int = WIDEST,
    *,
    is_last: bool,
) -> LayerBatch:
    """Draw the next boards in layers, and describe them in words.

    The newest waits in the pile for the one after it, unless it `is_last`.
    """
    writer, boards = _Writer(pile or LayerPile()), []
    for view in views:
        drawn = _draw(slug, names, view, theme, width)
        if writer.pile.waiting is not None:
            boards.append(writer.finish(writer.pile.waiting, drawn.image))
        writer.pile.waiting = drawn
    if is_last and writer.pile.waiting is not None:
        boards.append(writer.finish(writer.pile.waiting, None))
        writer.pile.waiting = None
    return LayerBatch(boards, writer.layers, writer.pile)


def describe_hands(slug: str, names: Sequence[str], views: Sequence[object]) -> list[Part]:
    quoted, hands = quote_players(names), list[Part]()
    for seat, view in enumerate(views):
        lines = words(slug).describe_hand(view, quoted, seat)
        hands += _plain_parts(section(f"{quoted[seat]}'s hand", lines)) if lines else []
    return hands


def _plain_parts(parts: Iterable[Part]) -> list[Part]:
    return [Part(to_plain(part.heading), to_plain(part.text)) for part in parts]


def _draw(slug: str, names: Sequence[str], view: object, theme: str, width: int) -> DrawnView:
    room = import_module(f"render.{slug}")
    board: Picture = room.board(view, names, theme=room.THEMES[theme])
    with Image.open(BytesIO(board.png)) as opened:
        image = opened.convert("RGB")
    size = width, round(image.height * width / image.width)
    parts = _plain_parts(words(slug).parts(view, quote_players(names)))
    return DrawnView(image.resize(size, Image.Resampling.HAMMING), board.alt, tuple(parts))


def find_changes(before: Image.Image, image: Image.Image) -> Cells:
    """Return the cells that differ between two pictures of a size.

    >>> before = Image.new("RGB", (20, 10))
    >>> after = before.copy()
    >>> after.putpixel((17, 3), (9, 9, 9))
    >>> list(find_changes(before, after).tobytes())
    [0, 0, 255, 0, 0, 0]
    """
    red, green, blue = ImageChops.difference(before, image).split()
    return _shrink(ImageChops.lighter(ImageChops.lighter(red, green), blue).point(_to_white), CELL)


_to_white = [0] + [255] * 255


def group_cells(cells: Cells) -> Iterator[Cells]:
    """Yield the changed cells in groups whose blocks touch."""
    blocks = _shrink(cells, COARSE)
    left = {divmod(at, blocks.width) for at, value in enumerate(blocks.tobytes()) if value}
    while left:
        group, todo = Image.new("L", blocks.size), [min(left)]
        left.discard(todo[0])
        while todo:
            row, column = todo.pop()
            group.putpixel((column, row), 255)
            near = {(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)} & left
            todo += near
            left -= near
        yield ImageChops.darker(cells, _enlarge(group, COARSE).crop((0, 0, *cells.size)))


def _shrink(mask: Image.Image, times: int) -> Image.Image:
    """Shrink a mask: one white pixel makes a white one."""
    columns, rows = -(-mask.width // times), -(-mask.height // times)
    whole = Image.new("L", (columns * times, rows * times))
    whole.paste(mask, (0, 0))
    return whole.reduce(times).point(_to_white)


def _enlarge(mask: Image.Image, times: int) -> Image.Image:
    return mask.resize((mask.width * times, mask.height * times), Image.Resampling.NEAREST)


def _pack(image: Image.Image, cells: Cells | None) -> Layer:
    """Pack the cells of a picture, or with None all of it."""
    box, part = (0, 0, *image.size), image
    if cells is not None:
        left, top, right, bottom = cells.getbbox() or (0, 0, 1, 1)
        # A margin of a cell holds the seam.
        wider = left - 1, top - 1, right + 1, bottom + 1
        mask = _enlarge(cells.crop(wider), CELL).filter(ImageFilter.MaxFilter(2 * SEAM + 1))
        wide, tall = image.size
        left_, top_ = max(left * CELL - SEAM, 0), max(top * CELL - SEAM, 0)
        box = (left_, top_, min(right * CELL + SEAM, wide), min(bottom * CELL + SEAM, tall))
        part = image.crop(box)
        across, down = wider[0] * CELL, wider[1] * CELL
        part.putalpha(mask.crop((box[0] - across, box[1] - down, box[2] - across, box[3] - down)))
    file = BytesIO()
    part.save(file, "WEBP", quality=QUALITY, method=EFFORT)
    return Layer(box, image.size, b64encode(file.getvalue()).decode())
