from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import combinations
from random import Random

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.tangram import GAME
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import TileCursor, over
from engines.tangram.pieces.components import FOUNTAIN, Boards
from engines.tangram.pieces.geometry import SIDES, TURNS
from engines.tangram.truth.state import TangramState
from engines.tangram.view import TangramView
from engines.words import ALT_LIMIT
from render.core.canvas import Box, Picture
from render.tangram import board, hand, hands, pieces, plan, preview, sides
from render.tangram.colours import THEMES
from tests.engines.tangram.arrange import begin, block, city, run
from tests.often import often
from tests.render.pixels import count_pixels
from tests.render.positions import cities
from tests.render.processes import hashes

LIGHT = THEMES["light"]

pytestmark = pytest.mark.slow
KIBIBYTE = 1024
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
LONG_NAMES = ("W" * 200, "👩‍👩‍👧‍👦" * 40, "\u202e山田\n" * 30, "مرحبا", "देवनागरी")
GAMES: tuple[tuple[int, Boards], ...] = tuple(
    (seats, "printed" if seats % 2 else "plain") for seats in range(1, 6)
)


@cache
def pack_game(seats: int, boards: Boards) -> tuple[bytes, ...]:
    return tuple(msgspec.msgpack.encode(state) for state in cities(seats, boards, seats))


def sample_tangram(every: int) -> Iterator[TangramState]:
    """Yield every N-th and last position for each number of seats."""
    for seats, boards in GAMES:
        game = pack_game(seats, boards)
        for step, packed in enumerate(game):
            if step % often(3 * every, every) == 0 or step == len(game) - 1:
                yield msgspec.msgpack.decode(packed, type=TangramState)


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")


def difference(one: Picture, two: Picture) -> Box | None:
    return ImageChops.difference(open_image(one), open_image(two)).getbbox()


def answering(script: str = "", seats: int = 2) -> TangramState:
    """Play some answers after the domino and the kite."""
    state = begin(seats, deck=(6, 7, 8, 9))
    if script:
        run(state, script)
    return state


def test_every_position_gives_a_board_of_moderate_size() -> None:
    phases = set()
    for state in sample_tangram(58):
        phases.add((state.seats, state.phase))
        picture = board(GAME.view(state, None), NAMES)
        width, height = open_image(picture).size
        assert 808 <= width <= 1180
        assert width < height <= 1.85 * width or state.seats == 2
        assert len(picture.png) <= 250 * KIBIBYTE
        assert 0 < len(picture.alt) <= ALT_LIMIT
    assert {(seats, "over") for seats in range(1, 6)} <= phases


@pytest.mark.parametrize("seats", range(1, 6))
def test_every_phase_can_be_drawn_for_every_number_of_seats(seats: int) -> None:
    first: dict[str, Picture] = {}
    boards: Boards = "printed" if seats % 2 else "plain"
    for packed in pack_game(seats, boards):
        state = msgspec.msgpack.decode(packed, type=TangramState)
        if state.phase not in first:
            first[state.phase] = board(GAME.view(state, None), NAMES)
    assert set(first) == {"place", "fountain", "final", "over"}
    assert "Round 1 of 6. Everyone places the " in first["place"].alt
    assert "Round 1 of 6. Everyone places a fountain." in first["fountain"].alt
    assert "Round 6 of 6. Everyone places the " in first["final"].alt
    assert len({picture.png for picture in first.values()}) == 4


def test_boards_look_different() -> None:
    drawn = [
        board(GAME.view(begin(2, boards=boards), None), NAMES) for boards in ("start", "plain", "printed")
    ]
    assert all(difference(one, other) is not None for one, other in combinations(drawn, 2))


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


def test_answering_changes_no_byte_of_the_picture() -> None:
    before = board(GAME.view(answering(), None), NAMES)
    after = board(GAME.view(answering("0 place 6 black 0 A1"), None), NAMES)
    assert before == after


def test_of_a_seat_that_simply_plays_nothing_is_said_beside_its_counts(text_sizes: dict[str, int]) -> None:
    board(GAME.view(answering(), None), NAMES)

    assert "Ann" in text_sizes
    assert "" not in text_sizes


def test_an_answer_does_not_show_before_the_step_closes() -> None:
    drawn = {
        board(GAME.view(answering(f"0 {said}"), viewer), NAMES).png
        for said in ("place 6 black 0 A1", "place 6 green 90 C4", "decline 6")
        for viewer in (None, 0, 1)
    }
    assert len(drawn) == 1


def test_a_hidden_card_does_not_show_on_the_board_of_who_holds_it() -> None:
    state = begin(4)
    drawn = {board(GAME.view(state, viewer), NAMES) for viewer in (None, 0, 1, 2, 3)}
    assert len(drawn) == 1


