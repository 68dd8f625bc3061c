import pytest

from engines.tesla import GAME, moves
from engines.tesla.pieces.components import BALANCED, COMMON, TeslaOptions
from engines.tesla.words.board import describe_moves
from tests.engines.conformance import encode_state
from tests.engines.tesla.arrange import (
    SEED,
    arrange,
    begin,
    circuit,
    legal,
    line,
    only,
    outcome,
    refusal,
    ring,
    run,
)
from tests.engines.tesla.test_scenarios import LEFT_LOOP, RIGHT_LOOP, face


def test_the_usual_tiles_are_hexagons_of_up_to_three_segments() -> None:
    options = GAME.settle(2, TeslaOptions())
    deal = GAME.deal(2, options, SEED)

    assert options.tiles == "hex"
    assert {len(tile.split("-")) for tile in deal.bag} == {1, 2, 3}
    assert len(deal.bag) + 1 == 120


def test_blank_sides_may_meet_and_are_enough_to_touch() -> None:
    state = arrange(line(1), hands=[["03"], []])

    run(state, "place Z51 14")

    assert len(state.board.circuits) == 2


def test_one_marker_lies_on_a_tile_whatever_segments_it_has() -> None:
    state = arrange(markers={"Z50": (1, "03")})

    assert {move for move in legal(state) if isinstance(move, moves.Mark)} == set()


def test_a_marker_on_a_closed_circuit_costs_double() -> None:
    around = ring("Z50")
    state = arrange(around)

    run(state, f"mark AA50 {around['AA50']}")

    assert state.scores == [-12, 0]


def test_join_comes_before_closure() -> None:
    markers = {"AA50": (1, "34"), "Y51": (0, "05"), "Y50": (0, "12")}
    state = arrange({**RIGHT_LOOP, **LEFT_LOOP}, markers, hands=[[face("14-23")], []])

    events = run(state, "place Z50 14-23")

    assert [type(event) for event in events if isinstance(event, moves.Joined | moves.Closed)] == [
        moves.Joined,
        moves.Closed,
    ]
    assert state.scores == [24, 0]


def test_several_sets_are_joined_in_the_order_of_the_new_tiles_lowest_side() -> None:
    tiles = {"Y50": "14", "AA50": "14", "Z51": "25", "Z49": "25"}
    state = arrange(tiles, hands=[[face("14-25")], []])
    across = state.board.circuit_at("AA50", (1, 4)), state.board.circuit_at("Y50", (1, 4))

    joins = [event for event in run(state, "place Z50 14-25") if isinstance(event, moves.Joined)]

    assert [set(join.joined) == set(across) for join in joins] == [True, False]


def test_only_the_tied_compare_lengths_and_all_their_pieces_count() -> None:
    tiles = {**line(3, "AA49", 0), **RIGHT_LOOP, **LEFT_LOOP, **line(5, "Z49", 5)}
    markers = {"AA49": (0, "03"), "AB48": (0, "03"), "AA50": (1, "34"), "Z51": (1, "05"), "Z49": (2, "25")}
    state = arrange(tiles, markers, scores=(0, 0, 0), hands=[[], [face("01-23-45")], []], seat=1)

    joined = only(run(state, "place Z50 01-23-45"), moves.Joined)

    assert joined.reach is not None
    assert (joined.reach[0], joined.reach[1], joined.owner) == (3, 2, 0)
    assert joined.returned == (0, 2, 1)


def test_pieces_with_markers_of_one_seat_are_added_up() -> None:
    tiles = {"AA49": "03", **RIGHT_LOOP, **LEFT_LOOP, **line(3, "Z49", 5)}
    markers = {"AA49": (0, "03"), "Y51": (0, "05"), "Z49": (1, "25"), "Z48": (1, "25")}
    state = arrange(tiles, markers, hands=[[face("01-23-45")], []])

    joined = only(run(state, "place Z50 01-23-45"), moves.Joined)

    assert (joined.reach, joined.owner) == ((3, 3), None)


def test_after_a_second_tie_nobody_owns_it_and_those_with_fewer_markers_go_back_too() -> None:
    tiles = {**line(2, "AA49", 0), **RIGHT_LOOP, **LEFT_LOOP, "Z49": "25"}
    markers = {"AA49": (0, "03"), "AB48": (0, "03"), "AA50": (1, "34"), "Z51": (1, "05"), "Y50": (2, "12")}
    state = arrange(tiles, markers, scores=(0, 0, 0), hands=[[face("01-23-45")], [], []])

    joined = only(run(state, "place Z50 01-23-45"), moves.Joined)

    assert (joined.owner, joined.returned) == (None, (2, 2, 1))
    assert state.board.markers == {}
    assert state.scores == [0, 0, 0]


