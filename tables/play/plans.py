"""Turns planned before they come: made in private, and played in the commit that begins the turn."""

import logging
from collections.abc import Collection, Sequence
from random import Random
from typing import Any
from zlib import crc32

import msgspec
from cachetools import LRUCache
from msgspec import Raw
from msgspec.structs import replace

from db.records import ActionRow
from engines import engine, registry
from engines.analysis import ahead
from engines.game import Discreet, IllegalMove, Seat
from tables.clocks.pace import MINUTE
from tables.core import change as changes
from tables.core.change import Change, DecisionContext, TableState
from tables.core.downtime import LONG_OUTAGE
from tables.core.history import MOVES, EntryKind, History
from tables.core.repository import Repository
from tables.core.table import Phase, Plan, Refused, Stale, StandingAnswer, Table, encode
from tables.play.decisions import advance
from tables.play.play import Perspective
from tables.runtime import iterate_in_slices

log = logging.getLogger(__name__)
UNFINISHED = "Plan the whole turn first, then send it."
NO_PLAN = "You haven't planned anything."
GONE = "The board has changed, so your plan doesn't work now. Make another, or drop it."
Choices = Sequence[Sequence[Any]]
LONGEST_WAIT = 40 * MINUTE
"""Seconds that a secret answer waits at most; an eighth of a short bank."""
SHORTEST_WAIT = 0.05
"""The share of it that it waits at least."""
_MOMENTS = 1 << 16
"""Moments of a plan at one version of its table."""
_OBSTACLES = 256
"""The obstacles of plans that are kept in memory."""
_LISTS = 64
"""The lists of moves to plan that are kept in memory."""


class PlannedPerspective(Perspective, frozen=True):
    """A seat's own view of the turn that it plans.

    Its table has the seat to move, and the plan's moment as its version: no press in it is taken for a move.

    Attributes:
        plan: the plan so far; None without a choice.
        events: those that its choices are sure to bring.
        is_whole: nothing more can be chosen.
        is_new: True if an earlier plan doesn't work now.
        has_changed: True if what was sent would do something else now; `lost` are the events that it won't
            bring any more.
    """

    plan: Plan | None = None
    events: tuple[Any, ...] = ()
    is_whole: bool = False
    is_new: bool = False
    has_changed: bool = False
    lost: tuple[Any, ...] = ()
    waits_for: tuple[Seat, ...] = ()


class KeptPlan(Discreet, frozen=True):
    """A plan that wasn't played when its turn came.

    Attributes:
        choices: its moves.
        refusal: the reason why they aren't legal now; empty if they are.
        lost: the events that it won't bring any more; `new` are those that it brings instead.
    """

    plan: Plan
    choices: list[list[Any]]
    refusal: str = ""
    lost: tuple[Any, ...] = ()
    new: tuple[Any, ...] = ()

    @property
    def is_legal(self) -> bool:
        return not self.refusal


def plan_moment(table: Table, choices: Choices) -> int:
    """Return the moment of a plan: below zero, another for other choices."""
    return -(table.version * _MOMENTS + crc32(encode(choices).encode()) % _MOMENTS)


def decode_choices(table: Table, plan: Plan | None) -> list[list[Any]]:
    """Return a plan's moves. Raises msgspec.ValidationError for those of another version of the game."""
    rules = registry.game(table.slug)
    choices = [] if plan is None else msgspec.json.decode(plan.choices, type=list[list[Raw]])
    return [[engine.decode_move(rules, bytes(move)) for move in choice] for choice in choices]


def add_choice(
    loaded: TableState, _now: DecisionContext, *, user_id: int, seen: int | None, moves: Sequence[Any]
) -> Change:
    table, seat = _require_planner(loaded, user_id)
    choices = _choices_now(loaded, seat)
    if seen not in (None, plan_moment(table, choices)):
        raise Stale
    choices.append(list(moves))
    return _with_plan(table, _plan(table, seat, user_id, choices, _look(loaded, seat, choices).promises))


def take_back(loaded: TableState, _now: DecisionContext, *, user_id: int, seen: int) -> Change:
    table, seat = _require_planner(loaded, user_id)
    choices = _choices_now(loaded, seat)
    if table.plan_of(seat) is None:
        raise Refused(NO_PLAN)
    if seen != plan_moment(table, choices):
        raise Stale
    del choices[-1:]
    if not choices:
        return _without(table, seat)
    return _with_plan(table, _plan(table, seat, user_id, choices, _look(loaded, seat, choices).promises))


