"""A palette keeps its colours, and a picture never needs more than its palette has."""

from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence

from engines.registry import SLUGS
from engines.words import ALT_LIMIT, SEAT_COLOURS
from render.core import animation
from render.core.animation import CAPTION, Frame
from render.core.canvas import (
    EMBLEMS,
    Canvas,
    Sketch,
    Sprite,
    bow,
    box_mask,
    disc_mask,
    emblem_mask,
    on_circle,
)
from render.core.theme import LIGHT, THEMES, Palette, Theme, ramp
from tests.engines import golden


def find_paint_box(canvas: Canvas[Theme]) -> tuple[int, int, int, int] | None:
    """Return the box of everything that is no longer paper."""
    return ImageChops.difference(canvas.image, Image.new("RGB", canvas.image.size, LIGHT.paper)).getbbox()


def cut_square(mask: Image.Image, at: tuple[int, int], size: int) -> Image.Image:
    return mask.crop((*at, at[0] + size, at[1] + size))


def test_discs_rings_boxes_lines_and_badges_are_as_large_as_they_say() -> None:
    canvas = Canvas(100, 100, LIGHT)
    canvas.disc((50, 50), 20, LIGHT.ink)
    assert find_paint_box(canvas) == (30, 30, 70, 70)
    canvas = Canvas(100, 100, LIGHT)
    canvas.disc((50, 50), 20, LIGHT.ink, hole=15)
    assert canvas.image.getpixel((50, 50)) == LIGHT.paper
    canvas = Canvas(100, 60, LIGHT)
    canvas.box((10, 20, 90, 50), LIGHT.ink, radius=8)
    assert find_paint_box(canvas) == (10, 20, 90, 50)
    canvas = Canvas(100, 60, LIGHT)
    canvas.line([(20, 30), (80, 30)], LIGHT.ink, 8)
    box = find_paint_box(canvas)
    assert box is not None
    assert abs(box[3] - box[1] - 8) <= 1
    assert abs(box[2] - box[0] - 60) <= 1
    seven, eight = Canvas(60, 60, LIGHT), Canvas(60, 60, LIGHT)
    seven.badge((30, 30), 20, "7")
    eight.badge((30, 30), 20, "8")
    assert seven.image.tobytes() != eight.image.tobytes()


@pytest.mark.parametrize("border", [0, 4])
def test_a_box_of_any_size_has_the_same_corners(border: int) -> None:
    small, large = box_mask(40, 30, 9.5, border), box_mask(300, 200, 9.5, border)
    for corner, at in (((0, 0), (0, 0)), ((28, 18), (288, 188))):
        assert cut_square(small, corner, 12).tobytes() == cut_square(large, at, 12).tobytes()
    assert large.getpixel((150, 1)) == 255
    assert large.getpixel((150, 100)) == (0 if border else 255)


