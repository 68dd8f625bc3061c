from collections.abc import Callable, Iterator
from itertools import count
from random import Random

import pytest

from engines.analysis.search import Playout, Ranked
from engines.game import Seat, Strength
from engines.tesla import GAME
from engines.tesla.computer import search
from engines.tesla.computer.evaluation import Evaluation, effect_of, evaluate_circuit, evaluate_placement
from engines.tesla.computer.planning import TurnPlan, key
from engines.tesla.computer.search import winning_turn
from engines.tesla.legal.actions import act
from engines.tesla.legal.moves import own_markers
from engines.tesla.legal.position import position_of
from engines.tesla.moves import (
    Discard,
    EndReplay,
    Mark,
    Move,
    Replace,
    Replay,
    Take,
    TeslaEndTurn,
    TeslaPlace,
)
from engines.tesla.pieces.circuits import survey
from engines.tesla.pieces.components import TeslaOptions
from engines.tesla.truth.state import TeslaState
from tests.engines.conformance import is_advised
from tests.engines.tesla.arrange import arrange, begin, legal, line, ring, run
from tests.often import often
from tests.thinking import choose_briefly

STRONG, MEDIUM, EASY = Strength.STRONG, Strength.MEDIUM, Strength.EASY
both = pytest.mark.parametrize("strength", list(Strength))
weaker = pytest.mark.parametrize("strength", [EASY, Strength.CASUAL, MEDIUM])

RING = ring("Z50")
NEARLY = {cell: lie for cell, lie in RING.items() if cell != "Z49"}
TWO_ON_IT = {"AA50": (0, "35"), "Y50": (0, "02")}


def decide(state: TeslaState, strength: Strength = STRONG, seed: int = 0) -> Move:
    return GAME.choose(GAME.view(state, state.seat), state.seat, Random(seed), strength)


def play_game(number: int, strengths: list[Strength], **options: object) -> TeslaState:
    rng, seed = Random(number), number.to_bytes(8, "big")
    chosen = GAME.settle(len(strengths), TeslaOptions(**options))  # type: ignore[arg-type]
    state = GAME.begin(len(strengths), chosen, GAME.deal(len(strengths), chosen, seed), seed)
    while state.phase != "over":
        seat = state.seat
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, strengths[seat]))
    return state


@both
def test_it_takes_the_marker_that_wins(strength: Strength) -> None:
    state = arrange({**line(3), **line(6, "Z60")}, {"Z50": (0, "14"), "Z60": (0, "14")}, scores=[44, 0])

    assert decide(state, strength) == Take("Z60")


def test_the_medium_one_closes_a_ring_that_pays() -> None:
    state = arrange(NEARLY, TWO_ON_IT, hands=[["02", "01", "01-23-45"], []])

    assert decide(state, MEDIUM) == TeslaPlace("02", 1, "Z49")


@both
def test_it_closes_a_ring_that_wins(strength: Strength) -> None:
    state = arrange(NEARLY, TWO_ON_IT, scores=[30, 0], hands=[["02", "01", "01-23-45"], []])

    assert decide(state, strength) == TeslaPlace("02", 1, "Z49")


def test_a_turn_that_has_laid_one_tile_over_another_is_told_apart_from_one_that_has_laid_only_that() -> None:
    state = arrange(line(3), {}, hands=[["03", "01-23-45", "02-35"], []])
    places = [move for move in GAME.moves(state, 0) if isinstance(move, TeslaPlace)]
    longer = [
        (place, replace)
        for place in places
        for replace in GAME.moves(make_moves(state, place), 0)
        if isinstance(replace, Replace) and replace.cell == place.cell
    ]

    assert longer
    for place, replace in longer:
        direct = make_moves(state, TeslaPlace(replace.tile, replace.turn, replace.cell))
        assert key(make_moves(state, place, replace)) != key(direct)


def make_moves(state: TeslaState, *moves: TeslaPlace | Replace) -> TeslaState:
    after = state.copy()
    for move in moves:
        act(after, move)
    return after


@both
def test_it_does_not_pay_another_seat(strength: Strength) -> None:
    markers = {cell: (1, word) for cell, (_, word) in TWO_ON_IT.items()}
    state = arrange(NEARLY, markers, hands=[["02"], []])

    assert decide(state, strength) != TeslaPlace("02", 1, "Z49")


def test_it_cuts_what_will_win_for_another_and_does_not_put_itself_out_by_a_marker() -> None:
    state = arrange(line(9), {"Z50": (1, "14"), "AH50": (1, "14")}, scores=[0, 44], hands=[["01-23"], []])

    move = decide(state)

    assert isinstance(move, Replace)

    state = arrange(line(3), scores=[-48, 0])

    assert not isinstance(decide(state), Mark)


