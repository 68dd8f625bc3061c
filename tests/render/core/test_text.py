"""Any name can be drawn: on one line, within its width, and without a box where a font has no glyph."""

import re
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFont, ImageStat

from engines.marks import graphemes
from engines.registry import SLUGS
from render.core.emoji import SIZE, signs_of
from render.core.text import NAMELESS, FontFace, RunKind, clean, coverage, fit, font, runs, stand_in, wrap
from render.core.theme import Rgb, contrast, rgb
from tests.often import often

HOSTILE = (
    "",
    "   ",
    "x" * 100,
    "W" * 5000,
    "山田太郎",
    "김철수",
    "محمد بن سلمان",
    "שלום",
    "हिन्दी",
    "ไทย",
    "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽",
    "e\u0301e\u0301",
    "Z" + "\u0351\u0357\u036b" * 40,
    "\u202eevil\u202c",
    "\u2066\u200f\u061c",
    "a\x00\x07\x1b[31mb",
    "two\nlines\r\n\tand a tab",
    "\ud800lone",
    "\u200d\u200d",
    "\ufe0f",
    "\U000e0041\U0010ffff\ue000",
    "1️⃣",
    "﷽" * 20,
    "ﬁ … ‹ ›",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_fits_and_leaves_no_box(name: str) -> None:
    line = fit(name, 220, 28, 700)
    assert 0 < line.width <= 220
    for run in line.runs:
        face = run.kind.value or FontFace.TEXT
        assert all(character in coverage(face) for character in run.text)


@settings(max_examples=often(25, 100), deadline=None)
@given(st.text(max_size=60), st.integers(40, 400))
def test_any_text_fits_into_any_reasonable_width(name: str, width: int) -> None:
    assert fit(name, width, 24).width <= width


def test_names_are_cleaned_of_controls_lines_and_towers_of_marks_and_empty_ones_say_so() -> None:
    assert [clean(name) for name in ("", " \n ", "\u202e", "\u200b")] == [NAMELESS] * 4
    assert clean("\u202eA\u2066n\x00n\u200f") == "Ann"
    assert clean("  Ann\r\n\tof  Cleves ") == "Ann of Cleves"
    assert len(clean("o" + "\u0301\u0302\u0303\u0304" * 10)) <= 3
    assert clean("e\u0301") == "é"


def test_short_text_keeps_its_size_long_text_shrinks_and_then_ends_in_an_ellipsis() -> None:
    natural = fit("A rather long name", 10_000, 28).width
    line = fit("A rather long name", natural * 0.8, 28)
    assert line.size < 28
    assert line.runs[-1].text[-1] != "…"
    assert fit("Ann", 300, 28).size == 28
    assert fit("x" * 100, 200, 28).runs[-1].text.endswith("…")


def test_characters_without_a_font_become_readable_chips_and_flags_and_names_stay_apart() -> None:
    (chip,) = runs(graphemes("🦊"))
    assert (chip.kind, chip.text) == (RunKind.CHIP, "fox")
    assert stand_in("🇫🇷") == "FR"
    assert runs(graphemes(clean("محمد"))) != runs(graphemes(clean("أحمد")))
    family = "👩‍👩‍👧‍👦"
    assert graphemes(family * 3) == [family] * 3


def test_devanagari_is_shaped_chinese_has_a_font_and_greek_shares_a_run_with_latin() -> None:
    assert [run.kind for run in runs(graphemes("हिन्दी"))] == [RunKind.SHAPED]
    assert [run.kind for run in runs(graphemes("x\u0324y"))] == [RunKind.SHAPED, RunKind.TEXT]
    assert [run.kind for run in runs(graphemes("山田はな철수"))] == [RunKind.CJK]
    assert [run.kind for run in runs(graphemes("Zoë Ωμέγα Жанна"))] == [RunKind.TEXT]


@given(st.lists(st.text("abc WÄ–é", min_size=1).map(str.strip).filter(bool), min_size=1, max_size=12))
def test_wrapped_lines_are_as_wide_as_may_be_and_keep_every_word(words: list[str]) -> None:
    text = " ".join(" ".join(words).split())
    lines = wrap(text, 90, 20)
    assert " ".join(lines) == text
    assert all(fit(line, 10_000, 20).width <= 90 for line in lines if " " in line)
    for line, following in pairwise(lines):
        assert fit(f"{line} {following.split()[0]}", 10_000, 20).width > 90


@pytest.mark.parametrize(("size", "weight"), [(17, 500), (24, 400), (46, 700)])
def test_letters_look_as_the_whole_font_draws_them(size: int, weight: int) -> None:
    package = find_spec(FontFace.TEXT.value[0])
    assert package is not None
    assert package.origin is not None
    whole = ImageFont.truetype(
        str(Path(package.origin).parent / FontFace.TEXT.value[1]), size, layout_engine=ImageFont.Layout.BASIC
    )
    whole.set_variation_by_axes([weight, 100])
    ours = font(FontFace.TEXT, size, weight)

    for text in ("Tangle 0123456789", "Zoë, Łukasz & Ærø", "Ωμέγα Жанна", "fi ffl AVATAR …›·–"):
        assert ours.getlength(text) == whole.getlength(text)
        assert bytes(ours.getmask(text)) == bytes(whole.getmask(text))


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
def test_every_sign_is_a_named_square_on_a_clear_ground_and_not_cut_off(room: str) -> None:
    assert images(room)
    for name, image in images(room).items():
        assert (image.size, image.mode) == ((SIZE, SIZE), "RGBA"), name
        assert len(draw_signs(room)[name]) <= LARGEST
    for name, image in images(room).items():
        covered = image.getchannel("A")
        inner = Image.new("L", (SIZE - 2, SIZE - 2))
        covered.paste(inner, (1, 1))
        assert max(covered.tobytes()) <= FAINT, name
    prefix = "" if room == "house" else f"{room}_"
    for name in images(room):
        assert re.fullmatch(rf"{prefix}[a-z0-9_]+", name)


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("room", ROOMS)
def test_every_sign_stands_out_from_its_ground_and_from_others(room: str, ground: Rgb) -> None:
    for name, image in images(room).items():
        bands = [band.tobytes() for band in show_sign(image, ground).split()]
        strong = sum(stands_out(colour, ground) for colour in zip(*bands, strict=True))
        assert strong >= 30, f"{name}: only {strong} pixels are seen"
    pages = {name: show_sign(image, ground) for name, image in images(room).items()}
    for (one, a), (two, b) in combinations(pages.items(), 2):
        differs = max(ImageStat.Stat(ImageChops.difference(a, b)).mean)
        assert differs >= 4, f"{one} and {two} differ by {differs:.1f} only"


def test_signs_are_drawn_alike_each_time_and_seats_differ_by_shape_and_colour() -> None:
    assert signs_of("house") == draw_signs("house")
    seats = [images("house")[f"seat_{seat}"] for seat in range(1, 6)]

    shapes = {image.getchannel("A").tobytes() for image in seats}
    colours = {image.getpixel((SIZE // 2, SIZE // 2)) for image in seats}

    assert (len(shapes), len(colours)) == (5, 5)
