from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.game import IllegalMove
from engines.tesla import GAME, preview
from engines.tesla.moves import EndReplay, Mark, Replace, Replay, Split, Take, TeslaPlace, TeslaPlaced
from engines.tesla.pieces.board import End, TeslaBoard, neighbours
from engines.tesla.pieces.circuits import pieces_at, survey
from engines.tesla.pieces.components import Tiles, shape
from engines.tesla.preview import Fit, MovePreview, fits, move_preview, sites, would_end_idle, would_ruin
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaView
from tests.engines.conformance import encode_state
from tests.engines.tesla.arrange import arrange, board_of, circuit, find_turn, line, only, read, ring, run
from tests.engines.tesla.recount import assert_sound, walk

SHAPES: tuple[Tiles, ...] = get_args(Tiles)


@settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.sampled_from(SHAPES))
def test_circuits_are_what_a_recount_finds_after_every_move(number: int, tiles: Tiles) -> None:
    for state, _, _, _ in walk(number, 120, tiles=tiles, win=80):
        assert_sound(state.board)


@pytest.mark.parametrize("tiles", SHAPES)
def test_circuits_stay_sound_to_the_end_of_a_long_game(tiles: Tiles) -> None:
    for state, _, _, events in walk(2, 900, tiles=tiles, win=80):
        if any(isinstance(event, TeslaPlaced) for event in events):
            assert_sound(state.board)


@pytest.mark.parametrize("tiles", SHAPES)
def test_a_placement_is_foreseen_with_its_lengths_and_ends(tiles: Tiles) -> None:
    for state, _, _, events in walk(5, 200, tiles=tiles, win=80):
        for event in events:
            if isinstance(event, TeslaPlaced):
                numbers = dict.fromkeys(state.board.tiles[event.cell].circuits)
                circuits = [state.board.circuits[number] for number in numbers]
                lies = {cell: laid.lie for cell, laid in state.board.tiles.items() if cell != event.cell}
                placement = survey(board_of(lies, {}, tiles), event.cell, event.lie)
                assert [(join.length, set(join.ends)) for join in placement.joins] == [
                    (one.length, set(one.ends)) for one in circuits
                ]


@pytest.mark.parametrize("tiles", SHAPES)
def test_neighbours_stay_right_as_tiles_are_laid_and_replaced(tiles: Tiles) -> None:
    for state, _, _, _ in walk(5, 200, tiles=tiles, win=80):
        board = state.board
        again = TeslaBoard(board.shape, board.tiles)
        assert list(board.around.items()) == list(again.around.items())
        assert all(board.surroundings_of(cell) == met for cell, met in board.around.items())


def test_a_lifted_tile_leaves_a_piece_on_each_side_and_of_a_ring_one_with_two_ports() -> None:
    state = arrange(line(6), {"AC50": (0, "14"), "Z50": (0, "14")})

    left, right = sorted(pieces_at(state.board, "AB50"), key=lambda piece: piece.length)

    assert (left.length, left.ports, left.markers) == (2, (4,), ("Z50",))
    assert (right.length, right.ports, right.markers) == (3, (1,), ("AC50",))

    around = ring("Z50")
    (piece,) = pieces_at(arrange(around).board, "AA50")

    assert (piece.length, len(piece.ports), piece.ends, piece.ring) == (5, 2, (), True)


def test_a_tile_that_a_circuit_crosses_three_times_leaves_four_pieces() -> None:
    loops = {"AA50": "34", "Z51": "05", "Y51": "05", "Y50": "12"}
    state = arrange({"Z50": "01-23-45", **loops, "AA49": "03", "Z49": "25", "AB48": "03"})
    assert circuit(state, "Z50", "23").length == 10

    pieces = pieces_at(state.board, "Z50")

    assert [(piece.ports, piece.length) for piece in pieces] == [
        ((0,), 2),
        ((1, 2), 2),
        ((3, 4), 2),
        ((5,), 1),
    ]


