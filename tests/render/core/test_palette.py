"""Colours can be told apart and read, and a picture never needs more than its palette has."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import Image

from engines.ribbon.pieces.components import COLOURS, Colour
from render.core.palette import Palette, contrast, luminance, ramp
from render.ribbon.colours import THEMES

LIGHT = THEMES["light"]


@pytest.mark.parametrize("ink", [LIGHT.ink, LIGHT.muted, LIGHT.danger, LIGHT.highlight])
def test_text_reads_on_paper(ink: tuple[int, int, int]) -> None:
    assert contrast(ink, LIGHT.paper) >= 4.5


def test_text_reads_on_the_plate_of_whose_turn_it_is() -> None:
    assert contrast(LIGHT.ink, LIGHT.glow) >= 7
    assert contrast(LIGHT.highlight, LIGHT.glow) >= 4


def test_an_eliminated_seat_is_faint_but_readable() -> None:
    assert 3 <= contrast(LIGHT.faded, LIGHT.paper) < 4.5


def test_letters_read_on_a_card_back() -> None:
    assert contrast(LIGHT.back_ink, LIGHT.back) >= 7


@pytest.mark.parametrize("colour", COLOURS)
def test_letters_read_on_both_sides_of_a_ribbon(colour: Colour) -> None:
    dye = LIGHT.dyes[colour]
    assert contrast(LIGHT.letter(colour, 0), dye.dark.body) >= 4.5
    assert contrast(LIGHT.letter(colour, 1), dye.light.body) >= 4.5


@pytest.mark.parametrize("colour", COLOURS)
def test_a_ribbons_two_sides_differ_in_lightness(colour: Colour) -> None:
    assert contrast(LIGHT.dyes[colour].dark.body, LIGHT.dyes[colour].light.body) >= 3


@pytest.mark.parametrize("colour", COLOURS)
def test_silk_grows_lighter_from_its_edge_to_its_shine(colour: Colour) -> None:
    for silk in (LIGHT.dyes[colour].dark, LIGHT.dyes[colour].light):
        assert all(luminance(one) < luminance(two) for one, two in pairwise(silk.stops))


def test_a_light_ribbon_has_an_edge_that_stands_out_from_the_card() -> None:
    assert all(contrast(LIGHT.dyes[colour].light.edge, LIGHT.card) >= 3 for colour in COLOURS)


@pytest.mark.parametrize("palette", [LIGHT.palette, LIGHT.large_palette])
def test_a_palette_holds_at_most_255_colours(palette: Palette) -> None:
    assert len(palette.colours) <= 255


def test_too_many_colours_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 255"):
        Palette((shade, shade, 0) for shade in range(256))


def test_a_palette_keeps_its_own_colours_nearly_as_they_are() -> None:
    palette = LIGHT.palette
    image = Image.new("RGB", (len(palette.colours), 1))
    image.putdata(palette.colours)
    stored = palette.apply(image).convert("RGB")
    for index, colour in enumerate(palette.colours):
        result = stored.getpixel((index, 0))
        assert isinstance(result, tuple)
        assert max(abs(one - two) for one, two in zip(result, colour, strict=True)) <= 4


def test_a_ramp_goes_through_all_its_stops() -> None:
    assert ramp([LIGHT.ink, LIGHT.danger, LIGHT.paper], 9)[::4] == [LIGHT.ink, LIGHT.danger, LIGHT.paper]
