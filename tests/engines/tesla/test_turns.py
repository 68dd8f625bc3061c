from collections import Counter
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.game import IllegalDeal, IllegalSetup
from engines.tesla import GAME, moves
from engines.tesla.pieces.components import COMMON, Opening, TeslaOptions, Tiles, shape
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import MarkerReturn, TeslaChanges
from tests.engines.tesla.arrange import SEED, arrange, begin, legal, line, only, outcome, ring, run
from tests.engines.tesla.recount import assert_sound, walk

RING = ring("Z50")
NEARLY = {cell: lie for cell, lie in RING.items() if cell != "Z49"}
CLOSING = f"place Z49 {RING['Z49']}"


def tiles_of(state: TeslaState) -> Counter[str]:
    faces = shape(state.options.tiles).faces
    held = [face for hand in state.hands for face in hand]
    return Counter(
        [*(faces[laid.lie] for laid in state.board.tiles.values()), *held, *state.bag, *state.discards]
    )


@settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.sampled_from(get_args(Tiles)), st.sampled_from(["balanced", "rulebook"]))
def test_no_tile_no_marker_and_no_point_is_lost(number: int, tiles: Tiles, opening: str) -> None:
    scores: list[int] | None = None
    for state, seat, _, events in walk(number, 150, tiles=tiles, opening=opening):
        assert tiles_of(state) == Counter(shape(tiles).counts)
        for owner, supply in enumerate(state.supplies):
            on_board = sum(marker.seat == owner for marker in state.board.markers.values())
            assert supply + on_board == COMMON.markers[state.seats]
        for event in events:
            if scores is not None and isinstance(event, moves.Marked):
                scores[seat] -= event.cost
            if scores is not None and isinstance(event, moves.Taken):
                scores[seat] += event.gain
            if scores is not None and isinstance(event, moves.Closed) and event.owner is not None:
                scores[event.owner] += event.count * event.points
        assert scores is None or scores == state.scores
        scores = list(state.scores)


def test_a_marker_that_is_only_taken_up_is_told_with_cost_and_score() -> None:
    state = arrange(line(3), {"Z50": (0, "14")}, scores=[4, 0])

    (marked,) = run(state, "mark AA50 14")
    assert marked == moves.Marked(0, "AA50", (1, 4), 1, cost=3, score=1)
    run(state, "end; end")
    (taken,) = run(state, "take Z50")

    assert taken == moves.Taken(0, "Z50", 1, gain=3, score=4)
    assert state.changes == TeslaChanges(taken=("Z50",), returned=(MarkerReturn("Z50", 0, 3),))


def test_a_lengthened_circuit_is_told_and_a_tile_that_leaves_one_as_long_is_no_cut() -> None:
    state = arrange(line(2), {"Z50": (1, "14")}, hands=[["03"], []])

    placed, joined = run(state, "place AB50 14")

    assert placed == moves.TeslaPlaced(0, "AB50", "14")
    assert joined == moves.Joined(0, 1, 3, False, (1,), (0, 1), None, 1, (0, 0))

    state = arrange({**line(2), "AB50": "04"}, hands=[["02"], []])

    events = run(state, "replace AB50 24")

    assert [type(event) for event in events] == [moves.TeslaPlaced]
    assert state.discards == ["02"]


def test_a_ring_of_nobody_pays_nobody_and_the_net_of_a_turn_counts_its_points() -> None:
    state = arrange(NEARLY, hands=[["02"], []])

    closed = only(run(state, CLOSING), moves.Closed)

    assert (closed.length, closed.owner, closed.count, closed.points) == (6, None, 0, 12)
    assert state.phase == "tiles"

    state = arrange(line(4), {"Z50": (0, "14")}, scores=[10, 0])

    assert only(run(state, "take Z50; end"), moves.TeslaTurnEnded) == moves.TeslaTurnEnded(0, 0, 4)


def test_a_replay_that_can_be_put_nowhere_is_ended_without_asking() -> None:
    state = arrange(phase="replay", replays=1)
    assert GAME.only_move(state, 0) is None

    state = arrange(phase="replay", replays=1, supplies=[0, 10])

    assert legal(state) == [moves.EndReplay()]
    assert GAME.only_move(state, 0) == moves.EndReplay()
    assert GAME.only_move(state, 1) is None


def test_all_but_the_draw_may_be_taken_back() -> None:
    harmless: set[str] = set()
    final: set[str] = set()
    for number in range(12):
        for _, _, _, events in walk(number, 300):
            for event in events:
                (final if event.reveals else harmless).add(type(event).__name__)

    assert harmless >= {"TeslaPlaced", "Joined", "Closed", "Split", "Marked", "Taken"}
    assert final >= {"Discarded", "TilesReshuffled", "TeslaTurnEnded", "Drawn", "TeslaEnded"}
    assert not harmless & final
    assert not moves.ReplayEnded(0, 1).reveals


def test_a_turn_changes_what_it_lays_marks_and_takes() -> None:
    state = arrange(line(2), {"Z50": (0, "14"), "AA50": (0, "14")}, hands=[["03"], []])
    assert GAME.view(state, 0).changes == TeslaChanges()

    run(state, "place AB50 14; take Z50")
    assert GAME.view(state, 0).changes == TeslaChanges(
        placed=("AB50",), taken=("Z50",), returned=(MarkerReturn("Z50", 0, 3),), lengths=((1, 2),)
    )
    run(state, "end")

    assert GAME.view(state, 1).changes == TeslaChanges(
        placed=("AB50",), taken=("Z50",), returned=(MarkerReturn("Z50", 0, 3),), lengths=((1, 2),)
    )


