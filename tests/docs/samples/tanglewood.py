from collections.abc import Callable, Iterable
from functools import partial
from random import Random

from engines.game import Seat
from engines.tanglewood import GAME
from engines.tanglewood.moves import Gather
from engines.tanglewood.pieces.board import Counts, Hop, standing, votes
from engines.tanglewood.pieces.components import FOX_TILES, Faction, Region, Shift, TanglewoodOptions
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions, nouns
from render.core.canvas import Canvas, Picture, Sketch
from render.tanglewood import almanac, board, hand, land, places, preview, scoring, signs
from render.tanglewood.cards import draw_tracks as tracks_sheet
from render.tanglewood.colours import THEMES
from render.tanglewood.land import Plant
from render.tanglewood.places import Row
from tests.docs.samples.recorded import read_moves
from tests.docs.samples.show import as_picture, pack_small

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
COVER = 400
TIED: tuple[tuple[Counts, str], ...] = (
    ((2, 2, 2, 2), "all level: all are 4th"),
    ((3, 3, 3, 1), "three at the top: all 3rd"),
    ((1, 4, 4, 2), "two at the top: nobody is 1st"),
    ((4, 2, 2, 1), "one ahead, two share the 3rd place"),
)
"""Workers of four seats in a region, and what their standing is called."""
PAYS: Region = "D"
"""The region whose ties are drawn."""
SCENERY: tuple[tuple[Plant, float, float, int], ...] = (
    (land.pine, 66, 186, 130),
    (land.birch, 116, 166, 112),
    (land.birch, 292, 164, 118),
    (land.oak, 332, 190, 132),
    (land.elder, 40, 262, 78),
    (land.hazel, 364, 266, 78),
    (land.rock, 60, 316, 44),
    (land.gorse, 340, 322, 52),
    (land.fern, 104, 326, 40),
    (land.clover, 296, 324, 36),
    (land.grass, 200, 318, 16),
)
"""The scenery of the cover: each plant with its foot and its height, those farther away first."""
FACES: tuple[tuple[Faction, float, int], ...] = (("rabbit", 118, 96), ("fox", 282, 88), ("bear", 200, 104))
"""The heads on the cover: where, and how large."""


def find_position(
    seats: int, key: bytes, stop: Callable[[TanglewoodView], bool]
) -> Callable[[Seat | None], TanglewoodView]:
    """Return the first position of a game on file that `stop` accepts.

    Raise LookupError when that never comes.
    """
    options, moves = TanglewoodOptions(), read_moves("tanglewood", f"{seats} {key.decode()}")
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    while not stop(GAME.view(state, None)):
        GAME.play(state, next(iter(GAME.prompts(state))), next(moves))
    return partial(GAME.view, state)


def _mid_game(view: TanglewoodView) -> bool:
    """Return True after the Opinion Poll for a round's third seat."""
    return view.poll_round is not None and view.phase == "turn" and view.seat == view.order[2]


def _late(view: TanglewoodView) -> bool:
    """Return True in the last round for the second seat."""
    last = view.out_round is not None and view.round > view.out_round
    return last and view.phase == "turn" and view.seat == view.order[1]


def _gathers(view: TanglewoodView) -> bool:
    """Return True if a seat can gather workers after others have moved."""
    return (
        view.round > 4
        and isinstance(view.owed, Shift)
        and view.owed.way == "in"
        and view.owed.spread == "apart"
    )


def draw_hand() -> Picture:
    """Draw the ballots of the seat that holds most of them."""
    position = find_position(4, b"held 6", lambda view: view.phase == "ballots")
    seat = max(range(4), key=position(None).held.__getitem__)
    picture = hand(position(seat), seat, NAMES)
    assert picture is not None
    return picture


def trial() -> Picture:
    """Draw the preview of a Gather that a computer player would choose."""
    position = find_position(4, b"g1", _gathers)
    seat, here = position(None).seat, position(None).active
    assert seat is not None
    assert here is not None
    view = position(seat)
    move = next(read_moves("tanglewood", "trial"))
    assert isinstance(move, Gather)
    hops = tuple(Hop(worker.colour, worker.region, here) for worker in move.workers)
    return preview(view, NAMES, hops, {})


