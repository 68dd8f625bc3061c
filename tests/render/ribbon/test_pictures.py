import msgspec
import pytest
from PIL import ImageChops

from engines.game import BoardChange, Outcome
from engines.ribbon import GAME
from engines.ribbon.pieces.board import RibbonTangle, parse, tangles
from engines.ribbon.pieces.components import COLOURS, PLACES, RibbonOptions
from engines.ribbon.view import RibbonChanges, RibbonView
from engines.ribbon.words import board as words
from engines.ribbon.words.captions import status, title, to_do
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


def test_to_light_a_place_or_turn_up_its_card_changes_nothing_else() -> None:
    view = view_circle(CLEAN, "FLH", "OJR")
    box = difference(view, msgspec.structs.replace(view, changes=RibbonChanges(flipped=3)))
    assert box is not None
    assert box[0] > SIZE / 2
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


def test_a_clean_ribbon_has_no_mark_and_nobodys_tangle_is_not_red() -> None:
    image = open_image(board(view_circle(CLEAN, "FLH", "OJR"), NAMES))
    spots = [
        tangle_point(RibbonTangle(junction, colour))
        for junction in range(1, PLACES + 1)
        for colour in COLOURS
    ]
    assert not any(has_colour(image, spot, LIGHT.danger) for spot in spots)
    tangle = RibbonTangle(6, "purple")
    view = msgspec.structs.replace(view_circle(CLEAN, "FLH", "OJR"), tangles=(tangle,))
    assert not has_colour(open_image(board(view, NAMES)), tangle_point(tangle), LIGHT.danger)


def test_each_card_a_shown_one_and_a_tangle_that_must_go_look_different() -> None:
    assert len({face_up(LIGHT, card, 12).image.tobytes() for card in "ABCDEFGHIJKLMNOPQR"}) == 18
    hidden = view_circle(CLEAN, "FLH", "OJR")
    shown = view_circle(CLEAN, "FLH", "OJR", shown=[["F"], []])
    assert difference(hidden, shown) is not None
    standing = view_circle(TANGLED, "FLH", "OJR", mode="coop")
    fresh = msgspec.structs.replace(standing, standing=())
    assert difference(standing, fresh) is not None


def test_a_turn_is_drawn_with_the_viewers_hand_inside_the_circle_or_is_the_table() -> None:
    options = RibbonOptions(mode="versus")
    state = next(one for one in states(2, options, 7) if GAME.view(one, 0).turn > 2)
    own, others = GAME.view(state, 0), GAME.view(state, 1)

    picture = turn(own, NAMES)
    same = msgspec.structs.replace(own, hands=(own.hands[0], others.hands[1]))

    assert open_image(picture).size == (SIZE, SIZE)
    assert picture.alt.startswith(f"{NAMES[0]} has ")
    assert picture.png != board(own, NAMES).png
    assert picture.png == turn(same, NAMES).png, "it draws nobody else's hand"

    state = next(iter(sample("ribbon", 7)))
    view = GAME.view(state, None)

    assert turn(view, NAMES) == board(view, NAMES)


def test_a_viewer_sees_no_others_hand_and_a_solo_player_which_is_in_use() -> None:
    assert hand(view_circle(CLEAN, "FLH", "OJR"), 1, NAMES) is None
    assert hand(view_circle(CLEAN, "FLH", "OJR", viewer=0), 1, NAMES) is None
    view = view_circle(CLEAN, "FL", "HO", "JR", mode="solo")
    first = msgspec.structs.replace(view, hand_in_use=0, next_hand=1)
    second = msgspec.structs.replace(view, hand_in_use=1, next_hand=2)
    assert open_image(hand(first, 0, NAMES)).tobytes() != open_image(hand(second, 0, NAMES)).tobytes()


def view_with(*news: BoardChange) -> RibbonView:
    view = view_circle(CLEAN, "FLH", "OJR", viewer=0)
    return msgspec.structs.replace(view, ribbons=("green", "orange"), news=news)


