import math
from itertools import combinations

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.game import Outcome
from engines.tesla import GAME, preview
from engines.tesla.pieces.components import Tiles, segments, shape
from engines.tesla.view import TeslaView
from engines.tesla.words import captions, event_lines
from engines.words import ALT_LIMIT
from render.tesla import board, hand, paths, tiles
from render.tesla.colours import THEMES
from tests.engines.tesla.arrange import arrange, line, ring
from tests.render.positions import crowd_board

NAMES = ("Ann", "Bo", "Cy", "Dee")


def view_circuit(seats: int = 2) -> TeslaView:
    """Return a circuit of four with two markers of seat 2. It is seat 1's turn."""
    state = arrange(line(4), {"Z50": (1, "14"), "AA50": (1, "14")}, scores=(3, -8, 0, 0)[:seats])
    return GAME.view(state, None)


def end_game(how: str, *places: int, out: tuple[int, ...] = ()) -> TeslaView:
    view = view_circuit(len(places))
    return msgspec.structs.replace(
        view, phase="over", out=out, outcome=Outcome(how, places, tuple(view.scores))
    )


def test_it_says_what_wins_and_whose_turn_it_is_and_not_which() -> None:
    alt = board(view_circuit(), NAMES).alt
    assert alt.startswith("It's Ann's turn. First to 50 points wins. 50 behind the leader is out (now −47).")
    assert "Turn 3" not in alt
    assert "Ann must move. Ann has 3 points, 10 markers and 0 tiles." in alt


def test_it_says_scores_and_what_each_seat_holds() -> None:
    assert "Bo has −8 points, 8 markers and 0 tiles." in board(view_circuit(), NAMES).alt


def test_it_says_circuits_with_their_length_markers_and_owner() -> None:
    assert "Bo's circuit A is 4 long, with markers at Z50 and AA50." in board(view_circuit(), NAMES).alt


def test_it_calls_a_ring_a_ring() -> None:
    view = GAME.view(arrange(ring(), {"AA49": (0, ring()["AA49"])}), None)
    assert "Ann's ring A is 6 long, with a marker at AA49." in board(view, NAMES).alt


def test_it_says_what_changed_last() -> None:
    changes = {"placed": ("AA50", "AB50"), "marked": ("Z50",), "taken": ("AC50",)}
    view = msgspec.structs.replace(
        view_circuit(), changes=msgspec.convert(changes, type(view_circuit().changes))
    )
    alt = board(view, NAMES).alt
    assert "New tile at AA50 and AB50. New marker at Z50. Marker taken back at AC50." in alt


def test_the_circuits_worth_most_come_first() -> None:
    lies = line(4) | line(2, "Z53")
    view = GAME.view(arrange(lies, {"Z50": (1, "14"), "Z53": (0, "14")}), None)
    alt = board(view, NAMES).alt
    assert alt.index("is 4 long") < alt.index("is 2 long")


def test_the_fullest_board_with_the_longest_names_is_told_within_the_limit() -> None:
    view = GAME.view(crowd_board(120, 4), None)
    alt = board(view, ["A name of thirty-two letters, all"] * 4).alt
    assert len(alt) <= ALT_LIMIT
    assert "120 tiles on the board" in alt


def test_a_hand_is_told_by_the_sides_that_its_wires_join() -> None:
    picture = hand(GAME.view(arrange(hands=[["01-25"], []]), 0), 0, NAMES)
    assert picture is not None
    assert picture.alt == "Ann's tiles. Tile 1 has 2 wires: upper right to right; lower right to upper left."


def test_square_tiles_have_sides_of_their_own() -> None:
    state = arrange(hands=[["01-23"], []], shaped="square")
    picture = hand(GAME.view(state, 0), 0, NAMES)
    assert picture is not None
    assert "Tile 1 has 2 wires: top to right; bottom to left." in picture.alt


def test_every_ending_has_its_headline() -> None:
    assert captions.title(end_game("points", 2, 1), NAMES) == "Bo wins"
    assert captions.title(end_game("exhausted", 1, 1, 3), NAMES) == "A tie"
    assert captions.title(msgspec.structs.replace(view_circuit(), phase="over"), NAMES) == "Called off"
    assert captions.aims(msgspec.structs.replace(view_circuit(), phase="over")) == ""
    assert captions.aims(end_game("points", 2, 1)) == "someone reached the winning score"
    assert captions.aims(end_game("survivor", 2, 1)) == "one player was left"


def test_a_game_without_progress_says_how_it_ended() -> None:
    idle = end_game("exhausted", 1, 1)
    long = msgspec.structs.replace(idle, turns=[100] * idle.seats)

    assert "because nobody placed a tile or used a marker for 2 turns." in event_lines.result(idle, NAMES)
    assert "because everyone has had 100 turns." in event_lines.result(long, NAMES)


def test_a_long_name_leaves_room_for_the_win() -> None:
    assert (
        captions.title(end_game("points", 1, 2), ["A name that goes on and on"]) == "A name that goes… wins"
    )


def test_each_seat_is_told_where_it_stands_at_the_end() -> None:
    view = end_game("survivor", 1, 3, 2, out=(1, 2))
    assert [captions.status(view, seat).short for seat in range(3)] == ["1st", "out, 3rd", "out, 2nd"]


def test_a_seat_that_is_out_says_so_and_who_waits_says_nothing() -> None:
    view = msgspec.structs.replace(view_circuit(3), out=(2,))
    assert [captions.status(view, seat).short for seat in range(3)] == ["to move", "", "out"]


def test_an_eliminated_seat_no_longer_leads() -> None:
    view = msgspec.structs.replace(view_circuit(3), scores=(3, 40, 0), out=(1,))
    assert view.leader == 3
    assert "(now −47)" in captions.describe_board(view, NAMES)


def test_choices_say_what_each_circuit_costs_or_gains() -> None:
    state = arrange(line(4), {"Z50": (0, "14")})
    alt = captions.describe_choices(GAME.view(state, 0), preview.sites(GAME.view(state, 0)))
    assert "Each marker on circuit A is worth 4 points. You have 1 marker there" in alt


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
