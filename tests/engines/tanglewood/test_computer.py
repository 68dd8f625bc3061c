from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, count, product
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Seat, Strength, Thinking
from engines.tanglewood import GAME
from engines.tanglewood.computer import evaluation
from engines.tanglewood.computer.search import DEPTHS, standing
from engines.tanglewood.legal.moves import choices, hops
from engines.tanglewood.moves import (
    KeepBallots,
    Move,
    PlayBallots,
    TanglewoodDraw,
    TanglewoodPlace,
    TanglewoodPlant,
    TanglewoodStep,
)
from engines.tanglewood.pieces.board import Counts, after, votes
from engines.tanglewood.pieces.components import BALLOTS, REGIONS, Region, TanglewoodOptions
from engines.tanglewood.truth.state import TanglewoodState
from tests.engines.conformance import is_advised
from tests.engines.tanglewood.arrange import arrange, begin, place, play
from tests.often import often

STRONG, MEDIUM, EASY = Strength.STRONG, Strength.MEDIUM, Strength.EASY


LAST_ROUND: dict[str, Any] = {"round": 9, "poll_round": 4, "out_round": 8, "midgame_done": True}


def decide(state: TanglewoodState, seat: Seat = 0, strength: Strength = STRONG, seed: int = 0) -> Move:
    return GAME.choose(GAME.view(state, seat), seat, Random(seed), strength)


def play_game(number: int, strengths: list[Strength], length: str = "full") -> TanglewoodState:
    rng, seed, seats = Random(number), number.to_bytes(8, "big"), len(strengths)
    options = TanglewoodOptions(length=length)  # type: ignore[arg-type]
    state = GAME.begin(seats, options, GAME.deal(seats, options, seed), seed)
    while prompts := GAME.prompts(state):
        seat = min(prompts)
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, strengths[seat]))
    return state


def test_a_cold_region_is_worth_what_it_pays_now_and_a_hot_region_is_open() -> None:
    view = GAME.view(arrange(counts={"A": (5, 3, 1, 1)}), 0)
    cold = evaluation.Heat(0.01)

    assert evaluation.gauge_for(view, 0, cold).region("A", (5, 3, 1, 1)) == pytest.approx(9 - 0.4 * 5 / 3)
    assert evaluation.gauge_for(view, 1, cold).region("A", (5, 3, 1, 1)) == pytest.approx(5 - 0.4 * 9 / 3)
    assert evaluation.gauge_for(view, 2, cold).region("A", (5, 3, 1, 1)) == pytest.approx(-0.4 * 14 / 3)

    near, far = (evaluation.gauge_for(GAME.view(begin(), 0), 0, evaluation.Heat(heat)) for heat in (0.6, 3.0))
    ahead, behind = (3, 2, 2, 2), (2, 3, 2, 2)

    assert near.region("A", ahead) > far.region("A", ahead) > far.region("A", behind)


def test_a_seat_that_has_left_is_no_rival_but_counts() -> None:
    state = arrange(counts={"A": (3, 9, 1, 1)})
    GAME.resign(state, 1)
    view = GAME.view(state, 0)

    assert evaluation.gauge_for(view, 0, evaluation.Heat(0.01)).others == (2, 3)
    assert evaluation.gauge_for(view, 0, evaluation.Heat(0.01)).region("A", (3, 9, 1, 1)) == pytest.approx(5)


def test_the_rounds_that_are_left() -> None:
    view = GAME.view(begin(), 0)
    known = GAME.view(arrange(round=5, poll_round=4), 0)
    last = GAME.view(arrange(round=9, poll_round=4, out_round=8, midgame_done=True), 0)

    assert evaluation.rounds_to_mid_game(view) == pytest.approx(18 / (0.66 * 4) + 1.5)
    assert evaluation.rounds_to_end(view) == pytest.approx(35 / (0.66 * 4) + 1.5)
    assert evaluation.rounds_to_mid_game(known) == 1
    assert evaluation.rounds_to_end(last) == 1
    assert (evaluation.temperature(0.5), evaluation.temperature(1.5)) == (0.55, 1.0)
    assert len(evaluation.gauge(view, 0).heats) == 2
    assert len(evaluation.gauge(last, 0).heats) == 1


