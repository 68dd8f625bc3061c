from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from engines.game import Seat
from engines.tangle import GAME, decisions
from engines.tangle.pieces.board import Kind, TangleTile
from engines.tangle.pieces.components import (
    ALTERNATIVES,
    CENTRE,
    NOTHING,
    PRICES,
    SPACES,
    Amount,
    TangleOptions,
    amount,
)
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import alt_text
from render.core.canvas import Canvas, Picture, Point, Sketch, on_circle
from render.core.text import wrap
from render.tangle import almanac, board, colours, figures, focus, hand, land, places, signs
from render.tangle.colours import ROW, THEMES, TangleCanvas
from tests.docs.samples.recorded import read_moves
from tests.docs.samples.show import as_picture, pack_small

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee")
COVER = 400
UNIT = 84
TEXT, LINE, TEXT_WIDTH = 36, 44, 800
"""The letters, lines and width of what is said of a space, in pixels of a picture 1000 wide."""
AROUND: tuple[tuple[Kind, Seat], ...] = (
    ("tree", 0),
    ("lake", 2),
    ("meadow", 1),
    ("sapling", 0),
    ("bush", 3),
    ("earth", 1),
)
"""The tiles round the space on the cover, clockwise from the top, with their owners."""


class SpaceWords(msgspec.Struct, frozen=True):
    """A space's code and text; `title` names several spaces together."""

    code: str
    text: str
    title: str = ""


class SpaceGroup(msgspec.Struct, frozen=True):
    heading: str
    spaces: tuple[SpaceWords, ...]