def test_where_circuits_join_the_longest_or_the_owner_s_keeps_its_number() -> None:
    tiles = {**line(2), **line(3, "AC50")}
    state = arrange(tiles, hands=[["03"], []])
    longest = state.board.circuit_at("AC50", (1, 4))

    run(state, "place AB50 14")

    assert set(state.board.circuits) == {longest}
    assert circuit(state, "Z50", "14").length == 6

    markers = {"Z50": (0, "14"), "AC50": (1, "14"), "AA50": (0, "14")}
    state = arrange({**line(2), **line(3, "AC50")}, markers, hands=[["03"], []])
    owned = state.board.circuit_at("Z50", (1, 4))

    run(state, "place AB50 14")

    assert set(state.board.circuits) == {owned}
    assert state.board.owner(owned) == 0


def test_where_a_circuit_is_cut_the_longest_part_or_that_with_the_marker_keeps_its_number() -> None:
    state = arrange(line(6), hands=[["01-23"], []])

    events = run(state, "replace AB50 01-45")

    assert state.board.circuit_at("AC50", (1, 4)) == 1
    assert state.board.circuit_at("Z50", (1, 4)) == 2
    assert only(events, Split).parts == (4, 3)

    state = arrange(line(6), {"Z50": (0, "14")}, hands=[["01-23"], []])

    run(state, "replace AB50 01-45")

    assert state.board.circuit_at("Z50", (1, 4)) == 1
    assert state.board.circuit_at("AC50", (1, 4)) == 2


def test_a_number_that_was_free_before_a_turn_goes_to_a_new_circuit() -> None:
    state = arrange({"Z50": "03-14", "AA50": "14"}, hands=[["01", "01", "01"], ["01"]])
    assert set(state.board.circuits) == {1, 2}

    run(state, "replace Z50 12")
    assert set(state.board.circuits) == {2}
    run(state, "end; place AB49 01")

    assert set(state.board.circuits) == {1, 2}


def test_no_new_circuit_gets_the_letter_of_one_that_its_turn_or_tile_has_ended() -> None:
    state = arrange({"Z50": "03-14", "AA50": "14"}, hands=[["01", "01", "01"], []])

    run(state, "replace Z50 12")
    foreseen = preview.move_preview(GAME.view(state, 0), TeslaPlace("01", 0, "AB49"))
    run(state, "place AB49 01; place AA51 01")

    assert set(foreseen.view.board.circuits) == {2, 3}
    assert set(state.board.circuits) == {2, 3, 4}

    state = arrange({"Z50": "03-14", "AA50": "14"}, hands=[[find_turn("01-34")[0]], []])
    before = set(state.board.circuits)

    run(state, "replace Z50 01-34")

    assert before == {1, 2}
    assert set(state.board.circuits) == {2, 3}


@pytest.mark.parametrize("tiles", SHAPES)
def test_every_cell_has_a_neighbour_behind_each_side_and_is_its_neighbour_too(tiles: Tiles) -> None:
    for side, beyond in enumerate(neighbours(tiles, "A0")):
        assert neighbours(tiles, beyond)[shape(tiles).opposite(side)] == "A0"


RING = ring("Z50")
NEARLY = {cell: lie for cell, lie in RING.items() if cell != "Z49"}


def view_of_mover(state: TeslaState) -> TeslaView:
    return GAME.view(state, state.seat)


def looking_ahead(state: TeslaState, words: str) -> MovePreview:
    move = read(words, state.options.tiles)
    assert isinstance(move, TeslaPlace | Replace | Mark | Take | Replay | EndReplay)
    return move_preview(view_of_mover(state), move)


def fit(state: TeslaState, words: str) -> Fit:
    move = read(words, state.options.tiles)
    assert isinstance(move, TeslaPlace | Replace)
    (result,) = [fit for fit in fits(view_of_mover(state), move.tile) if fit.move == move]
    return result


