import msgspec
import pytest
from PIL import ImageChops

from engines.game import BoardChange
from engines.ribbon import GAME
from engines.ribbon.pieces.board import RibbonTangle
from engines.ribbon.pieces.components import COLOURS, PLACES, RibbonOptions
from engines.ribbon.view import RibbonChanges, RibbonView
from render.core.canvas import on_circle
from render.ribbon import board, hand, turn
from render.ribbon.colours import THEMES
from render.ribbon.middle import tangle_point
from render.ribbon.ring import BADGES, MIDDLE, SIZE, face_up, junction_at, middle_of, spot
from tests.render.images import has_colour, open_image
from tests.render.positions import CLEAN, NAMES, TANGLED, sample, states, view_circle

LIGHT = THEMES["light"]


def difference(one: RibbonView, two: RibbonView) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(open_image(board(one, NAMES)), open_image(board(two, NAMES))).getbbox()


def test_a_players_own_hand_does_not_show_on_the_board() -> None:
    state = next(
        state for state in sample("ribbon", 1) if state.phase == "arrange" and state.options.mode == "versus"
    )
    assert board(GAME.view(state, None), NAMES) == board(GAME.view(state, state.seat), NAMES)


@pytest.mark.parametrize("place", range(1, PLACES + 1))
def test_a_changed_place_is_lit_up(place: int) -> None:
    view = view_circle(CLEAN, "FLH", "OJR")
    changed = msgspec.structs.replace(view, changes=RibbonChanges(flipped=place))
    badge = on_circle(MIDDLE, BADGES, middle_of(place))
    assert has_colour(open_image(board(changed, NAMES)), badge, LIGHT.highlight)
    assert not has_colour(open_image(board(view, NAMES)), badge, LIGHT.highlight)


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
    assert has_colour(image, tangle_point(tangle), LIGHT.danger)
    assert has_colour(image, tangle_point(tangle), LIGHT.card)


def test_a_tangle_of_nobodys_ribbon_is_not_red() -> None:
    tangle = RibbonTangle(6, "purple")
    view = msgspec.structs.replace(view_circle(CLEAN, "FLH", "OJR"), tangles=(tangle,))
    assert not has_colour(open_image(board(view, NAMES)), tangle_point(tangle), LIGHT.danger)


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
    assert not any(has_colour(image, spot, LIGHT.danger) for spot in spots)


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
    state = next(iter(sample("ribbon", 7)))
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


def view_with(*news: BoardChange) -> RibbonView:
    view = view_circle(CLEAN, "FLH", "OJR", viewer=0)
    return msgspec.structs.replace(view, ribbons=("green", "orange"), news=news)


def test_a_swap_is_an_arrow_between_two_numbers_in_the_colour_of_its_seat() -> None:
    between = on_circle(MIDDLE, BADGES, junction_at(4))

    swapped = board(view_with(BoardChange("4", "swapped", 1, start="5")), NAMES)

    assert has_colour(open_image(swapped), between, LIGHT.orange.plain, 16)
    assert not has_colour(open_image(board(view_with(), NAMES)), between, LIGHT.orange.plain, 16)


def test_an_exchange_is_a_pair_of_arrows_at_the_edge_of_the_middle() -> None:
    edge = spot(7, 162, 214)

    exchanged = board(view_with(BoardChange("7", "exchanged", 0)), NAMES)

    assert has_colour(open_image(exchanged), edge, LIGHT.green.plain, 16)
    assert not has_colour(open_image(board(view_with(), NAMES)), edge, LIGHT.green.plain, 16)


def test_a_flipped_card_has_the_emblem_of_its_seat() -> None:
    corner = spot(9, 34, 206)

    flipped = [open_image(board(view_with(BoardChange("9", "flipped", seat)), NAMES)) for seat in (0, 1)]

    assert has_colour(flipped[1], corner, LIGHT.orange.plain, 16)
    assert not has_colour(flipped[0], corner, LIGHT.orange.plain, 16)


def test_a_players_own_ribbon_is_bolder_in_their_panel() -> None:
    own = view_with()
    other = msgspec.structs.replace(own, ribbons=("orange", "green"))

    assert turn(own, NAMES).png != turn(other, NAMES).png