def test_the_latest_tile_is_framed_and_named() -> None:
    state = answering("0 place 6 black 0 A1; 1 decline 6")
    view = GAME.view(state, None)
    picture = board(view, NAMES)
    assert "Ann's last tile: the black domino at A1." in picture.alt
    plain = board(msgspec.structs.replace(view, latest=((), ())), NAMES)
    box = difference(picture, plain)
    assert box is not None
    assert box[2] - box[0] < 120
    assert "Laid last" not in plain.alt


def test_the_largest_rectangle_is_outlined_and_told() -> None:
    state = answering()
    state.cities[0] = city(black=block("B2", "E5"), green=block("F2", "F4"))
    view = GAME.view(state, None)
    picture = board(view, NAMES)
    assert (
        "The largest rectangle is 4\u00d74 at B2, for 16 points, "
        "and the city has 16 black and 3 green squares" in picture.alt
    )
    assert count_pixels(picture, LIGHT.survey) > 2000
    assert count_pixels(board(GAME.view(answering(), None), NAMES), LIGHT.survey) == 0


def test_the_start_marker_is_shown() -> None:
    one, two = (board(GAME.view(begin(2, start=start), None), NAMES) for start in (0, 1))
    assert "Ann has 1 point and the start marker" in one.alt
    assert "Bo has 1 point and the start marker" in two.alt
    assert one.png != two.png


def test_a_departed_seat_is_faint() -> None:
    state = answering(seats=3)
    before = board(GAME.view(state, None), NAMES)
    run(state, "1 leave")
    after = board(GAME.view(state, None), NAMES)
    assert "Bo has left. Bo has 1 point." in after.alt
    assert count_pixels(after, LIGHT.seats[1]) < count_pixels(before, LIGHT.seats[1])


def test_the_end_shows_places_and_bonuses() -> None:
    view = GAME.view(msgspec.msgpack.decode(pack_game(3, "printed")[-1], type=TangramState), None)
    assert view.outcome is not None
    winner = view.outcome.places.index(1)
    picture = board(view, NAMES)
    assert picture.alt.startswith((f"{NAMES[winner]} wins.", "A tie."))
    assert f"{NAMES[winner]} comes 1st. {NAMES[winner]} has {view.scores[winner]} points." in picture.alt


def test_any_names_can_be_drawn() -> None:
    for state in sample_tangram(often(300, 90)):
        view = GAME.view(state, None)
        assert len(board(view, LONG_NAMES).alt) <= ALT_LIMIT
        assert len(board(view, ()).png) <= 250 * KIBIBYTE
        own_view = GAME.view(state, 0)
        picture = hand(own_view, 0, LONG_NAMES)
        assert picture is not None
        assert len(picture.alt) <= ALT_LIMIT


def test_a_hand_shows_the_city_with_what_was_answered() -> None:
    state = answering()
    before = hand(GAME.view(state, 0), 0, NAMES)
    run(state, "0 place 6 black 0 C3")
    after = hand(GAME.view(state, 0), 0, NAMES)
    assert before is not None
    assert after is not None
    assert difference(before, after) is not None
    assert "Your answer: the black domino at C3." in after.alt
    assert len(after.png) <= 150 * KIBIBYTE


def test_a_hand_shows_the_cards_that_the_seat_may_see() -> None:
    state = begin(4, deck=(6, 7, 8, 9))
    alts = []
    for seat in range(4):
        picture = hand(GAME.view(state, seat), seat, NAMES)
        assert picture is not None
        alts.append(picture.alt)
    assert "The card with the kite is hidden. Only Ann can see it." in alts[0]
    assert "The card with the stair is hidden. Only Cy and Dee can see it." in alts[2]
    assert "The card with the stair is hidden. Only Cy and Dee can see it." in alts[3]
    assert "kite" not in alts[1] + alts[2]
    assert "stair" not in alts[0] + alts[1]


def test_there_is_no_hand_of_another_seat_or_of_one_that_left() -> None:
    state = answering(seats=3)
    run(state, "1 leave")
    assert hand(GAME.view(state, 0), 2, NAMES) is None
    assert hand(GAME.view(state, 1), 1, NAMES) is None
    assert hand(GAME.view(state, None), 0, NAMES) is None