def send(loaded: TableState, _now: DecisionContext, *, user_id: int, seen: int) -> Change:
    """Keep a person's plan for their turn."""
    table, seat = _require_planner(loaded, user_id)
    plan = table.plan_of(seat)
    choices = _choices_now(loaded, seat)
    if seen != plan_moment(table, choices) or plan is None or not choices:
        raise Stale
    outlook = _look(loaded, seat, choices)
    if outlook.view is not None:
        raise Refused(UNFINISHED)
    kept = replace(plan, promises=outlook.promises, made_at=table.version, is_sent=True, is_missed=False)
    return _with_plan(table, kept)


def reopen(loaded: TableState, _now: DecisionContext, *, user_id: int, seen: int) -> Change:
    """Let a person change the plan that they have sent."""
    table, seat = _require_planner(loaded, user_id)
    plan = table.plan_of(seat)
    if plan is None:
        raise Refused(NO_PLAN)
    if seen != plan_moment(table, _choices_now(loaded, seat)):
        raise Stale
    return _with_plan(table, replace(plan, is_sent=False))


def drop(loaded: TableState, _now: DecisionContext, *, user_id: int, seen: int) -> Change | None:
    """Drop a person's plan, if any, and the post's line about it."""
    table = loaded.table
    seat = changes.require_player(table, user_id, changes.NOT_PLAYING)
    plan = table.plan_of(seat)
    now = table.version if seat in table.owing else plan_moment(table, _choices_now(loaded, seat))
    if seen != now:
        raise Stale
    if plan is None:
        return None
    return replace(_without(table, seat), shows=(changes.BOARD,) if plan.is_missed else ())


def set_answer(loaded: TableState, _now: DecisionContext, *, user_id: int, answer: str) -> Change:
    """Set a person's standing answer; an empty one asks them again."""
    table = loaded.table
    changes.require_play(table)
    seat = changes.require_player(table, user_id, changes.NOT_PLAYING)
    if answer and answer not in table.game.standing_answers(table.options):
        raise Refused("You can't give a standing answer to that here.")
    others = tuple(one for one in table.standing if one.seat != seat)
    mine = (StandingAnswer(seat, user_id, answer),) if answer else ()
    return Change(replace(table, standing=(*others, *mine)))


def play_now(loaded: TableState, _now: DecisionContext, *, user_id: int, seen: int) -> Change:
    """Play a person's plan on their turn, whatever it promised."""
    table = loaded.table
    changes.require_play(table)
    changes.require_going(table)
    seat = changes.require_player(table, user_id, changes.NOT_PLAYING)
    plan = table.plan_of(seat)
    if plan is None or seat not in table.owing or seen != table.version:
        raise Stale
    try:
        return _carry_out(loaded, plan, keeps_promises=False)
    except (IllegalMove, msgspec.ValidationError) as reason:
        raise Refused(str(reason)) from None


def play_plans(loaded: TableState, change: Change, now: DecisionContext) -> Change:
    """Add the turns that a change begins and people sent ahead. Drop the plans that it makes void."""
    if not change.table.plans and not change.table.standing:
        return change
    acted = {one.seat for one in change.entries if one.kind in (EntryKind.MOVE, EntryKind.RESIGN)}
    owing = {*change.table.awaited} - acted
    standing = tuple(
        replace(one, is_off=one.is_off and one.seat not in acted, at=one.at if one.seat in owing else 0.0)
        for one in change.table.standing
        if change.table.phase is Phase.PLAY and _still_there(change.table, one)
    )
    plans = _plans_after(loaded, change, acted)
    change = replace(change, table=replace(change.table, plans=plans, standing=standing))
    if any(one.kind in (EntryKind.UNDO, EntryKind.ROLLBACK) for one in change.entries):
        # Left to their people: else they would be played again.
        awaited = set(change.table.awaited)
        plans = tuple(replace(one, is_sent=one.is_sent and one.seat not in awaited) for one in plans)
        standing = tuple(replace(one, is_off=one.is_off or one.seat in awaited) for one in standing)
        return replace(change, table=replace(change.table, plans=plans, standing=standing))
    while True:
        reached = changes.after_change(loaded, change)
        plan = _due_plan(reached)
        following = _answer_or_ask(reached, now) if plan is None else _play_or_miss(reached, plan)
        if following is None:
            return change
        merged = changes.merge_changes([change, following])
        assert merged is not None
        change = replace(merged, thread=change.thread, opens=change.opens)


