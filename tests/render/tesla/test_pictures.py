import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.game import BoardChange, Outcome
from engines.tesla import GAME
from engines.tesla import preview as engine_preview
from engines.tesla.pieces.board import TeslaBoard, circuit_name, neighbours
from engines.tesla.pieces.components import Tiles, segments, shape
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaChanges, TeslaView
from engines.tesla.words import captions, event_lines, previews
from engines.tesla.words.board import describe_picture
from engines.words import ALT_LIMIT
from render.core.canvas import Box, Picture, Point
from render.tesla import (
    HIGHEST,
    MARGIN,
    WIDTH,
    board,
    choices,
    hand,
    paths,
    preview,
    scene,
    scoreboard,
    tags,
    tiles,
    turn,
    whole_preview,
)
from render.tesla.colours import THEMES
from render.tesla.scene import BoardScene
from tests.engines.tesla.arrange import arrange, line, ring, run
from tests.render.images import KIBIBYTE, count_pixels, open_image
from tests.render.positions import crowd_board

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee")


def difference(one: TeslaView, two: TeslaView) -> Box | None:
    return ImageChops.difference(open_image(board(one, NAMES)), open_image(board(two, NAMES))).getbbox()


def gold(picture: Picture) -> int:
    """Count the pixels in the colour that marks what is new."""
    return count_pixels(picture, LIGHT.latest)


def bare(result: TeslaBoard, changes: TeslaChanges | None = None) -> tuple[BoardScene, Box]:
    """Return a bare board and its box, as in a panel's pictures."""
    shown = scene.area(result)
    unit = scene.unit_for(shown, WIDTH - 2 * MARGIN, HIGHEST)
    room = (MARGIN, MARGIN, WIDTH - MARGIN, MARGIN + shown.height * unit)
    laid, styles, labels = scene.lay_out(shown, unit, room), scene.live(LIGHT, result), scene.lengths(result)
    return BoardScene(result, laid, shown, styles, labels, changes or TeslaChanges()), room


def closing() -> TeslaState:
    """Return a ring of six with two markers, just closed. Their owner closed it: markers may be replayed."""
    lies = ring()
    last = next(reversed(lies))
    marked = {cell: (0, lie) for cell, lie in list(lies.items())[:2]}
    first = {cell: lie for cell, lie in lies.items() if cell != last}
    state = arrange(first, marked, hands=[["02"], []])
    run(state, f"place {last} {lies[last]}")
    return state


@pytest.mark.parametrize("shaped", ["hex", "square"])
@pytest.mark.parametrize(("count", "smallest"), [(5, 60), (30, 42), (60, 30), (120, 24)])
def test_tiles_are_as_large_as_there_is_room(count: int, smallest: int, shaped: Tiles) -> None:
    state = crowd_board(count, 4, shaped)
    drawn, room = bare(state.board)
    assert smallest <= drawn.grid.unit <= max(scene.UNITS)
    for x, y in drawn.grid.centres.values():
        assert room[0] < x < room[2]
        assert room[1] < y < room[3]


def test_every_cell_that_can_be_named_is_shown_and_a_long_row_still_fits() -> None:
    for state in (crowd_board(40, 2, "hex"), crowd_board(40, 3, "square")):
        shown = scene.area(state.board)
        around = {near for cell in state.board.tiles for near in neighbours(state.options.tiles, cell)} - set(
            state.board.tiles
        )
        assert set(shown.empty) == around
        assert set(shown.cells) == around | set(state.board.tiles)
    state = arrange(line(60))
    picture = board(GAME.view(state, None), NAMES)
    assert open_image(picture).size[0] == WIDTH


def apart(one: Box, two: Box) -> bool:
    return one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


def away(box: Box, point: Point) -> float:
    x, y = point
    return math.hypot(max(box[0] - x, x - box[2], 0), max(box[1] - y, y - box[3], 0))


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("count", [12, 40, 80, 120])
def test_no_tag_covers_another_or_a_marker(count: int, seats: int) -> None:
    state = crowd_board(count, seats, seed=count)
    drawn, room = bare(state.board)
    boxes = [placed.box for placed in drawn.place_tags(room)]
    radius = tags.token_radius(drawn.grid.unit)
    assert len(boxes) == sum(bool(circuit.markers) for circuit in state.board.circuits.values())
    for number, box in enumerate(boxes):
        assert all(apart(box, other) for other in boxes[number + 1 :])
        assert all(away(box, drawn.token_at(cell)) >= radius for cell in state.board.markers)
        assert room[0] <= box[0]
        assert box[2] <= room[2]


