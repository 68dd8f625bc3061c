import pytest

from engines.game import IllegalMove
from engines.tesla import GAME, moves
from engines.tesla.truth.state import TeslaState
from tests.engines.conformance import encode_state
from tests.engines.tesla.arrange import (
    arrange,
    begin,
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

    closed = only(events, moves.Closed)
    assert (closed.length, closed.owner, closed.count, closed.points) == (6, 0, 2, 12)
    assert state.scores == [24, 0]
    assert circuit(state, "AA50", last).closed
    assert (state.phase, state.replays) == ("replay", 2)
    assert all(isinstance(move, moves.Replay | moves.EndReplay) for move in legal(state))


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


def test_8_two_markers_against_one_the_one_goes_back_without_points() -> None:
    tiles = line(5)
    del tiles["AB50"]
    state = arrange(
        tiles, {"Z50": (0, "14"), "AA50": (0, "14"), "AC50": (1, "14")}, hands=[["03"], []], seat=0
    )
    supply = state.supplies[1]

    joined = only(run(state, "place AB50 14"), moves.Joined)

    assert (joined.markers, joined.owner, joined.returned, joined.length) == ((2, 1), 0, (0, 1), 5)
    assert state.scores == [0, 0]
    assert state.supplies[1] == supply + 1


@pytest.mark.parametrize("seat", [0, 1])
def test_9_of_one_marker_each_the_longer_piece_wins_and_the_new_segment_does_not_count(seat: int) -> None:
    tiles = line(8)
    del tiles["AD50"]
    hands = [["03"], ["03"]]
    state = arrange(tiles, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=hands, seat=seat)

    joined = only(run(state, "place AD50 14"), moves.Joined)

    assert (joined.markers, joined.reach, joined.owner) == ((1, 1), (4, 3), 0)
    assert (joined.length, joined.returned) == (8, (0, 1))
    assert circuit(state, "Z50", "14").markers == ("Z50",)


def test_10_of_one_marker_each_with_pieces_of_three_both_go_back() -> None:
    tiles = line(7)
    del tiles["AC50"]
    state = arrange(tiles, {"Z50": (0, "14"), "AD50": (1, "14")}, hands=[["03"], []])

    joined = only(run(state, "place AC50 14"), moves.Joined)

    assert (joined.owner, joined.returned) == (None, (1, 1))
    assert state.board.markers == {}
    assert state.scores == [0, 0]


def test_11_four_circuits_become_one_by_a_tile_of_three_segments() -> None:
    tiles = {"AA49": "03", **RIGHT_LOOP, **LEFT_LOOP, "Z49": "25"}
    markers = {"AA49": (0, "03"), "AA50": (1, "34"), "Y51": (2, "05"), "Y50": (2, "12")}
    state = arrange(tiles, markers, scores=(0, 0, 0), hands=[[face("01-23-45")], [], []])
    assert len(state.board.circuits) == 4

    joined = only(run(state, "place Z50 01-23-45"), moves.Joined)

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

    across, down = [event for event in run(state, "place Z50 14-25") if isinstance(event, moves.Joined)]

    assert (across.markers, across.owner, across.returned) == ((1, 2), 1, (1, 0))
    assert (down.markers, down.owner, down.returned) == ((2, 1), 0, (0, 1))


def test_13_join_and_closure_at_once_the_loser_goes_unpaid_and_the_winner_is_paid_double() -> None:
    markers = {"AA50": (0, "34"), "Z51": (0, "05"), "Y51": (1, "05")}
    state = arrange({**RIGHT_LOOP, **LEFT_LOOP}, markers, hands=[[face("14-23")], []])

    events = run(state, "place Z50 14-23")

    assert only(events, moves.Joined).returned == (0, 1)
    closed = only(events, moves.Closed)
    assert (closed.length, closed.owner, closed.count, closed.points) == (6, 0, 2, 12)
    assert state.scores == [24, 0]


def test_15_a_ring_may_not_be_opened_but_kept_without_payment() -> None:
    around = ring("Z50")
    assert around["AA50"] == "35"
    state = arrange(around, {"Y50": (0, around["Y50"])}, hands=[[face("03-15"), face("01-35")], []])

    assert "ring" in refusal(state, "replace AA50 03-15")
    events = run(state, "replace AA50 01-35")

    assert not [event for event in events if isinstance(event, moves.Closed)]
    assert state.scores == [0, 0]
    assert circuit(state, "Y50", around["Y50"]).closed
    assert list(state.board.markers) == ["Y50"]


def test_16_a_cut_circuit_keeps_its_markers_on_both_sides() -> None:
    state = arrange(line(5), {"Z50": (0, "14"), "AD50": (0, "14")}, hands=[[], [face("01-34")]], seat=1)

    split = only(run(state, "replace AB50 01-34"), moves.Split)

    assert (split.circuit, split.length, split.owner, split.parts) == (1, 5, 0, (3, 3))
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

    out = only(run(state, "take AA50"), moves.TeslaEliminated)

    assert (out.seat, out.score, out.behind) == (1, -20, 50)
    assert state.scores[0] == 30
    assert state.board.markers == {}
    assert state.hands[1] == []
    assert sorted(state.discards) == ["01", "02"]
    assert state.outcome is None


def test_19_an_empty_bag_is_filled_with_the_discards() -> None:
    state = arrange(hands=[["01"], []], bag=["02"], discards=["03", "03", "01"])

    events = run(state, "end")

    assert only(events, moves.TilesReshuffled).count == 3
    assert only(events, moves.Drawn).tiles[0] == "02"
    assert only(events, moves.TeslaTurnEnded).drawn == 3
    assert len(state.hands[0]) == 4
    assert state.hands[0][:2] == ["01", "02"]
    assert (len(state.bag), state.discards) == (1, [])


def test_20_a_ring_closed_by_an_opponent_pays_its_owner_and_gives_no_replay() -> None:
    around = ring("Z50")
    last = around.pop("AA50")
    state = arrange(around, {"Z49": (1, around["Z49"])}, hands=[[face(last)], []])

    closed = only(run(state, f"place AA50 {last}"), moves.Closed)

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


RING = ring("Z50")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("place AA50 02", "You don't have that tile."),
        ("place AA50 25", "A blank side would meet a wire at the left. Turn the tile."),
        ("place AA49 14", "A blank side would meet a wire at the lower left. Turn the tile."),
        ("place AA49 01-25-34", "You don't have that tile."),
        ("place Z50 03", "Z50 has a tile. Replace it, or choose an empty cell."),
        ("place AC50 03", "Cell AC50 touches no tile. Choose an empty cell next to a tile."),
        ("place -A50 03", "Cell -A50 touches no tile. Choose an empty cell next to a tile."),
        ("place Z 03", "There's no such cell. Cells have names like Z50."),
        ("place z50 03", "There's no such cell. Cells have names like Z50."),
        ("replace AA50 03", "AA50 has no tile to replace."),
        ("mark AA50 03", "That cell has no tile, so you can't put a marker there."),
        ("mark Z50 01", "The tile on Z50 doesn't have that wire."),
        ("take Z50", "That cell has no marker."),
        ("discard 01", "You can only discard your own tiles."),
        ("discard 03 03 03", "You can only discard your own tiles."),
        ("discard 01-23 03", "Name the tiles to discard, in the same order as in the tile list."),
        ("discard", "Choose tiles to discard, or end your turn and keep them all."),
        ("replay Z50 03", "You have no markers to put back from a closed ring."),
        ("enough", "You have no markers to put back from a closed ring."),
    ],
)
def test_at_the_start_tile(words: str, sentence: str) -> None:
    assert refusal(arrange(hands=[["03", "01-23", "03"], []]), words) == sentence