def _play_or_miss(loaded: TableState, plan: Plan) -> Change:
    try:
        return _carry_out(loaded, plan, keeps_promises=True)
    except (IllegalMove, msgspec.ValidationError):
        pass
    except Exception:  # a plan must never keep others from moving
        log.exception("table %s: a plan has failed, and its person is asked", loaded.table.id)
    return _with_plan(loaded.table, replace(plan, is_sent=False, is_missed=True))


def _answer_or_ask(loaded: TableState, now: DecisionContext) -> Change | None:
    """Return the next step by a standing answer; one that fails ends."""
    try:
        return _answer(loaded, now)
    except Exception:  # an answer must never keep others from moving
        log.exception("table %s: a standing answer has failed, so all of them end", loaded.table.id)
        return Change(replace(loaded.table, standing=()))


def _answer(loaded: TableState, now: DecisionContext) -> Change | None:
    """Return the next step by a standing answer, if any.

    A secret answer gets an instant first, and is given then.
    """
    table, position = loaded.table, loaded.position
    if not table.standing or table.phase is not Phase.PLAY or table.is_stopped or position is None:
        return None
    for one in table.standing:
        if one.is_off or one.seat not in table.awaited:
            continue
        view = _view(loaded, one.seat)
        move = table.game.standing_move(view, one.seat, one.answer)
        if move is None and one.at:
            return Change(_with_answer(table, replace(one, at=0.0)))
        if move is None or (one.at and not _is_due(one, now)):
            continue
        is_lost = one.at > now.at + LONGEST_WAIT  # the clock was set back
        if table.game.is_answer_secret(view, one.seat) and (not one.at or is_lost):
            longest = min(LONGEST_WAIT, table.pace.bank / 8) if table.pace.kept else LONGEST_WAIT
            chance = Random(f"{table.salt.hex()} {table.version} {one.seat}")  # noqa: S311  nobody knows the salt
            return Change(
                _with_answer(table, replace(one, at=now.at + longest * chance.uniform(SHORTEST_WAIT, 1)))
            )
        played = engine.play(table.slug, len(table.seats), position.state, [(one.seat, move)])
        change = advance(loaded, played, one.user_id)
        return replace(change, table=_with_answer(change.table, replace(one, at=0.0)))
    return None


def _is_due(answer: StandingAnswer, now: DecisionContext) -> bool:
    """Return True once a secret answer has waited, without long outages.

    One that would wait longer than any begins its wait again.
    """
    asleep = sum(
        end - begin
        for begin, end in now.gaps
        if end - begin > LONG_OUTAGE and answer.at - LONGEST_WAIT < begin < answer.at
    )
    return answer.at + asleep <= now.at or answer.at > now.at + LONGEST_WAIT


def _with_answer(table: Table, answer: StandingAnswer) -> Table:
    return replace(
        table, standing=tuple(answer if one.seat == answer.seat else one for one in table.standing)
    )


def give_due_answers(loaded: TableState, now: DecisionContext) -> Change | None:
    """Return a change that lets secret answers follow whose instant has come."""
    table = loaded.table
    due = any(one.at and one.seat in table.awaited and _is_due(one, now) for one in table.standing)
    return Change(table) if due and not table.is_stopped else None


def _still_there(table: Table, one: Plan | StandingAnswer) -> bool:
    return table.seats[one.seat].user_id == one.user_id


def _due_plan(loaded: TableState) -> Plan | None:
    table = loaded.table
    if table.phase is not Phase.PLAY or table.is_stopped:
        return None
    sent = (plan for plan in table.plans if plan.is_sent and plan.seat in table.awaited)
    return next((plan for plan in sent if _has_turn(loaded, plan.seat)), None)


def _has_turn(loaded: TableState, seat: Seat) -> bool:
    """Return True in the seat's own turn; others' can ask it too."""
    return loaded.table.game.has_turn(_view(loaded, seat), seat)