@pytest.mark.parametrize("tiles", get_args(Tiles))
def test_fits_are_the_legal_placements_of_a_face(tiles: Tiles) -> None:
    for number in (0, 1):
        before: TeslaView | None = None
        for state, _, _, _ in walk(number, 120, tiles=tiles):
            if state.phase == "tiles":
                before = view_of_mover(state)
                legal = list(GAME.moves(state, state.seat))
                for face in dict.fromkeys(state.hands[state.seat]):
                    entries = fits(before, face)
                    worths = [fit.evaluation for fit in entries]
                    assert worths == sorted(worths, reverse=True)
                    assert {fit.move for fit in entries} == {
                        move for move in legal if isinstance(move, TeslaPlace | Replace) and move.tile == face
                    }
        assert before is not None


def test_a_look_ahead_is_what_comes() -> None:
    looked = 0
    for number in range(8):
        foreseen: tuple[object, MovePreview] | None = None
        view: TeslaView | None = None
        for state, seat, move, events in walk(number, 150):
            if view is not None and isinstance(move, TeslaPlace | Replace | Mark | Take | Replay | EndReplay):
                assert view.seat == seat
                foreseen = move, move_preview(view, move)
                looked += 1
                assert foreseen[1].events == tuple(events)
                if not any(event.reveals for event in events):
                    assert encode_state(foreseen[1].view) == encode_state(GAME.view(state, seat))
                    assert foreseen[1].view.scores == state.scores
            view = None if state.phase == "over" else view_of_mover(state)
    assert looked > 300


def test_the_gains_of_a_fit_are_those_of_the_rules() -> None:
    paid = 0
    for number in range(10):
        for state, _, _, _ in walk(number, 120, win=30):
            if state.phase != "tiles" or not state.hands[state.seat]:
                continue
            view = view_of_mover(state)
            for result in fits(view, state.hands[state.seat][0])[:2]:
                after = move_preview(view, result.move).view.scores
                assert result.gains == tuple(new - old for new, old in zip(after, view.scores, strict=True))
                paid += any(result.gains)
    assert paid


@pytest.mark.parametrize(
    "words", ["place AA50 25", "place AC50 03", "replace AA50 03", "mark Z50 01", "take Z50", "enough"]
)
def test_a_look_ahead_refuses_in_the_words_of_the_rules(words: str) -> None:
    state = arrange(hands=[["03"], []])
    with pytest.raises(IllegalMove) as foretold:
        looking_ahead(state, words)
    with pytest.raises(IllegalMove) as info:
        run(state, words)

    assert str(foretold.value) == str(info.value)


def test_only_the_seat_to_act_looks_ahead_and_that_leaves_the_view_alone() -> None:
    state = arrange(hands=[["03"], ["03"]])
    with pytest.raises(IllegalMove, match=r"It isn't your turn\."):
        move_preview(GAME.view(state, 1), TeslaPlace("03", 1, "AA50"))
    run(state, "1 leave")
    with pytest.raises(IllegalMove, match=r"The game is over\."):
        move_preview(GAME.view(state, 0), TeslaPlace("03", 1, "AA50"))

    view = view_of_mover(arrange(line(2), hands=[["03"], []]))
    before = encode_state(view)

    move_preview(view, TeslaPlace("03", 1, "AB50"))

    assert encode_state(view) == before


def test_a_look_ahead_knows_no_tiles_of_who_goes_out_and_a_fit_how_its_tile_lies() -> None:
    state = arrange(line(9), {"Z50": (0, "14")}, scores=[40, 0, -2], hands=[[], [], ["01"]], win=80)

    view = looking_ahead(state, "take Z50").view

    assert (view.out, view.held, view.discards) == ([2], (0, 0, 0), [])

    result = fit(arrange(hands=[["03"], []]), "place AA50 14")

    assert (result.lie, result.move) == ("14", TeslaPlace("03", 1, "AA50"))
    assert (
        End("AA50", 1)
        in looking_ahead(arrange(hands=[["03"], []]), "place AA50 14").view.board.circuits[2].ends
    )


