"""A turn tried again: a position as one seat knew it, and the strong computer's turn in its place."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from engines.engine import PlayResult, Position, Step, find_automatic_move, play, position, select_readable
from engines.game import Discreet, IllegalMove, Seat, Strength
from engines.registry import AnyGame, game
from engines.workers import Urgency, Workers

WORLDS = 8
"""The draws of what a seat can't see in which an expected turn has to be the same."""
MOST_MOVES = 200
"""More moves than any turn has."""


def sample_position(slug: str, seats: int, state: bytes, seat: Seat, entropy: bytes) -> Position:
    """Return a position as a seat knows it. Everything that is hidden from the seat is drawn anew."""
    rules = game(slug)
    view = rules.view(_decode(rules, state), seat)
    sampled = rules.sample_state(view, Random(entropy))
    return position(slug, seats, msgspec.msgpack.encode(sampled))


def list_knowing_seats(slug: str, seats: int, state: bytes) -> list[Seat]:
    """Return the seats that know a position; whoever is out only watches."""
    knowing = list[Seat]()
    for seat in range(seats):
        with suppress(ValueError):
            sample_position(slug, seats, state, seat, b"")
            knowing.append(seat)
    return knowing


def play_decision(
    slug: str, seats: int, options: bytes, state: bytes, seat: Seat | None, beat: int, entropy: bytes
) -> PlayResult:
    """Let the strong computer make the next decision of a turn.

    It is a seat's, in the turn of a beat.

    What is forced before it is played too. Without a seat, somebody who is asked decides. There are no steps
    if the turn is over, or the seat isn't asked.
    """
    rules, luck = game(slug), Random(entropy)
    settings = msgspec.json.decode(options, type=rules.Options)
    now, steps, turn = _decode(rules, state), list[Step](), rules.turn_at(beat, seats, settings)
    while not steps or steps[-1].forced:
        prompts, counter = rules.prompts(now), rules.post_counter(now)
        decider = next(iter(prompts), None) if seat is None else seat
        is_over = rules.turn_at(counter, seats, settings) != turn
        if is_over or decider is None or decider not in prompts or len(steps) == MOST_MOVES:
            break
        move = find_automatic_move(rules, now, decider)
        is_forced = move is not None
        if move is None:
            move = rules.choose(rules.view(now, decider), decider, luck, Strength.STRONG)
        steps.append(Step(decider, move, rules.play(now, decider, move), is_forced, counter))
    return PlayResult(position(slug, seats, msgspec.msgpack.encode(now)), steps)


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


class ExpectedTurn(Discreet, frozen=True):
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


def follow_turns(
    slug: str, state: bytes, viewer: Seat, turns: Sequence[tuple[Seat, Sequence[Step]]], entropy: bytes
) -> list[ExpectedTurn]:
    """Return what a viewer can expect of turns that follow one another.

    What the viewer can't see is drawn anew several times. It ends with the first turn that depends on it, or
    shows something new.
    """
    rules = game(slug)
    worlds = _Worlds(rules, rules.view(_decode(rules, state), viewer), Random(entropy))
    expected = list[ExpectedTurn]()
    for seat, steps in turns:
        expected.append(worlds.follow(seat, steps))
        if not expected[-1].is_whole:
            break
    return expected


class StrongComputer:
    """Plays and foresees turns for people who study a game.

    Each decision is a piece of work of its own, so that others' work gets in between.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def play(
        self, slug: str, seats: int, options: Any, begun: Position, seat: Seat | None, luck: bytes
    ) -> PlayResult:
        """Play a seat's turn; without a seat, everybody's part of it."""
        now, steps, written = begun, list[Step](), msgspec.json.encode(options)
        while len(steps) < MOST_MOVES:
            entropy = luck + len(steps).to_bytes(2, "big")
            made = await self._workers.run_with(
                Urgency.STUDY, play_decision, slug, seats, written, now.state, seat, begun.beat, entropy
            )
            if not made.steps:
                break
            now, steps = made.position, [*steps, *made.steps]
        return PlayResult(now, steps)

    async def expect_turns(
        self, slug: str, seats: int, options: Any, state: bytes, seat: Seat, moves: Sequence[Any], luck: bytes
    ) -> tuple[ExpectedTurn, ExpectedTurn | None] | None:
        """Return the strong computer's turn from some moves on, and the reply.

        What the seat can't see is drawn anew. There is no reply if nobody else is asked, or if it depends on
        something that the turn itself shows. None if the moves can't be made, or all answer at once.
        """
        if game(slug).simultaneous:
            return None
        sampled = await self._workers.run_with(Urgency.STUDY, sample_position, slug, seats, state, seat, luck)
        try:
            made = play(slug, seats, sampled.state, [(seat, move) for move in moves])
        except IllegalMove:
            return None
        rest = await self.play(slug, seats, options, made.position, seat, luck)
        turns = [(seat, [*made.steps, *rest.steps])]
        own, _ = await self._follow(slug, state, seat, turns, luck)
        others = [other for other in rest.position.owing if other != seat]
        if not own.is_whole or not others:
            return own, None
        reply = await self.play(slug, seats, options, rest.position, others[0], luck)
        return await self._follow(slug, state, seat, [*turns, (others[0], reply.steps)], luck)

    async def expect_reply(
        self, slug: str, seats: int, options: Any, reached: Position, viewer: Seat, luck: bytes
    ) -> ExpectedTurn | None:
        """Return the strong computer's next turn as a viewer can expect it.

        None if nobody is asked, or all are at once.
        """
        replier = next(iter(reached.owing), None)
        if replier is None or game(slug).simultaneous:
            return None
        replied = await self.play(slug, seats, options, reached, replier, luck)
        expected, _ = await self._follow(slug, reached.state, viewer, [(replier, replied.steps)], luck)
        return expected

    async def _follow(
        self, slug: str, state: bytes, viewer: Seat, turns: Sequence[tuple[Seat, list[Step]]], luck: bytes
    ) -> tuple[ExpectedTurn, ExpectedTurn | None]:
        first, *others = await self._workers.run_with(
            Urgency.STUDY, follow_turns, slug, state, viewer, turns, luck
        )
        return first, others[0] if others else None


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
