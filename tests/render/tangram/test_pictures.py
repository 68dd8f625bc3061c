import math
from itertools import combinations

import msgspec
import pytest

from engines.game import Outcome
from engines.tangram import GAME
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import TileCursor, over
from engines.tangram.pieces.components import FOUNTAIN, TILES
from engines.tangram.pieces.geometry import SIDES, TURNS, WHOLE, TileForm, form, turns
from engines.tangram.truth.state import TangramState
from engines.tangram.view import TangramView
from engines.tangram.words import captions
from render.core.canvas import OVERSAMPLING, Picture
from render.tangram import board, hand, hands, preview, sides
from render.tangram.colours import THEMES
from render.tangram.pieces import Loop, eaves, loops, piece
from tests.engines.tangram.arrange import begin, block, city, run
from tests.render.images import KIBIBYTE, count_pixels, difference
from tests.render.positions import cities, pack_game, unpack

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")


def answering(script: str = "", seats: int = 2) -> TangramState:
    """Play some answers after the domino and the kite."""
    state = begin(seats, deck=(6, 7, 8, 9))
    if script:
        run(state, script)
    return state


@pytest.mark.parametrize("seats", range(1, 6))
def test_every_phase_can_be_drawn_for_every_number_of_seats(seats: int) -> None:
    first: dict[str, Picture] = {}
    for packed in pack_game("tangram", seats - 1):
        state = unpack("tangram", packed)
        if state.phase not in first:
            first[state.phase] = board(GAME.view(state, None), NAMES)
    assert set(first) == {"place", "fountain", "final", "over"}
    assert "Round 1 of 6. Everyone places the " in first["place"].alt
    assert "Round 1 of 6. Everyone places a fountain." in first["fountain"].alt
    assert "Round 6 of 6. Everyone places the " in first["final"].alt
    assert len({picture.png for picture in first.values()}) == 4


def test_boards_look_different_and_the_start_marker_is_shown() -> None:
    drawn = [
        board(GAME.view(begin(2, boards=boards), None), NAMES) for boards in ("start", "plain", "printed")
    ]
    assert all(difference(one, other) is not None for one, other in combinations(drawn, 2))
    one, two = (board(GAME.view(begin(2, start=start), None), NAMES) for start in (0, 1))
    assert "Ann has 1 point and the start marker" in one.alt
    assert "Bo has 1 point and the start marker" in two.alt
    assert one.png != two.png


def test_a_chosen_side_shows_only_to_its_seat_before_all_have_chosen() -> None:
    open_table = begin(2, boards="start", sides="choose")
    before = [GAME.view(open_table, viewer) for viewer in (None, 1)]
    run(open_table, "0 side green")

    after = [GAME.view(open_table, viewer) for viewer in (None, 1)]
    assert [board(view, NAMES) for view in after] == [board(view, NAMES) for view in before]
    assert sides(before[1], NAMES) == sides(after[1], NAMES)
    hands = sides(GAME.view(open_table, 0), NAMES)
    assert hands.alt.startswith("Both sides of your board. Black side: your start piece is on ")
    assert "You choose the green start piece on " in hands.alt
    hand_alt = hand(GAME.view(open_table, 0), 0, NAMES)
    assert hand_alt is not None
    assert "The green start piece is on " in hand_alt.alt


def test_of_a_seat_that_simply_plays_nothing_is_said_beside_its_counts(text_sizes: dict[str, int]) -> None:
    board(GAME.view(answering(), None), NAMES)

    assert "Ann" in text_sizes
    assert "" not in text_sizes


def test_the_latest_tile_is_framed_and_the_largest_rectangle_outlined_and_both_are_told() -> None:
    state = answering("0 place 6 black 0 A1; 1 decline 6")
    view = GAME.view(state, None)
    picture = board(view, NAMES)
    assert "Ann's last tile: the black domino at A1." in picture.alt
    plain = board(msgspec.structs.replace(view, latest=((), ())), NAMES)
    box = difference(picture, plain)
    assert box is not None
    assert box[2] - box[0] < 120
    assert "Laid last" not in plain.alt
    state = answering()
    state.cities[0] = city(black=block("B2", "E5"), green=block("F2", "F4"))
    view = GAME.view(state, None)
    picture = board(view, NAMES)
    assert (
        "The largest rectangle is 4\u00d74 at B2 (16 points), "
        "and the city has 16 black squares and 3 green squares" in picture.alt
    )
    assert count_pixels(picture, LIGHT.survey) > 2000
    assert count_pixels(board(GAME.view(answering(), None), NAMES), LIGHT.survey) == 0


def test_the_end_shows_places_and_bonuses() -> None:
    view = GAME.view(unpack("tangram", pack_game("tangram", 2)[-1]), None)
    assert view.outcome is not None
    winner = view.outcome.places.index(1)
    picture = board(view, NAMES)
    assert picture.alt.startswith((f"{NAMES[winner]} wins.", "A tie."))
    assert f"{NAMES[winner]} comes 1st. {NAMES[winner]} has {view.scores[winner]} points." in picture.alt