def test_a_swap_is_an_arrow_in_its_seats_colour_and_an_exchange_a_pair_of_them() -> None:
    between = on_circle(MIDDLE, BADGES, junction_at(4))

    swapped = board(view_with(BoardChange("4", "swapped", 1, start="5")), NAMES)

    assert has_colour(open_image(swapped), between, LIGHT.orange.plain, 16)
    assert not has_colour(open_image(board(view_with(), NAMES)), between, LIGHT.orange.plain, 16)

    edge = spot(7, 162, 214)

    exchanged = board(view_with(BoardChange("7", "exchanged", 0)), NAMES)

    assert has_colour(open_image(exchanged), edge, LIGHT.green.plain, 16)
    assert not has_colour(open_image(board(view_with(), NAMES)), edge, LIGHT.green.plain, 16)


def test_a_flipped_card_has_its_seats_emblem_and_an_own_ribbon_is_bolder() -> None:
    corner = spot(9, 34, 206)
    flipped = [open_image(board(view_with(BoardChange("9", "flipped", seat)), NAMES)) for seat in (0, 1)]
    assert has_colour(flipped[1], corner, LIGHT.orange.plain, 16)
    assert not has_colour(flipped[0], corner, LIGHT.orange.plain, 16)
    own = view_with()
    other = msgspec.structs.replace(own, ribbons=("orange", "green"))

    assert turn(own, NAMES).png != turn(other, NAMES).png


WORST = "MRMRMRMRMRMR"


def versus(circle: str = TANGLED) -> RibbonView:
    return view_circle(circle, "FLH", "OJR")


def captions(view: RibbonView) -> list[str]:
    return [caption.text for caption in to_do(view)]


def test_it_says_whose_turn_it_is_and_tangles_by_colour_owner_and_places() -> None:
    alt = board(versus(), NAMES).alt

    assert alt.startswith("It's Ann's turn.")
    assert "Turn 14" not in alt
    assert title(versus(), NAMES) == "Ann's turn"
    assert "Bo's orange is tangled at 2-3 and 4-5." in board(versus(), NAMES).alt
    view = msgspec.structs.replace(versus(), tangles=(RibbonTangle(12, "purple"),))
    assert "Free purple is tangled at 12-1" in board(view, NAMES).alt
    assert "No tangles." in board(versus(CLEAN), NAMES).alt


def test_it_says_every_card_with_its_ribbons_and_which_lie_face_down() -> None:
    alt = board(versus(CLEAN), NAMES).alt
    assert "At 1: Q (green falling, orange rising, purple falling)." in alt
    assert "At 12: A (green rising, orange low, purple high)." in alt
    assert "Face down: 3 and 12." in board(versus("QI?EKBPMDNC?"), NAMES).alt


def test_it_counts_hidden_cards_names_shown_ones_and_tells_open_hands() -> None:
    alt = board(view_circle(CLEAN, "FLH", "OJR", shown=[["L"], []]), NAMES).alt
    assert (
        "Ann has the green ribbon and 3 cards (everyone has seen L). Bo has the orange ribbon and 3 cards."
        in alt
    )
    alt = board(view_circle(CLEAN, "FLH", "OJR", mode="coop"), NAMES).alt
    assert (
        "Ann has F (green high, orange rising, purple low), L (green high, orange low, purple falling) "
        "and H (green high, orange falling, purple low)." in alt
    )


def test_it_says_which_solo_hand_is_next_and_known_cards_left_aside() -> None:
    picture = hand(view_circle(CLEAN, "FL", "HO", "JR", mode="solo", turn=13), 0, NAMES)
    assert picture is not None
    assert (
        "Hand 3 has J (green high, orange low, purple rising) and "
        "R (green rising, orange falling, purple falling)." in picture.alt
    )
    assert "is in use." in picture.alt
    view = view_circle(CLEAN, "FL", "HO", mode="solo")
    known = msgspec.structs.replace(view, aside=("J", "R"))
    assert (
        "J (green high, orange low, purple rising) and R (green rising, orange falling, purple falling) "
        "are out of the game." in board(known, NAMES).alt
    )
    assert "aside" not in board(msgspec.structs.replace(view, aside=(None, None)), NAMES).alt


