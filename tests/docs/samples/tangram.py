from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import msgspec
from PIL import Image

from engines.tangram import GAME
from engines.tangram.computer import answer, next_tile
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import over, squares_of_start
from engines.tangram.moves import TangramDone
from engines.tangram.pieces.board import START_SIDES, City, Piece, TangramLaid, Water, largest_rectangle
from engines.tangram.pieces.components import START_PIECES, TILES, TangramOptions
from engines.tangram.pieces.geometry import FILL, SIDES, TURNS, Corner, TileForm, form
from engines.tangram.view import TangramView
from engines.tangram.words import captions
from render.core.canvas import Canvas, Picture, Point
from render.tangram import board, hand, plan, preview, scoreboard
from render.tangram.colours import THEMES, TangramCanvas
from render.tangram.pieces import ONE, Matter
from render.tangram.plan import CityPlan
from tests.docs.samples.show import as_picture, load_pictures, pack_small

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
COVER = 400
TURNED = 9
"""The tile of the turns picture: the stair, whose sides differ."""
EARLY = 8
"""The number of answers of each seat that are not the best one, so that the cities differ."""
HALVES = {corner: TileForm(((0, 0, FILL[corner]),)) for corner in "7JLr"}


def read(text: str) -> City:
    """Read a city: tile, side, turn and square, or ``water`` and corner.

    >>> read("3 green 90 A1; water G7 J").pieces[0]
    TangramLaid(tile=3, side='green', turn=90, at='A1')
    """
    pieces: list[Piece] = []
    for said in text.split(";"):
        match said.split():
            case ["water", square, corner]:
                pieces.append(Water(square, msgspec.convert(corner, Corner)))
            case [tile, side, turn, square]:
                laid = {"type": "tile", "tile": int(tile), "side": side, "turn": int(turn), "at": square}
                pieces.append(msgspec.convert(laid, TangramLaid))
            case _:
                raise ValueError(said)
    return City(tuple(pieces))


def find_view(
    seats: int, stop: Callable[[TangramView], bool], key: bytes, viewer: int | None = None
) -> TangramView:
    """Return a game's first view for which `stop` is true of all."""
    options, rng = TangramOptions(), Random(key)
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    answers = [0] * seats
    while not stop(GAME.view(state, None)):
        seat = next(iter(GAME.prompts(state)))
        view = GAME.view(state, seat)
        tile = next_tile(view, seat)
        if tile is None:
            GAME.play(state, seat, TangramDone())
            continue
        places = rank_places(view, tile)[: 6 if answers[seat] < EARLY else 1]
        answers[seat] += 1
        GAME.play(state, seat, answer(tile, rng.choice(places) if places else None))
    return GAME.view(state, viewer)


@cache
def _three(viewer: int | None) -> TangramView:
    """Return a view of round 4's second card, after some answers."""

    def is_reached(view: TangramView) -> bool:
        return view.round == 4 and sum(card.played for card in view.cards) == 2 and len(view.answered) == 1

    return find_view(3, is_reached, b"three", viewer)


def cover() -> Picture:
    """Draw a full city and the name above it."""
    scale = 3
    size, unit = scale * COVER, scale * 47
    canvas = Canvas(size, size, LIGHT)
    left = (size - 7 * unit) // 2
    drawn = CityPlan(canvas, (left, 15 * scale), unit)
    drawn.plots()
    drawn.city(read(load_pictures()["tangram/cover.png"].city))
    canvas.write(
        (size / 2, size - 27 * scale), "Tangram City", 46 * scale, LIGHT.ink, weight=700, anchor="middle"
    )
    canvas.image = canvas.image.resize((COVER, COVER), Image.Resampling.LANCZOS)
    return pack_small(as_picture(canvas.png(), "tangram/cover.png"))