def test_a_ghost_that_fits_is_green_with_a_tick_and_tells_what_it_brings() -> None:
    view = GAME.view(answering(), 0)
    picture = preview(view, NAMES, TileCursor(6, "black", 0, 2, 2))
    assert picture.alt.startswith("Preview. The domino, black side up, over C3-C4. The tile fits.")
    assert (
        "With this tile, your largest rectangle is 1\u00d72 at C3, for 2 points, "
        "and you have 2 black and 0 green squares." in picture.alt
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


def test_a_ghost_beyond_the_city_is_crossed_out_there() -> None:
    view = GAME.view(answering(), 0)
    assert hands.find_blocked(TileCursor(6, "black", 0, 6, 6), view.draft) == [(6, 7)]
    assert (
        "The tile sticks out of the city at G8." in preview(view, NAMES, TileCursor(6, "black", 0, 6, 6)).alt
    )


def test_a_ghost_takes_the_place_of_the_answer_for_its_tile() -> None:
    state = answering("0 place 6 black 0 A1")
    view = GAME.view(state, 0)
    picture = preview(view, NAMES, TileCursor(6, "black", 0, 0, 0))
    assert "The tile fits." in picture.alt
    assert "Answered" not in picture.alt


def test_a_ghost_of_each_side_and_turn_looks_different() -> None:
    view = GAME.view(answering(), 0)
    cursors = [TileCursor(7, side, turn, 2, 2) for side in SIDES for turn in TURNS]
    assert len({preview(view, NAMES, cursor).png for cursor in cursors}) == len(cursors)


def test_without_a_ghost_only_the_answers_are_shown() -> None:
    view = GAME.view(answering("0 place 6 green 0 B2"), 0)
    picture = preview(view, NAMES, None)
    assert picture.alt.startswith(
        "Your city with your answers. Your largest rectangle is 1\u00d72 at B2, for 2 points"
    )
    assert "Your answer: the green domino at B2." in picture.alt
    assert count_pixels(picture, LIGHT.fits) == 0


def test_a_fountain_can_be_held_in_every_corner() -> None:
    state = next(state for state in cities(2) if state.phase == "fountain")
    view = GAME.view(state, next(iter(GAME.prompts(state))))
    cursor = over(rank_places(view, FOUNTAIN)[0])
    turned = [cursor, cursor.nudge("turn"), cursor.nudge("turn").nudge("turn")]
    assert len({preview(view, NAMES, one).png for one in turned}) == len(turned)
    assert preview(view, NAMES, cursor).alt.startswith("Preview. The fountain over the ")


def test_every_preview_is_of_moderate_size() -> None:
    for state in sample_tangram(58):
        for seat in GAME.prompts(state):
            view = GAME.view(state, seat)
            tile = view.current[0] if view.current else FOUNTAIN
            places = rank_places(view, tile)
            picture = preview(view, NAMES, over(places[0]) if places else TileCursor(tile))
            assert open_image(picture).size == (hands.WIDTH, hands.HEIGHT)
            assert len(picture.png) <= 150 * KIBIBYTE
            assert len(picture.alt) <= ALT_LIMIT


def draw_all(view: TangramView, viewer: int | None) -> list[Picture | None]:
    if viewer is None or viewer in view.out:
        return [board(view, NAMES)]
    cursor = TileCursor(view.current[0] if view.current else FOUNTAIN)
    return [board(view, NAMES), hand(view, viewer, NAMES), preview(view, NAMES, cursor)]


@pytest.mark.thorough
def test_hidden_things_change_no_byte() -> None:
    rng = Random(5)
    for state in sample_tangram(71):
        for viewer in (None, 0, state.seats - 1):
            other = GAME.resample_hidden(state, viewer, rng)
            assert draw_all(GAME.view(state, viewer), viewer) == draw_all(GAME.view(other, viewer), viewer)


DRAW = """
from engines.tangram import GAME
from engines.tangram.legal.moves import TileCursor
from render.tangram import board, hand, preview
from tests.render.positions import cities

last = next(state for state in cities(3, "printed", 2) if state.round == 3)
first = next(cities(5))

def all():
    return board(GAME.view(last, None), ("\u5c71\u7530 \U0001f98a", "Bo", "Cy"))

def held():
    return hand(GAME.view(first, 1), 1, ("Ann", "Bo"))

def tried():
    return preview(GAME.view(first, 1), ("Ann", "Bo"), TileCursor(GAME.view(first, 1).current[0]))

draw = [all, held, tried]
"""


@pytest.mark.thorough
def test_every_process_draws_the_same_bytes_in_whatever_order() -> None:
    assert len(hashes(DRAW)) == 1


def test_the_cache_has_a_bound() -> None:
    for kept_pieces in (pieces.piece, pieces.frame, pieces.shadow, plan.empty):
        limit = kept_pieces.cache_info().maxsize
        assert limit is not None
        assert limit <= 512


def test_a_palette_holds_at_most_256_colours() -> None:
    assert len(LIGHT.palette.colours) <= 256


def test_file_names_say_only_what_kind_of_picture_it_is() -> None:
    view = GAME.view(answering(), 0)
    pictures = draw_all(view, 0)
    assert [picture.name for picture in pictures if picture is not None] == [
        "tangram-table.png",
        "tangram-hand.png",
        "tangram-preview.png",
    ]
