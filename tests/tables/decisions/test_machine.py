"""No order in which people, time and administrators do things at a table makes it come apart."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from msgspec.structs import replace

from db.records import ServerSettings
from engines.analysis.ahead import look_ahead, moves_ahead
from engines.engine import Engine
from engines.game import IllegalMove, Seat
from engines.tangle.pieces.components import TangleOptions
from engines.tanglewood.pieces.components import TanglewoodOptions
from engines.tesla.pieces.components import TeslaOptions
from tables.clocks.pace import HOUR
from tables.core.change import Change, DecisionContext, TableState, entry, is_agreed, voters
from tables.core.history import EntryKind
from tables.core.table import Occupant, Proposal, ProposalKind, Refused, Table, WhenLate, encode
from tables.core.table import Phase as TablePhase
from tables.lobby import decisions as lobby_changes
from tables.lobby.decisions import StartContext
from tables.play import decisions as moves
from tables.play import plans
from tables.play import seats as seating
from tables.play.decisions import LastSteps
from tables.servers.erasure import leave_table
from tables.time import proposals
from tables.time import proposals as agreement
from tests.often import often
from tests.tables.decisions.ledger import Ledger
from tests.tables.decisions.machine import AnyOrder

ENOUGH = often(2_000, 20_000)
"""Enough steps to find each of the planted faults many times over."""
WALKS = settings(
    max_examples=often(40, 400),
    stateful_step_count=100,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
)


def run_walks(machine: type[AnyOrder], *phases: Phase, walks: int = WALKS.max_examples) -> int:
    """Run random people, time and administrators; return the number of steps."""
    machine.steps = machine.found = 0
    chosen = settings(WALKS, phases=phases or tuple(Phase), max_examples=walks)
    run_state_machine_as_test(machine, settings=chosen)
    return machine.steps


def test_a_table_stays_whole_under_people_time_and_administrators() -> None:
    assert run_walks(AnyOrder) > ENOUGH


class DoneLater(AnyOrder):
    """A planted fault: the last consent is written, and what it brings about is done later."""

    def __init__(self) -> None:
        super().__init__()
        self.undecided: list[Proposal] = []

    def agree(self, user: int, seen: int) -> None:
        """Record the consent alone, with the proposal as it was."""
        self.decide(_consent_only, user_id=user, seen=seen)
        proposal = self.table.proposal
        if proposal is not None and is_agreed(self.table) and proposal.kind is ProposalKind.UNDO:
            self.undecided.append(proposal)

    def sweep(self) -> None:
        """Let the first comer carry an agreement out, the other repeat it."""
        super().sweep()
        if self.undecided:
            first = self.undecided.pop().agreed[0]
            self.decide(moves.roll_back, self.ledger.past(1), actor_id=first, why="agreed")


def _consent_only(loaded: TableState, now: DecisionContext, *, user_id: int, seen: int) -> Change:
    """Return a last consent that doesn't carry its proposal out."""
    proposal = agreement._current_proposal(loaded.table, seen)
    agreement._require_sense(loaded.table, proposal, user_id, LastSteps((), 0, loaded.position))  # type: ignore[arg-type]  # there is a step
    if user_id in proposal.agreed or user_id not in voters(loaded.table, proposal):
        raise Refused("It isn't theirs to say.")
    changed = replace(proposal, agreed=(*proposal.agreed, user_id))
    lines = agreement.entry_payload(loaded.table, changed, user_id)
    return Change(replace(loaded.table, proposal=changed), (entry(EntryKind.AGREE, user_id, payload=lines),))


class AgreesToAnything(AnyOrder):
    """A planted fault: an Agree that crosses a Decline proposes the same again."""

    def consent_change(self, user: int, seen: int) -> Change | None:
        """Agree to the button's text, even if nobody proposes it any more."""
        shown = [asked.proposal for made_at, asked in self.asked.items() if made_at <= seen]
        if not shown:
            return None
        about = replace(shown[-1], agreed=(), made_at=0)
        return self.decide(agreement.propose, self.ledger.past(1), user_id=user, about=about)


