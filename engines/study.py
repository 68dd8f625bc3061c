"""A turn tried again: a position as one seat knew it, and the strong computer's turn in its place."""

from __future__ import annotations

from random import Random

import msgspec

from engines.engine import PlayResult, Position, Step, find_automatic_move, position
from engines.game import Seat, Strength
from engines.registry import AnyGame, game

MOST_MOVES = 200
"""More moves than any turn has."""


def sample_position(slug: str, seats: int, state: bytes, seat: Seat, entropy: bytes) -> Position:
    """Return a position as a seat knows it.

    Everything that is hidden from the seat is drawn anew.
    """
    rules = game(slug)
    view = rules.view(_decode(rules, state), seat)
    sampled = rules.sample_state(view, Random(entropy))
    return position(slug, seats, msgspec.msgpack.encode(sampled))


def play_turn(slug: str, seats: int, options: bytes, state: bytes, seat: Seat, entropy: bytes) -> PlayResult:
    """Let the strong computer play the rest of a seat's turn.

    There are no moves if the seat isn't asked.
    """
    rules, luck = game(slug), Random(entropy)
    settings = msgspec.json.decode(options, type=rules.Options)
    now, steps = _decode(rules, state), list[Step]()

    def turn() -> int | None:
        return rules.turn_at(rules.post_counter(now), seats, settings)

    begun = turn()
    while seat in rules.prompts(now) and turn() == begun and len(steps) < MOST_MOVES:
        beat, move = rules.post_counter(now), find_automatic_move(rules, now, seat)
        forced = move is not None
        if move is None:
            move = rules.choose(rules.view(now, seat), seat, luck, Strength.STRONG)
        steps.append(Step(seat, move, rules.play(now, seat, move), forced=forced, beat=beat))
    return PlayResult(position(slug, seats, msgspec.msgpack.encode(now)), steps)


def _decode(rules: AnyGame, state: bytes) -> msgspec.Struct:
    decoded: msgspec.Struct = msgspec.msgpack.decode(state, type=rules.State)
    return decoded