def test_the_worst_circle_still_tells_all_and_whose_ribbon_is_out_of_the_game() -> None:
    circle = parse(WORST)
    view = msgspec.structs.replace(
        view_circle(CLEAN, "FL", "HO", "JQ"), circle=circle, tangles=tangles(circle)
    )
    names = ["A name of thirty-two letters, all"] * 3
    alt = board(view, names).alt
    assert len(alt) <= 1024
    assert "12-1" in alt
    assert "12: R (green rising, orange falling, purple falling)" in alt
    view = msgspec.structs.replace(versus(), tangles=(RibbonTangle(2, "orange"),), out=(1,))

    assert "Bo's orange, out of the game, is tangled at 2-3." in board(view, NAMES).alt
    told = " ".join(part.text for part in words.parts(view, NAMES))
    assert "Bo's orange ribbon (out of the game) is tangled between 2 and 3" in told


def test_a_team_is_told_what_is_to_do_and_turns_count_from_the_thirtieth() -> None:
    assert captions(view_circle("QA??????????", "FLH", "OJR", mode="coop")) == [
        "10 cards face down",
        "2 tangles to clear",
    ]
    assert captions(view_circle(TANGLED, "FLH", "OJR", mode="coop")) == [
        "0 turns (of 24) with all cards up",
        "2 tangles to clear",
    ]
    assert captions(versus()) == []
    assert captions(msgspec.structs.replace(versus(), full_turns=30)) == [
        "30 turns (of 40) with all cards up"
    ]


def test_a_tie_vote_shows_who_must_answer_and_the_eliminated_are_in_order() -> None:
    view = msgspec.structs.replace(view_circle(CLEAN, "FL", "HO", "JR"), phase="tie_vote", owes=(2,))
    assert [status(view, seat) for seat in range(3)] == ["offers a tie", "said yes", "to answer"]
    view = msgspec.structs.replace(view_circle(CLEAN, "FL", "HO", "JR"), out=(2, 0), owes=(1,))
    assert [status(view, seat) for seat in range(3)] == ["out 2nd", "to move", "out 1st"]


def end_game(
    view: RibbonView, how: str, places: tuple[int | None, ...], won: bool | None = None
) -> RibbonView:
    outcome = Outcome(how, places, won=won)
    return msgspec.structs.replace(view, phase="over", owes=(), outcome=outcome)


def test_every_ending_has_its_headline_and_can_be_drawn() -> None:
    team = view_circle(CLEAN, "FLH", "OJR", mode="coop")
    assert title(end_game(versus(), "last_untangled", (2, 1)), NAMES) == "Bo wins"
    assert title(end_game(versus(), "tie_agreed", (1, 1)), NAMES) == "A tie"
    assert title(end_game(team, "untangled", (1, 1), won=True), NAMES) == "Untangled!"
    assert title(end_game(team, "limit", (None, None), won=False), NAMES) == "Tangled"
    assert title(msgspec.structs.replace(versus(), phase="over", owes=()), NAMES) == "Called off"
    for how, places in (("last_untangled", (1, 2)), ("tie_repetition", (1, 1)), ("tie_limit", (1, 1))):
        assert "turn 14" in board(end_game(versus(), how, places), NAMES).alt
    team = view_circle(TANGLED, "FLH", "OJR", mode="coop")
    lost = msgspec.structs.replace(end_game(team, "tangled", (None, None), won=False), lost_by=team.tangles)
    assert "tangles are at 2-3 and 4-5. The game ended on turn 14: it was lost" in board(lost, NAMES).alt
    for how in ("untangled", "limit", "resigned"):
        assert board(end_game(team, how, (1, 1), won=how == "untangled"), NAMES).alt
