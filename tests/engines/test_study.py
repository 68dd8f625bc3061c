import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, cast

import msgspec
import pytest

from engines.analysis import ahead
from engines.analysis.study import StrongComputer, sample_position
from engines.engine import PlayResult, play
from engines.engine import position as position_of
from engines.game import IllegalMove, Strength
from engines.registry import SLUGS, AnyGame, game
from engines.ribbon.moves import Flip, RibbonEndTurn
from engines.tangle.moves import Cast
from engines.workers import Urgency, Workers
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import Played, decode_state, encode_state, play_shared_games
from tests.often import often

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


@pytest.mark.usefixtures("brief_thoughts")
def test_a_position_looks_to_its_seat_as_before_and_no_more(position: tuple[AnyGame, int, Any, Any]) -> None:
    rules, seats, _, state = position
    sampled = sample_position(rules.slug, seats, encode(state), 1, b"luck")
    again = msgspec.msgpack.decode(sampled.state, type=rules.State)

    assert sampled.owing == tuple(rules.prompts(state))
    assert encode(rules.view(again, 1)) == encode(rules.view(state, 1))

    other = rules.resample_hidden(state, 0, Random(3))
    assert encode(rules.view(other, 0)) == encode(rules.view(state, 0))

    first = sample_position(rules.slug, seats, encode(state), 0, b"luck")
    second = sample_position(rules.slug, seats, encode(other), 0, b"luck")

    assert first.state == second.state


@pytest.mark.usefixtures("brief_thoughts")
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


@pytest.mark.usefixtures("brief_thoughts")
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


@pytest.mark.usefixtures("brief_thoughts")
def test_a_turn_and_its_answer_follow_from_the_seats_view(position: tuple[AnyGame, int, Any, Any]) -> None:
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


@pytest.mark.usefixtures("brief_thoughts")
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


@pytest.mark.usefixtures("brief_thoughts")
def test_a_turn_of_ribbon_is_told_whole_and_of_the_answer_only_where_it_flips() -> None:
    rules, told = game("ribbon"), 0
    for seed in range(often(1, 6)):
        for state in walk(rules, seed):
            seat = next(iter(rules.prompts(state)))
            if rules.view(state, seat).phase == "arrange":
                own, reply = expect(rules, state, seat)
                assert own.is_whole
                assert isinstance(own.choices[-1][0], RibbonEndTurn)
                assert reply is None or [type(move) for move, _ in reply.choices] in ([Flip], [])
                told += reply is not None
            if told == often(3, 100):
                return
    assert told


@pytest.mark.usefixtures("brief_thoughts")
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


@pytest.fixture(scope="module", params=[pytest.param(case, id=f"{case.slug}@played") for case in CASES])
def case(request: pytest.FixtureRequest) -> GameCase:
    one: GameCase = request.param
    return one


@pytest.fixture(scope="module")
def random_games(case: GameCase) -> Played:
    return Played(case, play_shared_games(case.slug))


@pytest.fixture(scope="module")
def waiting(random_games: Played) -> list[Ahead]:
    rules, steps, found = random_games.case.game, random_games.steps(24), list[Ahead]()
    for table, step in steps[:: max(1, len(steps) // POSITIONS)]:
        state = decode_state(rules, step.before)
        for seat in range(table.seats):
            view = rules.view(state, seat)
            result = rules.ahead(view, seat)
            if result is not None:
                found.append(Ahead(rules, table.seats, step.before, seat, view, result))
    return found[: POSITIONS * 4]


@pytest.fixture(scope="module")
def plans(waiting: list[Ahead]) -> list[WaitingPlan]:
    found = list[WaitingPlan]()
    for one in waiting[::3]:
        rng, choices, before = Random(3), list[list[Any]](), msgspec.json.encode(one.view)
        outlook = ahead.look_ahead(one.rules.slug, one.view, one.seat, choices)
        while outlook.view is not None and len(choices) < ahead.MOST_CHOICES - 1:
            choices.append([one.rules.choose(outlook.view, one.seat, rng, Strength.CASUAL)])
            outlook = ahead.look_ahead(one.rules.slug, one.view, one.seat, choices)
        found.append(WaitingPlan(one, choices, outlook, before))
    return found


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
        begins_with_more = case.slug == "tangle" and (
            one.seat in one.view.markers or one.view.players[one.seat].sleeper is not None
        )
        assert changed <= TURN[case.slug] | (UPKEEP if begins_with_more else set()), changed


def test_a_whole_turn_can_be_planned_and_leaves_the_view_as_it_is(plans: list[WaitingPlan]) -> None:
    for one, choices, outlook, _ in plans:
        assert outlook.view is None
        assert len(outlook.promises) == len(choices)
        with pytest.raises(IllegalMove):
            ahead.look_ahead(one.rules.slug, one.view, one.seat, [*choices, choices[0]])
    for plan in plans:
        assert msgspec.json.encode(plan.one.view) == plan.before


def test_plans_promise_what_happens_whatever_is_hidden(plans: list[WaitingPlan]) -> None:
    for one, choices, outlook, _ in plans:
        for luck in range(3):
            truth = encode_state(one.rules.sample_state(one.next_turn, Random(luck)))
            turn = ahead.play_choices(one.rules.slug, one.seats, truth, one.seat, choices)
            assert turn.promises == outlook.promises
            assert turn.is_whole


def test_a_plan_comes_true_if_the_others_do_nothing(random_games: Played) -> None:
    rules = random_games.case.game
    for played in random_games.some(16):
        steps = [step for step in played.steps if step.move is not None]
        for before, following in list(pairwise(steps))[::5]:
            state = decode_state(rules, following.before)
            seat = following.seat
            view = rules.ahead(rules.view(decode_state(rules, before.before), seat), seat)
            if view is None or list(rules.prompts(state)) != [seat]:
                continue
            _check_promise(rules, played.table.seats, before.before, following.before, seat)


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
    assert position_of(rules.slug, seats, then).owing == (seat,)