ONE = [["03"], []]
WIRE = "A wire would meet a blank side"
WEDGE = {"Z50": "03", "AB49": "03", "AA48": "03"}


@pytest.mark.parametrize(
    ("state", "words", "sentence"),
    [
        (
            arrange(line(2), hands=ONE),
            "place Z49 25",
            "A wire would meet a blank side at the lower right. Turn the tile.",
        ),
        (
            arrange(line(2), hands=ONE),
            "place Z51 03",
            "A wire would meet a blank side at the upper right. Turn the tile.",
        ),
        (
            arrange(WEDGE, hands=[["01-23-45"], []]),
            "place AA49 01-23-45",
            f"{WIRE} at the right and upper left. Choose another cell for this tile.",
        ),
        (
            arrange(hands=[["01"], []], shaped="square"),
            "place Z49 03",
            "A blank side would meet a wire at the bottom. Turn the tile.",
        ),
        (
            arrange(line(3), {"AA50": (1, "14")}, hands=ONE),
            "replace AA50 03",
            "AA50 has a marker, so you can't replace its tile.",
        ),
        (
            arrange(line(3), hands=ONE),
            "replace AB50 14",
            "Your tile looks the same as the tile on AB50. Turn your tile, or choose another cell.",
        ),
        (
            arrange(RING, hands=[["02-14"], []]),
            "replace AA50 03-15",
            "You can't open a ring. Turn the tile, or choose another cell.",
        ),
        (
            arrange(line(2), {"Z50": (1, "14")}),
            "take Z50",
            "That marker belongs to another player. Take back one of yours.",
        ),
        (
            arrange(line(2), {"Z50": (1, "14")}),
            "mark Z50 14",
            "Z50 already has a marker. Choose another tile of the circuit.",
        ),
        (
            arrange(line(2), {"Z50": (1, "14")}),
            "mark AA50 14",
            "That circuit belongs to another player. Choose a free circuit or one of yours.",
        ),
        (arrange(line(2), supplies=[0, 10]), "mark Z50 14", "You have no markers left. Take one back first."),
        (
            begin([], opening="balanced"),
            "mark Z50 03",
            "You go first, so you can't use a marker this turn. Place tiles or end your turn.",
        ),
    ],
)
def test_a_refusal_names_the_reason(state: TeslaState, words: str, sentence: str) -> None:
    assert refusal(state, words) == sentence


