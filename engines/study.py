"""A turn tried again: a position as one seat knew it, and the strong computer's turn in its place."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from engines.engine import PlayResult, Position, Step, find_automatic_move, play, position, select_readable
from engines.game import IllegalMove, Seat, Strength
from engines.registry import AnyGame, game

WORLDS = 8
"""The draws of what a seat can't see in which an expected turn has to be the same."""
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


class ExpectedTurn(msgspec.Struct, frozen=True):
    """The choices that a viewer can expect of a seat, up to the first that unseen things decide.

    Attributes:
        choices: the moves, each with the viewer's view before it.
        unseen: the next move, if other draws of the unseen forbid it; else None.
        is_whole: True if these are all of its choices, and nothing new is seen by them.
    """

    seat: Seat
    choices: tuple[tuple[Any, Any], ...]
    unseen: Any = None
    is_whole: bool = False

    def __repr__(self) -> str:
        return f"ExpectedTurn(seat={self.seat}, choices={len(self.choices)}, is_whole={self.is_whole})"


def expect_turns(
    slug: str, seats: int, options: bytes, state: bytes, seat: Seat, moves: Sequence[Any], entropy: bytes
) -> tuple[ExpectedTurn, ExpectedTurn | None] | None:
    """Return the strong computer's turn from some moves on, and the reply.

    What the seat can't see is drawn anew. There is no reply if nobody else is asked, or if it depends on
    something that the turn itself shows. None if the moves can't be made, or all answer at once.
    """
    rules = game(slug)
    sampled = sample_position(slug, seats, state, seat, entropy)
    try:
        made = play(slug, seats, sampled.state, [(seat, move) for move in moves])
    except IllegalMove:
        return None
    if rules.simultaneous:
        return None
    rest = play_turn(slug, seats, options, made.position.state, seat, entropy)
    worlds = _Worlds(rules, rules.view(_decode(rules, state), seat), Random(entropy))
    own = worlds.follow(seat, [*made.steps, *rest.steps])
    others = [other for other in rest.position.owing if other != seat]
    if not own.is_whole or not others:
        return own, None
    replied = play_turn(slug, seats, options, rest.position.state, others[0], entropy)
    return own, worlds.follow(others[0], replied.steps)


def expect_reply(
    slug: str, seats: int, options: bytes, state: bytes, viewer: Seat, entropy: bytes
) -> ExpectedTurn | None:
    """Return the strong computer's next turn as a viewer can expect it.

    None if nobody is asked, or all are at once.
    """
    rules = game(slug)
    replier = next(iter(rules.prompts(_decode(rules, state))), None)
    if replier is None or rules.simultaneous:
        return None
    replied = play_turn(slug, seats, options, state, replier, entropy)
    worlds = _Worlds(rules, rules.view(_decode(rules, state), viewer), Random(entropy))
    return worlds.follow(replier, replied.steps)


class _Worlds:
    """Positions that a viewer can't tell apart, in which the same steps are tried."""

    def __init__(self, rules: AnyGame, view: Any, luck: Random) -> None:
        self._rules = rules
        self._viewer = view.viewer
        self._worlds = [rules.sample_state(view, luck) for _ in range(WORLDS)]

    def follow(self, seat: Seat, steps: Sequence[Step]) -> ExpectedTurn:
        """Make a turn's steps until one is different somewhere."""
        choices, informed = list[tuple[Any, Any]](), set[Seat | None]()
        for step in steps:
            if step.seat in informed:
                return ExpectedTurn(seat, tuple(choices))
            before = self._rules.view(self._worlds[0], self._viewer)
            try:
                outcomes = [self._rules.play(world, step.seat, step.move) for world in self._worlds]
            except IllegalMove:
                return ExpectedTurn(seat, tuple(choices), None if step.forced else step.move)
            if step.seat == seat and not step.forced:
                choices.append((step.move, before))
            if any(select_readable(one, None) != select_readable(outcomes[0], None) for one in outcomes):
                return ExpectedTurn(seat, tuple(choices))
            if any(one != outcomes[0] for one in outcomes):
                informed.update(event.only for one in outcomes for event in one)
        return ExpectedTurn(seat, tuple(choices), is_whole=True)


def _decode(rules: AnyGame, state: bytes) -> msgspec.Struct:
    decoded: msgspec.Struct = msgspec.msgpack.decode(state, type=rules.State)
    return decoded
