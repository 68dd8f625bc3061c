"""Plays a game's rules on encoded states; heavy work runs in worker processes.

A state goes in and comes out as bytes, so that a refused move can't have touched anything.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, islice
from operator import itemgetter
from random import Random
from typing import Any

import msgspec

from engines.game import Advice, Discreet, Event, IllegalMove, Outcome, Seat, Strength, Thinking
from engines.registry import AnyGame, game
from engines.workers import P, R, Urgency, Workers


class Step(Discreet, frozen=True):
    """One move of one seat and its events.

    `forced` moves were made for the seat without asking. `beat` is that in which the move was made.
    """

    seat: Seat
    move: Any
    events: list[Any]
    forced: bool = False
    beat: int = 0

    @property
    def reveals(self) -> bool:
        """Return True if undo may not cross this step."""
        return any(event.reveals for event in self.events)


class Position(Discreet, frozen=True):
    """A state with the facts that a table needs without decoding it.

    `hands` holds, for each seat, something that changes when the hand that is sent to it by DM does; None if
    the seat has no secret hand.
    """

    state: bytes
    owing: tuple[Seat, ...]
    outcome: Outcome | None
    over: bool
    beat: int
    hands: tuple[bytes | None, ...]


class PlayResult(msgspec.Struct, frozen=True):
    """The position after some steps, and the steps with those that followed by force."""

    position: Position
    steps: list[Step]


def decode_move(rules: AnyGame, text: str | bytes) -> Any:
    """Decode a move from JSON. Raises msgspec.ValidationError for anything else."""
    return msgspec.json.decode(text, type=rules.Move)


def decode_events(rules: AnyGame, text: str | bytes) -> list[Any]:
    """Decode the events of a step from JSON. Raises msgspec.ValidationError for anything else."""
    return list(msgspec.json.decode(text, type=list[rules.Event]))  # type: ignore[name-defined]  # known at run time


def _state(rules: AnyGame, state: bytes) -> Any:
    return msgspec.msgpack.decode(state, type=rules.State)


_READ_MOST = 64
_decoded_states: dict[tuple[str, bytes], Any] = {}
"""Cache of decoded states, oldest first: a table reads its state often between two moves."""


def _cache_state(rules: AnyGame, state: bytes, decoded: Any) -> None:
    """Cache a decoded state that nobody changes any more."""
    _decoded_states[rules.slug, state] = decoded
    if len(_decoded_states) > _READ_MOST:
        del _decoded_states[next(iter(_decoded_states))]


def _state_to_read(rules: AnyGame, state: bytes) -> Any:
    """Return the cached state, read only; use `_state_to_play` to play on."""
    result = _decoded_states.get((rules.slug, state))
    if result is None:
        result = _state(rules, state)
        _cache_state(rules, state, result)
    return result


def _state_to_play(rules: AnyGame, state: bytes) -> Any:
    """Return a state that the caller may change."""
    result = _decoded_states.get((rules.slug, state))
    copied = None if result is None else rules.copy(result)
    return _state(rules, state) if copied is None else copied


def _position(rules: AnyGame, state: Any, seats: int) -> Position:
    owing, encoded = tuple(rules.prompts(state)), msgspec.msgpack.encode(state)
    _cache_state(rules, encoded, state)
    return Position(
        state=encoded,
        owing=owing,
        outcome=rules.outcome(state),
        over=not owing,
        beat=rules.post_counter(state),
        hands=tuple(rules.hand(state, seat) for seat in range(seats)),
    )


def _follow(rules: AnyGame, state: Any) -> list[Step]:
    steps = []
    while True:
        for seat in rules.prompts(state):
            move = find_automatic_move(rules, state, seat)
            if move is not None:
                beat = rules.post_counter(state)
                steps.append(Step(seat, move, rules.play(state, seat, move), forced=True, beat=beat))
                break
        else:
            return steps


def find_automatic_move(rules: AnyGame, state: Any, seat: Seat) -> Any | None:
    """Return the move that needs no decision. The only one, or one by the options."""
    move = rules.only_move(state, seat)
    return rules.automatic_move(state, seat) if move is None else move


def begin(slug: str, seats: int, options: bytes, deal: bytes, seed: bytes) -> PlayResult:
    """Set up a game from encoded options and deal. Raises IllegalSetup or IllegalDeal."""
    rules = game(slug)
    settled = msgspec.json.decode(options, type=rules.Options)
    state = rules.begin(seats, settled, msgspec.json.decode(deal, type=rules.Deal), seed)
    steps = _follow(rules, state)
    return PlayResult(_position(rules, state, seats), steps)


def play(
    slug: str, seats: int, state: bytes, moves: Sequence[tuple[Seat, Any]], follow: bool = True
) -> PlayResult:
    """Play the moves, all or none. Raises IllegalMove with the reason.

    With `follow`, moves that are forced afterwards are made too; a replay has them in its list.
    """
    rules = game(slug)
    if not all(isinstance(move, rules.Move) for _, move in moves):
        raise IllegalMove(f"{rules.title} has no such move.")
    position = _state_to_play(rules, state)
    steps = []
    for seat, move in moves:
        beat = rules.post_counter(position)
        steps.append(Step(seat, move, rules.play(position, seat, move), beat=beat))
    if follow:
        steps += _follow(rules, position)
    return PlayResult(_position(rules, position, seats), steps)


def resign(slug: str, seats: int, state: bytes, seat: Seat, follow: bool = True) -> PlayResult:
    """Take a seat out of the game. Raises IllegalMove with the reason. `follow` is that of `play`."""
    rules = game(slug)
    position = _state_to_play(rules, state)
    beat = rules.post_counter(position)
    steps = [Step(seat, None, rules.resign(position, seat), beat=beat)]
    if follow:
        steps += _follow(rules, position)
    return PlayResult(_position(rules, position, seats), steps)


def replay_views(
    slug: str,
    state: bytes,
    steps: Sequence[tuple[Seat, str | None]],
    stops: Collection[int],
    viewer: Seat | None,
    reveals: bool = True,
) -> list[Any]:
    """Return the viewer's view after each number of steps in `stops` (ascending).

    A step is a seat's move as JSON; without a move, the seat left. Only the listed steps are played, none
    follows by force. Raises IllegalMove at the first step that the rules refuse.
    """
    rules = game(slug)
    position, views = _state_to_play(rules, state), []
    for made in range(len(steps) + 1):
        if made in stops:
            # Whoever goes on from here changes the position, and a view may hold parts of it.
            views.append(rules.view(_state(rules, msgspec.msgpack.encode(position)), viewer, reveals=reveals))
        if made < len(steps):
            seat, move = steps[made]
            if move is None:
                rules.resign(position, seat)
            else:
                rules.play(position, seat, decode_move(rules, move))
    return views


def chart_steps(
    slug: str, state: bytes, steps: Sequence[tuple[Seat, str | None]], stops: Collection[int], end: Any
) -> list[tuple[int | None, ...] | None]:
    """Return the charted tally after each stop; `end` is the final view."""
    rules, tallies = game(slug), list[tuple[int | None, ...] | None]()
    before: tuple[int | None, ...] = ()
    for view in replay_views(slug, state, steps, stops, None):
        now = rules.tally(view, end)
        if now is not None and len(before) == len(now):
            gone = [was is not None and number is None for was, number in zip(before, now, strict=True)]
            tallies.append(
                tuple(
                    rules.tally_at_exit(view, end, seat) if gone[seat] else number
                    for seat, number in enumerate(now)
                )
            )
        else:
            tallies.append(now)
        before = now or ()
    return tallies


class RecordedStep(Discreet, frozen=True):
    """A recorded step: the move and the events as JSON.

    Without a `move` the seat left the game; `forced` moves were made for the seat without asking. Without
    `events` the outcome isn't compared.
    """

    seat: Seat
    move: bytes | None
    events: bytes | None = None
    forced: bool = False


class ReplayCheck(Discreet, frozen=True):
    """The result of playing a recorded game again.

    Attributes:
        steps: the result of each step, as far as they are legal.
        states: encoded positions by number of steps, ascending: the first and the last are among them.
        position: that after the last step.
        departed: why the next step, if there is one, differs from the record; else None.
    """

    steps: list[Step]
    states: list[tuple[int, bytes]]
    position: Position
    departed: str | None


def check_replay(
    slug: str, seats: int, options: bytes, deal: bytes, seed: bytes, steps: Sequence[RecordedStep], every: int
) -> ReplayCheck:
    """Replay a recorded game as far as the rules allow.

    Keeps the position before the first step, after every `every` steps, and at the end. Raises what `begin`
    raises.
    """
    rules = game(slug)
    state = _state(rules, begin(slug, seats, options, deal, seed).position.state)
    made: list[Step] = []
    states = [(0, msgspec.msgpack.encode(state))]
    departed = None
    for step in steps:
        before = msgspec.msgpack.encode(state)
        try:
            made.append(_repeat_step(rules, state, step, seats))
        except (IllegalMove, msgspec.ValidationError) as reason:
            departed, state = str(reason), _state(rules, before)
            break
        if len(made) % every == 0:
            states.append((len(made), msgspec.msgpack.encode(state)))
    position = _position(rules, state, seats)
    if states[-1][0] != len(made):
        states.append((len(made), position.state))
    return ReplayCheck(made, states, position, departed)


def _repeat_step(rules: AnyGame, state: Any, step: RecordedStep, seats: int) -> Step:
    """Make a recorded step.

    Raises IllegalMove if it's illegal or its events differ. Consumes the state: don't use it afterwards.
    """
    if not 0 <= step.seat < seats:
        raise IllegalMove(f"There's no seat {step.seat}.")
    beat = rules.post_counter(state)
    if step.move is None:
        made = Step(step.seat, None, rules.resign(state, step.seat), beat=beat)
    else:
        move = decode_move(rules, step.move)
        if step.forced and find_automatic_move(rules, state, step.seat) != move:
            raise IllegalMove("This move was recorded as forced, but it wasn't forced.")
        made = Step(step.seat, move, rules.play(state, step.seat, move), step.forced, beat)
    if step.events is not None and decode_events(rules, step.events) != made.events:
        raise IllegalMove("The rules give this step a different result.")
    return made


def think(
    slug: str,
    state: bytes,
    seat: Seat,
    entropy: bytes,
    strength: Strength,
    thinking: Thinking = Thinking.USUAL,
) -> Any:
    """Choose the computer player's move, from that seat's view alone."""
    rules = game(slug)
    view = rules.view(_state_to_read(rules, state), seat)
    return rules.choose(view, seat, Random(entropy), strength, thinking)


MOST_TAUGHT_MOVES = 8
"""Legal moves that a lesson's computer tries when all players would end the game."""