@pytest.mark.parametrize(
    ("planted", "found_by"),
    [
        pytest.param(
            DoneLater,
            "carried out twice|another step is taken back|nobody has proposed",
            marks=pytest.mark.thorough,
        ),
        (AgreesToAnything, "nobody has shown them that"),
    ],
)
def test_a_planted_fault_is_found(planted: type[AnyOrder], found_by: str) -> None:
    with pytest.raises(AssertionError, match=found_by):
        run_walks(planted, Phase.generate, walks=400)
    print(f"{planted.__name__} is found after {planted.found} steps")


PEOPLE = tuple(Occupant(name, number) for number, name in enumerate(("Ann", "Bo", "Cy"), start=101))
ADMIN = 900
BEGINNING = StartContext(ServerSettings(1))
GAMES = {
    "tanglewood": (3, TanglewoodOptions(length="short"), "most_votes"),
    "tangle": (3, TangleOptions(upkeep="asked"), "no_lakes"),
    "tesla": (2, TeslaOptions(), ""),
}
"""The players of each game, its options, and a standing answer."""
WISHES = (
    *["ahead"] * 20,
    *["round", "plan"] * 4,
    *["move", "send", "standing", "computer", "undo", "reopen"] * 2,
    *["ask me", "play now", "take back", "drop", "rollback", "pause", "resume", f"time {HOUR}"],
    *["kick", "erased", "resign", f"time {30 * HOUR}"],
)
RARE = ("kick", "erased", "resign")
"""Wishes that end a person's game, done half of the time."""
LONGEST_PLAN = 12
"""Choices after which a plan is left unfinished."""
PLAN_WALKS = settings(WALKS, max_examples=often(10, 200), stateful_step_count=60)


class SentPlan(NamedTuple):
    """A plan that its person has sent: its moves as JSON, and the events that they were shown."""

    moves: list[str]
    events: list[Any]


