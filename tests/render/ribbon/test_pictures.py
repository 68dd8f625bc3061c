from io import BytesIO
from itertools import islice
from random import Random

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.ribbon import GAME
from engines.ribbon.pieces.board import RibbonTangle
from engines.ribbon.pieces.components import COLOURS, PLACES, RibbonOptions
from engines.ribbon.view import RibbonChanges, RibbonView
from engines.words import ALT_LIMIT
from render.core.canvas import Picture, on_circle
from render.ribbon import board, hand, turn
from render.ribbon.colours import THEMES
from render.ribbon.middle import tangle_point
from render.ribbon.ring import BADGES, MIDDLE, SIZE, face_up, middle_of
from tests.often import often
from tests.render.positions import CLEAN, NAMES, TANGLED, sample_ribbon, states, view_circle
from tests.render.processes import hashes

LIGHT = THEMES["light"]

pytestmark = pytest.mark.slow
KIBIBYTE = 1024
LONG_NAMES = ("W" * 200, "👩‍👩‍👧‍👦" * 40, "\u202e山田\n" * 30)


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")


def difference(one: RibbonView, two: RibbonView) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(open_image(board(one, NAMES)), open_image(board(two, NAMES))).getbbox()


def near(
    image: Image.Image, point: tuple[float, float], colour: tuple[int, int, int], reach: int = 26
) -> bool:
    x, y = round(point[0]), round(point[1])
    colours = image.crop((x - reach, y - reach, x + reach, y + reach)).getcolors(10_000) or []
    shades = [shade for _, shade in colours if isinstance(shade, tuple)]
    return any(sum(abs(a - b) for a, b in zip(shade, colour, strict=True)) <= 12 for shade in shades)


def test_every_position_gives_a_board_of_the_right_size() -> None:
    for state in sample_ribbon(often(14, 7)):
        view = GAME.view(state, None)
        picture = board(view, NAMES)
        width, height = open_image(picture).size
        assert width == SIZE
        assert (height == SIZE) is (view.mode == "versus")
        assert height <= 1400
        assert len(picture.png) <= 150 * KIBIBYTE
        assert 0 < len(picture.alt) <= ALT_LIMIT


def test_every_hand_is_moderate_in_size() -> None:
    for state in sample_ribbon(11):
        for seat in range(state.seats):
            picture = hand(GAME.view(state, seat), seat, NAMES)
            if picture is not None:
                width, height = open_image(picture).size
                assert 700 <= width <= 1400
                assert height <= 500
                assert len(picture.png) <= 60 * KIBIBYTE
                assert len(picture.alt) <= ALT_LIMIT


def test_the_file_name_says_only_what_kind_of_picture_it_is() -> None:
    view = view_circle(CLEAN, "FLH", "OJR", viewer=0)
    held = hand(view, 0, NAMES)
    assert held is not None
    assert (board(view, NAMES).name, held.name) == ("ribbon-table.png", "ribbon-hand.png")


@pytest.mark.thorough
def test_hidden_things_change_no_byte() -> None:
    rng = Random(5)
    for state in sample_ribbon(13):
        for viewer in (None, *range(state.seats)):
            other = GAME.resample_hidden(state, viewer, rng)
            assert board(GAME.view(state, viewer), NAMES) == board(GAME.view(other, viewer), NAMES)


def test_a_players_own_hand_does_not_show_on_the_board() -> None:
    state = next(
        state for state in sample_ribbon(1) if state.phase == "arrange" and state.options.mode == "versus"
    )
    assert board(GAME.view(state, None), NAMES) == board(GAME.view(state, state.seat), NAMES)


DRAW = """
from render.ribbon import board, hand, turn
from tests.render.positions import NAMES, view_circle

def table():
    return board(view_circle("QIEGKBPMDN?A", "FLH", "OJR"), NAMES)

def team():
    return board(view_circle("QIEGKBPMDN?A", "FLH", "OJR", mode="coop"), ("\u5c71\u7530 \U0001f98a", "Bo"))

def held():
    return hand(view_circle("QIEGKBPMDN?A", "FLH", "OJR", viewer=0), 0, NAMES)

draw = [table, team, held]
"""


def test_every_process_draws_the_same_bytes_in_whatever_order() -> None:
    assert len(hashes(DRAW)) == 1


def test_a_picture_does_not_depend_on_what_was_drawn_before() -> None:
    view = view_circle(TANGLED, "FLH", "OJR")
    before = board(view, NAMES)
    for state in islice(states(3, view.options, 3), 0, None, often(5, 1)):
        board(GAME.view(state, None), LONG_NAMES)
    assert board(view, NAMES) == before


@pytest.mark.parametrize("place", range(1, PLACES + 1))
def test_a_changed_place_is_lit_up(place: int) -> None:
    view = view_circle(CLEAN, "FLH", "OJR")
    changed = msgspec.structs.replace(view, changes=RibbonChanges(flipped=place))
    badge = on_circle(MIDDLE, BADGES, middle_of(place))
    assert near(open_image(board(changed, NAMES)), badge, LIGHT.highlight)
    assert not near(open_image(board(view, NAMES)), badge, LIGHT.highlight)