def test_after_its_marker_it_throws_poor_tiles_away() -> None:
    state = arrange(hands=[["01", "02", "01-23-45", "01-23"], []])
    run(state, "mark Z50 03")

    assert decide(state, EASY) == decide(state, STRONG) == Discard(("02",))
    state.hands[0] = ["01-23-45"]
    assert decide(state, EASY) == TeslaEndTurn()


@both
def test_paid_markers_are_replayed_or_left(strength: Strength) -> None:
    state = arrange({**NEARLY, **line(2, "Z60")}, TWO_ON_IT, hands=[["02"], []])
    run(state, f"place Z49 {RING['Z49']}")

    move = decide(state, strength)

    assert isinstance(move, Replay | EndReplay)
    assert move in legal(state)


@both
def test_it_holds_still_in_the_first_turn_of_the_balanced_opening(strength: Strength) -> None:
    state = begin([], opening="balanced")

    assert isinstance(decide(state, strength), TeslaPlace | Replace | Discard | TeslaEndTurn)


def test_it_lays_tiles_before_anybody_has_a_marker() -> None:
    state = begin([], opening="balanced")

    assert isinstance(decide(state), TeslaPlace)


@both
def test_it_does_something_in_each_of_its_first_turns(strength: Strength) -> None:
    state = begin([], opening="balanced")

    for _ in range(2):
        first = decide(state, strength)
        assert isinstance(first, TeslaPlace | Replace | Mark)
        while state.turn < 3 and state.seat == 0:
            GAME.play(state, 0, decide(state, strength))
        if state.seat == 1:
            run(state, "mark Z50 03; end")


@weaker
def test_it_takes_its_most_valuable_marker_back_rather_than_put_a_fifth(strength: Strength) -> None:
    rows, moves = (50, 53, 56, 59), set()
    lines = {cell: lie for row in rows for cell, lie in line(row - 46, f"Z{row}").items()}
    for seed in range(40):
        state = arrange({**lines, **line(1, "Z63")}, {f"Z{row}": (0, "14") for row in rows})
        moves.add(decide(state, strength, seed))

    assert moves == {Take("Z59")}


@weaker
def test_no_marker_brings_a_seat_within_reach_of_going_out(strength: Strength) -> None:
    state = arrange({**line(4), **line(10, "Z60")}, {"Z60": (1, "14")}, scores=[-35, 4])

    assert not any(isinstance(decide(state, strength, seed), Mark) for seed in range(40))


def test_a_marker_that_leaves_all_others_behind_is_a_threat() -> None:
    near = arrange(line(9), {"Z50": (0, "14")}, scores=[30, -11])
    far = arrange(line(9), {"Z50": (0, "14")}, scores=[10, -11])

    def gain(seat: Seat) -> float:
        one, other = (
            Evaluation(state, seat, cashes=True).value(state, has_next_turn=seat == 0)
            for state in (near, far)
        )
        return one - other

    assert gain(0) > 20 + 20
    assert gain(1) < -20 - 20


def test_it_lays_a_tile_to_mark_if_all_others_are_taken() -> None:
    state = arrange(None, {"Z50": (1, "03")}, hands=[["03", "03", "03-14-25", "01"], []])

    while state.seat == 0:
        GAME.play(state, 0, decide(state))

    assert len(state.board.markers) == 2