def test_a_hand_shows_the_city_and_says_answers_cards_fountains_and_what_lies_there() -> None:
    state = answering()
    before = hand(GAME.view(state, 0), 0, NAMES)
    run(state, "0 place 6 black 0 C3")
    after = hand(GAME.view(state, 0), 0, NAMES)
    assert before is not None
    assert after is not None
    assert difference(before, after) is not None
    assert "Your answer: the black domino at C3." in after.alt
    assert len(after.png) <= 150 * KIBIBYTE
    picture = hand(view_round("0 decline 6", viewer=0), 0, NAMES)
    assert picture is not None
    assert picture.alt.startswith(
        "Ann's city in round 1. Everyone places the domino. Your answer: set the domino aside."
    )
    assert "Hidden cards: one that only Bo can see" in picture.alt
    assert picture.alt.endswith("You have 6 fountains left.")
    view = view_round("0 place 6 black 0 A1; 1 decline 6; 0 place 7 green 0 C1", viewer=0)
    picture = hand(view, 0, NAMES)
    assert picture is not None
    assert picture.alt.endswith("The green kite is at C1. The black domino is at A1.")


def test_a_hand_shows_the_cards_that_its_seat_may_see_unless_it_left() -> None:
    state = begin(4, deck=(6, 7, 8, 9))
    alts = []
    for seat in range(4):
        picture = hand(GAME.view(state, seat), seat, NAMES)
        assert picture is not None
        alts.append(picture.alt)
    assert "Only Ann can see the card with the kite." in alts[0]
    assert "Only Cy and Dee can see the card with the stair." in alts[2]
    assert "Only Cy and Dee can see the card with the stair." in alts[3]
    assert "kite" not in alts[1] + alts[2]
    assert "stair" not in alts[0] + alts[1]
    state = answering("1 leave", seats=3)
    assert hand(GAME.view(state, 1), 1, NAMES) is None


def test_a_ghost_that_fits_is_green_with_a_tick_and_tells_what_it_brings() -> None:
    view = GAME.view(answering(), 0)
    picture = preview(view, NAMES, TileCursor(6, "black", 0, 2, 2))
    assert picture.alt.startswith("Preview. The domino, black side up, over C3-C4. The tile fits.")
    assert (
        "With this tile, your largest rectangle is 1\u00d72 at C3 (2 points), "
        "and you have 2 black squares and 0 green squares." in picture.alt
    )
    assert count_pixels(picture, LIGHT.fits) > 2000
    assert count_pixels(picture, LIGHT.amber) == 0


def test_a_ghost_that_does_not_fit_is_amber_with_crosses_and_tells_why() -> None:
    state = answering()
    state.cities[0] = city(black=("C4",))
    view = GAME.view(state, 0)
    picture = preview(view, NAMES, TileCursor(6, "black", 0, 2, 2))
    assert "C4 is already built." in picture.alt
    assert "With this tile" not in picture.alt
    assert count_pixels(picture, LIGHT.amber) > 2000
    assert count_pixels(picture, LIGHT.fits) == 0
    assert hands.find_blocked(TileCursor(6, "black", 0, 2, 2), view.draft) == [(2, 3)]
    view = GAME.view(answering(), 0)
    assert hands.find_blocked(TileCursor(6, "black", 0, 6, 6), view.draft) == [(6, 7)]
    assert (
        "The tile sticks out of the city at G8." in preview(view, NAMES, TileCursor(6, "black", 0, 6, 6)).alt
    )


def test_a_ghost_looks_different_on_each_side_and_turn_a_fountain_in_every_corner() -> None:
    view = GAME.view(answering(), 0)
    cursors = [TileCursor(7, side, turn, 2, 2) for side in SIDES for turn in TURNS]
    assert len({preview(view, NAMES, cursor).png for cursor in cursors}) == len(cursors)
    state = next(state for state in cities(2) if state.phase == "fountain")
    view = GAME.view(state, next(iter(GAME.prompts(state))))
    cursor = over(rank_places(view, FOUNTAIN)[0])
    turned = [cursor, cursor.nudge("turn"), cursor.nudge("turn").nudge("turn")]
    assert len({preview(view, NAMES, one).png for one in turned}) == len(turned)
    assert preview(view, NAMES, cursor).alt.startswith("Preview. The fountain over the ")


def test_answers_are_shown_where_no_ghost_takes_their_place() -> None:
    view = GAME.view(answering("0 place 6 green 0 B2"), 0)
    picture = preview(view, NAMES, None)
    assert picture.alt.startswith(
        "Your city with your answers. Your largest rectangle is 1\u00d72 at B2 (2 points)"
    )
    assert "Your answer: the green domino at B2." in picture.alt
    assert count_pixels(picture, LIGHT.fits) == 0
    state = answering("0 place 6 black 0 A1")
    view = GAME.view(state, 0)
    picture = preview(view, NAMES, TileCursor(6, "black", 0, 0, 0))
    assert "The tile fits." in picture.alt
    assert "Answered" not in picture.alt


