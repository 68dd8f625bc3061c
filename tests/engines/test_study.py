"""A position as one seat knew it, and the strong computer's turn in it."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Strength
from engines.registry import SLUGS, AnyGame, game
from engines.study import expect_reply, play_turn, sample_position

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
    """Return a game, its seats and options, and a position of it."""
    rules = game(request.param)
    seats = max(2, rules.seats[0])
    options = rules.settle(seats, rules.Options())
    return rules, seats, options, play_some(rules, seats, options)


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

    played = play_turn(rules.slug, seats, msgspec.json.encode(options), encode(state), seat, b"luck")

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

    played = play_turn("tesla", 2, msgspec.json.encode(options), encode(state), other, b"luck")

    assert not played.steps
    assert played.position.state == encode(state)


def test_an_answer_is_foreseen_from_what_the_seat_knows(position: tuple[AnyGame, int, Any, Any]) -> None:
    rules, seats, options, state = position
    seat = next(iter(rules.prompts(state)))
    moves = rules.advice(rules.view(state, seat), seat, Random(1))[0].moves
    written = msgspec.json.encode(options)
    other = rules.resample_hidden(state, seat, Random(3))

    replies = [
        expect_reply(rules.slug, seats, written, encode(one), seat, moves, b"luck") for one in (state, other)
    ]

    assert replies[0] == replies[1]
    assert (replies[0] is None) == rules.simultaneous
    if replies[0] is not None:
        assert replies[0].seat != seat
        assert {step.seat for step in replies[0].played.steps} == {replies[0].seat}
