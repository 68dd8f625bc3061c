"""A turn tried again: a position as one seat knew it, and the strong computer's turn in its place."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from engines.engine import PlayResult, Position, Step, find_automatic_move, play, position
from engines.game import IllegalMove, Seat, Strength
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
        steps.append(_play_strongly(rules, now, seat, luck))
    return PlayResult(position(slug, seats, msgspec.msgpack.encode(now)), steps)


def finish_turn(slug: str, seats: int, options: bytes, state: bytes, beat: int, entropy: bytes) -> PlayResult:
    """Let strong computers answer for all who are still asked.

    It ends with the turn of a beat; where seats take turns, nobody else is asked in it.
    """
    rules, luck = game(slug), Random(entropy)
    settings = msgspec.json.decode(options, type=rules.Options)
    now, steps, turn = _decode(rules, state), list[Step](), rules.turn_at(beat, seats, settings)
    while rules.turn_at(rules.post_counter(now), seats, settings) == turn and len(steps) < MOST_MOVES:
        seat = next(iter(rules.prompts(now)), None)
        if seat is None:
            break
        steps.append(_play_strongly(rules, now, seat, luck))
    return PlayResult(position(slug, seats, msgspec.msgpack.encode(now)), steps)


def _play_strongly(rules: AnyGame, state: Any, seat: Seat, luck: Random) -> Step:
    """Make a seat's forced move, or the strong computer's."""
    beat, move = rules.post_counter(state), find_automatic_move(rules, state, seat)
    is_forced = move is not None
    if move is None:
        move = rules.choose(rules.view(state, seat), seat, luck, Strength.STRONG)
    return Step(seat, move, rules.play(state, seat, move), forced=is_forced, beat=beat)


def list_choices(
    slug: str, state: bytes, seat: Seat, moves: Sequence[tuple[Seat, Any]]
) -> tuple[tuple[Any, Any], ...]:
    """Return a seat's moves, each with its view before it.

    `moves` are those of all seats, in order. What is forced is no choice.
    """
    rules = game(slug)
    now, choices = _decode(rules, state), list[tuple[Any, Any]]()
    for mover, move in moves:
        if mover == seat and find_automatic_move(rules, now, seat) is None:
            choices.append((move, rules.view(now, seat)))
        rules.play(now, mover, move)
    return tuple(choices)


class ExpectedReply(msgspec.Struct, frozen=True):
    """The reply expected of the next seat: the position before its turn, its steps, and the end."""

    seat: Seat
    begun: Position
    played: PlayResult

    def __repr__(self) -> str:
        return f"ExpectedReply(seat={self.seat})"


def expect_reply(
    slug: str, seats: int, options: bytes, state: bytes, seat: Seat, moves: Sequence[Any], entropy: bytes
) -> ExpectedReply | None:
    """Return the strong computer's answer to a seat's moves.

    The seat can foresee it: what the seat can't see is drawn anew, and the strong computer ends the seat's
    turn. None if nobody else answers: the game ends, or all answer at once.
    """
    rules = game(slug)
    sampled = sample_position(slug, seats, state, seat, entropy)
    try:
        after = play(slug, seats, sampled.state, [(seat, move) for move in moves])
    except IllegalMove:
        return None
    begun = play_turn(slug, seats, options, after.position.state, seat, entropy).position
    others = [other for other in begun.owing if other != seat]
    if rules.simultaneous or not others:
        return None
    return ExpectedReply(others[0], begun, play_turn(slug, seats, options, begun.state, others[0], entropy))


def _decode(rules: AnyGame, state: bytes) -> msgspec.Struct:
    decoded: msgspec.Struct = msgspec.msgpack.decode(state, type=rules.State)
    return decoded
