import asyncio
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, cast

import msgspec
import pytest

from engines.analysis.study import StrongComputer, sample_position
from engines.engine import PlayResult
from engines.engine import position as position_of
from engines.game import Strength
from engines.registry import SLUGS, AnyGame, game
from engines.ribbon.moves import Flip, RibbonEndTurn
from engines.tangle.moves import Cast
from engines.workers import Urgency, Workers

pytestmark = pytest.mark.usefixtures("brief_thoughts")
MOVES = 12
"""The moves before the position that is tried."""


def play_some(rules: AnyGame, seats: int, options: Any) -> Any:
    """Return a position between easy players."""
    luck = Random(5)
    state = rules.begin(seats, options, rules.deal(seats, options, b"study"), b"study")
    for _ in range(MOVES):
        seat = next(iter(rules.prompts(state)))
        rules.play(state, seat, rules.choose(rules.view(state, seat), seat, luck, Strength.EASY))
    return state


@pytest.fixture(params=SLUGS)
def position(request: pytest.FixtureRequest) -> tuple[AnyGame, int, Any, Any]:
    rules = game(request.param)
    seats = max(2, rules.seats[0])
    options = rules.settle(seats, rules.Options())
    return rules, seats, options, play_some(rules, seats, options)


class Inline:
    """Runs work at once."""

    async def run_with(self, _urgency: Urgency, work: Callable[..., Any], *args: Any) -> Any:
        return work(*args)


STRONG = StrongComputer(cast(Workers, Inline()))


def play_turn(rules: AnyGame, seats: int, options: Any, state: Any, seat: int) -> PlayResult:
    begun = position_of(rules.slug, seats, encode(state))
    return asyncio.run(STRONG.play(rules.slug, seats, options, begun, seat, b"luck"))


def expect_turns(rules: AnyGame, seats: int, state: Any, seat: int, moves: Sequence[Any]) -> Any:
    coming = STRONG.expect_turns(rules.slug, seats, state.options, encode(state), seat, moves, b"luck")
    return asyncio.run(coming)


def encode(state: Any) -> bytes:
    return msgspec.msgpack.encode(state)


def test_a_position_says_nothing_that_its_seat_cant_know(position: tuple[AnyGame, int, Any, Any]) -> None:
    rules, seats, _, state = position
    other = rules.resample_hidden(state, 0, Random(3))
    assert encode(rules.view(other, 0)) == encode(rules.view(state, 0))

    first = sample_position(rules.slug, seats, encode(state), 0, b"luck")
    second = sample_position(rules.slug, seats, encode(other), 0, b"luck")

    assert first.state == second.state


def test_a_position_looks_to_its_seat_as_the_game_did(position: tuple[AnyGame, int, Any, Any]) -> None:
    rules, seats, _, state = position
    sampled = sample_position(rules.slug, seats, encode(state), 1, b"luck")
    again = msgspec.msgpack.decode(sampled.state, type=rules.State)

    assert sampled.owing == tuple(rules.prompts(state))
    assert encode(rules.view(again, 1)) == encode(rules.view(state, 1))


def test_the_strong_computer_plays_a_turn_to_its_end(position: tuple[AnyGame, int, Any, Any]) -> None:
    rules, seats, options, state = position
    seat = next(iter(rules.prompts(state)))

    played = play_turn(rules, seats, options, state, seat)

    turns = [
        rules.turn_at(beat, seats, options) for beat in (rules.post_counter(state), played.position.beat)
    ]
    assert played.steps
    assert {step.seat for step in played.steps} == {seat}
    assert seat not in played.position.owing or turns[0] != turns[1]


def test_a_seat_that_isnt_asked_plays_nothing() -> None:
    rules = game("tesla")
    options = rules.settle(2, rules.Options())
    state = play_some(rules, 2, options)
    other = 1 - next(iter(rules.prompts(state)))

    played = play_turn(rules, 2, options, state, other)

    assert not played.steps
    assert played.position.state == encode(state)


def expect(rules: AnyGame, state: Any, seat: int) -> Any:
    """Return what follows the first advice of a seat."""
    moves = rules.advice(rules.view(state, seat), seat, Random(1))[0].moves
    return expect_turns(rules, 2, state, seat, moves)


def test_a_turn_and_its_answer_are_foreseen_from_what_the_seat_knows(
    position: tuple[AnyGame, int, Any, Any],
) -> None:
    rules, seats, _, state = position
    seat = next(iter(rules.prompts(state)))
    moves = rules.advice(rules.view(state, seat), seat, Random(1))[0].moves
    other = rules.resample_hidden(state, seat, Random(3))

    expected = [expect_turns(rules, seats, one, seat, moves) for one in (state, other)]

    assert expected[0] == expected[1]
    assert (expected[0] is None) == rules.simultaneous
    if expected[0] is not None:
        own, reply = expected[0]
        assert own.seat == seat
        assert own.choices[0][0] == moves[0]
        assert reply is None or (own.is_whole and reply.seat != seat)


@pytest.mark.slow
def test_a_flip_of_a_card_that_nobody_has_seen_tells_nothing_of_what_follows() -> None:
    rules = game("ribbon")
    state = rules.begin(2, rules.Options(), rules.deal(2, rules.Options(), b"flip"), b"flip")
    while rules.prompts(state) and rules.view(state, None).phase != "flip":
        seat = next(iter(rules.prompts(state)))
        rules.play(state, seat, next(rules.moves(state, seat)))

    own, reply = expect(rules, state, next(iter(rules.prompts(state))))

    assert [type(move) for move, _ in own.choices] == [Flip]
    assert not own.is_whole
    assert reply is None


@pytest.mark.slow
def test_a_turn_of_ribbon_is_told_whole_and_of_the_answer_only_where_it_flips() -> None:
    rules, told = game("ribbon"), 0
    for seed in range(6):
        for state in walk(rules, seed):
            seat = next(iter(rules.prompts(state)))
            if rules.view(state, seat).phase == "arrange":
                own, reply = expect(rules, state, seat)
                assert own.is_whole
                assert isinstance(own.choices[-1][0], RibbonEndTurn)
                assert reply is None or [type(move) for move, _ in reply.choices] in ([Flip], [])
                told += reply is not None
    assert told


@pytest.mark.slow
def test_an_expected_turn_of_tangle_casts_no_card_by_name() -> None:
    rules, cast, placed = game("tangle"), 0, 0
    for seed in range(3):
        for state in list(walk(rules, seed, most=60))[20::8]:
            seat = next(iter(rules.prompts(state)))
            expected = expect(rules, state, seat)
            _, reply = expected or (None, None)
            if reply is not None:
                placed += bool(reply.choices)
                cast += isinstance(reply.unseen, Cast)
                assert not any(isinstance(move, Cast) for move, _ in reply.choices)
    assert placed
    assert cast


def walk(rules: AnyGame, seed: int, most: int = 25) -> Iterator[Any]:
    """Yield the positions of a game for two between easy players."""
    luck, salt = Random(seed), bytes([seed])
    state = rules.begin(2, rules.Options(), rules.deal(2, rules.Options(), salt), salt)
    for _ in range(most):
        if not rules.prompts(state):
            return
        yield msgspec.msgpack.decode(encode(state), type=rules.State)
        seat = next(iter(rules.prompts(state)))
        rules.play(state, seat, rules.choose(rules.view(state, seat), seat, luck, Strength.EASY))