def test_a_large_box_is_filled_and_a_large_disc_the_same_on_all_sides() -> None:
    canvas, expected = Canvas(400, 300, LIGHT), Canvas(400, 300, LIGHT)
    canvas.box((10, 20, 390, 290), LIGHT.ink, radius=8)
    expected.image.paste(LIGHT.ink, (10, 20), box_mask(380, 270, 8))
    assert canvas.image.tobytes() == expected.image.tobytes()
    mask = disc_mask(80.5, 60)
    for turn in (Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM):
        assert mask.transpose(turn).tobytes() == mask.tobytes()
    assert mask.getpixel((mask.width // 2, mask.height // 2)) == 0
    assert mask.getpixel((mask.width // 2, 10)) == 255


@pytest.mark.parametrize("seat", range(5))
def test_each_seat_has_an_emblem_in_its_colour(seat: int) -> None:
    canvas = Canvas(60, 60, LIGHT)
    canvas.emblem(seat, (30, 30), 15)
    assert canvas.image.getpixel((30, 30)) == LIGHT.seats[seat]


def test_emblems_differ_in_shape_and_not_in_colour_alone_and_edges_are_smooth() -> None:
    shapes = {emblem_mask(shape, 15).resize((30, 30)).tobytes() for shape in EMBLEMS}
    assert len(shapes) == len(LIGHT.seats) == 5
    shades = disc_mask(20).getcolors()
    assert shades is not None
    assert len(shades) > 8


def test_capitals_stand_centred_and_text_stays_within_its_width() -> None:
    canvas = Canvas(200, 100, LIGHT)
    canvas.write((100, 50), "H", 40, LIGHT.ink, anchor="middle")
    box = find_paint_box(canvas)
    assert box is not None
    assert abs((box[1] + box[3]) / 2 - 50) <= 1
    assert abs((box[0] + box[2]) / 2 - 100) <= 1
    canvas = Canvas(400, 60, LIGHT)
    taken = canvas.write((20, 30), "🦊 a name that goes on and on 山田 " * 3, 28, LIGHT.ink, width=300)
    box = find_paint_box(canvas)
    assert box is not None
    assert taken <= 300
    assert box[2] <= 322


def test_a_word_stands_centred_on_its_point_and_may_have_a_halo() -> None:
    plain, lit = Canvas(200, 100, LIGHT), Canvas(200, 100, LIGHT)
    plain.word((100, 50), "HI", 40, LIGHT.ink)
    lit.word((100, 50), "HI", 40, LIGHT.ink, halo=LIGHT.highlight)
    box, wider = find_paint_box(plain), find_paint_box(lit)
    assert box is not None
    assert wider is not None
    assert abs((box[1] + box[3]) / 2 - 50) <= 1
    assert abs((box[0] + box[2]) / 2 - 100) <= 1.5
    assert (wider[0], wider[3]) == (box[0] - 2, box[3] + 2)


def test_a_canvas_over_a_layer_leaves_it_alone_and_may_be_higher() -> None:
    layer = Image.new("RGB", (30, 30), LIGHT.paper)
    Canvas.over(layer, LIGHT).disc((15, 15), 10, LIGHT.ink)
    assert layer.getcolors() == [(900, LIGHT.paper)]
    canvas = Canvas.over(Image.new("RGB", (30, 30), LIGHT.ink), LIGHT, 50)
    assert canvas.image.size == (30, 50)
    assert canvas.image.getpixel((15, 40)) == LIGHT.paper


def test_a_png_has_a_palette_and_its_canvas_size_and_a_sprite_covers_its_mask_alone() -> None:
    canvas = Canvas(64, 48, LIGHT)
    canvas.emblem(1, (30, 20), 15)
    with Image.open(BytesIO(canvas.png())) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "P", (64, 48))
    canvas = Canvas(20, 20, LIGHT)
    mask = Image.new("L", (10, 10))
    mask.paste(255, (0, 0, 5, 10))
    canvas.paint(Sprite(Image.new("RGB", (10, 10), LIGHT.highlight), mask, (4, 4)))
    assert find_paint_box(canvas) == (4, 4, 9, 14)


def test_a_sketch_is_cut_to_its_box_and_what_was_drawn_which_may_be_nothing() -> None:
    sketch = Sketch((-30, -30, 30, 30), LIGHT)
    sketch.disc((0, 0), 10, LIGHT.ink)
    sprite = sketch.sprite()
    assert sprite.at == (-10, -10)
    assert sprite.mask.size == (20, 20)
    canvas = Canvas(100, 100, LIGHT)
    canvas.paint(sprite, (40, 60))
    assert find_paint_box(canvas) == (30, 50, 50, 70)
    assert canvas.image.getpixel((40, 60)) == LIGHT.ink
    sketch = Sketch((0, 0, 20, 20), LIGHT)
    sketch.disc((20, 20), 15, LIGHT.ink)
    sprite = sketch.sprite()
    assert sprite.at == (5, 5)
    assert sprite.mask.size == (15, 15)
    canvas = Canvas(20, 20, LIGHT)
    canvas.paint(Sketch((0, 0, 20, 20), LIGHT).sprite())
    assert find_paint_box(canvas) is None


def test_shapes_of_a_sketch_have_edges_without_a_colour_of_their_own_and_round_corners() -> None:
    sketch = Sketch((0, 0, 60, 60), LIGHT)
    sketch.ellipse((5, 5, 55, 55), None, LIGHT.ink, 4)
    sketch.polygon([(25, 25), (35, 25), (35, 35), (25, 35)], LIGHT.paper, LIGHT.highlight, 4)
    canvas = Canvas(60, 60, LIGHT)
    canvas.paint(sketch.sprite())
    assert canvas.image.getpixel((30, 7)) == LIGHT.ink
    assert canvas.image.getpixel((30, 15)) == LIGHT.paper
    assert canvas.image.getpixel((25, 30)) == LIGHT.highlight
    assert canvas.image.getpixel((30, 30)) == LIGHT.paper
    sketch = Sketch((0, 0, 40, 40), LIGHT)
    sketch.polygon([(5, 5), (35, 9), (20, 35)], LIGHT.highlight)
    canvas = Canvas(40, 40, LIGHT, LIGHT.highlight)
    canvas.paint(sketch.sprite())
    off = ImageChops.difference(canvas.image, Image.new("RGB", (40, 40), LIGHT.highlight))
    assert max(off.tobytes()) <= 2
    sketch.line([(10, 40), (30, 10), (50, 40)], LIGHT.ink, 10)
    sprite = sketch.sprite()
    assert sprite.at[1] == 5


def test_bows_end_where_they_should_and_angles_go_clockwise() -> None:
    way = bow((0, 0), (50, 80), (100, 0))
    assert (way[0], way[-1]) == ((0, 0), (100, 0))
    assert max(y for _, y in way) == pytest.approx(40)
    points = [tuple(map(round, on_circle((0, 0), 10, turn))) for turn in (0, 90, 180)]
    assert points == [(0, -10), (10, 0), (0, 10)]


@pytest.mark.parametrize("name", THEMES)
def test_a_palette_keeps_its_own_colours_nearly_as_they_are(name: str) -> None:
    palette = THEMES[name].palette
    image = Image.new("RGB", (len(palette.colours), 1))
    image.putdata(palette.colours)
    stored = palette.apply(image).convert("RGB")
    for index, colour in enumerate(palette.colours):
        result = stored.getpixel((index, 0))
        assert isinstance(result, tuple)
        assert max(abs(one - two) for one, two in zip(result, colour, strict=True)) <= 4


def test_a_ramp_has_its_stops_a_palette_255_colours_and_each_seat_a_word() -> None:
    assert ramp([LIGHT.ink, LIGHT.danger, LIGHT.paper], 9)[::4] == [LIGHT.ink, LIGHT.danger, LIGHT.paper]
    with pytest.raises(ValueError, match="at most 255"):
        Palette((shade, shade, 0) for shade in range(256))
    assert len(SEAT_COLOURS) == len(LIGHT.seats)


NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
LONG = {
    "ribbon": "tie-limit",
    "tesla": "table-3-rulebook-80",
    "tangram": "table-3",
    "tanglewood": "full-circles",
    "tangle": "to-the-limit",
}
"""A game on file of each."""
FRAMES = 12

every_game = pytest.mark.parametrize("slug", SLUGS)


def views(slug: str, most: int = FRAMES) -> list[Any]:
    """Return evenly spread views of a spectator of a filed game."""
    result = golden.load(golden.FIXTURES / slug / f"{LONG[slug]}.json")
    state, rules = result.begin(), result.game
    seen = [rules.view(state, None)]
    for number, entry in enumerate(result.entries, start=1):
        result.replay(state, entry)
        if number * most // len(result.entries) >= len(seen):
            seen.append(rules.view(golden.type_value(golden.plain(state), rules.State), None))
    return seen


def make_frames(seen: list[Any]) -> list[Frame]:
    last = len(seen) - 1
    return [Frame(view, f"Turn {at}", at / last, 0.5 if at < last else 4.0) for at, view in enumerate(seen)]


def animate(slug: str, frames: list[Frame], batch: int) -> bytes:
    reel, blocks = None, []
    for start in range(0, len(frames), batch):
        reel = animation.draw_frames(slug, NAMES, frames[start : start + batch], reel)
        blocks.append(reel.blocks)
    assert reel is not None
    return b"".join((animation.beginning(slug, reel), *blocks, animation.END))


def show_frames(gif: bytes) -> Iterator[Image.Image]:
    """Yield the frames as a viewer sees them."""
    with Image.open(BytesIO(gif)) as film:
        for frame in ImageSequence.Iterator(film):
            yield frame.convert("RGB")


def draw_expected(slug: str, view: Any) -> Image.Image:
    """Draw the board in the size and the colours of an animation."""
    room = import_module(f"render.{slug}")
    table: Image.Image = room.table(view, NAMES).image
    palette: Palette = room.THEMES["light"].palette
    return palette.apply(table.reduce(2)).convert("RGB")


@pytest.mark.any_game
@every_game
def test_each_frame_shows_the_board_as_it_stood(slug: str) -> None:
    seen = views(slug)

    frames = list(show_frames(animate(slug, make_frames(seen), batch=5)))

    assert len(frames) == len(seen)
    for frame, view in zip(frames, seen, strict=True):
        board = draw_expected(slug, view)
        part = frame.crop((0, CAPTION, board.width, CAPTION + board.height))
        assert ImageChops.difference(part, board).getbbox() is None


@pytest.mark.any_game
@every_game
def test_batch_size_changes_no_frame(slug: str) -> None:
    frames = make_frames(views(slug, 6))

    assert (
        animate(slug, frames, batch=1) == animate(slug, frames, batch=4) == animate(slug, frames, batch=100)
    )


def test_the_space_below_a_lower_board_is_paper() -> None:
    seen = views("tesla")
    lowest, highest = sorted((seen[0], seen[-1]), key=lambda view: draw_expected("tesla", view).height)

    for order in ((lowest, highest), (highest, lowest)):
        frames = list(show_frames(animate("tesla", make_frames(list(order)), batch=1)))

        low = frames[order.index(lowest)]
        top = CAPTION + draw_expected("tesla", lowest).height
        assert low.height == CAPTION + draw_expected("tesla", highest).height > top
        assert low.crop((0, top, low.width, low.height)).getcolors() == [
            (low.width * (low.height - top), LIGHT.paper)
        ]


@pytest.mark.any_game
@every_game
def test_it_is_as_wide_as_a_phone_shows_it_sharply(slug: str) -> None:
    assert 500 <= draw_expected(slug, views(slug, 1)[0]).width <= 720


def test_it_is_shown_again_and_again_in_words_too_and_the_last_frame_is_held() -> None:
    with Image.open(BytesIO(animate("ribbon", make_frames(views("ribbon", 5)), batch=3))) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]

    assert times == [*[500] * (len(times) - 1), 4000]

    picture = animation.picture(b"GIF", ["A replay of 61 turns.", "Ann wins.", "x" * ALT_LIMIT])

    assert picture.alt == "A replay of 61 turns. Ann wins."
    assert picture.name == "replay.gif"


def test_the_caption_tells_the_turn_and_fills_a_bar() -> None:
    view = views("ribbon")[0]

    frames = list(
        show_frames(animate("ribbon", [Frame(view, "Turn 1", 0.0, 1), Frame(view, "Turn 2", 1.0, 1)], 2))
    )

    box = ImageChops.difference(*frames).getbbox()
    assert box is not None
    assert box[0] == 0
    assert box[2:] == (frames[0].width, CAPTION)


@pytest.mark.any_game
@every_game
def test_a_kept_file_is_not_packed_again(slug: str) -> None:
    view = views(slug)[-1]
    once = [Frame(view, "The end", 1.0, 1)]

    first, both = (len(animate(slug, once * times, batch=10)) for times in (1, 2))

    assert both - first < 100


@pytest.mark.any_game
@every_game
def test_a_replay_that_is_too_large_becomes_narrower(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gif = animate(slug, make_frames(views(slug, 5)), batch=10)
    monkeypatch.setattr(animation, "LARGEST", len(gif) * 2 // 3)

    smaller = animation.narrower(slug, gif)

    assert len(smaller) <= animation.LARGEST
    with Image.open(BytesIO(gif)) as large, Image.open(BytesIO(smaller)) as small:
        assert large.width / 4 < small.width < large.width
        assert abs(small.height - large.height * small.width / large.width) < 1
        assert [frame.info["duration"] for frame in ImageSequence.Iterator(small)] == [
            frame.info["duration"] for frame in ImageSequence.Iterator(large)
        ]
