import msgspec

from engines.game import Outcome
from engines.tesla import GAME, preview
from engines.tesla.view import TeslaView
from engines.tesla.words import captions, event_lines
from engines.words import ALT_LIMIT
from render.tesla import board, hand
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
    assert [captions.status(view, seat) for seat in range(3)] == ["1st", "out, 3rd", "out, 2nd"]


def test_a_seat_that_is_out_says_so_and_who_waits_says_nothing() -> None:
    view = msgspec.structs.replace(view_circuit(3), out=(2,))
    assert [captions.status(view, seat) for seat in range(3)] == ["to move", "", "out"]


def test_an_eliminated_seat_no_longer_leads() -> None:
    view = msgspec.structs.replace(view_circuit(3), scores=(3, 40, 0), out=(1,))
    assert view.leader == 3
    assert "(now −47)" in captions.describe_board(view, NAMES)


def test_choices_say_what_each_circuit_costs_or_gains() -> None:
    state = arrange(line(4), {"Z50": (0, "14")})
    alt = captions.describe_choices(GAME.view(state, 0), preview.sites(GAME.view(state, 0)))
    assert "Each marker on circuit A is worth 4 points. You have 1 marker there" in alt