def test_points_that_were_made_are_beside_the_score(text_sizes: dict[str, int]) -> None:
    before = msgspec.structs.replace(GAME.view(begin(3), None), scores=[0, 0, 0])
    after = msgspec.structs.replace(before, scores=[14, 0, 9])

    board(GAME.since(after, [before]), NAMES)

    assert {"14", "+14", "9", "+9"} <= set(text_sizes)
    assert "+0" not in text_sizes


def test_points_that_an_earlier_view_has_are_no_news(text_sizes: dict[str, int]) -> None:
    view = msgspec.structs.replace(GAME.view(begin(3), None), scores=[14, 0, 9])

    board(GAME.since(view, [view]), NAMES)

    assert "14" in text_sizes
    assert not any(text.startswith("+") for text in text_sizes)


FORMS = [form(tile, side, turn) for tile in TILES for side in SIDES for turn in turns(tile, side)]
ONE = TileForm(((0, 0, WHOLE),))


def area(loop: Loop) -> float:
    """Return the area inside a loop, above 0 if it goes clockwise."""
    ends = [*loop[1:], loop[0]]
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(loop, ends, strict=True)) / 2


def test_an_outline_encloses_and_a_piece_covers_what_the_tile_fills() -> None:
    unit = 40
    for lies in FORMS:
        filled = sum(quarters.bit_count() for _, _, quarters in lies.cells) / 4
        assert sum(area(loop) for loop in loops(lies)) == pytest.approx(filled)
        shades = piece(LIGHT, lies, "black", unit).mask.histogram()
        covered = sum(shade * count for shade, count in enumerate(shades)) / 255
        assert 0.85 * filled * unit**2 < covered <= filled * unit**2 + unit / OVERSAMPLING


def test_an_outline_has_corners_where_sides_turn_and_parts_have_their_own() -> None:
    assert loops(ONE) == (((0, 0), (1, 0), (1, 1), (0, 1)),)
    assert loops(form(19, "black", 0)) == (((0, 0), (1, 0), (1, 3), (0, 3)),)
    assert len(loops(TileForm(((0, 0, WHOLE), (1, 1, WHOLE))))) == 2


def test_sides_of_a_square_shrink_to_its_middle_and_look_outwards() -> None:
    for side in eaves(ONE):
        half = side.at(0.25)
        assert half is not None
        assert math.dist(*half) == pytest.approx(0.5)
        assert side.at(0.5) is None
    assert {side.facing for side in eaves(ONE)} == {(0, -1), (1, 0), (0, 1), (-1, 0)}


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


def test_it_says_the_round_which_card_is_hidden_and_who_may_see_it() -> None:
    alt = board(view_round(), NAMES).alt
    assert alt.startswith("Round 1 of 6. Everyone places the domino. Ann has 1 point and ")
    assert "no fully built square" in alt
    alt = board(view_round(seats=4), NAMES).alt
    assert (
        "Hidden cards: one that only Ann can see, one that only Bo can see and one that only Cy and Dee "
        "can see." in alt
    )
    alone = board(view_round(seats=1), NAMES).alt
    assert "The card with the kite is open. Hidden cards: 2 that nobody can see." in alone
    assert "Seat 2 has 1 point." in board(view_round(), ("Ann",)).alt


def test_it_says_what_was_set_aside() -> None:
    alt = board(view_round("0 decline 6; 1 place 6 green 90 C4"), NAMES).alt
    assert "The city has no fully built square. Ann has set aside the domino." in alt
    assert "Bo's last tile: the green domino, turned 90°, at C4." in alt


def test_it_says_who_won_if_anybody_did() -> None:
    for places, title in (((1, 2), "Ann wins."), ((2, 1, 3), "Bo wins."), ((1, 1), "A tie.")):
        assert board(end_game("scores", *places), NAMES).alt.startswith(title)
    view = msgspec.structs.replace(end_game("scores", 1, 2), outcome=None)
    assert board(view, NAMES).alt.startswith("Called off.")


def test_it_says_what_the_end_brought_and_who_left() -> None:
    view = end_game("scores", 1, 2)
    assert captions.bonuses(view, 0) == [(15, "full city")]
    assert captions.bonuses(view, 1) == [(20, "balance")]
    assert "The full city gives 15 points" in board(view, NAMES).alt
    view = end_game("left", 1, 2, out=(1,))
    assert captions.bonuses(view, 0) == []
    assert "Bo has left. Bo has 1 point." in board(view, NAMES).alt
    assert captions.title(end_game("scores", 1), NAMES) == "Finished"
    assert captions.title(end_game("left", 1, out=(0,)), NAMES) == "Left"


def test_a_preview_says_where_a_fountain_is_and_tiles_have_plain_names() -> None:
    alt = preview(view_round(viewer=0), NAMES, TileCursor(0, "black", 180, 2, 3)).alt
    assert alt.startswith("Preview. The fountain over the bottom left half of C4. The tile fits.")
    assert all(captions.tile_name(tile).isalpha() for tile in (0, *TILES))