class PlansInAnyOrder(RuleBasedStateMachine):
    """A table at which people plan."""

    played = 0
    """The plans that were played in all walks."""

    @initialize(slug=st.sampled_from(sorted(GAMES)), late=st.sampled_from(list(WhenLate)))
    def open(self, slug: str, late: WhenLate) -> None:
        self.at, self.sent = 1_000_000.0, dict[Seat, SentPlan]()
        players, options, self.answer = GAMES[slug]
        self.ledger = Ledger(PEOPLE[0], slug, options, late, self.at, seed=players)
        for person in PEOPLE[1:players]:
            self.decide(lobby_changes.join, BEGINNING, user_id=person.user_id, name=person.name)
        self.decide(lobby_changes.start, BEGINNING, user_id=PEOPLE[0].user_id)
        assert self.table.phase is TablePhase.PLAY

    @property
    def table(self) -> Table:
        return self.ledger.table

    def view(self, seat: Seat) -> Any:
        position = self.ledger.loaded.position
        assert position is not None
        return Engine.view(None, self.table.slug, position.state, seat)  # type: ignore[arg-type]  # needs no workers

    def decide(self, decision: Callable[..., Change | None], *facts: Any, **wish: Any) -> Change | None:
        try:
            change = self.ledger.decide(self.at, lambda loaded, now: decision(loaded, now, *facts, **wish))
        except Refused:
            return None
        if change is not None:
            self.check(change)
        return change

    def check(self, change: Change) -> None:
        """Check that planned turns are those that were shown."""
        for place, one in enumerate(change.entries):
            if one.kind is EntryKind.PLANNED:
                assert one.seat is not None
                type(self).played += 1
                self.check_played(one.seat, change, place)

    def check_played(self, seat: Seat, change: Change, place: int) -> None:
        assert seat in self.sent, "a turn is played that nobody has sent"
        sent = self.sent.pop(seat)
        later = [one for one in change.entries[place + 1 :] if one.seat == seat]
        made = [one.payload for one in later if one.kind is EntryKind.MOVE]
        assert made[: len(sent.moves)] == sent.moves, "other moves are played than those sent"
        events = [event for step in change.steps if step.seat == seat for event in step.events]
        ways = range(len(events) - len(sent.events) + 1)
        assert any(events[way : way + len(sent.events)] == sent.events for way in ways), (
            "something else happens than what was shown"
        )

    @rule(what=st.sampled_from(WISHES), who=st.integers(0, 2), pick=st.integers(0, 99))
    def act(self, what: str, who: int, pick: int) -> None:
        person = PEOPLE[who % len(self.table.seats)]
        match what.split():
            case ["move"]:
                self.move(pick)
            case ["round"]:
                for number in range(len(self.table.seats) + 1):
                    self.move(pick + number)
            case ["computer"]:
                self.computer(pick)
            case ["time", seconds]:
                self.at += float(seconds)
                for change in self.ledger.pass_time(self.at):
                    self.check(change)
            case ["plan"]:
                self.plan(person, pick)
            case ["ahead"]:
                self.plan(person, pick)
                self.act("round", who, pick // 2)
            case _:
                if what not in RARE or pick < 50:
                    self.wish(what, person, person.user_id or 0)

    def wish(self, what: str, person: Occupant, user: int) -> None:
        """Do what needs no choice of moves."""
        about_plans = {"take back": plans.take_back, "reopen": plans.reopen, "drop": plans.drop}
        match what:
            case "send":
                self.send(person)
            case "take back" | "reopen" | "drop":
                self.change_plan(person, about_plans[what])
            case "play now":
                self.decide(plans.play_now, user_id=user, seen=self.table.version)
            case "standing":
                self.decide(plans.set_answer, user_id=user, answer=self.answer)
            case "ask me":
                self.decide(plans.set_answer, user_id=user, answer="")
            case "undo":
                self.decide(moves.undo, self.ledger.own_past(user), user_id=user)
            case "rollback":
                self.decide(moves.roll_back, self.ledger.past(2), actor_id=ADMIN)
            case "pause":
                self.decide(proposals.pause, actor_id=ADMIN, until=self.at + HOUR, admin=True)
            case "resume":
                self.decide(proposals.resume, actor_id=ADMIN, admin=True)
            case "kick":
                self.decide(seating.kick, user_id=user, actor_id=ADMIN)
            case "erased":
                self.decide(leave_table, user_id=user)
            case _:
                self.decide(moves.resign, user_id=user)

    def move(self, pick: int) -> None:
        table, position = self.table, self.ledger.loaded.position
        waited = [seat for seat in table.awaited if table.seats[seat].user_id]
        if not waited or position is None:
            return
        seat = waited[pick % len(waited)]
        legal = list(islice(Engine.moves(None, table.slug, position.state, seat), 200))  # type: ignore[arg-type]  # needs no workers
        move, user = legal[pick * 7 % len(legal)], table.seats[seat].user_id
        self.decide(moves.move, True, user_id=user, moves=[move])

    def computer(self, pick: int) -> None:
        table, position = self.table, self.ledger.loaded.position
        if table.phase is not TablePhase.PLAY or not table.computers_owing or position is None:
            return
        seat = table.computers_owing[0]
        legal = list(islice(Engine.moves(None, table.slug, position.state, seat), 200))  # type: ignore[arg-type]  # needs no workers
        made = partial(
            moves.computer_move, then=table, seat=seat, move=legal[pick * 7 % len(legal)], actor_id=None
        )
        self.decide(made, True)

    def plan(self, person: Occupant, pick: int) -> None:
        """Plan a turn, choice by choice; mostly send it."""
        for number in range(LONGEST_PLAN):
            options = self.options_ahead(person)
            if not options:
                break
            move, before = options[(pick + number) * 7 % len(options)], self.table.version
            change = self.decide(plans.add_choice, user_id=person.user_id, seen=None, moves=[move])
            self.check_secret(change, before)
        if pick > 20:
            self.send(person)

    def options_ahead(self, person: Occupant) -> Sequence[Any]:
        seat = self.table.seat_of(person.user_id or 0)
        if seat is None or self.table.phase is not TablePhase.PLAY or seat in self.table.owing:
            return []
        try:
            return list(islice(moves_ahead(self.table.slug, self.view(seat), seat, self.choices(seat)), 200))
        except IllegalMove:
            return []

    def choices(self, seat: Seat) -> list[list[Any]]:
        """Return a seat's planned choices that still work."""
        choices = plans.decode_choices(self.table, self.table.plan_of(seat))
        try:
            look_ahead(self.table.slug, self.view(seat), seat, choices)
        except IllegalMove:
            return []
        return choices

    def send(self, person: Occupant) -> None:
        change = self.change_plan(person, plans.send)
        seat = self.table.seat_of(person.user_id or 0)
        plan = self.table.plan_of(seat)
        if change is not None and seat is not None and plan is not None and plan.is_sent:
            choices = self.choices(seat)
            outlook = look_ahead(self.table.slug, self.view(seat), seat, choices)
            self.sent[seat] = SentPlan(
                [encode(move) for choice in choices for move in choice], list(outlook.events)
            )

    def change_plan(self, person: Occupant, decision: Callable[..., Change | None]) -> Change | None:
        """Change a plan as its panel shows it."""
        seat, before = self.table.seat_of(person.user_id or 0), self.table.version
        if seat is None or self.table.phase is not TablePhase.PLAY:
            return None
        is_owing = seat in self.table.owing
        seen = before if is_owing else plans.plan_moment(self.table, self.choices(seat))
        change = self.decide(decision, user_id=person.user_id, seen=seen)
        self.check_secret(change, before)
        return change

    def check_secret(self, change: Change | None, version: int) -> None:
        """Check that a plan changes nothing but itself."""
        if change is not None:
            assert change.position is None, "a plan changes the position"
            assert not change.entries, "a plan is in the history"
            assert self.table.version == version, "a plan makes a version"

    @invariant()
    def has_plans_of_its_players_alone(self) -> None:
        table = self.table
        seats = [plan.seat for plan in table.plans]
        assert len(seats) == len(set(seats)), "a seat has two plans"
        assert not seats or table.phase is TablePhase.PLAY, "a plan outlives its game"
        for plan in table.plans:
            assert table.seats[plan.seat].user_id == plan.user_id, "a plan outlives its person"

    @invariant()
    def waits_for_nobody_who_has_sent_a_turn(self) -> None:
        """Check that a due plan is played or given back."""
        table = self.table
        if table.phase is not TablePhase.PLAY or table.is_stopped:
            return
        for plan in table.plans:
            is_due = plan.seat in table.awaited and table.game.has_turn(self.view(plan.seat), plan.seat)
            assert not (is_due and plan.is_sent), "a sent turn is neither played nor given back"

    def teardown(self) -> None:
        position = self.ledger.loaded.position
        assert (None if position is None else position.state) == self.ledger.replay()


def plan_in_any_order(*phases: Phase, walks: int = PLAN_WALKS.max_examples) -> int:
    """Run random people; return the number of played plans."""
    PlansInAnyOrder.played = 0
    chosen = settings(PLAN_WALKS, phases=phases or tuple(Phase), max_examples=walks)
    run_state_machine_as_test(PlansInAnyOrder, settings=chosen)
    return PlansInAnyOrder.played


@pytest.mark.essential
def test_plans_are_played_as_shown_in_any_order() -> None:
    assert plan_in_any_order() > often(12, 200)


def break_promises(keep: Callable[..., Change]) -> Callable[..., Change]:
    """Plant a fault: plans are played whatever they promised."""

    def carry_out(loaded: Any, plan: Any, *, keeps_promises: bool) -> Change:
        change = keep(loaded, plan, keeps_promises=False)
        note = entry(EntryKind.PLANNED, plan.user_id, seat=plan.seat)
        return replace(change, entries=(note, *change.entries)) if keeps_promises else change

    return carry_out


@pytest.mark.parametrize(
    ("place", "fault", "found_by"),
    [
        ("_carry_out", break_promises(plans._carry_out), "something else happens"),
        ("_due_plan", lambda _: None, "neither played nor given back"),
    ],
)
def test_a_planted_fault_of_plans_is_found(
    monkeypatch: pytest.MonkeyPatch, place: str, fault: Callable[..., Any], found_by: str
) -> None:
    monkeypatch.setattr(plans, place, fault)

    with pytest.raises(AssertionError, match=found_by):
        plan_in_any_order(Phase.generate, walks=100)