def test_the_seat_that_leaves_in_its_turn_passes_it_on_and_out_of_turn_stops_nobody() -> None:
    state = arrange(line(3), {"Z50": (1, "14")}, scores=[0, 0, 0], hands=[["01"], ["02"], ["03"]], seat=1)

    events = run(state, "1 leave")

    assert events == [moves.TeslaResigned(1)]
    assert (state.seat, state.phase, state.places) == (2, "tiles", [None, 3, None])
    assert (state.discards, state.hands[1], state.board.markers) == (["02"], [], {})

    state = arrange(line(3), scores=[0, 0, 0], hands=[["03"], ["02"], []])

    run(state, "2 leave; place AC50 14")

    assert (state.seat, state.phase) == (0, "tiles")
    run(state, "end; end")
    assert state.seat == 0


def test_when_the_last_active_seat_leaves_the_idle_are_done_and_seats_out_at_once_share_a_place() -> None:
    state = arrange(scores=[3, 5, 9], idle=[2, 2, 0])

    events = run(state, "2 leave")

    assert [type(event) for event in events] == [moves.TeslaResigned, moves.TeslaEnded]
    assert outcome(state) == ("exhausted", (2, 1, 3))

    state = arrange(line(9), {"Z50": (0, "14")}, scores=[40, 0, -2, -1], win=80)

    events = run(state, "take Z50")

    assert [event.seat for event in events if isinstance(event, moves.TeslaEliminated)] == [2, 3]
    assert state.places == [None, None, 3, 3]


def test_markers_may_be_used_from_the_start_of_the_turn() -> None:
    state = arrange(line(2), {"Z50": (0, "14")})

    assert {moves.Mark("AA50", (1, 4)), moves.Take("Z50"), moves.TeslaEndTurn()} == set(legal(state))


def test_the_dm_changes_when_the_seat_draws_or_is_out_and_the_beat_with_each_turn() -> None:
    state = begin(["03"] * 4, seats=3)
    before = [GAME.hand(state, seat) for seat in range(3)]

    run(state, "place AA50 14")
    assert [GAME.hand(state, seat) for seat in range(3)] == before
    run(state, "end")
    after = [GAME.hand(state, seat) for seat in range(3)]
    assert after[0] != before[0]
    assert after[1:] == before[1:]
    run(state, "1 leave")

    assert GAME.hand(state, 1) is None

    state = arrange(turn=7)
    assert GAME.post_counter(state) == 7
    run(state, "end")
    assert GAME.post_counter(state) == 8
    run(state, "0 leave")
    assert GAME.post_counter(state) == 9


@pytest.mark.parametrize(("seats", "opening"), [(2, "balanced"), (3, "rulebook"), (4, "rulebook")])
def test_the_usual_opening_depends_on_the_number_of_seats(seats: int, opening: Opening) -> None:
    assert GAME.settle(seats, TeslaOptions()) == TeslaOptions(opening=opening)
    assert GAME.settle(seats, TeslaOptions(opening="balanced")).opening == "balanced"
    assert GAME.settle(seats, TeslaOptions(opening="rulebook")).opening == "rulebook"


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(IllegalSetup, match=f"Tesla's Tangle is for 2 to 4 players, not {seats}."):
        GAME.settle(seats, TeslaOptions())


@pytest.mark.parametrize("tiles", get_args(Tiles))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_begins_with_the_start_tile_and_four_tiles_each(tiles: Tiles, seats: int) -> None:
    options = GAME.settle(seats, TeslaOptions(tiles=tiles))
    deal = GAME.deal(seats, options, SEED)
    state = GAME.begin(seats, options, deal, SEED)

    assert list(state.board.tiles) == ["Z50"]
    assert_sound(state.board)
    assert Counter([*deal.bag, shape(tiles).start_face]) == Counter(shape(tiles).counts)
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert len(state.bag) == 120 - 1 - 4 * seats
    assert state.supplies == [COMMON.markers[seats]] * seats
    assert (state.seat, state.turn, state.phase) == (deal.first, 1, "tiles")


def test_each_draws_four_at_once_from_the_first_seat_on_which_any_seat_can_be() -> None:
    state = begin(["01"] * 4 + ["02"] * 4 + ["03"] * 4, seats=3, first=1)

    assert state.hands == [["03"] * 4, ["01"] * 4, ["02"] * 4]

    firsts = {GAME.deal(4, TeslaOptions(), str(number).encode()).first for number in range(40)}

    assert firsts == {0, 1, 2, 3}


def test_deals_that_could_not_be_dealt_and_bags_of_the_other_shape_are_refused() -> None:
    options = GAME.settle(2, TeslaOptions())
    deal = GAME.deal(2, options, SEED)
    for wrong, reason in [
        (msgspec.structs.replace(deal, bag=deal.bag[1:]), "The bag has 8 tiles|The bag has"),
        (msgspec.structs.replace(deal, bag=("09", *deal.bag[1:])), "The bag has an unknown tile: 09."),
        (msgspec.structs.replace(deal, first=2), "The first seat must be 0 to 1, not 2."),
        (msgspec.structs.replace(deal, first=-1), "The first seat must be 0 to 1, not -1."),
    ]:
        with pytest.raises(IllegalDeal, match=reason):
            GAME.begin(2, options, wrong, SEED)

    deal = GAME.deal(2, GAME.settle(2, TeslaOptions()), SEED)

    with pytest.raises(IllegalDeal):
        GAME.begin(2, GAME.settle(2, TeslaOptions(tiles="square")), deal, SEED)