def test_lighting_up_a_place_leaves_the_rest_alone() -> None:
    view = view_circle(CLEAN, "FLH", "OJR")
    box = difference(view, msgspec.structs.replace(view, changes=RibbonChanges(flipped=3)))
    assert box is not None
    assert box[0] > SIZE / 2


def test_turning_up_a_card_changes_its_place_only() -> None:
    up, down = view_circle(CLEAN, "FLH", "OJR"), view_circle("QI?EKBPMDNCA", "FLH", "OJR")
    box = difference(up, msgspec.structs.replace(down, turn=up.turn))
    assert box is not None
    assert box[0] > SIZE / 2


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("junction", [1, 6, 12])
def test_a_tangle_of_an_owned_ribbon_is_marked_red(junction: int, colour: str) -> None:
    tangle = msgspec.convert({"junction": junction, "colour": colour}, RibbonTangle)
    view = msgspec.structs.replace(view_circle(CLEAN, "FL", "HO", "JR"), tangles=(tangle,))
    image = open_image(board(view, NAMES))
    assert near(image, tangle_point(tangle), LIGHT.danger)
    assert near(image, tangle_point(tangle), LIGHT.card)


def test_a_tangle_of_nobodys_ribbon_is_not_red() -> None:
    tangle = RibbonTangle(6, "purple")
    view = msgspec.structs.replace(view_circle(CLEAN, "FLH", "OJR"), tangles=(tangle,))
    assert not near(open_image(board(view, NAMES)), tangle_point(tangle), LIGHT.danger)


def test_a_tangle_that_must_go_looks_different() -> None:
    standing = view_circle(TANGLED, "FLH", "OJR", mode="coop")
    fresh = msgspec.structs.replace(standing, standing=())
    assert difference(standing, fresh) is not None


def test_a_clean_ribbon_has_no_mark() -> None:
    image = open_image(board(view_circle(CLEAN, "FLH", "OJR"), NAMES))
    spots = [
        tangle_point(RibbonTangle(junction, colour))
        for junction in range(1, PLACES + 1)
        for colour in COLOURS
    ]
    assert not any(near(image, spot, LIGHT.danger) for spot in spots)


def test_each_card_looks_different() -> None:
    assert len({face_up(LIGHT, card, 12).image.tobytes() for card in "ABCDEFGHIJKLMNOPQR"}) == 18


def test_a_shown_card_is_on_the_board_and_a_hidden_one_is_not() -> None:
    hidden = view_circle(CLEAN, "FLH", "OJR")
    shown = view_circle(CLEAN, "FLH", "OJR", shown=[["F"], []])
    assert difference(hidden, shown) is not None


def test_a_turn_is_drawn_with_the_viewers_hand_inside_the_circle() -> None:
    options = RibbonOptions(mode="versus")
    state = next(one for one in states(2, options, 7) if GAME.view(one, 0).turn > 2)
    own, others = GAME.view(state, 0), GAME.view(state, 1)

    picture = turn(own, NAMES)
    same = msgspec.structs.replace(own, hands=(own.hands[0], others.hands[1]))

    assert open_image(picture).size == (SIZE, SIZE)
    assert picture.alt.startswith(f"{NAMES[0]} has ")
    assert picture.png != board(own, NAMES).png
    assert picture.png == turn(same, NAMES).png, "it draws nobody else's hand"


def test_whoever_has_no_hand_gets_the_table_for_a_turn() -> None:
    state = next(iter(sample_ribbon(7)))
    view = GAME.view(state, None)

    assert turn(view, NAMES) == board(view, NAMES)


def test_there_is_no_picture_of_a_hand_that_the_viewer_can_not_see() -> None:
    assert hand(view_circle(CLEAN, "FLH", "OJR"), 1, NAMES) is None
    assert hand(view_circle(CLEAN, "FLH", "OJR", viewer=0), 1, NAMES) is None


def test_a_solo_player_sees_all_hands_and_which_is_in_use() -> None:
    view = view_circle(CLEAN, "FL", "HO", "JR", mode="solo")
    first = msgspec.structs.replace(view, hand_in_use=0, next_hand=1)
    second = msgspec.structs.replace(view, hand_in_use=1, next_hand=2)
    assert open_image(hand(first, 0, NAMES)).tobytes() != open_image(hand(second, 0, NAMES)).tobytes()


def test_any_names_can_be_drawn() -> None:
    for state in sample_ribbon(often(50, 15)):
        view = GAME.view(state, None)
        assert len(board(view, LONG_NAMES).alt) <= ALT_LIMIT
        assert len(board(view, ()).png) <= 150 * KIBIBYTE
        hand(GAME.view(state, 0), 0, LONG_NAMES)
