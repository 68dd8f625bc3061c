import msgspec
import pytest

from engines.game import Outcome
from engines.tangram import GAME
from engines.tangram.legal.moves import TileCursor
from engines.tangram.pieces.components import TILES
from engines.tangram.view import TangramView
from engines.tangram.words import captions
from engines.words import ALT_LIMIT
from render.tangram import board, hand, preview
from tests.engines.tangram.arrange import begin, block, city, run

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")


def view_round(script: str = "", viewer: int | None = None, seats: int = 2) -> TangramView:
    """Return round 1 (domino, kite, boot, stair) after some answers."""
    state = begin(seats, deck=(6, 7, 8, 9))
    if script:
        run(state, script)
    return GAME.view(state, viewer)


def end_game(how: str, *places: int, out: tuple[int, ...] = ()) -> TangramView:
    """Return a game's end with these places. The first city is full of one colour."""
    view = view_round(seats=len(places))
    cities = (city(black=block("A1", "G7")), *view.cities[1:])
    outcome = Outcome(how, places, tuple(view.scores))
    return msgspec.structs.replace(view, phase="over", out=out, outcome=outcome, cities=cities)


def test_it_says_the_round_and_what_is_being_placed() -> None:
    assert board(view_round(), NAMES).alt.startswith(
        "Round 1 of 6. Everyone places the domino. Ann has 1 point and "
    )


def test_it_says_who_may_see_which_card() -> None:
    alt = board(view_round(seats=4), NAMES).alt
    assert (
        "One card is hidden. Only Ann can see it. One card is hidden. Only Bo can see it. "
        "One card is hidden. Only Cy and Dee can see it." in alt
    )


def test_it_says_that_a_card_is_hidden_or_open() -> None:
    alt = board(view_round(seats=1), NAMES).alt
    assert "The card with the kite is open. One card is hidden. One card is hidden." in alt


def test_it_says_what_was_set_aside() -> None:
    alt = board(view_round("0 decline 6; 1 place 6 green 90 C4"), NAMES).alt
    assert "The city has no fully built square. The domino is set aside." in alt
    assert "Bo's last tile: the green domino, turned 90°, at C4." in alt


def test_an_empty_city_has_no_rectangle() -> None:
    assert "no fully built square" in board(view_round(), NAMES).alt


@pytest.mark.parametrize(
    ("places", "title"), [((1, 2), "Ann wins."), ((2, 1, 3), "Bo wins."), ((1, 1), "A tie.")]
)
def test_it_says_who_won(places: tuple[int, ...], title: str) -> None:
    assert board(end_game("scores", *places), NAMES).alt.startswith(title)


def test_alone_it_says_that_the_game_is_finished_or_left() -> None:
    assert captions.title(end_game("scores", 1), NAMES) == "Finished"
    assert captions.title(end_game("left", 1, out=(0,)), NAMES) == "Left"


def test_it_says_what_the_end_brought() -> None:
    view = end_game("scores", 1, 2)
    assert captions.bonuses(view, 0) == [(15, "full city")]
    assert captions.bonuses(view, 1) == [(20, "balance")]
    assert "The full city gives 15 points" in board(view, NAMES).alt


def test_a_game_that_all_others_left_brings_no_bonus() -> None:
    view = end_game("left", 1, 2, out=(1,))
    assert captions.bonuses(view, 0) == []
    assert "Bo has left. Bo has 1 point." in board(view, NAMES).alt


def test_a_game_that_was_called_off_has_no_winner() -> None:
    view = msgspec.structs.replace(end_game("scores", 1, 2), outcome=None)
    assert board(view, NAMES).alt.startswith("Called off.")


def test_a_hand_says_answers_cards_and_fountains() -> None:
    picture = hand(view_round("0 decline 6", viewer=0), 0, NAMES)
    assert picture is not None
    assert picture.alt.startswith(
        "Ann's city in round 1. Everyone places the domino. Your answer: set the domino aside."
    )
    assert (
        "The card with the boot is hidden. Only Ann can see it. One card is hidden. Only Bo can see it."
        in picture.alt
    )
    assert picture.alt.endswith("You have 6 fountains left.")


def test_a_hand_says_what_lies_in_the_city_the_last_first() -> None:
    view = view_round("0 place 6 black 0 A1; 1 decline 6; 0 place 7 green 0 C1", viewer=0)
    picture = hand(view, 0, NAMES)
    assert picture is not None
    assert picture.alt.endswith("The green kite is at C1. The black domino is at A1.")


def test_a_preview_says_where_a_fountain_is_held() -> None:
    alt = preview(view_round(viewer=0), NAMES, TileCursor(0, "black", 180, 2, 3)).alt
    assert alt.startswith("Preview. The fountain over the bottom left half of C4. The tile fits.")


def test_no_tile_has_a_sign_in_its_name() -> None:
    assert all(captions.tile_name(tile).isalpha() for tile in (0, *TILES))


def test_seats_without_a_name_have_a_number() -> None:
    assert "Seat 2 has 1 point." in board(view_round(), ("Ann",)).alt


def test_alt_texts_keep_to_the_limit() -> None:
    names = ("🦊" * 80,) * 5
    assert len(board(view_round(seats=5), names).alt) <= ALT_LIMIT
