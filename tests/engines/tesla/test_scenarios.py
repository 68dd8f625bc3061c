import pytest

from engines.tesla.events import Closed, Joined, Split, TeslaEliminated, TeslaTurnEnded, TilesReshuffled
from engines.tesla.moves import EndReplay, Replay, TeslaPlace
from tests.engines.tesla.arrange import (
    arrange,
    circuit,
    find_turn,
    legal,
    length,
    line,
    only,
    outcome,
    refusal,
    ring,
    run,
    square_ring,
)

RIGHT_LOOP = {"AA50": "34", "Z51": "05"}
"""Two tiles that lead from the right side of Z50 round to its lower right one."""
LEFT_LOOP = {"Y51": "05", "Y50": "12"}
"""Two tiles that lead from the lower left side of Z50 round to its left one."""


def face(lie: str) -> str:
    return find_turn(lie)[0]


def test_1_a_straight_beside_the_start_tile_makes_a_circuit_of_two() -> None:
    state = arrange(hands=[["03"], []])

    run(state, "place AA50 14")

    assert length(state, "AA50", "14") == 2


def test_2_a_ring_of_six_pays_twelve_for_each_marker_and_offers_as_many_replays() -> None:
    around = ring("Z50")
    last = around.pop("AA50")
    state = arrange(around, {"Z49": (0, around["Z49"]), "Y50": (0, around["Y50"])}, hands=[[face(last)], []])

    events = run(state, f"place AA50 {last}")

    closed = only(events, Closed)
    assert (closed.length, closed.owner, closed.count, closed.points) == (6, 0, 2, 12)
    assert state.scores == [24, 0]
    assert circuit(state, "AA50", last).closed
    assert (state.phase, state.replays) == ("replay", 2)
    assert all(isinstance(move, Replay | EndReplay) for move in legal(state))


def test_3_a_mark_on_an_open_circuit_of_five_costs_five() -> None:
    state = arrange(line(5))

    run(state, "mark AB50 14")

    assert state.scores == [-5, 0]


def test_4_a_take_from_a_circuit_of_nine_with_two_markers_gains_nine_and_leaves_one() -> None:
    state = arrange(line(9), {"Z50": (0, "14"), "AB50": (0, "14")})

    run(state, "take Z50")

    assert state.scores == [9, 0]
    assert list(state.board.markers) == ["AB50"]
    assert circuit(state, "Z50", "14").markers == ("AB50",)


def test_5_a_mark_on_another_seats_circuit_is_refused() -> None:
    state = arrange(line(3), {"Z50": (1, "14")})

    assert refusal(state, "mark AA50 14")


def test_6_a_mark_on_a_tile_that_has_a_marker_on_its_other_segment_is_refused() -> None:
    state = arrange(markers={"Z50": (0, "03")})

    assert refusal(state, "mark Z50 14")


def test_7_a_wire_against_a_blank_side_is_refused_naming_the_side() -> None:
    state = arrange(line(1), hands=[["02"], []])

    assert "left" in refusal(state, "place AA50 02")


def test_8_two_markers_against_one_the_one_goes_back_without_points() -> None:
    tiles = line(5)
    del tiles["AB50"]
    state = arrange(
        tiles, {"Z50": (0, "14"), "AA50": (0, "14"), "AC50": (1, "14")}, hands=[["03"], []], seat=0
    )
    supply = state.supplies[1]

    joined = only(run(state, "place AB50 14"), Joined)

    assert (joined.markers, joined.owner, joined.returned, joined.length) == ((2, 1), 0, (0, 1), 5)
    assert state.scores == [0, 0]
    assert state.supplies[1] == supply + 1


@pytest.mark.parametrize("seat", [0, 1])
def test_9_of_one_marker_each_the_longer_piece_wins_and_the_new_segment_does_not_count(seat: int) -> None:
    tiles = line(8)
    del tiles["AD50"]
    hands = [["03"], ["03"]]
    state = arrange(tiles, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=hands, seat=seat)

    joined = only(run(state, "place AD50 14"), Joined)

    assert (joined.reach, joined.owner, joined.length) == ((4, 3), 0, 8)
    assert circuit(state, "Z50", "14").markers == ("Z50",)


def test_10_of_one_marker_each_with_pieces_of_three_both_go_back() -> None:
    tiles = line(7)
    del tiles["AC50"]
    state = arrange(tiles, {"Z50": (0, "14"), "AD50": (1, "14")}, hands=[["03"], []])

    joined = only(run(state, "place AC50 14"), Joined)

    assert (joined.owner, joined.returned) == (None, (1, 1))
    assert state.board.markers == {}
    assert state.scores == [0, 0]


def test_11_four_circuits_become_one_by_a_tile_of_three_segments() -> None:
    tiles = {"AA49": "03", **RIGHT_LOOP, **LEFT_LOOP, "Z49": "25"}
    markers = {"AA49": (0, "03"), "AA50": (1, "34"), "Y51": (2, "05"), "Y50": (2, "12")}
    state = arrange(tiles, markers, scores=(0, 0, 0), hands=[[face("01-23-45")], [], []])
    assert len(state.board.circuits) == 4

    joined = only(run(state, "place Z50 01-23-45"), Joined)

    assert len(joined.joined) == 4
    assert (joined.markers, joined.owner, joined.returned) == ((1, 1, 2), 2, (1, 1, 0))
    assert joined.length == 1 + 2 + 2 + 1 + 3
    assert len(state.board.circuits) == 1