@pytest.mark.parametrize("turn", [-1, 3, 6])
def test_a_turn_has_one_name(turn: int) -> None:
    state = arrange(hands=[["03"], []])

    with pytest.raises(IllegalMove, match="only 3 different rotations"):
        GAME.play(state, 0, moves.TeslaPlace("03", turn, "AA50"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("place AC50 14", "You've used your marker, so you can't place tiles. End your turn."),
        ("take AA50", "You've already used a marker this turn. End your turn."),
        ("mark AB50 14", "You've already used a marker this turn. End your turn."),
    ],
)
def test_after_the_marker(words: str, sentence: str) -> None:
    state = arrange(line(3), {"AA50": (0, "14")}, hands=ONE)
    run(state, "mark Z50 14")

    assert refusal(state, words) == sentence


@pytest.mark.parametrize("words", ["end", "discard 01", "place AA50 03", "mark Y50 02", "take Y50"])
def test_while_markers_can_be_replayed(words: str) -> None:
    nearly = {cell: lie for cell, lie in RING.items() if cell != "Z49"}
    state = arrange(nearly, {"AA50": (0, "35")}, hands=[["02", "01"], []])
    run(state, f"place Z49 {RING['Z49']}")

    assert refusal(state, words) == (
        "First put the markers of your ring back on the board, or choose to stop."
    )


@pytest.mark.parametrize(
    "move",
    [
        moves.TeslaPlace("03", 0, "AA49"),
        moves.Replace("03", 0, "Z50"),
        moves.Mark("Z50", (0, 3)),
        moves.Take("Z50"),
        moves.Discard(("03",)),
        moves.TeslaEndTurn(),
    ],
)
def test_out_of_turn_and_after_the_end(move: moves.Move) -> None:
    state = arrange(hands=[["03"], ["03"]])
    before = encode_state(state)
    with pytest.raises(IllegalMove, match=r"It isn't your turn\."):
        GAME.play(state, 1, move)
    assert encode_state(state) == before

    run(state, "1 leave")
    with pytest.raises(IllegalMove, match=r"The game is over\."):
        GAME.play(state, 0, move)