def teach(slug: str, state: bytes, seat: Seat, entropy: bytes) -> Any:
    """Choose the easy player's move at the beginning of a lesson.

    A move gives way to a better player's, or to any other, if it would end the game, or leave the others
    a turn that a medium player would lose.
    """
    rules = game(slug)
    position = _state_to_read(rules, state)
    view = rules.view(position, seat)
    choices = (rules.choose(view, seat, Random(entropy), strength) for strength in Strength)
    rejected = list[tuple[bool, Any]]()
    last = islice(reversed(list(rules.moves(position, seat))), MOST_TAUGHT_MOVES)
    for move in chain(choices, last):
        after = _state_to_play(rules, state)
        rules.play(after, seat, move)
        _finish_turns(rules, after, lambda asked: asked == seat)
        if not rules.prompts(after):
            rejected.append((True, move))
            continue
        _finish_turns(rules, after, lambda asked: asked != seat)
        if rules.prompts(after):
            return move
        rejected.append((False, move))
    return min(rejected, key=itemgetter(0))[1]


def _finish_turns(rules: AnyGame, state: Any, is_played: Callable[[Seat], bool]) -> None:
    """Play some seats' turns like a medium player."""
    while (seat := next(filter(is_played, rules.prompts(state)), None)) is not None:
        rules.play(state, seat, rules.choose(rules.view(state, seat), seat, Random(0), Strength.MEDIUM))