def test_prices_and_that_thinking_quickly_looks_as_far_ahead() -> None:
    assert evaluation.price_of_markers(10, 4.0) == pytest.approx(4 * 0.95 + 6 * 0.1)
    assert evaluation.price_of_ballots(1, 2) == pytest.approx(0.9 + 0.4)
    assert evaluation.pace(4, 2) == pytest.approx((8 + 3.2) / 6)
    assert evaluation.price_of_level(0, 0, 1, 0, 1) == 0
    assert evaluation.price_of_level(0, 0, 0, 1, 5) == pytest.approx(
        1.3 * 4 * (evaluation.pace(2, 2) - evaluation.pace(2, 1))
    )

    assert DEPTHS[Thinking.QUICK] == DEPTHS[Thinking.USUAL]


def test_markers_and_ballots_that_can_not_be_played_are_worth_nothing() -> None:
    last = arrange(seat=2, circle=5, **LAST_ROUND)
    view = GAME.view(last, 0)
    more = msgspec.structs.replace(view, circles=[circle + 3 for circle in view.circles])

    assert evaluation.is_last_round(view)
    assert [evaluation.has_turn_left(view, seat) for seat in range(4)] == [False, False, True, True]
    assert evaluation.price_of_markers(5, 0.0) == 0
    assert standing(more, 1) == standing(view, 1)
    assert standing(more, 3) > standing(view, 3)

    few, many = (arrange(hands=["ABCDEFGHI"[:number], "", "", ""]) for number in (5, 9))

    assert evaluation.price_of_ballots(5, 3) == 0
    assert standing(GAME.view(few, 0), 0) == standing(GAME.view(many, 0), 0)


def test_it_places_all_that_it_can_in_its_last_turn_and_plants_where_that_turns_a_region() -> None:
    counts = dict.fromkeys(REGIONS, (4, 5, 6, 2))
    state = arrange(counts=counts, circle=6, place_levels=[3, 0, 0, 0], **LAST_ROUND)
    appraiser = evaluation.Appraiser(GAME.view(state, 0), 0)

    one, most = (appraiser.action(TanglewoodPlace("A", count)) for count in (1, 2))

    assert most > one

    counts = dict.fromkeys(REGIONS, (9, 2, 2, 2)) | {"C": (4, 4, 0, 0)}
    state = arrange(counts=counts, circle=0, tiles=["plant"], out_round=1, round=2, midgame_done=True)
    play(state, TanglewoodDraw("fox"))

    assert decide(state) == TanglewoodPlant("C")


def test_it_draws_with_an_empty_circle_and_takes_the_draw_card_and_the_best_step() -> None:
    move = decide(arrange(circle=0))

    assert isinstance(move, TanglewoodDraw)
    assert move.step is not None

    state = arrange("T43", draw_levels=[3, 0, 0, 0], steps={"rabbit": 6, "bear": 6, "fox": 6})

    assert decide(state, strength=MEDIUM) == TanglewoodPlace("E", 1)

    state = arrange("T15", steps={"rabbit": 6, "fox": 6})
    place(state)

    assert decide(state, strength=MEDIUM) == TanglewoodStep("bear")


def test_it_plays_the_ballots_that_gain_most_and_keeps_those_better_than_most() -> None:
    counts = dict.fromkeys(REGIONS, (0, 9, 8, 7)) | {"A": (3, 4, 4, 1), "B": (3, 5, 1, 0)}
    state = arrange(counts=counts, hands=["ABCD", "", "", ""], poll_round=4, round=5, seat=3)
    play(state, TanglewoodDraw())

    assert decide(state) == PlayBallots(("A", "B"))

    counts = dict.fromkeys(REGIONS, (0, 30, 29, 28)) | {"A": (3, 4, 4, 1)}
    state = arrange(counts=counts, hands=["ACDEF", "", "", ""], poll_round=4, round=5, seat=3)
    play(state, TanglewoodDraw())
    GAME.play(state, 0, PlayBallots(("C", "D")))

    assert decide(state) == KeepBallots(("A",))