def load_groups() -> tuple[SpaceGroup, ...]:
    data = files("tests.docs.samples").joinpath("tangle.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, tuple[SpaceGroup, ...]])["groups"]


@cache
def find_view(
    seats: int, key: bytes, wanted: Callable[[TangleView], bool], viewer: Seat | None = None
) -> TangleView:
    """Return a filed game's first view that `wanted` accepts. Raise LookupError when that never comes."""
    options, moves = TangleOptions(), read_moves("tangle", f"{seats} {key.decode()}")
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    while not wanted(GAME.view(state, None)):
        GAME.play(state, next(iter(GAME.prompts(state))), next(moves))
    return GAME.view(state, viewer)


def _middle(view: TangleView) -> bool:
    """Return True in round 12 if seat 2 is to place."""
    return view.round == 12 and view.seat == 1 and isinstance(view.decision, decisions.Placing)


def draw_hand() -> Picture:
    seat = find_view(2, b"two", _middle).seat
    picture = hand(find_view(2, b"two", _middle, seat), seat, NAMES)
    assert picture is not None
    return picture


def part() -> Picture:
    """Draw clean earth next to a seat's tiles that may take some."""
    view = find_view(
        3, b"three", lambda view: len(view.tiles) > 12 and isinstance(view.decision, decisions.Earths)
    )
    own = {area for area, tile in view.tiles.items() if tile.owner == view.seat}
    near = [
        area.code
        for area in colours.areas(view.seats)
        if area.code not in view.tiles and own.intersection(area.borders)
    ]
    return focus(view, NAMES, tuple(near))


def cover() -> Picture:
    """Draw six living tiles round a space with roots, and the name."""
    unit, middle = 84, (COVER / 2, 170.0)
    canvas = Canvas(COVER, COVER, LIGHT)
    spots = [on_circle(middle, 2 * unit / ROW, 60 * index) for index in range(len(AROUND))]
    for index, spot in enumerate(spots):
        canvas.paint(land.triangle(LIGHT, index % 2 == 1, unit, land.EDGE, LIGHT.dust_edge), spot)
    for index, (spot, (kind, owner)) in enumerate(zip(spots, AROUND, strict=True)):
        canvas.paint(land.living(LIGHT, index % 2 == 1, unit), spot)
        canvas.paint(figures.seat_tile(LIGHT, kind, owner, unit), spot)
    canvas.paint(places.plate(LIGHT, unit, LIGHT.card, LIGHT.ink), middle)
    canvas.paint(signs.roots(LIGHT, 0, 60), middle)
    canvas.write((COVER / 2, 366), "Tangle", 50, LIGHT.ink, weight=700, anchor="middle")
    return pack_small(as_picture(canvas.png(), "tangle/cover.png"))


def spaces(groups: Sequence[int], name: str) -> Picture:
    """Draw action spaces of some groups, for a phone's width."""
    width, margin, title = 1000, 24, 76
    shown = [load_groups()[group] for group in groups]
    entries = [
        len(wrap(captions.keep_together(space.text), TEXT_WIDTH, TEXT))
        for group in shown
        for space in group.spaces
    ]
    canvas = Canvas(width, 2 * margin + len(shown) * title + sum(map(_tall, entries)), LIGHT)
    result, top, lines = [], margin, iter(entries)
    for group in shown:
        canvas.write((margin + 4, top + 32), group.heading, 46, LIGHT.ink, weight=700)
        result.append(f"{group.heading}.")
        top += title
        for space in group.spaces:
            label = space.title or name_of(space.code)
            result.append(f"{label.replace(': ', ' ', 1)}: {space.text}")
            _entry(canvas, space.code, label, space.text, (margin, top))
            top += _tall(next(lines))
    return Picture(canvas.png(), alt_text(result), name)


def _tall(lines: int) -> int:
    return max(144, 74 + lines * LINE)


def name_of(code: str) -> str:
    """Return a space's name with its code, or an alternative one's."""
    if code in SPACES:
        return f"{SPACES[code].name}: {code}"
    return next(one.name for one in ALTERNATIVES.values() if one.action == code)


def _entry(canvas: TangleCanvas, code: str, label: str, text: str, at: Point) -> None:
    x, y = at
    if code in SPACES:
        facts = SPACES[code]
        lies = amount(facts.start) if facts.start else None
        places.plain(canvas, code, facts.action, lies, (x + 62, y + 62), UNIT)
    else:
        action = next(one.action for one in ALTERNATIVES.values() if one.action == code)
        places.plain(canvas, CENTRE, action, None, (x + 62, y + 62), UNIT)
    canvas.write((x + 140, y + 26), label, 40, LIGHT.ink, weight=700, width=TEXT_WIDTH)
    for row, line in enumerate(wrap(captions.keep_together(text), TEXT_WIDTH, TEXT)):
        canvas.write((x + 140, y + 72 + row * LINE), line, TEXT, LIGHT.ink)


Step = tuple[Amount, str, TangleTile]
"""A price, a space, and the tile that it makes."""
LADDER: tuple[tuple[Step, ...], ...] = (
    ((NOTHING, "LA", TangleTile(0, "lake")),),
    ((amount(PRICES.meadow), "ME", TangleTile(0, "meadow")),),
    (
        (NOTHING, "PL", TangleTile(0, "earth", seed="bush")),
        (amount(PRICES.grow), "GR", TangleTile(0, "bush")),
    ),
    (
        (NOTHING, "PL", TangleTile(0, "earth", seed="tree")),
        (amount(PRICES.grow), "GR", TangleTile(0, "sapling")),
        (amount(PRICES.grow), "GR", TangleTile(0, "tree", roots=1)),
    ),
)
"""The ways of clean earth, step by step."""
BECOMES: dict[Kind, str] = {"earth": "seed on earth", "tree": "tree, a root"}


def draw_growth() -> Picture:
    """Draw what grows from what, at which space and for what price."""
    unit, wide, tall, left, top = 100, 252, 184, 90, 84
    canvas = Canvas(1200, top + len(LADDER) * tall, LIGHT)
    middle = top + (len(LADDER) - 1) * tall / 2
    canvas.paint(land.bare(LIGHT, "C6", unit), (left, middle))
    canvas.word((left, middle), "C6", 42, LIGHT.faint, weight=600)
    _step(canvas, (left, middle), (left + 236, middle), amount(PRICES.earth), "CE")
    land.tile(canvas, TangleTile(0, "earth"), (left + 236, middle), unit)
    canvas.write((left + 236, middle + 76), "clean earth", 26, LIGHT.muted, weight=600, anchor="middle")
    lines = [f"What grows from what. Clean earth costs {captions.cost(amount(PRICES.earth))}."]
    for row, steps in enumerate(LADDER):
        at = (left + 236.0, middle)
        for column, (price, code, tile) in enumerate(steps):
            to = (left + 236 + (column + 1) * wide, top + row * tall)
            _step(canvas, at, to, price, code)
            land.tile(canvas, tile, to, unit)
            name = BECOMES.get(tile.kind, tile.kind)
            canvas.write((to[0], to[1] + 76), name, 26, LIGHT.muted, weight=600, anchor="middle")
            lines.append(f"{name.capitalize()}: {captions.cost(price)} at {code}.")
            at = to
    note = ("Each lake beside the area", "makes a growth 1 W cheaper.")
    for index, line in enumerate(note):
        canvas.write((1176, 40 + index * 36), line, 28, LIGHT.ink, weight=600, anchor="right")
    return Picture(canvas.png(), " ".join([*lines, " ".join(note)]), "tangle/growth.png")


def _step(canvas: TangleCanvas, start: Point, end: Point, price: Amount, code: str) -> None:
    """Draw an arrow between tiles, the price above it, the space below."""
    (x, y), (u, v) = start, end
    sketch = Sketch((min(x, u), min(y, v) - 20, max(x, u), max(y, v) + 20), LIGHT)
    lead = (x + 70, y + (v - y) * 0.22)
    way = [lead, (u - 150, v), (u - 76, v)] if y != v else [(x + 76, y), (u - 76, v)]
    figures.arrow(sketch, way, 7, LIGHT.faint)
    canvas.paint(sketch.sprite())
    middle = (way[-2][0] + way[-1][0]) / 2 + (4 if y == v else -8)
    paid = places.split_amount(price)
    for index, (number, letter) in enumerate(paid):
        shift = (index - (len(paid) - 1) / 2) * 52
        places.pill(canvas, f"{number}{letter}", (middle + shift, v - 32), 28, letter)
    if not paid:
        canvas.write((middle, v - 30), "free", 28, LIGHT.muted, weight=600, anchor="middle")
    canvas.write((middle, v + 30), code, 30, LIGHT.ink, weight=700, anchor="middle")


def pictures() -> dict[str, Picture]:
    late = find_view(
        4,
        b"wood",
        lambda view: (
            view.round >= 16 and len(view.changed.areas) > 1 and isinstance(view.decision, decisions.Placing)
        ),
    )
    shown = {
        "tangle/cover.png": cover(),
        "tangle/board.png": pack_small(board(find_view(2, b"two", _middle), NAMES)),
        "tangle/four.png": pack_small(board(late, NAMES)),
        "tangle/hand.png": draw_hand(),
        "tangle/focus.png": pack_small(part()),
        "tangle/spaces-1.png": spaces((0,), "tangle/spaces-1.png"),
        "tangle/spaces-2.png": spaces((1,), "tangle/spaces-2.png"),
        "tangle/spaces-3.png": spaces((2, 3), "tangle/spaces-3.png"),
        "tangle/growth.png": draw_growth(),
    }
    return shown | {page.name.replace("-", "/", 1): page for page in almanac(LIGHT)}