def test_new_tiles_are_outlined_and_marked_or_taken_cells_alter_their_part() -> None:
    view = GAME.view(arrange(line(3) | {"Z51": "23"}), None)
    plain, one, two = (
        msgspec.structs.replace(view, seat=1, changes=TeslaChanges(placed=placed))
        for placed in ((), ("Z51",), ("Z51", "AA50"))
    )
    assert gold(board(plain, NAMES)) < gold(board(one, NAMES)) < gold(board(two, NAMES))
    view = GAME.view(arrange(line(3), {"Z50": (1, "14")}), None)
    marked = msgspec.structs.replace(view, changes=TeslaChanges(marked=("Z50",)))
    box = difference(view, marked)
    assert box is not None
    assert box[2] - box[0] < 120
    assert box[3] - box[1] < 120
    view = GAME.view(arrange(line(3)), None)
    assert difference(view, msgspec.structs.replace(view, changes=TeslaChanges(taken=("Z50",)))) is not None


def test_each_seats_circuit_looks_different_and_a_ring_shines_most() -> None:
    drawn = set()
    for seat in range(4):
        state = arrange(line(3), {"Z50": (seat, "14")}, scores=(0, 0, 0, 0))
        drawn.add(board(GAME.view(state, None), NAMES).png)
    assert len(drawn) == 4
    closed = arrange(ring(), {"AA50": (0, ring()["AA50"])}).board
    open_ = arrange({cell: lie for cell, lie in ring().items() if cell != "Z49"}).board
    (ring_style,) = scene.live(LIGHT, closed).values()
    (open_style,) = scene.live(LIGHT, open_).values()
    assert ring_style.glow > scene.GLOW > open_style.glow


def test_a_hand_is_shown_large_and_numbered_and_an_empty_one_never() -> None:
    state = arrange(hands=[["01", "03-14-25", "02", "02"], []])
    picture = hand(GAME.view(state, 0), 0, NAMES)
    assert open_image(picture).size == (scoreboard.LARGE_WIDTH, scoreboard.LARGE_HEIGHT)
    assert picture is not None
    assert len(picture.png) <= 60 * KIBIBYTE
    assert (
        "Tile 2 has 3 wires: upper right to lower left, right to left and lower right to upper left."
        in picture.alt
    )
    assert hand(GAME.view(arrange(hands=[["01"], []]), 1), 1, NAMES) is None


def test_a_turn_shows_the_board_with_any_hand_below() -> None:
    state = arrange(line(3), hands=[["01", "02"], []])
    view = GAME.view(state, 0)
    above, below = open_image(board(view, NAMES)), open_image(turn(view, NAMES))
    assert below.size == (above.width, above.height + scoreboard.STRIP_HEIGHT)
    assert ImageChops.difference(above, below.crop((0, 0, *above.size))).getbbox() is None
    view = GAME.view(arrange(line(3)), 0)
    assert turn(view, NAMES) == board(view, NAMES)


def test_a_preview_shows_what_would_be_and_which_tile_it_is() -> None:
    state = arrange(line(3), {"Z50": (0, "14")}, hands=[["01", "03"], []])
    view = GAME.view(state, 0)
    result = next(fit for fit in engine_preview.fits(view, "03") if fit.move.cell == "AC50")
    picture = preview(view, NAMES, result, 2)
    assert picture.alt.startswith("Preview. Placing the tile at AC50. It has 1 wire: right to left.")
    assert "Ann's circuit A is 4 long, with a marker at Z50." in picture.alt
    assert picture.png != preview(view, NAMES, result, 1).png


def test_a_whole_preview_shows_the_board_that_a_preview_crops(monkeypatch: pytest.MonkeyPatch) -> None:
    view = GAME.view(arrange(line(12), hands=[["03"], []]), 0)
    tried = engine_preview.fits(view, "03")[0]
    drawn: list[BoardScene] = []
    monkeypatch.setattr(BoardScene, "draw", lambda shown, canvas, room: drawn.append(shown))

    preview(view, NAMES, tried, 1)
    whole_preview(view, NAMES, tried, 1)

    part, whole = (set(shown.board.tiles) for shown in drawn)
    assert part < whole == {*view.board.tiles, tried.move.cell}