@pytest.mark.parametrize("card", ["T01", "T05", "T28", "T39"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_best_pair_of_every_shift_is_foreseen(card: str, seats: int) -> None:
    rng = Random(seats)
    for _ in range(4):
        state = arrange(card, seats=seats, draw_levels=[2] * seats)
        size = len(state.workers["A"])
        state.workers = {region: tuple(rng.randrange(4) for _ in range(size)) for region in REGIONS}
        appraiser = evaluation.Appraiser(GAME.view(state, 0), 0)
        promised = appraiser.action(TanglewoodPlace("E", 1))
        before = state.workers
        place(state)
        view = GAME.view(state, 0)
        best = max(
            appraiser.gauge.change(view.workers, after(view.workers, hops(move, "E")))
            for move in choices(view)
        )
        certain = appraiser.gauge.change(before, view.workers) + appraiser.step("rabbit") - 0.95
        assert promised == pytest.approx(certain + best)


def test_the_easy_one_misjudges_but_exchanges_no_workers_of_one_colour() -> None:
    state = begin()
    appraiser = evaluation.Appraiser(GAME.view(state, 0), 0)
    best = max(map(appraiser.action, choices(GAME.view(state, 0))))
    moves = {decide(state, strength=EASY, seed=seed) for seed in range(30)}

    assert len(moves) > 1
    assert any(appraiser.action(move) < best for move in moves)

    state = arrange("T28")
    place(state)
    view = GAME.view(state, 0)
    moves = {decide(state, strength=EASY, seed=seed) for seed in range(60)}

    assert any(evaluation.is_idle(view, 0, move) for move in choices(view))
    assert len(moves) > 1
    assert not any(evaluation.is_idle(view, 0, move) for move in moves)


def test_the_easy_one_places_all_that_it_may_and_takes_no_step_for_later_in_its_last_turn() -> None:
    state = arrange(circle=9, place_levels=[2, 0, 0, 0], **LAST_ROUND)
    most = GAME.view(state, 0).most_placeable(0)
    moves = {decide(state, strength=EASY, seed=seed) for seed in range(60)}

    assert most > 1
    assert {move.count for move in moves if isinstance(move, TanglewoodPlace)} == {most}

    state = arrange("T15", steps={"rabbit": 6, "fox": 6}, **LAST_ROUND)
    place(state)
    view = GAME.view(state, 0)
    idle = [move for move in choices(view) if evaluation.is_idle(view, 0, move)]

    assert idle
    assert not any(decide(state, strength=EASY, seed=seed) in idle for seed in range(60))


def test_it_is_asked_in_its_turn_only() -> None:
    state = begin()

    with pytest.raises(ValueError, match="owes no move"):
        GAME.choose(GAME.view(state, 1), 1, Random(0), STRONG)
    with pytest.raises(ValueError, match="begins with"):
        evaluation.Appraiser(GAME.view(state, 0), 0).action(TanglewoodStep("fox"))


@pytest.mark.thorough
def test_one_strong_player_beats_two_medium_ones() -> None:
    won = 0
    for number in range(30):
        strengths = [MEDIUM] * 3
        strengths[number % 3] = STRONG
        outcome = play_game(number, strengths, "short").outcome
        assert outcome is not None
        won += outcome.places[number % 3] == 1

    assert won >= 13


WINS = often(6, 500)
"""The number of positions with a certain win in which the seat must win."""

ADVISED = often(1, 20)
"""The number of those in which the winning way must be advised."""

DEALS = 3
"""The number of times that the seat's unknowns are dealt again."""

Ballots = tuple[Region, ...]


def positions() -> Iterator[tuple[TanglewoodState, Seat]]:
    """Yield last turns and votes of a seat level with the best."""
    for number in count():
        rng, seed = Random(number), number.to_bytes(8, "big")
        options = TanglewoodOptions(length="short")
        state = GAME.begin(3, options, GAME.deal(3, options, seed), seed)
        while prompts := GAME.prompts(state):
            seat = next(iter(prompts))
            if state.midgame_done and (is_last_turn(state) or state.phase == "ballots"):
                for _ in range(3):
                    near = state.copy()
                    for other in (other for other in range(3) if other != seat):
                        near.hands[other] = near.hands[other][: rng.randint(0, len(near.hands[other]))]
                        near.chosen[other] = None
                    near.votes[seat] += rng.randint(-12, 25)
                    if seat in GAME.prompts(near):
                        yield near, seat
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.EASY))


