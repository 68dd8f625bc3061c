import math
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from PIL import ImageChops

from engines.game import BoardChange
from engines.tesla import GAME
from engines.tesla import preview as engine_preview
from engines.tesla.pieces.board import TeslaBoard, circuit_name, neighbours
from engines.tesla.pieces.components import Tiles
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaChanges, TeslaView
from engines.tesla.words import previews
from engines.tesla.words.board import describe_picture
from render.core.canvas import Box, Picture, Point
from render.tesla import (
    HIGHEST,
    MARGIN,
    WIDTH,
    board,
    choices,
    hand,
    preview,
    scene,
    scoreboard,
    tags,
    turn,
    whole_preview,
)
from render.tesla.colours import THEMES
from render.tesla.scene import BoardScene
from tests.engines.tesla.arrange import arrange, line, ring, run
from tests.render.images import KIBIBYTE, count_pixels, open_image
from tests.render.positions import crowd_board
from tests.render.tesla.test_words import view_circuit

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


def test_a_board_in_one_long_row_still_fits() -> None:
    state = arrange(line(60))
    picture = board(GAME.view(state, None), NAMES)
    assert open_image(picture).size[0] == WIDTH


def test_every_cell_that_can_be_named_is_shown() -> None:
    for state in (crowd_board(40, 2, "hex"), crowd_board(40, 3, "square")):
        shown = scene.area(state.board)
        around = {near for cell in state.board.tiles for near in neighbours(state.options.tiles, cell)} - set(
            state.board.tiles
        )
        assert set(shown.empty) == around
        assert set(shown.cells) == around | set(state.board.tiles)


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


def test_a_tile_placed_last_is_outlined_and_several_are_numbered() -> None:
    view = GAME.view(arrange(line(3) | {"Z51": "23"}), None)
    plain, one, two = (
        msgspec.structs.replace(view, seat=1, changes=TeslaChanges(placed=placed))
        for placed in ((), ("Z51",), ("Z51", "AA50"))
    )
    assert gold(board(plain, NAMES)) < gold(board(one, NAMES)) < gold(board(two, NAMES))


def test_the_latest_change_alters_only_its_part_of_the_board() -> None:
    view = GAME.view(arrange(line(3), {"Z50": (1, "14")}), None)
    marked = msgspec.structs.replace(view, changes=TeslaChanges(marked=("Z50",)))
    box = difference(view, marked)
    assert box is not None
    assert box[2] - box[0] < 120
    assert box[3] - box[1] < 120


def test_a_marker_that_was_taken_leaves_a_ring() -> None:
    view = GAME.view(arrange(line(3)), None)
    assert difference(view, msgspec.structs.replace(view, changes=TeslaChanges(taken=("Z50",)))) is not None


def test_each_seats_circuit_looks_different() -> None:
    drawn = set()
    for seat in range(4):
        state = arrange(line(3), {"Z50": (seat, "14")}, scores=(0, 0, 0, 0))
        drawn.add(board(GAME.view(state, None), NAMES).png)
    assert len(drawn) == 4


def test_a_ring_shines_more_than_an_open_circuit() -> None:
    closed = arrange(ring(), {"AA50": (0, ring()["AA50"])}).board
    open_ = arrange({cell: lie for cell, lie in ring().items() if cell != "Z49"}).board
    (ring_style,) = scene.live(LIGHT, closed).values()
    (open_style,) = scene.live(LIGHT, open_).values()
    assert ring_style.glow > scene.GLOW > open_style.glow


def test_a_hand_is_shown_large_and_numbered() -> None:
    state = arrange(hands=[["01", "03-14-25", "02", "02"], []])
    picture = hand(GAME.view(state, 0), 0, NAMES)
    assert open_image(picture).size == (scoreboard.LARGE_WIDTH, scoreboard.LARGE_HEIGHT)
    assert picture is not None
    assert len(picture.png) <= 60 * KIBIBYTE
    assert (
        "Tile 2 has 3 wires: upper right to lower left; right to left; lower right to upper left."
        in picture.alt
    )


def test_there_is_no_picture_of_an_empty_hand() -> None:
    assert hand(GAME.view(arrange(hands=[["01"], []]), 1), 1, NAMES) is None


def test_a_turn_shows_the_board_with_the_hand_below() -> None:
    state = arrange(line(3), hands=[["01", "02"], []])
    view = GAME.view(state, 0)
    above, below = open_image(board(view, NAMES)), open_image(turn(view, NAMES))
    assert below.size == (above.width, above.height + scoreboard.STRIP_HEIGHT)
    assert ImageChops.difference(above, below.crop((0, 0, *above.size))).getbbox() is None


def test_a_turn_without_tiles_is_the_board() -> None:
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

    assert (
        previews.effect(view, engine_preview.move_preview(view, longer.move), NAMES)
        == "nobody's A grows to 4"
    )
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


def test_a_circuit_that_a_placement_removes_is_neither_tagged_nor_told() -> None:
    view = GAME.view(arrange(line(12), hands=[["03"], []]), 0)
    fit = engine_preview.fits(view, "03")[0]
    gone = max(engine_preview.move_preview(view, fit.move).view.board.circuits) + 1

    assert preview(view, NAMES, fit, 1, (gone,)) == preview(view, NAMES, fit, 1)
    assert describe_picture("preview", view, NAMES, (fit, 1, (gone,))) == describe_picture(
        "preview", view, NAMES, (fit, 1)
    )


def circuits_of(shown: BoardScene) -> set[int]:
    return {circuit for tile in shown.board.tiles.values() for circuit in tile.circuits}


def test_a_preview_keeps_its_frame_when_a_tile_is_tried_elsewhere_inside() -> None:
    state = arrange(ring(), hands=[["01", "03"], []])
    view = GAME.view(state, 0)
    sizes = {open_image(preview(view, NAMES, fit, 1)).size[0] for fit in engine_preview.fits(view, "01")[:4]}
    assert sizes == {WIDTH}


def test_choices_tag_what_may_be_chosen_with_its_value() -> None:
    state = arrange(ring() | line(2, "AC50"), {"AC50": (0, "14")})
    view = GAME.view(state, 0)
    sites = engine_preview.sites(view)
    picture = choices(view, NAMES, sites)
    assert "Circuit" in picture.alt
    assert "ring A" in picture.alt
    assert "12 points" in picture.alt
    assert picture.png != choices(view, NAMES, sites[:1]).png


def test_no_circuit_to_choose_can_be_drawn() -> None:
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
    assert drawn["over"].alt.startswith("Bo wins, because someone reached the winning score.")


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


def test_points_are_written_where_they_were_made() -> None:
    plain = board(view_with(), NAMES)
    made = [BoardChange(first_cell(), "points 0", 0, points=points) for points in (14, 15)]

    pictures = {board(view_with(one), NAMES).png for one in made}

    assert len(pictures | {plain.png}) == 3


def test_a_players_own_circuits_shine_in_their_panel() -> None:
    view = view_circuit()
    hands = tuple(("02-35",) for _ in range(view.seats))
    looks = [msgspec.structs.replace(view, viewer=seat, hands=hands) for seat in range(2)]

    assert turn(looks[0], NAMES).png != turn(looks[1], NAMES).png


def test_a_seat_that_is_out_moves_no_bar_of_the_others() -> None:
    view = msgspec.structs.replace(view_circuit(), scores=[5, -3], out=[1], places=[None, 2])
    lower = msgspec.structs.replace(view, scores=[5, -30])

    blue = LIGHT.seats[0]
    assert count_pixels(board(view, NAMES), blue) == count_pixels(board(lower, NAMES), blue)