def advise(slug: str, state: bytes, seat: Seat) -> list[Advice]:
    """Return advice for a seat; see `Game.advice`.

    Randomness comes from the view, so that the same view always gets the same advice.
    """
    rules = game(slug)
    view = rules.view(_state_to_read(rules, state), seat)
    return rules.advice(view, seat, Random(msgspec.json.encode(view)))


def estimate_steps(
    slug: str, seats: int, state: bytes, steps: Sequence[tuple[Seat, str | None]], stops: Collection[int]
) -> list[tuple[float | None, ...]]:
    """Estimate each seat's prospects after each stop, from its own view."""
    rules = game(slug)
    seen = [replay_views(slug, state, steps, stops, seat) for seat in range(seats)]
    return [
        tuple(rules.estimate(view, seat) for seat, view in enumerate(views))
        for views in zip(*seen, strict=True)
    ]


def position(slug: str, seats: int, state: bytes) -> Position:
    rules = game(slug)
    return _position(rules, _state_to_read(rules, state), seats)


URGENCIES: dict[Callable[..., Any], Urgency] = {
    replay_views: Urgency.REPLAY,
    chart_steps: Urgency.POST,
    estimate_steps: Urgency.LONG,
    teach: Urgency.LONG,
}
"""The urgency of work that isn't the answer to somebody."""


class Engine:
    """Reads the states of tables; runs slow work, computer players above all, in a worker."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._workers.run_with(URGENCIES.get(work, Urgency.ANSWER), work, *args, **kwargs)

    async def think(
        self,
        slug: str,
        state: bytes,
        seat: Seat,
        entropy: bytes,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> Any:
        return await self._workers.run_with(
            Urgency.LONG, think, slug, state, seat, entropy, strength, thinking
        )

    def view(self, slug: str, state: bytes, viewer: Seat | None, *, reveals: bool = True) -> Any:
        rules = game(slug)
        return rules.view(_state_to_read(rules, state), viewer, reveals=reveals)

    def moves(self, slug: str, state: bytes, seat: Seat) -> Iterable[Any]:
        """Yield every legal move of a seat, in the game's order. Some games compute each lazily."""
        rules = game(slug)
        return rules.moves(_state_to_read(rules, state), seat)


def select_readable(events: Sequence[Event], seat: Seat | None) -> list[Event]:
    """Return the events that a seat may read. With None, those for everybody."""
    return [event for event in events if event.only is None or event.only == seat]