def test_a_kept_ring_pays_again_when_it_has_swallowed_an_open_piece() -> None:
    around = ring("Z50")
    tiles = {**around, "AA50": "02-14-35", "AB49": "23", "AB50": "45"}
    state = arrange(tiles, {"Y50": (0, around["Y50"])}, hands=[[face("03-15-24")], []])

    closed = only(run(state, "replace AA50 03-15-24"), moves.Closed)

    assert (closed.length, closed.points) == (9, 18)
    assert state.scores == [18, 0]


def test_the_start_tile_may_be_replaced_while_it_lies_alone() -> None:
    state = arrange(hands=[["03"], []])

    run(state, "replace Z50 25")

    assert state.board.tiles["Z50"].lie == "25"
    assert state.discards == ["03-14-25"]


def test_the_order_of_steps_is_tiles_marker_discard_draw() -> None:
    state = arrange(hands=[["03", "01"], []], bag=["02", "02", "02", "02"])

    run(state, "mark Z50 03")
    assert refusal(state, "place AA50 14")
    assert refusal(state, "mark Z50 14")
    run(state, "discard 01")

    assert state.discards == ["01"]
    assert state.hands[0] == ["03", "02", "02", "02"]
    assert state.seat == 1


def test_a_tile_of_straights_lies_at_z50_from_the_start() -> None:
    state = GAME.begin(
        2, GAME.settle(2, TeslaOptions()), GAME.deal(2, GAME.settle(2, TeslaOptions()), SEED), SEED
    )

    assert {cell: laid.lie for cell, laid in state.board.tiles.items()} == {"Z50": "03-14-25"}


def test_with_nothing_left_to_draw_one_plays_on_with_fewer() -> None:
    state = arrange(hands=[["01"], ["02"]])

    assert only(run(state, "end"), moves.TeslaTurnEnded).drawn == 0
    assert (state.hands[0], state.seat) == (["01"], 1)


def test_the_balanced_opening_holds_the_first_seat_back() -> None:
    state = begin([], opening="balanced", first=1)

    assert state.scores == [BALANCED.others_start, 0]
    assert refusal(state, "mark Z50 03")
    run(state, "end; end")
    run(state, "mark Z50 03")


def test_the_rulebooks_opening_holds_nobody_back() -> None:
    state = begin([], opening="rulebook")

    assert state.scores == [0, 0]
    run(state, "mark Z50 03")


def test_two_own_rings_by_one_tile_add_up_their_replays() -> None:
    markers = {"AA50": (0, "34"), "Y51": (0, "05")}
    state = arrange({**RIGHT_LOOP, **LEFT_LOOP}, markers, hands=[[face("12-34")], []])

    run(state, "place Z50 12-34")

    assert state.scores == [12, 0]
    assert (state.phase, state.replays) == ("replay", 2)


def test_replays_cost_as_marks_do_and_those_not_made_are_forfeited() -> None:
    around = ring("Z50")
    last = around.pop("AA50")
    markers = {"Z49": (0, around["Z49"]), "Y50": (0, around["Y50"])}
    state = arrange({**around, **line(2, "Z55")}, markers, hands=[[face(last), "03"], []])
    supply = state.supplies[0]

    run(state, f"place AA50 {last}")
    assert state.supplies[0] == supply + 2
    marked = only(run(state, "replay Z55 14"), moves.Marked)
    ended = only(run(state, "enough"), moves.ReplayEnded)

    assert (marked.cost, marked.replayed, ended.forfeited) == (2, True, 1)
    assert state.scores == [22, 0]
    assert state.supplies[0] == supply + 1
    assert state.phase == "tiles"
    run(state, "mark AA55 14")


def test_the_one_who_goes_out_by_the_own_tile_still_settles_the_rest_and_draws_nothing() -> None:
    markers = {"AA50": (1, "34"), "Y51": (2, "05")}
    state = arrange(
        {**RIGHT_LOOP, **LEFT_LOOP},
        markers,
        scores=(-40, 5, 0),
        hands=[[face("12-34"), "01"], [], []],
        bag=["03"] * 8,
    )

    events = run(state, "place Z50 12-34")

    assert [event.owner for event in events if isinstance(event, moves.Closed)] == [1, 2]
    assert only(events, moves.TeslaEliminated).seat == 0
    assert state.scores[1:] == [11, 6]
    assert state.seat == 1
    assert len(state.bag) == 8


def test_reaching_the_winning_score_goes_before_dropping_out() -> None:
    state = arrange(line(5), {"Z50": (0, "14")}, scores=(46, 0, 1), hands=[[], [], []])

    events = run(state, "take Z50")

    assert not [event for event in events if isinstance(event, moves.TeslaEliminated)]
    assert outcome(state) == ("points", (1, 3, 2))


