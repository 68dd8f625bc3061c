"""Win in one: where the last turn or the last ballots win whatever the others play, they are played."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, count, product
from random import Random

import pytest

from engines.game import Seat, Strength
from engines.tanglewood import GAME
from engines.tanglewood.pieces.board import Counts, votes
from engines.tanglewood.pieces.components import BALLOTS, REGIONS, Region, TanglewoodOptions
from engines.tanglewood.truth.state import TanglewoodState
from tests.often import often

pytestmark = pytest.mark.slow
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


def is_advised(state: TanglewoodState, seat: int) -> bool:
    view = GAME.view(state, seat)
    best = GAME.choose(view, seat, Random(1), Strength.STRONG)
    return GAME.advice(view, seat, Random(1))[0].moves == (best,)


def test_a_turn_or_a_vote_that_wins_for_certain_is_found_played_and_advised() -> None:
    number = 0
    for state, seat in positions():
        if wins(state, seat):
            number += 1
            assert number > ADVISED or is_advised(state, seat)
            strength = Strength.STRONG if number % 2 else Strength.MEDIUM
            rng = Random(number)
            assert all(
                wins_in_play(GAME.resample_hidden(state, seat, rng), seat, strength, rng)
                for _ in range(DEALS)
            )
        if number == WINS:
            return
