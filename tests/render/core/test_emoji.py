import re
from functools import cache
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from engines.registry import SLUGS
from render.core.emoji import SIZE, signs_of
from render.core.theme import Rgb, contrast, rgb

ROOMS = ("house", *SLUGS)
SHOWN = 22
"""The pixels of a sign beside text."""
DARK, LIGHT = rgb("313338"), rgb("FFFFFF")
FAINT = 16
"""The cover, of 255, that the soft end of a rim may have at the edge."""
LARGEST = 256 * 1024
"""The bytes that Discord takes of an emoji."""


@cache
def draw_signs(room: str) -> dict[str, bytes]:
    return signs_of(room)


@cache
def images(room: str) -> dict[str, Image.Image]:
    return {name: Image.open(BytesIO(png)) for name, png in draw_signs(room).items()}


@cache
def stands_out(colour: Rgb, ground: Rgb) -> bool:
    return contrast(colour, ground) >= 3


def show_sign(image: Image.Image, ground: Rgb) -> Image.Image:
    small = image.resize((SHOWN, SHOWN), Image.Resampling.LANCZOS)
    page = Image.new("RGB", small.size, ground)
    page.paste(small, (0, 0), small)
    return page


@pytest.mark.parametrize("room", ROOMS)
def test_every_sign_is_a_square_on_a_clear_ground_that_discord_takes(room: str) -> None:
    assert images(room)
    for name, image in images(room).items():
        assert (image.size, image.mode) == ((SIZE, SIZE), "RGBA"), name
        assert len(draw_signs(room)[name]) <= LARGEST


@pytest.mark.parametrize("room", ROOMS)
def test_no_sign_is_cut_off_at_its_edges(room: str) -> None:
    for name, image in images(room).items():
        covered = image.getchannel("A")
        inner = Image.new("L", (SIZE - 2, SIZE - 2))
        covered.paste(inner, (1, 1))
        assert max(covered.tobytes()) <= FAINT, name


@pytest.mark.parametrize("room", ROOMS)
def test_names_say_the_game_and_the_thing(room: str) -> None:
    prefix = "" if room == "house" else f"{room}_"
    for name in images(room):
        assert re.fullmatch(rf"{prefix}[a-z0-9_]+", name)


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("room", ROOMS)
def test_every_sign_stands_out_from_its_ground_beside_text(room: str, ground: Rgb) -> None:
    for name, image in images(room).items():
        bands = [band.tobytes() for band in show_sign(image, ground).split()]
        strong = sum(stands_out(colour, ground) for colour in zip(*bands, strict=True))
        assert strong >= 30, f"{name}: only {strong} pixels are seen"


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("room", ROOMS)
def test_no_two_signs_of_a_game_look_alike_beside_text(room: str, ground: Rgb) -> None:
    pages = {name: show_sign(image, ground) for name, image in images(room).items()}
    for (one, a), (two, b) in combinations(pages.items(), 2):
        differs = max(ImageStat.Stat(ImageChops.difference(a, b)).mean)
        assert differs >= 4, f"{one} and {two} differ by {differs:.1f} only"


def test_signs_are_drawn_alike_each_time() -> None:
    assert signs_of("house") == draw_signs("house")


def test_a_seat_is_told_by_its_shape_and_its_colour() -> None:
    seats = [images("house")[f"seat_{seat}"] for seat in range(1, 6)]

    shapes = {image.getchannel("A").tobytes() for image in seats}
    colours = {image.getpixel((SIZE // 2, SIZE // 2)) for image in seats}

    assert (len(shapes), len(colours)) == (5, 5)