def test_12_one_tile_joins_two_pairs_and_each_is_decided_for_itself() -> None:
    tiles = {"Y50": "14", "AA50": "14", "AB50": "14", "Z51": "25", "Z52": "25", "Z49": "25"}
    markers = {
        "Y50": (0, "14"),
        "AA50": (1, "14"),
        "AB50": (1, "14"),
        "Z51": (0, "25"),
        "Z52": (0, "25"),
        "Z49": (1, "25"),
    }
    state = arrange(tiles, markers, hands=[[face("14-25")], []])

    across, down = [event for event in run(state, "place Z50 14-25") if isinstance(event, Joined)]

    assert (across.markers, across.owner, across.returned) == ((1, 2), 1, (1, 0))
    assert (down.markers, down.owner, down.returned) == ((2, 1), 0, (0, 1))


def test_13_join_and_closure_at_once_the_loser_goes_unpaid_and_the_winner_is_paid_double() -> None:
    markers = {"AA50": (0, "34"), "Z51": (0, "05"), "Y51": (1, "05")}
    state = arrange({**RIGHT_LOOP, **LEFT_LOOP}, markers, hands=[[face("14-23")], []])

    events = run(state, "place Z50 14-23")

    assert only(events, Joined).returned == (0, 1)
    closed = only(events, Closed)
    assert (closed.length, closed.owner, closed.count, closed.points) == (6, 0, 2, 12)
    assert state.scores == [24, 0]


def test_14_a_tile_under_a_marker_is_not_replaced() -> None:
    state = arrange(line(3), {"AA50": (0, "14")}, hands=[[face("01-34")], []])

    assert "marker" in refusal(state, "replace AA50 01-34")


def test_15_a_ring_may_not_be_opened_but_kept_without_payment() -> None:
    around = ring("Z50")
    assert around["AA50"] == "35"
    state = arrange(around, {"Y50": (0, around["Y50"])}, hands=[[face("03-15"), face("01-35")], []])

    assert "ring" in refusal(state, "replace AA50 03-15")
    events = run(state, "replace AA50 01-35")

    assert not [event for event in events if isinstance(event, Closed)]
    assert state.scores == [0, 0]
    assert circuit(state, "Y50", around["Y50"]).closed
    assert list(state.board.markers) == ["Y50"]


def test_16_a_cut_circuit_keeps_its_markers_on_both_sides() -> None:
    state = arrange(line(5), {"Z50": (0, "14"), "AD50": (0, "14")}, hands=[[], [face("01-34")]], seat=1)

    split = only(run(state, "replace AB50 01-34"), Split)

    assert (split.length, split.owner, split.parts) == (5, 0, (3, 3))
    assert circuit(state, "Z50", "14").markers == ("Z50",)
    assert circuit(state, "AD50", "14").markers == ("AD50",)


def test_17_fortyeight_points_and_a_take_of_three_win_at_once() -> None:
    state = arrange(line(3), {"AA50": (0, "14")}, scores=(48, 20), hands=[["01", "02"], ["03"]])

    run(state, "take AA50")

    assert outcome(state) == ("points", (1, 2))
    assert legal(state, 0) == legal(state, 1) == []


def test_18_fifty_behind_the_leader_is_out_at_once_and_the_markers_are_gone() -> None:
    tiles = {**line(3), **line(2, "Z55")}
    markers = {"AA50": (0, "14"), "Z55": (1, "14"), "AA55": (1, "14")}
    state = arrange(tiles, markers, scores=(27, -20, 0), hands=[[], ["01", "02"], []])

    out = only(run(state, "take AA50"), TeslaEliminated)

    assert (out.seat, out.score, out.behind) == (1, -20, 50)
    assert state.scores[0] == 30
    assert state.board.markers == {}
    assert state.hands[1] == []
    assert sorted(state.discards) == ["01", "02"]
    assert state.outcome is None


def test_19_an_empty_bag_is_filled_with_the_discards() -> None:
    state = arrange(hands=[["01"], []], bag=["02"], discards=["03", "03", "01"])

    events = run(state, "end")

    assert only(events, TilesReshuffled).count == 3
    assert only(events, TeslaTurnEnded).drawn == 3
    assert len(state.hands[0]) == 4
    assert state.hands[0][:2] == ["01", "02"]
    assert (len(state.bag), state.discards) == (1, [])


def test_20_a_ring_closed_by_an_opponent_pays_its_owner_and_gives_no_replay() -> None:
    around = ring("Z50")
    last = around.pop("AA50")
    state = arrange(around, {"Z49": (1, around["Z49"])}, hands=[[face(last)], []])

    closed = only(run(state, f"place AA50 {last}"), Closed)

    assert (closed.owner, closed.count, closed.points) == (1, 1, 12)
    assert state.scores == [0, 12]
    assert (state.phase, state.replays, state.seat) == ("tiles", 0, 0)


def test_21_a_circuit_that_crosses_a_tile_twice_counts_two_segments_there() -> None:
    state = arrange({"Z50": "14-25", **RIGHT_LOOP})

    assert length(state, "Z50", "14") == length(state, "Z50", "25") == 4


def test_22_a_ring_of_four_costs_eight_and_brings_eight() -> None:
    state = arrange(square_ring(), shaped="square")

    run(state, "mark Z50 12; end")
    assert state.scores == [-8, 0]
    run(state, "end; take Z50")

    assert state.scores == [0, 0]


def test_the_scenarios_use_tiles_that_there_are() -> None:
    assert TeslaPlace(*find_turn("01-23-45"), "Z50").tile == "01-23-45"
