"""The outlines of tiles: closed, clockwise, and around exactly what the tiles fill."""

import math

import pytest

from engines.tangram.pieces.components import TILES
from engines.tangram.pieces.geometry import SIDES, WHOLE, TileForm, form, turns
from render.core.canvas import OVERSAMPLING
from render.tangram.colours import THEMES
from render.tangram.pieces import Loop, eaves, loops, piece

LIGHT = THEMES["light"]

FORMS = [form(tile, side, turn) for tile in TILES for side in SIDES for turn in turns(tile, side)]
ONE = TileForm(((0, 0, WHOLE),))


def area(loop: Loop) -> float:
    """Return the area inside a loop, above 0 if it goes clockwise."""
    ends = [*loop[1:], loop[0]]
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(loop, ends, strict=True)) / 2


def test_an_outline_encloses_what_the_tile_fills() -> None:
    for lies in FORMS:
        filled = sum(quarters.bit_count() for _, _, quarters in lies.cells) / 4
        assert sum(area(loop) for loop in loops(lies)) == pytest.approx(filled)


def test_an_outline_has_no_corner_in_the_middle_of_a_side() -> None:
    assert loops(ONE) == (((0, 0), (1, 0), (1, 1), (0, 1)),)
    assert loops(form(19, "black", 0)) == (((0, 0), (1, 0), (1, 3), (0, 3)),)


def test_parts_that_touch_in_a_point_have_outlines_of_their_own() -> None:
    assert len(loops(TileForm(((0, 0, WHOLE), (1, 1, WHOLE))))) == 2


def test_sides_of_a_square_shrink_to_its_middle() -> None:
    for side in eaves(ONE):
        half = side.at(0.25)
        assert half is not None
        assert math.dist(*half) == pytest.approx(0.5)
        assert side.at(0.5) is None


def test_sides_look_outwards() -> None:
    assert {side.facing for side in eaves(ONE)} == {(0, -1), (1, 0), (0, 1), (-1, 0)}


def test_a_piece_covers_about_what_the_tile_fills() -> None:
    unit = 40
    for lies in FORMS:
        filled = sum(quarters.bit_count() for _, _, quarters in lies.cells) / 4 * unit**2
        shades = piece(LIGHT, lies, "black", unit).mask.histogram()
        covered = sum(shade * count for shade, count in enumerate(shades)) / 255
        assert 0.85 * filled < covered <= filled + unit / OVERSAMPLING
