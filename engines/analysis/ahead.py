"""Plans a turn before it comes: plays moves on what a seat knows, and says what each of them does."""

from collections.abc import Iterable, Sequence
from itertools import takewhile
from random import Random
from typing import Any

import msgspec

from engines.engine import Position, Step, decode_events, play, position
from engines.game import Discreet, IllegalMove, Seat
from engines.registry import AnyGame, game

MOST_CHOICES = 60
"""The most choices in one plan."""
TOO_LONG = f"A plan can have up to {MOST_CHOICES} choices. Send this one."
WHOLE = "Your plan is complete. Send it, or take a choice back."
UNKNOWN = "You can't plan now: too much can still change before your turn."


class Promise(msgspec.Struct, frozen=True):
    """Holds the effects of one planned choice as its seat saw them.

    Attributes:
        preview: what the panel shows before it, as JSON; see `Game.preview`.
        events: what happens by it up to the first thing that nobody could know, as JSON.
        facts: the seat's own facts after it, as JSON; empty if something unknown comes.
    """

    preview: str
    events: str
    facts: str = ""


class PlannedTurn(Discreet, frozen=True):
    """A turn played choice by choice, as far as its moves go.

    `events` are those that are sure to happen. `is_whole`: the seat has nothing more to choose, or something
    unknown comes.
    """

    promises: tuple[Promise, ...]
    events: tuple[Any, ...]
    steps: tuple[Step, ...]
    position: Position
    is_whole: bool


class Outlook(Discreet, frozen=True):
    """A plan as its seat sees it: the next view, None once it is whole, and what is sure to happen."""

    view: Any | None
    promises: tuple[Promise, ...]
    events: tuple[Any, ...]


class Foresight(Discreet, frozen=True):
    """A seat's knowledge of moves before it makes them.

    Attributes:
        events: what is sure to happen, up to the first thing that nobody can know.
        reveals: True if they can't be undone.
        ends: True if they end the turn.
    """

    events: tuple[Any, ...]
    reveals: bool
    ends: bool


def look_ahead(slug: str, view: Any, seat: Seat, choices: Sequence[Sequence[Any]]) -> Outlook:
    """Plan a turn from a seat's view alone.

    Raises IllegalMove for a choice that can't be made, and if the game can't tell what will be.
    """
    start, state = _start(slug, view, seat)
    turn = play_choices(slug, start.seats, state, seat, choices)
    shown = None if turn.is_whole else _view(game(slug), turn.position, seat)
    return Outlook(shown, turn.promises, turn.events)


def moves_ahead(slug: str, view: Any, seat: Seat, choices: Sequence[Sequence[Any]]) -> Iterable[Any]:
    """Return the legal moves after some choices. None once the plan is whole."""
    start, state = _start(slug, view, seat)
    turn = play_choices(slug, start.seats, state, seat, choices)
    rules = game(slug)
    return () if turn.is_whole else rules.moves(_decode(rules, turn.position.state), seat)


def recall_views(slug: str, view: Any, seat: Seat, choices: Sequence[Sequence[Any]]) -> list[Any]:
    start, state = _start(slug, view, seat)
    rules, views = game(slug), list[Any]()
    for made in choices:
        now = position(slug, start.seats, state)
        views.append(_view(rules, now, seat))
        state = play_choices(slug, start.seats, state, seat, [made]).position.state
    return views


def find_differences(
    slug: str, before: Sequence[Promise], now: Sequence[Promise]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the events that only the earlier promises have, and the new."""
    rules = game(slug)
    then, later = (
        [event for promise in promises for event in decode_events(rules, promise.events)]
        for promises in (before, now)
    )
    return tuple(event for event in then if event not in later), tuple(
        event for event in later if event not in then
    )


def can_plan(slug: str, view: Any, seat: Seat) -> bool:
    return game(slug).ahead(view, seat) is not None


def foresee(slug: str, view: Any, seat: Seat, made: Sequence[Any]) -> Foresight:
    """Play moves of the present turn from its seat's view alone. Raises IllegalMove if they can't be made."""
    rules = game(slug)
    now = position(slug, view.seats, msgspec.msgpack.encode(rules.sample_state(view, Random(0))))
    result = play(slug, view.seats, now.state, [(seat, move) for move in made])
    own = list(takewhile(lambda step: step.seat == seat, result.steps))
    return Foresight(
        tuple(_events_before_reveal(own)),
        reveals=any(step.reveals for step in own),
        ends=seat not in result.position.owing or result.position.beat != now.beat,
    )


def _start(slug: str, view: Any, seat: Seat) -> tuple[Any, bytes]:
    rules = game(slug)
    start = rules.ahead(view, seat)
    if start is None:
        raise IllegalMove(UNKNOWN)
    # Nothing hidden is in a plan: it ends before the first thing that depends on it.
    return start, msgspec.msgpack.encode(rules.sample_state(start, Random(0)))


def play_choices(
    slug: str, seats: int, state: bytes, seat: Seat, choices: Sequence[Sequence[Any]]
) -> PlannedTurn:
    """Play a plan's choices on a position, with what follows by force.

    Raises IllegalMove if one isn't legal, or comes after the plan is whole.
    """
    rules = game(slug)
    if len(choices) > MOST_CHOICES:
        raise IllegalMove(TOO_LONG)
    now = position(slug, seats, state)
    promises, events, steps = list[Promise](), list[Any](), list[Step]()
    is_whole = seat not in now.owing
    for made in choices:
        if is_whole:
            raise IllegalMove(WHOLE)
        result = play(slug, seats, now.state, [(seat, move) for move in made])
        preview = rules.preview(_view(rules, now, seat), seat, made[0])
        now, own = result.position, list(takewhile(lambda step: step.seat == seat, result.steps))
        is_known = not any(step.reveals for step in own)
        is_whole = not is_known or seat not in now.owing
        facts = _text(rules.own_facts(_view(rules, now, seat), seat)) if is_known else ""
        known = _events_before_reveal(own)
        promises.append(Promise(_text(preview), _text(known), facts))
        events += known
        steps += result.steps
    return PlannedTurn(tuple(promises), tuple(events), tuple(steps), now, is_whole)


def _events_before_reveal(steps: Sequence[Step]) -> list[Any]:
    events = (event for step in steps for event in step.events)
    return list(takewhile(lambda event: event.is_sure or not event.reveals, events))


def _view(rules: AnyGame, now: Position, seat: Seat) -> Any:
    return rules.view(_decode(rules, now.state), seat)


def _decode(rules: AnyGame, state: bytes) -> Any:
    return msgspec.msgpack.decode(state, type=rules.State)


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