def test_a_preview_writes_the_letter_of_every_circuit_that_is_named(text_sizes: dict[str, int]) -> None:
    view = GAME.view(arrange(line(3), hands=[["03"], []]), 0)
    longer = next(fit for fit in engine_preview.fits(view, "03") if fit.move.cell == "AC50")

    preview(view, NAMES, longer, 1)

    assert previews.effect(view, engine_preview.move_preview(view, longer.move), NAMES) == "free A grows to 4"
    assert {"A", "4"} <= set(text_sizes)


def test_a_preview_tags_the_circuit_of_its_button_even_far_away(
    text_sizes: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = GAME.view(arrange(line(12), hands=[["03"], []]), 0)
    fit = min(engine_preview.fits(view, "03"), key=lambda one: one.move.cell)
    after = engine_preview.move_preview(view, fit.move).view.board
    beside = set(after.tiles[fit.move.cell].circuits)
    far = next(circuit for circuit in sorted(after.circuits) if circuit not in beside)
    drawn: list[BoardScene] = []
    draw = BoardScene.draw

    def note_and_draw(shown: BoardScene, *where: Any) -> None:
        drawn.append(shown)
        draw(shown, *where)

    monkeypatch.setattr(BoardScene, "draw", note_and_draw)

    preview(view, NAMES, fit, 1)
    preview(view, NAMES, fit, 1, (far,))
    turn(view, NAMES, (far,))

    assert [far in shown.labels for shown in drawn] == [False, True, True]
    assert circuit_name(far) in text_sizes
    assert all(far in circuits_of(shown) for shown in drawn[1:])


def circuits_of(shown: BoardScene) -> set[int]:
    return {circuit for tile in shown.board.tiles.values() for circuit in tile.circuits}


def test_a_preview_keeps_its_frame_and_neither_tags_nor_tells_a_circuit_that_it_removes() -> None:
    state = arrange(ring(), hands=[["01", "03"], []])
    view = GAME.view(state, 0)
    sizes = {open_image(preview(view, NAMES, fit, 1)).size[0] for fit in engine_preview.fits(view, "01")[:4]}
    assert sizes == {WIDTH}
    view = GAME.view(arrange(line(12), hands=[["03"], []]), 0)
    fit = engine_preview.fits(view, "03")[0]
    gone = max(engine_preview.move_preview(view, fit.move).view.board.circuits) + 1

    assert preview(view, NAMES, fit, 1, (gone,)) == preview(view, NAMES, fit, 1)
    assert describe_picture("preview", view, NAMES, (fit, 1, (gone,))) == describe_picture(
        "preview", view, NAMES, (fit, 1)
    )


def test_choices_tag_what_may_be_chosen_and_may_be_none() -> None:
    state = arrange(ring() | line(2, "AC50"), {"AC50": (0, "14")})
    view = GAME.view(state, 0)
    sites = engine_preview.sites(view)
    picture = choices(view, NAMES, sites)
    assert "Circuit" in picture.alt
    assert "ring A" in picture.alt
    assert "12 points" in picture.alt
    assert picture.png != choices(view, NAMES, sites[:1]).png
    assert choices(GAME.view(arrange(), 0), NAMES, []).alt == "No circuit to choose."


def phases() -> Sequence[TeslaState]:
    laying = arrange(line(3), hands=[["01"], []])
    ending = arrange(line(3), hands=[["01"], []])
    run(ending, "mark Z50 14")
    over = arrange(line(3), scores=(0, 49), seat=1, markers={"Z50": (1, "14")})
    run(over, "take Z50")
    return laying, closing(), ending, over


def test_every_phase_can_be_drawn() -> None:
    drawn = {state.phase: board(GAME.view(state, None), NAMES) for state in phases()}
    assert set(drawn) == {"tiles", "replay", "end", "over"}
    assert len({picture.png for picture in drawn.values()}) == 4
    assert "can put markers back" in drawn["replay"].alt
    assert "must end" in drawn["end"].alt
    assert drawn["over"].alt.startswith("Bo wins, because they reached the winning score.")


def test_of_many_circuits_to_choose_from_the_least_have_their_letter_alone() -> None:
    state = crowd_board(60, seed=2)
    sites = engine_preview.sites(GAME.view(state, state.seat))
    offers = scene.offers(state.board, sites)
    numbers = [int(text) for text in offers.values() if text]
    assert len(offers) == len(sites) > len(numbers) == tags.CROWDED_ABOVE
    mine = {site.circuit for site in sites if site.mine}
    assert all(offers[circuit] for circuit in mine)
    silent = [state.board.circuits[circuit].value for circuit, text in offers.items() if not text]
    assert max(silent) <= max(numbers)


def view_with(*news: BoardChange) -> TeslaView:
    view = view_circuit()
    placed = tuple(one.place for one in news if one.kind == "placed")
    return msgspec.structs.replace(view, news=news, changes=TeslaChanges(placed=placed))


def first_cell() -> str:
    return next(iter(view_circuit().board.tiles))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_new_tile_is_ringed_in_the_colour_of_its_seat(seat: int) -> None:
    ringed = board(view_with(BoardChange(first_cell(), "placed", seat)), NAMES)

    colour = LIGHT.seats[seat]
    assert count_pixels(ringed, colour) > count_pixels(board(view_with(), NAMES), colour)


def test_points_are_written_where_they_were_made_own_circuits_shine_and_bars_stay() -> None:
    plain = board(view_with(), NAMES)
    made = [BoardChange(first_cell(), "points 0", 0, points=points) for points in (14, 15)]

    pictures = {board(view_with(one), NAMES).png for one in made}

    assert len(pictures | {plain.png}) == 3

    view = view_circuit()
    hands = tuple(("02-35",) for _ in range(view.seats))
    looks = [msgspec.structs.replace(view, viewer=seat, hands=hands) for seat in range(2)]

    assert turn(looks[0], NAMES).png != turn(looks[1], NAMES).png

    view = msgspec.structs.replace(view_circuit(), scores=[5, -3], out=[1], places=[None, 2])
    lower = msgspec.structs.replace(view, scores=[5, -30])

    blue = LIGHT.seats[0]
    assert count_pixels(board(view, NAMES), blue) == count_pixels(board(lower, NAMES), blue)


def view_circuit(seats: int = 2) -> TeslaView:
    """Return a circuit of four with two markers of seat 2. It is seat 1's turn."""
    state = arrange(line(4), {"Z50": (1, "14"), "AA50": (1, "14")}, scores=(3, -8, 0, 0)[:seats])
    return GAME.view(state, None)


def end_game(how: str, *places: int, out: tuple[int, ...] = ()) -> TeslaView:
    view = view_circuit(len(places))
    return msgspec.structs.replace(
        view, phase="over", out=out, outcome=Outcome(how, places, tuple(view.scores))
    )


def test_it_says_what_wins_whose_turn_it_is_scores_and_circuits() -> None:
    alt = board(view_circuit(), NAMES).alt
    assert alt.startswith(
        "It's Ann's turn. First to 50 points wins. Anyone 50 points behind is out (now at −47 or less)."
    )
    assert "Turn 3" not in alt
    assert " Ann has 3 points, 10 markers and 0 tiles." in alt
    assert "Bo has −8 points, 8 markers and 0 tiles." in alt
    assert "Bo's circuit A is 4 long, with markers at Z50 and AA50." in alt


def test_it_calls_a_ring_a_ring_and_names_circuits_worth_most_first() -> None:
    view = GAME.view(arrange(ring(), {"AA49": (0, ring()["AA49"])}), None)
    assert "Ann's ring A is 6 long, with a marker at AA49." in board(view, NAMES).alt
    lies = line(4) | line(2, "Z53")
    view = GAME.view(arrange(lies, {"Z50": (1, "14"), "Z53": (0, "14")}), None)
    alt = board(view, NAMES).alt
    assert alt.index("is 4 long") < alt.index("is 2 long")


def test_it_says_what_changed_last() -> None:
    changes = {"placed": ("AA50", "AB50"), "marked": ("Z50",), "taken": ("AC50",)}
    view = msgspec.structs.replace(
        view_circuit(), changes=msgspec.convert(changes, type(view_circuit().changes))
    )
    alt = board(view, NAMES).alt
    assert "New tiles at AA50 and AB50. New marker at Z50. Returned marker at AC50." in alt


def test_the_fullest_board_with_the_longest_names_is_told_within_the_limit() -> None:
    view = GAME.view(crowd_board(120, 4), None)
    alt = board(view, ["A name of thirty-two letters, all"] * 4).alt
    assert len(alt) <= ALT_LIMIT
    assert "120 tiles on the board" in alt


def test_a_hand_is_told_by_the_sides_that_its_wires_join_square_ones_too() -> None:
    picture = hand(GAME.view(arrange(hands=[["01-25"], []]), 0), 0, NAMES)
    assert picture is not None
    assert (
        picture.alt == "Ann's tiles. Tile 1 has 2 wires: upper right to right and lower right to upper left."
    )
    state = arrange(hands=[["01-23"], []], shaped="square")
    picture = hand(GAME.view(state, 0), 0, NAMES)
    assert picture is not None
    assert "Tile 1 has 2 wires: top to right and bottom to left." in picture.alt


def test_every_ending_has_its_headline_whatever_the_name() -> None:
    assert captions.title(end_game("points", 2, 1), NAMES) == "Bo wins"
    assert captions.title(end_game("exhausted", 1, 1, 3), NAMES) == "A tie"
    assert captions.title(msgspec.structs.replace(view_circuit(), phase="over"), NAMES) == "Called off"
    assert captions.aims(msgspec.structs.replace(view_circuit(), phase="over")) == ""
    assert captions.aims(end_game("points", 2, 1)) == "someone reached the winning score"
    assert captions.aims(end_game("survivor", 2, 1)) == "only one player was left"
    assert (
        captions.title(end_game("points", 1, 2), ["A name that goes on and on"]) == "A name that goes… wins"
    )


def test_a_game_without_progress_says_how_it_ended() -> None:
    idle = end_game("exhausted", 1, 1)
    long = msgspec.structs.replace(idle, turns=[100] * idle.seats)

    assert "because nobody placed a tile or used a marker for 2 turns." in event_lines.result(idle, NAMES)
    assert "because everyone has had 100 turns." in event_lines.result(long, NAMES)


def test_each_seat_is_told_its_place_at_the_end_and_that_it_is_out() -> None:
    view = end_game("survivor", 1, 3, 2, out=(1, 2))
    assert [captions.status(view, seat).short for seat in range(3)] == ["1st", "out, 3rd", "out, 2nd"]
    view = msgspec.structs.replace(view_circuit(3), out=(2,))
    assert [captions.status(view, seat).short for seat in range(3)] == ["to move", "", "out"]


def test_an_eliminated_seat_no_longer_leads_and_choices_say_what_they_cost_or_gain() -> None:
    view = msgspec.structs.replace(view_circuit(3), scores=(3, 40, 0), out=(1,))
    assert view.leader == 3
    assert "(now at −47 or less)" in captions.describe_board(view, NAMES)
    state = arrange(line(4), {"Z50": (0, "14")})
    alt = captions.describe_choices(GAME.view(state, 0), engine_preview.sites(GAME.view(state, 0)))
    assert "Each marker on circuit A is worth 4 points. You have 1 marker there" in alt


UNIT = 60
every_shape = pytest.mark.parametrize("shaped", ["hex", "square"])


@every_shape
def test_a_wire_joins_the_middles_of_sides_at_right_angles_on_its_tile(shaped: Tiles) -> None:
    for lie in shape(shaped).faces:
        for (one, two), way in zip(segments(lie), paths.wires(shaped, lie), strict=True):
            assert math.dist(way[0], paths.middle_of(shaped, one)) < 1e-6
            assert math.dist(way[-1], paths.middle_of(shaped, two)) < 1e-6
            assert all(math.hypot(x, y) <= paths.APOTHEM + 1e-6 for x, y in way)
            for end, near in ((way[0], way[1]), (way[-1], way[-2])):
                along = math.atan2(end[1] - near[1], end[0] - near[0])
                outwards = math.atan2(end[1], end[0])
                assert abs(math.sin(along - outwards)) < 0.06


@every_shape
def test_wires_of_touching_tiles_meet_and_a_marker_lies_on_its_own_alone(shaped: Tiles) -> None:
    for side in range(shape(shaped).sides):
        x, y = paths.middle_of(shaped, side)
        back = paths.middle_of(shaped, shape(shaped).opposite(side))
        assert math.dist(back, (-x, -y)) < 1e-6
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


def test_seats_differ_by_pattern_whose_dashes_go_on_from_tile_to_tile() -> None:
    plain = [
        tiles.wire(LIGHT, "hex", (1, 4), LIGHT.free, pattern, UNIT).image.convert("L")
        for pattern in (None, 0, 1, 2, 3)
    ]
    for one, two in combinations(plain, 2):
        assert ImageChops.difference(one, two).getbbox() is not None
    for pattern in range(4):
        piece = tiles.wire(LIGHT, "hex", (1, 4), LIGHT.live[pattern], pattern, UNIT).image
        mirrored = piece.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        difference = ImageChops.difference(piece, mirrored).convert("L")
        assert sum(difference.tobytes()) / (piece.width * piece.height) < 10