@pytest.mark.parametrize(
    ("words", "group"),
    [(f"place Z49 {RING['Z49']}", "closes"), ("place Y60 14", "lengthens"), ("place Z61 14", "other")],
)
def test_groups(words: str, group: str) -> None:
    tiles = {**NEARLY, **line(4, "Z60")}
    state = arrange(tiles, {"AA60": (0, "14")}, hands=[["02", "03"], []])

    assert fit(state, words).group == group


def test_groups_of_joins_and_cuts_and_the_best_fit_comes_first() -> None:
    tiles = {**line(3), **line(2, "AD50")}
    state = arrange(tiles, {"Z50": (1, "14")}, hands=[["03", "01-23"], []])

    assert fit(state, "place AC50 14").group == "joins"
    assert fit(state, "replace AA50 01-45").group == "cuts"
    assert fit(state, "place AC50 14").evaluation < 0 < fit(state, "replace AA50 01-45").evaluation

    state = arrange(NEARLY, {"AA50": (0, "35"), "Y50": (0, "02")}, hands=[["02"], []])

    best = fits(view_of_mover(state), "02")[0]

    assert (best.move, best.group, best.gains) == (TeslaPlace("02", 1, "Z49"), "closes", (24, 0))


def test_sites_are_own_circuits_then_free_ones_by_value() -> None:
    tiles = {**line(3), **line(4, "Z60"), **line(5, "Z70"), **line(2, "Z80")}
    markers = {"Z50": (0, "14"), "Z60": (1, "14")}
    entries = sites(view_of_mover(arrange(tiles, markers)))

    assert [(site.circuit, len(site.spots), site.mine) for site in entries] == [
        (1, 2, ("Z50",)),
        (3, 5, ()),
        (4, 2, ()),
    ]
    assert entries[0].spots == (("AA50", (1, 4)), ("AB50", (1, 4)))


def test_sites_are_none_after_a_marker_take_nothing_in_a_replay_and_only_take_without_supply() -> None:
    state = arrange(line(2))
    run(state, "mark Z50 14")

    assert sites(view_of_mover(state)) == []
    assert sites(view_of_mover(arrange(may_mark=False))) == []

    state = arrange(NEARLY, {"AA50": (0, "35")}, hands=[["02"], []])
    run(state, f"place Z49 {RING['Z49']}")

    assert [(len(site.spots), site.mine) for site in sites(view_of_mover(state))] == [(6, ())]

    state = arrange(line(2), {"Z50": (0, "14")}, supplies=[0, 10])

    assert [(site.spots, site.mine) for site in sites(view_of_mover(state))] == [((), ("Z50",))]


@pytest.mark.parametrize(("idle", "ends"), [([1, 2], True), ([0, 2], False), ([2, 1], False)])
def test_a_pass_that_ends_the_game_is_foreseen(idle: list[int], ends: bool) -> None:
    state = arrange(idle=idle)

    assert would_end_idle(view_of_mover(state)) == ends
    run(state, "end")
    assert (state.phase == "over") == ends


def test_a_hundredth_turn_that_ends_the_game_and_a_mark_that_ruins_its_seat_are_foreseen() -> None:
    assert would_end_idle(view_of_mover(arrange(turns=[99, 100])))
    assert not would_end_idle(view_of_mover(arrange(phase="replay", replays=1, turns=[99, 100])))

    state = arrange(line(10), scores=[-15, 25])

    assert would_ruin(view_of_mover(state), Mark("Z50", (1, 4)))
    assert not would_ruin(view_of_mover(arrange(line(9), scores=[-15, 25])), Mark("Z50", (1, 4)))
