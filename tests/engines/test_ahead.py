from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from engines.analysis import ahead
from engines.engine import play, position
from engines.game import IllegalMove, Strength
from engines.registry import AnyGame
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import Played, decode_state, encode_state, play_shared_games
from tests.often import often

TURN: dict[str, set[str]] = {
    "tanglewood": {"phase", "seat", "owing", "turns", "round", "benefit"},
    "tesla": {"phase", "seat", "turn", "replays", "may_mark", "acted", "started"},
    "tangle": {
        *("seat", "owing", "turn", "round", "decision", "agenda", "centre", "reserve", "changes", "extra"),
        *("offered", "changed"),
    },
}
"""The facts of a view that tell whose turn it is, and how far it has come."""
UPKEEP = {"tiles", "resources", "players", "discards", "markers", "seeds", "roots"}
"""Tests for upkeep and a waking root at the start of a turn of Tangle."""
POSITIONS = often(30, 400)


class Ahead(NamedTuple):
    """A seat that waits: its view, and the view of its next turn."""

    rules: AnyGame
    seats: int
    state: bytes
    seat: int
    view: Any
    next_turn: Any


class WaitingPlan(NamedTuple):
    """A plan of a seat that waits, and the view as it was before planning."""

    one: Ahead
    choices: list[list[Any]]
    outlook: ahead.Outlook
    before: bytes


@pytest.fixture(
    scope="module",
    params=[pytest.param(case, id=f"{case.slug}@played", marks=[pytest.mark.slow]) for case in CASES],
)
def case(request: pytest.FixtureRequest) -> GameCase:
    one: GameCase = request.param
    return one


@pytest.fixture(scope="module")
def random_games(case: GameCase) -> Played:
    return Played(case, play_shared_games(case.slug))


@pytest.fixture(scope="module")
def waiting(random_games: Played) -> list[Ahead]:
    return list(_waiting(random_games))[: POSITIONS * 4]


@pytest.fixture(scope="module")
def plans(waiting: list[Ahead]) -> list[WaitingPlan]:
    return [_choose(one) for one in waiting[::3]]


def _waiting(random_games: Played) -> Iterator[Ahead]:
    rules, steps = random_games.case.game, random_games.steps(24)
    for table, step in steps[:: max(1, len(steps) // POSITIONS)]:
        state = decode_state(rules, step.before)
        for seat in range(table.seats):
            view = rules.view(state, seat)
            result = rules.ahead(view, seat)
            if result is not None:
                yield Ahead(rules, table.seats, step.before, seat, view, result)


def test_some_games_plan_and_others_say_no(case: GameCase, waiting: list[Ahead]) -> None:
    assert bool(waiting) == (case.slug in TURN)


def test_only_a_seat_that_waits_plans(case: GameCase, waiting: list[Ahead]) -> None:
    for one in waiting:
        assert one.seat not in one.rules.prompts(decode_state(one.rules, one.state))
        assert one.rules.ahead(one.next_turn, one.seat) is None, "it owes a turn there"
        other = (one.seat + 1) % one.seats
        assert one.rules.ahead(one.view, other) is None, "nobody plans from another's view"


def test_the_seat_owes_a_turn_in_its_next_turn(waiting: list[Ahead]) -> None:
    for one in waiting:
        state = one.rules.sample_state(one.next_turn, Random(1))
        assert list(one.rules.prompts(state)) == [one.seat]
        assert next(iter(one.rules.moves(state, one.seat)), None) is not None


def test_nothing_but_the_turn_is_other(case: GameCase, waiting: list[Ahead]) -> None:
    for one in waiting:
        assert type(one.next_turn) is type(one.view)
        names = one.view.__struct_fields__
        changed = {name for name in names if getattr(one.view, name) != getattr(one.next_turn, name)}
        begins = case.slug == "tangle" and _begins_with_more(one.view, one.seat)
        assert changed <= TURN[case.slug] | (UPKEEP if begins else set()), changed


def _begins_with_more(view: Any, seat: int) -> bool:
    """Return True if a turn begins with upkeep or a waking root."""
    return seat in view.markers or view.players[seat].sleeper is not None


def test_the_next_turn_hides_what_the_view_hides(waiting: list[Ahead]) -> None:
    for one in waiting:
        state = decode_state(one.rules, one.state)
        other = one.rules.resample_hidden(state, one.seat, Random(2))
        seen = one.rules.ahead(one.rules.view(other, one.seat), one.seat)
        assert msgspec.json.encode(seen) == msgspec.json.encode(one.next_turn)


def test_a_plan_leaves_the_view_as_it_is(plans: list[WaitingPlan]) -> None:
    for plan in plans:
        assert msgspec.json.encode(plan.one.view) == plan.before


def test_a_whole_turn_can_be_planned(plans: list[WaitingPlan]) -> None:
    for one, choices, outlook, _ in plans:
        assert outlook.view is None
        assert len(outlook.promises) == len(choices)
        with pytest.raises(IllegalMove):
            ahead.look_ahead(one.rules.slug, one.view, one.seat, [*choices, choices[0]])


def test_plans_promise_what_happens_whatever_is_hidden(plans: list[WaitingPlan]) -> None:
    for one, choices, outlook, _ in plans:
        for luck in range(3):
            truth = encode_state(one.rules.sample_state(one.next_turn, Random(luck)))
            turn = ahead.play_choices(one.rules.slug, one.seats, truth, one.seat, choices)
            assert turn.promises == outlook.promises
            assert turn.is_whole


def test_a_plan_comes_true_if_the_others_do_nothing(random_games: Played) -> None:
    rules = random_games.case.game
    for game in random_games.some(16):
        steps = [step for step in game.steps if step.move is not None]
        for before, following in list(pairwise(steps))[::5]:
            state = decode_state(rules, following.before)
            seat = following.seat
            view = rules.ahead(rules.view(decode_state(rules, before.before), seat), seat)
            if view is None or list(rules.prompts(state)) != [seat]:
                continue
            _check_promise(rules, game.table.seats, before.before, following.before, seat)


def _check_promise(rules: AnyGame, seats: int, before: bytes, then: bytes, seat: int) -> None:
    """Check a plan of one move when its turn has come."""
    view = rules.view(decode_state(rules, before), seat)
    move = next(iter(ahead.moves_ahead(rules.slug, view, seat, [])))
    promised = ahead.look_ahead(rules.slug, view, seat, [[move]])
    try:
        turn = ahead.play_choices(rules.slug, seats, then, seat, [[move]])
    except IllegalMove:
        return
    if turn.promises != promised.promises:
        return
    steps = play(rules.slug, seats, then, [(seat, move)]).steps
    assert msgspec.json.encode(steps[0].events).startswith(promised.promises[0].events.encode()[:-1])
    assert position(rules.slug, seats, then).owing == (seat,)


def _choose(one: Ahead) -> WaitingPlan:
    rng, choices, before = Random(3), list[list[Any]](), msgspec.json.encode(one.view)
    outlook = ahead.look_ahead(one.rules.slug, one.view, one.seat, choices)
    while outlook.view is not None and len(choices) < ahead.MOST_CHOICES - 1:
        move = one.rules.choose(outlook.view, one.seat, rng, Strength.CASUAL)
        choices.append([move])
        outlook = ahead.look_ahead(one.rules.slug, one.view, one.seat, choices)
    return WaitingPlan(one, choices, outlook, before)
