"""Wires run from side to side, markers lie clear on them, and the colours can be told apart."""

import math
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from engines.tesla.pieces.components import Tiles, segments, shape
from render.tesla import paths, tiles
from render.tesla.colours import THEMES

LIGHT = THEMES["light"]

UNIT = 60
every_shape = pytest.mark.parametrize("shaped", ["hex", "square"])


@every_shape
def test_a_wire_runs_from_the_middle_of_one_side_to_that_of_the_other(shaped: Tiles) -> None:
    for lie in shape(shaped).faces:
        for (one, two), way in zip(segments(lie), paths.wires(shaped, lie), strict=True):
            assert math.dist(way[0], paths.middle_of(shaped, one)) < 1e-6
            assert math.dist(way[-1], paths.middle_of(shaped, two)) < 1e-6


@every_shape
def test_a_wire_meets_its_sides_at_right_angles(shaped: Tiles) -> None:
    for lie in shape(shaped).faces:
        for way in paths.wires(shaped, lie):
            for end, near in ((way[0], way[1]), (way[-1], way[-2])):
                along = math.atan2(end[1] - near[1], end[0] - near[0])
                outwards = math.atan2(end[1], end[0])
                assert abs(math.sin(along - outwards)) < 0.06


@every_shape
def test_a_wire_stays_on_its_tile(shaped: Tiles) -> None:
    for lie in shape(shaped).faces:
        for way in paths.wires(shaped, lie):
            assert all(math.hypot(x, y) <= paths.APOTHEM + 1e-6 for x, y in way)


@every_shape
def test_wires_of_touching_tiles_meet(shaped: Tiles) -> None:
    for side in range(shape(shaped).sides):
        x, y = paths.middle_of(shaped, side)
        back = paths.middle_of(shaped, shape(shaped).opposite(side))
        assert math.dist(back, (-x, -y)) < 1e-6


@every_shape
def test_a_marker_lies_on_its_wire_and_clear_of_the_others(shaped: Tiles) -> None:
    for lie in shape(shaped).faces:
        ways = dict(zip(segments(lie), paths.wires(shaped, lie), strict=True))
        for segment, way in ways.items():
            spot = paths.marker_at(shaped, lie, segment)
            assert _distance(spot, way) < 0.03
            others = [_distance(spot, other) for pair, other in ways.items() if pair != segment]
            assert min(others, default=1) > tiles.WIRE


def _distance(spot: tuple[float, float], way: paths.Path) -> float:
    return min(math.dist(spot, paths.along(way, step / 60)) for step in range(61))


def test_three_straights_cross_in_pairs_and_not_in_one_point() -> None:
    ways = paths.wires("hex", "03-14-25")
    crossings = []
    for one, two in combinations(ways, 2):
        points = [paths.along(one, step / 200) for step in range(201)]
        crossings.append(min((_distance(point, two), point) for point in points)[1])
    for first, second in combinations(crossings, 2):
        assert math.dist(first, second) > 0.3


@every_shape
def test_no_two_lies_look_alike(shaped: Tiles) -> None:
    drawn = set()
    for lie in shape(shaped).faces:
        image = Image.new("RGB", (4 * UNIT, 4 * UNIT))
        for segment in segments(lie):
            piece = tiles.wire(LIGHT, shaped, segment, LIGHT.free, None, UNIT, paths.is_bowed(shaped, lie))
            image.paste(piece.image, (2 * UNIT + piece.step[0], 2 * UNIT + piece.step[1]), piece.mask)
        drawn.add(image.tobytes())
    assert len(drawn) == len(shape(shaped).faces)


def test_seats_differ_by_pattern_and_not_by_colour_alone() -> None:
    plain = [
        tiles.wire(LIGHT, "hex", (1, 4), LIGHT.free, pattern, UNIT).image.convert("L")
        for pattern in (None, 0, 1, 2, 3)
    ]
    for one, two in combinations(plain, 2):
        assert ImageChops.difference(one, two).getbbox() is not None


def test_a_dash_ends_where_that_of_the_next_tile_begins() -> None:
    for pattern in range(4):
        piece = tiles.wire(LIGHT, "hex", (1, 4), LIGHT.live[pattern], pattern, UNIT).image
        mirrored = piece.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        difference = ImageChops.difference(piece, mirrored).convert("L")
        assert sum(difference.tobytes()) / (piece.width * piece.height) < 10