def is_last_turn(state: TanglewoodState) -> bool:
    return state.out_round is not None and state.round > state.out_round and state.seat == state.order[-1]


def wins(state: TanglewoodState, seat: Seat) -> bool:
    """Return True if a move and its ballots win against every reply."""
    if state.phase == "ballots":
        return any(wins_with(state, seat, plays) for plays in own_plays(state, seat))
    for move in GAME.moves(state, seat):
        after = state.copy()
        after.hands[1 if seat == 0 else 0] = ["A", "B", "C"]
        GAME.play(after, seat, move)
        if after.phase == "ballots":
            after.hands = state.hands
            if any(wins_with(after, seat, plays) for plays in own_plays(state, seat)):
                return True
    return False


def own_plays(state: TanglewoodState, seat: Seat) -> set[Ballots]:
    return set(combinations(state.hands[seat], min(2, len(state.hands[seat]))))


def wins_with(state: TanglewoodState, seat: Seat, own: Ballots) -> bool:
    """Return True if these ballots win against all that others may play."""
    known = Counter([*state.played_ballots, *state.dropped[seat], *state.hands[seat]])
    hidden = Counter(BALLOTS) - known
    others = [other for other in range(state.seats) if other != seat]
    every = [
        list(combinations_with_replacement(REGIONS, min(2, len(state.hands[other])))) for other in others
    ]
    for plays in product(*every):
        if Counter([ballot for each in plays for ballot in each]) <= hidden:
            played = {seat: own, **dict(zip(others, plays, strict=True))}
            if not is_first(state, seat, played):
                return False
    return True


def is_first(state: TanglewoodState, seat: Seat, played: dict[Seat, Ballots]) -> bool:
    totals = list(state.votes)
    for region, counts in state.workers.items():
        more = [*(3 * played[each].count(region) for each in range(state.seats)), 0]
        placed = tuple(there + new for there, new in zip(counts, more, strict=True))
        for each, gained in enumerate(pay_votes(region, placed)):
            totals[each] += gained
    return totals[seat] == max(totals)


@cache
def pay_votes(region: Region, counts: Counts) -> tuple[int, ...]:
    return votes(region, counts, 3)


def wins_in_play(state: TanglewoodState, seat: Seat, strength: Strength, rng: Random) -> bool:
    """Return True if the computer wins, whatever others hold and play."""
    while state.outcome is None:
        mover = next(iter(GAME.prompts(state)))
        if mover == seat:
            move = GAME.choose(GAME.view(state, seat), seat, Random(1), strength)
        else:
            move = rng.choice(list(GAME.moves(state, mover)))
        GAME.play(state, mover, move)
    return state.outcome.places[seat] == 1


def test_a_turn_or_a_vote_that_wins_for_certain_is_found_played_and_advised() -> None:
    number = 0
    for state, seat in positions():
        if wins(state, seat):
            number += 1
            assert number > ADVISED or is_advised(GAME, state, seat)
            strength = Strength.STRONG if number % 2 else Strength.MEDIUM
            rng = Random(number)
            assert all(
                wins_in_play(GAME.resample_hidden(state, seat, rng), seat, strength, rng)
                for _ in range(DEALS)
            )
        if number == WINS:
            return