def test_a_marker_that_could_win_counts_for_the_next_turn() -> None:
    near = arrange(line(9), {"Z50": (0, "14")}, scores=[44, 0])
    far = arrange(line(9), {"Z50": (0, "14")}, scores=[20, 0])

    def gain(seat: Seat, *, next_turn: bool) -> float:
        evaluations = (Evaluation(state, seat).value(state, has_next_turn=next_turn) for state in (near, far))
        return next(evaluations) - next(evaluations)

    assert gain(0, next_turn=True) > gain(0, next_turn=False)
    assert gain(1, next_turn=False) < gain(1, next_turn=True)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_neither_side_gains_by_moving_last_in_search(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def tempo(_: Evaluation, __: TeslaState, *, has_next_turn: bool = False) -> float:
        return 10.0 if has_next_turn else -10.0

    def play_out_once(
        plans: list[TurnPlan],
        deal: Callable[[Random], TeslaState],
        played_out: Callable[[TeslaState, TurnPlan, Random], Playout],
        luck: Random,
        *_: object,
    ) -> list[Ranked[TurnPlan]]:
        return [Ranked(played_out(deal(luck), plan, luck).value, plan) for plan in plans]

    monkeypatch.setattr(Evaluation, "value", tempo)
    monkeypatch.setattr(search, "rank_candidates", play_out_once)
    view = GAME.view(arrange(line(6), {"Z50": (0, "14")}, hands=[["03"], ["03"]]), 0)

    found = search.turns(view, Random(1), GAME, search.TeslaDepth(turns=2, ahead=turns))

    assert [one.value for one in found] == [0, 0]


@pytest.mark.thorough
def test_the_strong_one_beats_the_medium_one() -> None:
    won = 0
    for number in range(8):
        seat = number % 2
        strengths = [STRONG, MEDIUM] if seat == 0 else [MEDIUM, STRONG]
        outcome = play_game(number, strengths).outcome
        assert outcome is not None
        won += outcome.places[seat] == 1

    assert won >= 5


def test_a_longer_circuit_and_more_markers_are_worth_more_and_a_takeover_counts_twice() -> None:
    board = arrange(line(8)).board
    ends = board.circuits[1].ends

    assert evaluate_circuit(board, 8, ends, 0) == 0
    assert (
        0
        < evaluate_circuit(board, 3, ends, 1)
        < evaluate_circuit(board, 8, ends, 1)
        < evaluate_circuit(board, 8, ends, 2)
    )
    assert evaluate_circuit(board, 8, ends, 1) < evaluate_circuit(board, 8, (), 1)

    state = arrange({**line(4), **line(3, "AE50")}, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=[["03"], []])
    effect = effect_of(state, survey(state.board, "AD50", "14"))

    assert (effect.gains, effect.stakes) == ((0, 0), (4, -3))
    assert evaluate_placement(state, effect) == pytest.approx(0.85 * (4 + 0.8 * 3))


def test_a_placement_preview_matches_the_later_value() -> None:
    state = arrange(
        {**line(4), **line(3, "AE50")},
        {"Z50": (0, "14"), "AE50": (1, "14")},
        scores=[0, 0],
        hands=[["03"], []],
    )
    evaluation, board = Evaluation(state), state.board
    placement = survey(board, "AD50", "14")
    before, owners = evaluation.before(board, placement.pieces)
    after = state.copy()
    act(after, TeslaPlace("03", 1, "AD50"))

    foreseen = evaluation.after(state, placement.joins, owners) - before

    assert foreseen == pytest.approx(evaluation.value(after) - evaluation.value(state))
    assert foreseen > 0


WINS = often(3, 500)
"""The number of positions in which a turn wins and must be played."""

ADVISED = often(1, 20)
"""The number of those in which the winning turn must be advised."""


def positions() -> Iterator[TeslaState]:
    """Yield positions in which the seat to act is near winning."""
    for number in count():
        rng, seed = Random(number), number.to_bytes(8, "big")
        options = GAME.settle(2, TeslaOptions())
        state = GAME.begin(2, options, GAME.deal(2, options, seed), seed)
        while state.outcome is None and state.turn < 40:
            seat, turn = state.seat, state.turn
            while state.outcome is None and state.turn == turn:
                if state.phase == "tiles" and not state.acted and rng.random() < 0.2:
                    near = state.copy()
                    near.scores[seat] = state.options.win - rng.randint(4, 16)
                    near.scores[1 - seat] = max(state.scores[1 - seat], 5)
                    yield near
                strength = Strength.MEDIUM if seat == number % 2 else Strength.EASY
                GAME.play(state, seat, choose_briefly(GAME, GAME.view(state, seat), seat, rng, strength))


def wins(state: TeslaState) -> bool:
    """Return True if a turn with one tile at most wins."""
    seat = state.seat
    if can_take(state, seat):
        return True
    for move in GAME.moves(state, seat):
        if isinstance(move, TeslaPlace | Replace):
            after = state.copy()
            act(after, move)
            if after.phase == "replay":
                act(after, EndReplay())
            if after.outcome is not None and after.outcome.places[seat] == 1:
                return True
            if after.outcome is None and after.seat == seat and can_take(after, seat):
                return True
    return False


def can_take(state: TeslaState, seat: int) -> bool:
    for cell in list(own_markers(state)) if state.may_mark else []:
        after = state.copy()
        act(after, Take(cell))
        if after.outcome is not None and after.outcome.places[seat] == 1:
            return True
    return False


def plays_on(state: TeslaState, strength: Strength) -> bool:
    seat, turn = state.seat, state.turn
    while state.outcome is None and state.turn == turn:
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, Random(1), strength))
    return state.outcome is not None and state.outcome.places[seat] == 1


def test_a_turn_that_wins_is_found_and_played_and_advised() -> None:
    won = 0
    for state in positions():
        if wins(state):
            won += 1
            assert winning_turn(position_of(GAME.view(state, state.seat))) is not None
            assert won > ADVISED or is_advised(GAME, state, state.seat)
            assert plays_on(state.copy(), Strength.STRONG if won % 2 else Strength.MEDIUM)
        if won == WINS:
            return