def list_numbers(counts: Iterable[int]) -> str:
    return ", ".join(map(str, counts))


def standings() -> Picture:
    """Draw one region with four sets of workers, and their pay."""
    wide, tall, margin, gap = 540, 330, 24, 20
    canvas = Canvas(2 * (wide + margin) + gap, 2 * (tall + margin) + gap, LIGHT)
    floor = LIGHT.ground(PAYS)
    for number, (counts, text) in enumerate(TIED):
        row, column = divmod(number, 2)
        left, top = margin + column * (wide + gap), margin + row * (tall + gap)
        canvas.box((left, top, left + wide, top + tall), floor.edge, radius=22)
        canvas.box((left + 4, top + 4, left + wide - 4, top + tall - 4), floor.tint, radius=18)
        canvas.write((left + 24, top + 40), text, 32, LIGHT.ink, weight=700, width=wide - 48)
        paid = votes(PAYS, counts, len(counts))
        for seat, count in enumerate(counts):
            y = top + 104 + seat * 58
            place = standing(counts, seat)
            line = Row(seat, count, place, paid=bool(paid[seat]))
            places.draw_row(canvas, line, (left + 22, y), wide - 110)
            if place is not None and paid[seat]:
                land.medal(canvas, (left + wide - 46, y), 22, place - 1, paid[seat])
    alt = " ".join(
        f"With {list_numbers(counts)} workers ({text}), "
        f"it pays {list_numbers(votes(PAYS, counts, len(counts)))}."
        for counts, text in TIED
    )
    return Picture(canvas.png(), f"A region pays {nouns.pays(PAYS)} votes. {alt}", "tanglewood/standing.png")


def tracks() -> Picture:
    tiles = tuple(FOX_TILES)
    return Picture(tracks_sheet(LIGHT, tiles).png(), captions.describe_tracks(tiles), "tanglewood/tracks.png")


def cover() -> Picture:
    """Draw the three factions in a clearing, and the name."""
    canvas = Canvas(COVER, COVER, LIGHT)
    canvas.box((14, 20, COVER - 14, 330), LIGHT.forest_edge, radius=30)
    canvas.box((17, 23, COVER - 17, 327), LIGHT.forest, radius=27)
    rng = Random(4)
    for row in range(96, 190, 24):
        for column in range(44 + row % 30, COVER - 30, 34):
            canvas.paint(land.wild(LIGHT, rng), (column + rng.uniform(-6, 6), row))
    sketch = Sketch((30, 150, COVER - 30, 320), LIGHT)
    sketch.ellipse((36, 158, COVER - 36, 316), LIGHT.ground("C").tint, LIGHT.ground("C").edge, 4)
    canvas.paint(sketch.sprite())
    for kind, x, y, high in SCENERY:
        canvas.paint(land.plant(LIGHT, kind, high), (x, y))
    for faction, x, size in FACES:
        signs.faction(canvas, faction, (x, 236), size)
    signs.thing(canvas, "votes", (200, 158), 54)
    canvas.write((COVER / 2, 366), "Tanglewood", 50, LIGHT.ink, weight=700, anchor="middle")
    return pack_small(as_picture(canvas.png(), "tanglewood/cover.png"))


def pictures() -> dict[str, Picture]:
    shown = {
        "tanglewood/cover.png": cover(),
        "tanglewood/board.png": board(find_position(4, b"board", _mid_game)(None), NAMES),
        "tanglewood/five.png": board(find_position(5, b"five", _late)(None), NAMES),
        "tanglewood/hand.png": draw_hand(),
        "tanglewood/preview.png": trial(),
        "tanglewood/scoring.png": scoring(find_position(4, b"board", lambda view: view.over)(None), NAMES, 2),
        "tanglewood/standing.png": standings(),
        "tanglewood/tracks.png": tracks(),
    }
    return shown | {page.name.replace("-", "/", 1): page for page in almanac(LIGHT)}