def tiles() -> Picture:
    """Draw all tiles by name, and one in all its turns."""
    columns, wide, high, unit, margin = 6, 190, 202, 44, 20
    rows = -(-(len(TILES) + 1) // columns)
    turns = 330
    canvas = Canvas(columns * wide + 2 * margin, rows * high + turns + 2 * margin, LIGHT)
    for index, tile in enumerate((*TILES, 0)):
        row, column = divmod(index, columns)
        x, y = margin + (column + 0.5) * wide, margin + row * high
        if tile:
            scoreboard.lying(canvas, form(tile, "black", 0), "black", (x, y + 76), unit)
        else:
            scoreboard.lying(canvas, HALVES["7"], "water", (x, y + 76), unit)
        name = captions.tile_name(tile) if tile else "6 fountains"
        canvas.write((x, y + 172), name, 32, LIGHT.ink, weight=700, anchor="middle", width=wide - 6)
    top = margin + rows * high + 8
    canvas.box((margin, top, canvas.image.width - margin, top + 3), LIGHT.sand_line)
    for column, turn in enumerate(TURNS):
        x = 330 + column * 230
        canvas.write((x, top + 34), f"{turn}\u00b0", 34, LIGHT.muted, weight=700, anchor="middle")
        for row, side in enumerate(SIDES):
            scoreboard.lying(canvas, form(TURNED, side, turn), side, (x, top + 118 + row * 136), unit)
    for row, side in enumerate(SIDES):
        canvas.write((margin + 10, top + 118 + row * 136), side, 40, LIGHT.ink, weight=700)
    canvas.write((margin + 10, top + 34), captions.tile_name(TURNED), 40, LIGHT.ink, weight=700)
    listed, turned = ", ".join(map(captions.tile_name, TILES)), captions.tile_name(TURNED)
    return as_picture(canvas.png(), "tangram/tiles.png", number=len(TILES), listed=listed, turned=turned)


def boards() -> Picture:
    """Draw both sides of all boards with a start piece."""
    unit, gap, top = 28, 44, 64
    left, pitch = 130, 7 * unit + gap
    canvas = Canvas(left + len(START_PIECES) * pitch - gap + 20, top + 2 * pitch - gap + 20, LIGHT)
    for column, number in enumerate(START_PIECES):
        x = left + column * pitch
        canvas.write((x + 3.5 * unit, 30), number, 40, LIGHT.ink, weight=700, anchor="middle")
        for row, side in enumerate(SIDES):
            drawn = CityPlan(canvas, (x, top + row * pitch), unit)
            drawn.plots()
            drawn.city(City(board=f"{number}-{side}"))
    for row, side in enumerate(SIDES):
        canvas.write((14, top + row * pitch + 3.5 * unit), side, 36, LIGHT.ink, weight=700)
    places = ", ".join(squares_of_start(START_SIDES[f"{number}-black"]) for number in START_PIECES)
    return as_picture(canvas.png(), "tangram/boards.png", places=places)


def trial() -> Picture:
    """Draw a fitting tile over the city of the seat to move."""
    waiting = next(seat for seat in range(3) if seat not in _three(None).answered)
    view = _three(waiting)
    return preview(view, NAMES, over(rank_places(view, view.current[0])[0]))


def draw_hand() -> Picture:
    """Draw the city of a seat that has answered, and its cards."""
    (seat,) = _three(None).answered
    picture = hand(_three(seat), seat, NAMES)
    assert picture is not None
    return picture


def rectangle() -> Picture:
    """Draw a city's largest rectangle, worth 16 points, and a lesser one."""
    unit, left, top = 84, 60, 60
    canvas = Canvas(1180, top + 7 * unit + 40, LIGHT)
    drawn = CityPlan(canvas, (left, top), unit)
    city = read(load_pictures()["tangram/rectangle.png"].city)
    drawn.ground()
    drawn.city(city)
    best = largest_rectangle(city.built)
    assert best is not None
    drawn.rectangle(best)
    drawn.area(best)
    x, y = left + 7 * unit + 60, 130.0
    for size, colour, sign in (((4, 4), LIGHT.ink, "yes"), ((5, 3), LIGHT.muted, "no")):
        _draw_size(canvas, size, (x, y), sign)
        text = f"{size[0]} \u00d7 {size[1]} = {size[0] * size[1]}"
        canvas.write((x + 150, y), text, 56 if sign == "yes" else 46, colour, weight=700)
        y += 170
    scoreboard.lying(canvas, HALVES["L"], "green", (x + 60, y), 84)
    plan.cross(canvas, (x + 96, y - 30), 24, LIGHT.danger)
    canvas.write((x + 150, y), "half built:", 40, LIGHT.muted, weight=700)
    canvas.write((x + 150, y + 50), "doesn\u2019t count", 40, LIGHT.muted, weight=700)
    return as_picture(canvas.png(), "tangram/rectangle.png")


def _draw_size(canvas: TangramCanvas, size: tuple[int, int], at: Point, sign: str) -> None:
    """Draw a small rectangle of given columns and rows, ticked or not."""
    cell = 26
    left, top = at[0], at[1] - size[1] * cell / 2
    chosen = sign == "yes"
    for row in range(size[1]):
        for column in range(size[0]):
            box = (left + column * cell + 2, top + row * cell + 2)
            canvas.box((*box, box[0] + cell - 4, box[1] + cell - 4), LIGHT.stone, radius=4)
    edge = (left - 4, top - 4, left + size[0] * cell + 4, top + size[1] * cell + 4)
    canvas.box(edge, LIGHT.survey if chosen else LIGHT.muted, radius=6, border=8 if chosen else 4)


Parts = Sequence[tuple[Matter, TileForm]]
HALF, OTHER = HALVES["r"], HALVES["J"]
COUNTS: tuple[tuple[str, tuple[Parts, ...]], ...] = (
    ("black", ((("black", ONE),), (("black", HALF), ("water", OTHER)), (("black", HALF), ("black", OTHER)))),
    ("green", ((("green", ONE),), (("green", HALF), ("water", OTHER)), (("green", HALF), ("green", OTHER)))),
    (
        "neither",
        ((("black", HALF), ("green", OTHER)), (("water", HALF), ("water", OTHER)), (("black", HALF),)),
    ),
)
"""Three squares for each side of the balance that count for it, by the parts on them."""


def balance() -> Picture:
    """Draw what counts for black, what for green, and what for neither."""
    unit, gap, wide = 96, 20, 384
    canvas = Canvas(len(COUNTS) * wide + 28, 262, LIGHT)
    for group, (name, squares) in enumerate(COUNTS):
        left = 14 + group * wide
        ground = LIGHT.sand if name != "neither" else LIGHT.paper
        canvas.box((left + 6, 10, left + wide - 6, 252), LIGHT.sand_line, radius=18)
        canvas.box((left + 8, 12, left + wide - 8, 250), ground, radius=16)
        canvas.write((left + wide / 2, 56), name, 50, LIGHT.ink, weight=700, anchor="middle")
        first = left + (wide - 3 * unit - 2 * gap) / 2
        for index, parts in enumerate(squares):
            x, y = first + index * (unit + gap), 118
            canvas.box((x, y, x + unit, y + unit), LIGHT.sand_line)
            canvas.box((x + 2, y + 2, x + unit - 2, y + unit - 2), LIGHT.fresh)
            for matter, lies in parts:
                scoreboard.lying(canvas, lies, matter, (x + unit / 2, y + unit / 2), unit)
    return as_picture(canvas.png(), "tangram/balance.png")


def pictures() -> dict[str, Picture]:
    return {
        "tangram/cover.png": cover(),
        "tangram/board.png": board(_three(None), NAMES),
        "tangram/five.png": board(
            find_view(5, lambda view: view.phase == "final" and len(view.answered) > 1, b"five"), NAMES
        ),
        "tangram/boards.png": boards(),
        "tangram/tiles.png": tiles(),
        "tangram/preview.png": trial(),
        "tangram/hand.png": draw_hand(),
        "tangram/rectangle.png": rectangle(),
        "tangram/balance.png": balance(),
    }
