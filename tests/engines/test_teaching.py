"""The computer of a lesson doesn't end the game before it has taught."""

from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import pytest

from cogs.learning.lessons import course
from engines import engine
from engines.game import Strength
from engines.registry import SLUGS, game
from tests.engines.tesla.test_winning import can_take, positions
from tests.often import often

FIRST_TURNS = 8
PLAYS = often([1], range(12))
"""The plays of a lesson; in every other one the learner is easy, and may lose."""


@pytest.mark.parametrize("slug", SLUGS)
def test_a_lesson_lasts_its_first_turns_unless_the_learner_blunders(slug: str) -> None:
    rules, table = game(slug), course(slug).learn
    assert table is not None
    options = rules.settle(table.seats, msgspec.convert(table.options, rules.Options))
    seed = bytes.fromhex(table.seed)

    def turn_of(state: Any) -> int:
        return rules.turn_at(rules.post_counter(state), table.seats, options) or 0

    for play in PLAYS:
        learner = Strength.MEDIUM if play % 2 else Strength.EASY
        state = rules.begin(table.seats, options, rules.deal(table.seats, options, seed), seed)
        while (turn := turn_of(state)) < FIRST_TURNS and (owing := rules.prompts(state)):
            seat = next(iter(owing))
            luck = Random(msgspec.msgpack.encode((play, turn)))
            if seat == 0:
                move = rules.choose(rules.view(state, seat), seat, luck, learner)
            else:
                encoded = msgspec.msgpack.encode(state)
                entropy = sha256(bytes([play]) + encoded).digest()
                move = engine.teach(slug, encoded, seat, entropy)
            rules.play(state, seat, move)
            assert rules.prompts(state) or (seat == 0 and learner is Strength.EASY)


def test_a_lesson_plays_the_easy_players_move_where_nothing_ends() -> None:
    rules = game("tesla")
    options = rules.settle(2, rules.Options())
    state = rules.begin(2, options, rules.deal(2, options, b"any"), b"any")
    seat = next(iter(rules.prompts(state)))

    for number in range(3):
        entropy = bytes([number])
        easy = rules.choose(rules.view(state, seat), seat, Random(entropy), Strength.EASY)
        assert engine.teach("tesla", msgspec.msgpack.encode(state), seat, entropy) == easy


def test_a_lesson_passes_a_turn_that_wins() -> None:
    rules = game("tesla")
    state = next(near for near in positions() if can_take(near, near.seat))
    easy = rules.choose(rules.view(state, state.seat), state.seat, Random(b""), Strength.EASY)
    won = state.copy()
    rules.play(won, state.seat, easy)
    assert not rules.prompts(won)

    move = engine.teach("tesla", msgspec.msgpack.encode(state), state.seat, b"")

    rules.play(state, state.seat, move)
    assert rules.prompts(state)