def _plans_after(loaded: TableState, change: Change, acted: Collection[Seat | None]) -> tuple[Plan, ...]:
    """Return the plans that a change leaves.

    None after a rollback; none of a seat that has taken its turn, left, or has somebody else.
    """
    table = change.table
    if table.phase is not Phase.PLAY or any(one.kind is EntryKind.ROLLBACK for one in change.entries):
        return ()
    left = {one.seat for one in change.entries if one.kind is EntryKind.RESIGN}
    return tuple(
        plan
        for plan in table.plans
        if _still_there(table, plan)
        and plan.seat not in left
        and not (plan.seat in acted and _has_turn(loaded, plan.seat))
    )


def _carry_out(loaded: TableState, plan: Plan, *, keeps_promises: bool) -> Change:
    """Play a plan. Raises IllegalMove if a move isn't legal, or if a promise isn't kept that has to be."""
    table, position = loaded.table, loaded.position
    if position is None:
        raise Refused(changes.NOT_BEGUN)
    choices = decode_choices(table, plan)
    turn = ahead.play_choices(table.slug, len(table.seats), position.state, plan.seat, choices)
    if keeps_promises and turn.promises != plan.promises:
        raise IllegalMove(GONE)
    done = replace(loaded, table=replace(table, plans=_others(table, plan.seat)))
    change = advance(done, engine.PlayResult(turn.position, list(turn.steps)), plan.user_id)
    if not keeps_promises:
        return change
    note = changes.entry(EntryKind.PLANNED, plan.user_id, seat=plan.seat)
    return replace(change, entries=(note, *change.entries))


def _require_planner(loaded: TableState, user_id: int) -> tuple[Table, Seat]:
    """Return a table and the seat of somebody who can plan there.

    Raises Stale if it's their turn, and Refused if they can't plan.
    """
    table = loaded.table
    changes.require_play(table)
    seat = changes.require_player(table, user_id, changes.NOT_PLAYING)
    if seat in table.owing:
        raise Stale
    return table, seat


def _view(loaded: TableState, seat: Seat) -> Any:
    if loaded.position is None:
        raise Refused(changes.NOT_BEGUN)
    rules = registry.game(loaded.table.slug)
    return rules.view(msgspec.msgpack.decode(loaded.position.state, type=rules.State), seat)


def _look(loaded: TableState, seat: Seat, choices: Choices) -> ahead.Outlook:
    try:
        return ahead.look_ahead(loaded.table.slug, _view(loaded, seat), seat, choices)
    except IllegalMove as reason:
        raise Refused(str(reason)) from None


def _choices_now(loaded: TableState, seat: Seat) -> list[list[Any]]:
    """Return a seat's planned choices; none if they are outdated."""
    try:
        choices = decode_choices(loaded.table, loaded.table.plan_of(seat))
        ahead.look_ahead(loaded.table.slug, _view(loaded, seat), seat, choices)
    except (IllegalMove, msgspec.ValidationError):
        return []
    return choices


def _plan(
    table: Table, seat: Seat, user_id: int, choices: Choices, promises: tuple[ahead.Promise, ...]
) -> Plan:
    return Plan(seat, user_id, encode(choices), promises, table.version)


def _others(table: Table, seat: Seat) -> tuple[Plan, ...]:
    return tuple(plan for plan in table.plans if plan.seat != seat)


def _with_plan(table: Table, plan: Plan) -> Change:
    return Change(replace(table, plans=(*_others(table, plan.seat), plan)))


def _without(table: Table, seat: Seat) -> Change:
    return Change(replace(table, plans=_others(table, seat)))


