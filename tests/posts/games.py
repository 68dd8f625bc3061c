"""Games between computers of all strengths, told turn by turn as posts tell them."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from cogs.core import story
from cogs.core.presenter import presenter_of
from cogs.ui.text import without_icons
from db.records import ActionRow, SeatRow
from engines.analysis.simulation import GameCourse, SimulatedStep, SimulationPlan
from engines.engine import find_automatic_move, select_readable
from engines.game import Seat, Strength
from engines.registry import game
from tables.core.history import EntryKind
from tables.core.table import Table, encode, from_rows
from tables.lobby.lobby import new_row
from tests.engines.conformance import decode_state, encode_state
from tests.thinking import shorten_thoughts

TURNS = 3
"""Turns of a post."""
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")


class ToldTurn(NamedTuple):
    """A turn and its lines: the seat that made it, what happened, and the views of start and end."""

    seat: Seat
    before: Any
    after: Any
    events: list[Any]
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def play_turns(slug: str, number: int, **options: Any) -> Iterator[ToldTurn]:
    """Play a game between computers; yield its turns with their lines.

    The number decides the seats, the strengths and the deal.
    """
    rng = Random(f"{slug} {number}")
    seats = rng.choice([count for count in game(slug).seats if count > 1])
    plan = SimulationPlan(slug, encode(options).encode(), tuple(rng.choices(tuple(Strength), k=seats)))
    with pytest.MonkeyPatch.context() as patch:
        shorten_thoughts(patch)
        yield from play_course(GameCourse(plan, "posts", number))


def play_course(course: GameCourse) -> Iterator[ToldTurn]:
    """Play a game; yield its turns, or the steps that all answer.

    Their lines are those of a post about a few turns, whose last position is known.
    """
    row = new_row(1, 2, 3, course.plan.slug, encode(course.options), 0.0)
    seats = [SeatRow(seat, 100 + seat, NAMES[seat], None) for seat in range(course.seats)]
    rules, table, post = course.rules, from_rows(row, seats), list[list[ActionRow]]()
    views, events = {1: rules.view(_copy(course), None)}, dict[int, list[Any]]()
    beat = rules.post_counter(course.state)
    while (step := _step(course)) is not None:
        kind, version = EntryKind.FORCED if step.forced else EntryKind.MOVE, len(views) + 1
        made = encode(step.move), encode(step.events)
        entry = ActionRow(version, version - 1, kind, step.seat, None, *made, reveals=True, at=0.0, beat=beat)
        events[version] = step.events
        if not post or _begins_turn(course, post[-1][-1], entry, events):
            if len(post) == TURNS:
                yield from _tell(table, post, views, events)
                post = []
            post.append([])
        post[-1].append(entry)
        views[version] = rules.view(_copy(course), None)
        beat = rules.post_counter(course.state)
    yield from _tell(table, post, views, events)


def _begins_turn(course: GameCourse, last: ActionRow, row: ActionRow, events: dict[int, list[Any]]) -> bool:
    if course.rules.simultaneous:
        return last.beat != row.beat
    ends = presenter_of(course.plan.slug).ends
    return last.seat != row.seat or any(isinstance(one, ends) for one in events[last.version])


def _tell(
    table: Table, post: list[list[ActionRow]], views: dict[int, Any], events: dict[int, list[Any]]
) -> Iterator[ToldTurn]:
    for rows in post:
        lines = story.turn_lines(table, views[post[-1][-1].version], views, rows)
        happened = [event for row in rows for event in select_readable(events[row.version], None)]
        plain = [re.sub(r"^(-# |↳ )", "", without_icons(line).replace("**", "")) for line in lines]
        yield ToldTurn(rows[0].seat or 0, views[rows[0].base], views[rows[-1].version], happened, plain)


def _step(course: GameCourse) -> SimulatedStep | None:
    """Let anybody who owes a move play the next step."""
    rules, state, rng = course.rules, course.state, course.luck
    prompts = list(rules.prompts(state))
    if not prompts:
        return None
    seat = rng.choice(prompts)
    forced = find_automatic_move(rules, state, seat)
    move = forced or rules.choose(rules.view(state, seat), seat, rng, course.plan.strengths[seat])
    return SimulatedStep(seat, move, list(rules.play(state, seat, move)), forced is not None)


def _copy(course: GameCourse) -> Any:
    """Copy the state: a view may hold parts of it."""
    return decode_state(course.rules, encode_state(course.state))
