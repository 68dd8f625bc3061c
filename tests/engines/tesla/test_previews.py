"""Previews from a view: they predict what the rules will do, in the same words."""

from typing import get_args

import pytest

from engines.game import IllegalMove
from engines.tesla import GAME
from engines.tesla.moves import EndReplay, Mark, Replace, Replay, Take, TeslaPlace
from engines.tesla.pieces.board import End
from engines.tesla.pieces.components import Tiles
from engines.tesla.preview import Fit, MovePreview, fits, move_preview, sites, would_end_idle, would_ruin
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaView
from tests.engines.conformance import encode_state
from tests.engines.tesla.arrange import arrange, line, read, ring, run
from tests.engines.tesla.walks import walk

pytestmark = pytest.mark.slow

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


def test_a_look_ahead_leaves_the_view_alone() -> None:
    view = view_of_mover(arrange(line(2), hands=[["03"], []]))
    before = encode_state(view)

    move_preview(view, TeslaPlace("03", 1, "AB50"))

    assert encode_state(view) == before


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


def test_only_the_seat_to_act_looks_ahead() -> None:
    state = arrange(hands=[["03"], ["03"]])
    with pytest.raises(IllegalMove, match=r"It isn't your turn\."):
        move_preview(GAME.view(state, 1), TeslaPlace("03", 1, "AA50"))
    run(state, "1 leave")
    with pytest.raises(IllegalMove, match=r"The game is over\."):
        move_preview(GAME.view(state, 0), TeslaPlace("03", 1, "AA50"))


def test_a_look_ahead_does_not_know_the_tiles_of_those_who_go_out() -> None:
    state = arrange(line(9), {"Z50": (0, "14")}, scores=[40, 0, -2], hands=[[], [], ["01"]], win=80)

    view = looking_ahead(state, "take Z50").view

    assert (view.out, view.held, view.discards) == ([2], (0, 0, 0), [])


@pytest.mark.parametrize(
    ("words", "group"),
    [(f"place Z49 {RING['Z49']}", "closes"), ("place Y60 14", "lengthens"), ("place Z61 14", "other")],
)
def test_groups(words: str, group: str) -> None:
    tiles = {**NEARLY, **line(4, "Z60")}
    state = arrange(tiles, {"AA60": (0, "14")}, hands=[["02", "03"], []])

    assert fit(state, words).group == group


def test_groups_of_joins_and_cuts() -> None:
    tiles = {**line(3), **line(2, "AD50")}
    state = arrange(tiles, {"Z50": (1, "14")}, hands=[["03", "01-23"], []])

    assert fit(state, "place AC50 14").group == "joins"
    assert fit(state, "replace AA50 01-45").group == "cuts"
    assert fit(state, "place AC50 14").evaluation < 0 < fit(state, "replace AA50 01-45").evaluation


def test_the_best_fit_comes_first() -> None:
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


def test_sites_of_a_replay_take_nothing() -> None:
    state = arrange(NEARLY, {"AA50": (0, "35")}, hands=[["02"], []])
    run(state, f"place Z49 {RING['Z49']}")

    assert [(len(site.spots), site.mine) for site in sites(view_of_mover(state))] == [(6, ())]


def test_there_are_no_sites_once_a_marker_was_used() -> None:
    state = arrange(line(2))
    run(state, "mark Z50 14")

    assert sites(view_of_mover(state)) == []
    assert sites(view_of_mover(arrange(may_mark=False))) == []


def test_with_an_empty_supply_markers_can_only_be_taken() -> None:
    state = arrange(line(2), {"Z50": (0, "14")}, supplies=[0, 10])

    assert [(site.spots, site.mine) for site in sites(view_of_mover(state))] == [((), ("Z50",))]


@pytest.mark.parametrize(("idle", "ends"), [([1, 2], True), ([0, 2], False), ([2, 1], False)])
def test_a_pass_that_ends_the_game_is_foreseen(idle: list[int], ends: bool) -> None:
    state = arrange(idle=idle)

    assert would_end_idle(view_of_mover(state)) == ends
    run(state, "end")
    assert (state.phase == "over") == ends


def test_a_hundredth_turn_that_ends_the_game_is_foreseen() -> None:
    assert would_end_idle(view_of_mover(arrange(turns=[99, 100])))
    assert not would_end_idle(view_of_mover(arrange(phase="replay", replays=1, turns=[99, 100])))


def test_a_mark_that_puts_its_own_seat_out_is_foreseen() -> None:
    state = arrange(line(10), scores=[-15, 25])

    assert would_ruin(view_of_mover(state), Mark("Z50", (1, 4)))
    assert not would_ruin(view_of_mover(arrange(line(9), scores=[-15, 25])), Mark("Z50", (1, 4)))


def test_a_fit_tells_how_its_tile_would_lie() -> None:
    result = fit(arrange(hands=[["03"], []]), "place AA50 14")

    assert (result.lie, result.move) == ("14", TeslaPlace("03", 1, "AA50"))
    assert (
        End("AA50", 1)
        in looking_ahead(arrange(hands=[["03"], []]), "place AA50 14").view.board.circuits[2].ends
    )