class Plans:
    """Plans of people at tables; the decisions above decide."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self._obstacles: LRUCache[tuple[int, int, Plan], ActionRow | None] = LRUCache(_OBSTACLES)
        self._listed: LRUCache[tuple[int, int, Seat, Plan | None], list[Any]] = LRUCache(_LISTS)

    async def perspective(self, table_id: int, user_id: int) -> PlannedPerspective | None:
        """Return a person's next turn as they plan it.

        None if it is their turn, and if nobody can plan there now.
        """
        loaded = await self._repository.load(table_id)
        table, seat = loaded.table, loaded.table.seat_of(user_id)
        if seat is None or table.phase is not Phase.PLAY or table.is_alone or seat in table.owing:
            return None
        view, plan = _view(loaded, seat), table.plan_of(seat)
        if table.game.simultaneous or not ahead.can_plan(table.slug, view, seat):
            return None
        choices = _choices_now(loaded, seat)
        outlook = ahead.look_ahead(table.slug, view, seat, choices)
        has_changed = plan is not None and plan.is_sent and outlook.promises != plan.promises
        if plan is not None and has_changed:
            plan = replace(plan, is_sent=False)
        return PlannedPerspective(
            table=replace(table, owing=(seat,), version=plan_moment(table, choices)),
            seat=seat,
            view=view if outlook.view is None else outlook.view,
            plan=plan if choices else None,
            events=outlook.events,
            is_whole=outlook.view is None,
            is_new=plan is not None and not choices,
            has_changed=has_changed,
            lost=ahead.find_differences(table.slug, plan.promises, outlook.promises)[0]
            if plan is not None and has_changed
            else (),
            waits_for=table.owing,
        )

    async def plan_in_hand(self, table_id: int, user_id: int) -> KeptPlan | None:
        """Return a person's plan on their turn, if it hasn't been played."""
        loaded = await self._repository.load(table_id)
        table, seat = loaded.table, loaded.table.seat_of(user_id)
        plan = table.plan_of(seat) if seat in table.owing else None
        if plan is None or loaded.position is None:
            return None
        try:
            choices = decode_choices(table, plan)
            turn = ahead.play_choices(table.slug, len(table.seats), loaded.position.state, plan.seat, choices)
        except msgspec.ValidationError:
            return None
        except IllegalMove as illegal:
            return KeptPlan(plan, choices, str(illegal))
        lost, new = ahead.find_differences(table.slug, plan.promises, turn.promises)
        return KeptPlan(plan, choices, lost=lost, new=new)

    async def recall_views(self, table: Table, plan: Plan) -> list[Any]:
        """Return what a plan's seat saw when it made each choice.

        Later its moves may have no name: their place may be gone.
        """
        state, _ = await self._repository.state_at(table, plan.made_at)
        rules = registry.game(table.slug)
        view = rules.view(msgspec.msgpack.decode(state, type=rules.State), plan.seat)
        return ahead.recall_views(table.slug, view, plan.seat, decode_choices(table, plan))

    async def moves(self, table_id: int, user_id: int) -> list[Any]:
        """Return the moves that a person can plan next."""
        loaded = await self._repository.load(table_id)
        table, seat = loaded.table, loaded.table.seat_of(user_id)
        if seat is None or table.phase is not Phase.PLAY or seat in table.owing:
            return []
        key = table.id, table.version, seat, table.plan_of(seat)
        listed = self._listed.get(key)
        if listed is None:
            try:
                result = ahead.moves_ahead(table.slug, _view(loaded, seat), seat, _choices_now(loaded, seat))
            except IllegalMove:
                result = ()
            listed = self._listed[key] = [move async for move in iterate_in_slices(result)]
        return listed

    async def find_obstacle(self, table: Table, plan: Plan) -> ActionRow | None:
        """Return the others' first move that broke a plan's promises."""
        key = table.id, table.version, plan
        if key not in self._obstacles:
            self._obstacles[key] = await self._look_for_obstacle(table, plan)
        return self._obstacles[key]

    async def _look_for_obstacle(self, table: Table, plan: Plan) -> ActionRow | None:
        for row in await self._history.active_history(table, plan.made_at):
            if row.kind not in MOVES or row.seat == plan.seat:
                continue
            state, _ = await self._repository.state_at(table, row.version)
            if not _would_keep(table, state, plan):
                return row
        return None


def _would_keep(table: Table, state: bytes, plan: Plan) -> bool:
    rules, seat = registry.game(table.slug), plan.seat
    view = rules.view(msgspec.msgpack.decode(state, type=rules.State), seat)
    try:
        choices = decode_choices(table, plan)
        if ahead.can_plan(table.slug, view, seat):
            promises = ahead.look_ahead(table.slug, view, seat, choices).promises
        elif seat in rules.prompts(msgspec.msgpack.decode(state, type=rules.State)):
            promises = ahead.play_choices(table.slug, len(table.seats), state, seat, choices).promises
        else:
            return True
    except (IllegalMove, msgspec.ValidationError):
        return False
    return promises == plan.promises