def test_a_mark_that_puts_its_own_seat_out_is_legal() -> None:
    state = arrange(line(5), scores=(-46, 0))

    events = run(state, "mark Z50 14")

    assert only(events, moves.TeslaEliminated).seat == 0
    assert outcome(state) == ("survivor", (2, 1))


def test_with_a_target_of_eighty_fifty_behind_is_still_out() -> None:
    state = arrange(line(5), {"Z50": (0, "14")}, scores=(45, 0), win=80)

    run(state, "take Z50")

    assert outcome(state) == ("survivor", (1, 2))


def test_two_idle_turns_of_everybody_end_the_game_and_ties_share() -> None:
    state = arrange(scores=(3, 7, 7), hands=[["01"], ["01"], ["01"]])

    events = run(state, "end; end; end; end; end; end")

    assert only(events, moves.TeslaEnded).outcome.how == "exhausted"
    assert outcome(state) == ("exhausted", (3, 1, 1))


def test_a_tile_or_a_marker_begins_the_count_of_idle_turns_anew() -> None:
    state = arrange(hands=[["03"], []])

    run(state, "end; end; end; mark Z50 03; end; end; end; end")

    assert outcome(state) is None
    run(state, "end")
    assert outcome(state) is not None


def test_a_hundred_turns_of_everybody_end_the_game() -> None:
    state = arrange({"Z50": "14", "Z55": "14"}, hands=[["01"], ["01"]], scores=(1, 2), turns=[99, 99])

    run(state, "mark Z50 14; end")
    assert outcome(state) is None
    run(state, "mark Z55 14; end")

    assert outcome(state) == ("exhausted", (2, 1))


def test_leaving_takes_the_markers_off_and_the_last_one_wins() -> None:
    state = arrange(line(2), {"Z50": (1, "14")}, scores=(0, 5, 9), hands=[["01"], ["02"], ["03"]])

    run(state, "1 leave")
    assert state.board.markers == {}
    assert circuit(state, "Z50", "14").markers == ()
    assert state.discards == ["02"]
    run(state, "0 leave")

    assert outcome(state) == ("survivor", (2, 3, 1))


def test_markers_are_shared_out_by_seats() -> None:
    for seats, each in ((2, 10), (3, 6), (4, 5)):
        assert begin([], seats=seats).supplies == [each] * seats
        assert COMMON.markers[seats] == each


@pytest.mark.parametrize(
    ("viewer", "seen"), [(0, (("01",), None, None)), (2, (None, None, ("03",))), (None, (None,) * 3)]
)
def test_a_seat_sees_its_own_tiles(viewer: int | None, seen: object) -> None:
    state = arrange(scores=[0, 0, 0], hands=[["01"], ["02"], ["03"]], bag=["01-23"])
    view = GAME.view(state, viewer)

    assert view.hands == seen
    assert view.held == (1, 1, 1)
    assert (view.bag, view.bag_tiles) == (1, None)


def test_at_the_end_all_is_open() -> None:
    state = arrange(hands=[["01"], ["02"]], bag=["01-23", "03"])
    run(state, "1 leave")
    view = GAME.view(state, None)

    assert view.hands == (("01",), ())
    assert view.bag_tiles == ("01-23", "03")
    assert view.discards == ["02"]


def test_a_view_stays_as_it_is_when_the_game_goes_on() -> None:
    state = arrange(line(2), hands=[["03"], []])
    view = GAME.view(state, 0)
    before = encode_state(view)

    run(state, "place AB50 14; mark Z50 14")

    assert encode_state(view) == before


def test_a_turn_shows_its_changes_and_before_those_of_the_last() -> None:
    state = arrange(hands=[["03"], ["03"]])
    run(state, "place AA50 14; end")
    assert GAME.view(state, None).changes.placed == ("AA50",)
    assert not GAME.view(state, None).acted

    run(state, "place Y50 14")

    assert GAME.view(state, None).changes.placed == ("Y50",)
    assert GAME.view(state, None).acted


def test_tiles_with_the_same_places_share_a_sentence() -> None:
    options = GAME.settle(2, TeslaOptions())
    state = GAME.begin(2, options, GAME.deal(2, options, b"seed"), b"seed")

    lines = describe_moves(GAME.view(state, 0), ["Ann", "Bo"], list(GAME.moves(state, 0))).splitlines()

    tiles = [line for line in lines if " can lie on " in line]
    assert any(line.startswith("Your tiles ") for line in tiles)
    assert len({line.partition(" can ")[2] for line in tiles}) == len(tiles)
