"""People, time and administrators at one table; each press was drawn from what its person saw last."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from db.records import ServerSettings
from engines import engine
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.clock import time_left
from tables.clocks.pace import DAY, HOUR
from tables.core.change import Change, DecisionContext, TableState, pending_voters, voters
from tables.core.history import EntryKind, payload_of
from tables.core.people import begin_holiday, end_holiday
from tables.core.table import Occupant, Phase, Proposal, ProposalKind, Refused, Table, WhenLate
from tables.core.turns import rest_for_seat
from tables.lobby import decisions as lobby_changes
from tables.lobby.decisions import StartContext
from tables.people import charge_table_clocks
from tables.play import decisions as moves
from tables.play import seats as seating
from tables.servers.erasure import leave_table
from tables.time import lateness
from tables.time import proposals as agreement
from tests.tables.decisions.ledger import Ledger

PEOPLE = tuple(Occupant(name, number) for number, name in enumerate(("Ann", "Bo", "Cy", "Dee"), start=101))
ADMIN = 900
BEGINNING = StartContext(ServerSettings(1))
GIVES = {
    EntryKind.START,
    EntryKind.DEADLINE,
    EntryKind.WAIT,
    EntryKind.BACK,
    EntryKind.TAKE_OVER,
    EntryKind.ROLLBACK,
    EntryKind.UNDO,
}
"""Entries that add time to a bank, except a finished turn."""
DONE = {EntryKind.ROLLBACK, EntryKind.CLOSE, EntryKind.HAND_OVER, EntryKind.TAKE_OVER, EntryKind.PAUSE}


WISHES = (
    *["move"] * 16,
    *["answer"] * 10,
    *["look", "all look", "computer"] * 4,
    *["alone undo", f"time {HOUR}", "sweep"] * 3,
    *["propose undo"] * 10,
    *["propose pause", "propose replace", "seat take", f"time {9 * HOUR}", f"time {DAY}", "late"] * 2,
    *["alone back", "alone nudge", "alone resign", "propose end", "seat offer", "seat give"],
    *["alone hand", "alone erased"],
    *[
        "admin kick",
        "admin pause",
        "admin resume",
        "admin give",
        "admin rollback",
        "admin skip",
        "admin close",
    ],
    *["lobby join", "lobby leave", "lobby computer", "lobby remove", "lobby start", "lobby reopen"],
    *["rematch", "rematch", "holiday", f"time {8 * DAY}"],
)
"""Possible actions, each as often as its frequency."""


class AskedQuestion(msgspec.Struct):
    """A proposal as those saw it who were asked: about what, whose consent it has, what was the last step."""

    proposal: Proposal
    last_step: int | None
    consents: set[int]
    done: int = 0


class PersonsKnowledge(msgspec.Struct):
    """A person's knowledge: the version that they have looked at."""

    seen: int = 0


class AnyOrder(RuleBasedStateMachine):
    """One table after another; a new one is opened when somebody asks for a rematch."""

    steps = 0
    """The number of steps of all machines of this kind."""
    found = 0
    """The number of steps after which something was found, if anything was."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 1_000_000.0
        self.number = 0
        self.looked: dict[int, PersonsKnowledge] = {}
        self.asked: dict[int, AskedQuestion] = {}
        self.thought: tuple[Table, int, Any] | None = None

    @initialize(
        mode=st.sampled_from(["coop", "versus"]),
        late=st.sampled_from(list(WhenLate)),
        people=st.integers(1, 3),
    )
    def open(self, mode: str, late: WhenLate, people: int = 3) -> None:
        self.number += 1
        self.mode, self.late = mode, late
        options = RibbonOptions(
            mode="coop" if mode == "coop" else "versus", ribbon_choice="random", first="host"
        )
        self.ledger = Ledger(PEOPLE[0], "ribbon", options, late, self.at, self.number)
        self.looked = {person.user_id or 0: PersonsKnowledge() for person in PEOPLE}
        self.asked, self.thought = {}, None
        for person in PEOPLE[1:people]:
            self.decide(lobby_changes.join, BEGINNING, user_id=person.user_id, name=person.name)
        if people > 1:
            self.decide(lobby_changes.start, BEGINNING, user_id=PEOPLE[0].user_id)

    @property
    def table(self) -> Table:
        return self.ledger.table

    def decide(self, decision: Callable[..., Change | None], *facts: Any, **wish: Any) -> Change | None:
        """Decide something on the current table, and check the result."""
        type(self).steps += 1
        before = self.ledger.loaded
        last_step = self.ledger.last_step()
        try:
            change = decision(before, self.ledger.now(self.at), *facts, **wish)
        except Refused:
            return None
        self.ledger.apply(self.at, change)
        if change is not None:
            about = wish.get("about")
            placed = None if about is None else agreement.complete_proposal(before.table, about, facts[0])
            try:
                self.check(before, change, last_step, placed)
            except AssertionError:
                type(self).found = type(self).found or self.steps
                raise
        return change

    def check(
        self, before: TableState, change: Change, last_step: int | None, about: Proposal | None = None
    ) -> None:
        """Check all invariants of a change; `about` is what it may propose."""
        after = self.ledger.loaded
        people = after.table.people
        assert len(people) == len(set(people)), "somebody sits twice"
        self._check_clocks(before, after, change)
        kinds = [entry.kind for entry in change.entries]
        standing = before.table.proposal
        if EntryKind.PROPOSE in kinds and about is not None:
            self.asked[before.table.version + 1] = AskedQuestion(about, last_step, set())
        for entry in change.entries:
            if entry.kind in (EntryKind.PROPOSE, EntryKind.AGREE) and entry.actor_id != ADMIN:
                made_at = before.table.version + 1 if entry.kind == EntryKind.PROPOSE else standing.made_at  # type: ignore[union-attr]  # somebody has agreed to it
                self.asked[made_at].consents.add(entry.actor_id or 0)
        self._check_done(before, change, kinds)

    def _check_done(self, before: TableState, change: Change, kinds: list[EntryKind]) -> None:
        """Check that an agreement is done once, by its own consents."""
        for entry in change.entries:
            if entry.kind not in DONE or not _is_agreement(entry.kind, entry.payload, entry.actor_id):
                continue
            standing = before.table.proposal
            made_at = (
                before.table.version + 1 if EntryKind.PROPOSE in kinds else standing and standing.made_at
            )
            assert made_at in self.asked, "something is carried out that nobody has proposed"
            asked = self.asked[made_at or 0]
            asked.done += 1
            assert asked.done == 1, "what was agreed on is carried out twice"
            needed = set(voters(before.table, asked.proposal))
            assert needed <= asked.consents, "it is carried out without the consent of all"
            if asked.proposal.kind is ProposalKind.UNDO:
                taken = self.ledger.rows[asked.last_step or 0]
                assert entry.base is not None
                assert entry.base <= taken.base, "another step is taken back than that which they agreed on"

    def _check_clocks(self, before: TableState, after: TableState, change: Change) -> None:
        """Check that banks grow only by gifts of time. None is below zero."""
        table, kinds = after.table, {entry.kind for entry in change.entries}
        if table.phase is not Phase.PLAY:
            return
        assert len(table.clocks) == len(table.seats)
        rests = self.ledger.now(self.at).rests
        for seat, clock in enumerate(table.clocks):
            assert clock.left >= 0
            if (
                before.table.phase is not Phase.PLAY
                or kinds & GIVES
                or before.table.seats[seat] != table.seats[seat]
            ):
                continue
            rest = rest_for_seat(table, seat, rests)
            had = time_left(before.table.clock(seat), rest, self.at)
            gained = time_left(clock, rest, self.at) - had
            turns = sum(entry.kind == EntryKind.MOVE and entry.seat == seat for entry in change.entries)
            assert gained <= (table.pace.increment if turns else 0) + 1e-6, "a bank has grown by itself"

    @rule(
        what=st.sampled_from(WISHES),
        who=st.integers(0, 2) | st.integers(0, 3),
        other=st.integers(0, 3),
        pick=st.integers(0, 99),
    )
    def act(self, what: str, who: int, other: int, pick: int) -> None:
        """Act for somebody, mostly after a look; or pass time."""
        if pick % 3:
            self.look(who)
        match what.split():
            case ["look"]:
                self.look(who)
            case ["all", "look"]:
                for one in range(len(PEOPLE)):
                    self.look(one)
            case ["move"]:
                self.move(who, pick, blind=other > 0)
            case ["alone", wish]:
                self.alone(who, wish)
            case ["lobby", wish]:
                self.in_the_lobby(who, wish)
            case ["propose", matter]:
                self.propose(who, ProposalKind(matter), other)
            case ["seat", wish]:
                self.propose_a_seat(who, other, wish)
            case ["answer"]:
                self.answer(who, agrees=pick > 20, looks=bool(pick % 3))
            case ["late"]:
                self.decide_about_who_is_late(who, other, waits=pick > 50)
            case ["admin", wish]:
                self.administer(who, wish, asked=other > 0)
            case ["time", seconds]:
                self.time_passes(float(seconds))
            case ["sweep"]:
                self.sweep()
            case ["holiday"]:
                self.go_away_or_come_back(who, other)
            case ["computer"]:
                self.computer(forgets=other == 0)
            case _:
                self.rematch()

    def look(self, who: int) -> None:
        self.looked[PEOPLE[who].user_id or 0].seen = self.table.version

    def last_seen(self, who: int) -> int:
        return self.looked[PEOPLE[who].user_id or 0].seen

    def in_the_lobby(self, who: int, what: str) -> None:
        person = PEOPLE[who]
        user = person.user_id or 0
        match what:
            case "join":
                self.decide(lobby_changes.join, BEGINNING, user_id=user, name=person.name)
            case "leave":
                self.decide(lobby_changes.leave, user_id=user)
            case "computer":
                self.decide(lobby_changes.add_computer, BEGINNING, user_id=user, strength=Strength.EASY)
            case "remove":
                self.decide(lobby_changes.remove_computer, user_id=user)
            case "start":
                self.decide(lobby_changes.start, BEGINNING, user_id=user)
            case _:
                self.decide(lobby_changes.reopen, user_id=user)

    def move(self, who: int, pick: int, blind: bool) -> None:
        """Make a move for somebody, even without a look."""
        waited = [self.table.seats[seat].user_id or 0 for seat in self.table.awaited]
        user = waited[pick % len(waited)] if waited and pick > 20 else PEOPLE[who].user_id or 0
        seat, position = self.table.seat_of(user), self.ledger.loaded.position
        if seat is None or position is None:
            return
        legal = list(engine.Engine.moves(None, "ribbon", position.state, seat))  # type: ignore[arg-type]  # needs no workers
        if legal:
            valid = blind or self.ledger.still_valid(seat, self.looked[user].seen)
            self.decide(moves.move, valid, user_id=user, moves=[legal[pick % len(legal)]])

    def alone(self, who: int, what: str) -> None:
        """Do what nobody else has to agree to."""
        user = PEOPLE[who].user_id or 0
        match what:
            case "undo":
                self.decide(moves.undo, self.ledger.own_past(user), user_id=user, seen=self.last_seen(who))
            case "resign":
                self.decide(moves.resign, user_id=user)
            case "hand":
                strength = Strength.MEDIUM
                self.decide(moves.hand_over, user_id=user, actor_id=user, strength=strength)
            case "back":
                self.decide(lateness.come_back, user_id=user)
            case "nudge":
                self.decide(lateness.nudge, user_id=user)
            case _:
                self.decide(leave_table, user_id=user)

    def propose(self, who: int, matter: ProposalKind, seat: int) -> None:
        """Propose something that is about no other person."""
        user, about = (
            PEOPLE[who].user_id or 0,
            Proposal(matter, (), 0.0, seat if matter is ProposalKind.REPLACE else None),
        )
        seen = self.last_seen(who) if matter is ProposalKind.UNDO else None
        self.decide(agreement.propose, self.ledger.past(1), user_id=user, about=about, seen=seen)

    def propose_a_seat(self, who: int, to: int, what: str) -> None:
        """Offer a seat, ask for one, or replace somebody as an administrator."""
        user, other, past = PEOPLE[who].user_id or 0, PEOPLE[to], self.ledger.past(1)
        match what:
            case "offer":
                about = Proposal(ProposalKind.OFFER, (), 0.0, to=other.user_id, name=other.name, owner=user)
                self.decide(agreement.propose, past, user_id=user, about=about)
            case "take":
                about = Proposal(ProposalKind.TAKE, (), 0.0, to, user, PEOPLE[who].name)
                self.decide(agreement.propose, past, user_id=user, about=about)
            case _:
                about = Proposal(ProposalKind.GIVE, (), 0.0, to=other.user_id, name=other.name, owner=user)
                self.decide(agreement.propose, past, user_id=ADMIN, about=about, admin=True)

    def answer(self, who: int, *, agrees: bool, looks: bool) -> None:
        """Press Agree or Decline on the last post that somebody looked at."""
        asked = [one for one in pending_voters(self.table) if one in self.looked]
        user = asked[who % len(asked)] if asked else PEOPLE[who].user_id or 0
        if looks:
            self.looked[user].seen = self.table.version
        if agrees:
            self.agree(user, self.looked[user].seen)
        else:
            self.decide(agreement.decline, user_id=PEOPLE[who].user_id or 0, seen=self.last_seen(who))

    def agree(self, user: int, seen: int) -> None:
        standing = self.table.proposal
        change = self.consent_change(user, seen)
        if change is not None and (standing is None or standing.made_at > seen):
            type(self).found = type(self).found or self.steps
            raise AssertionError("nobody has shown them that")

    def consent_change(self, user: int, seen: int) -> Change | None:
        return self.decide(agreement.agree, self.ledger.past(1), user_id=user, seen=seen)

    def decide_about_who_is_late(self, who: int, seat: int, waits: bool) -> None:
        """Wait for a late person, or let a computer make the turn."""
        user = PEOPLE[who].user_id or 0
        if seat < len(self.table.seats):
            self.decide(
                lateness.wait_longer if waits else lateness.let_computer_move, user_id=user, seat=seat
            )

    def administer(self, who: int, what: str, asked: bool) -> None:
        """Act as an administrator, perhaps on a question of a while ago."""
        user = PEOPLE[who].user_id or 0
        seen = self.last_seen(who) if asked else self.table.version
        match what:
            case "kick":
                self.decide(seating.kick, user_id=user, actor_id=ADMIN)
            case "pause":
                self.decide(agreement.pause, actor_id=ADMIN, until=self.at + HOUR, admin=True)
            case "resume":
                self.decide(agreement.resume, actor_id=ADMIN, admin=True)
            case "give":
                self.decide(lateness.extend_time, user_id=user, actor_id=ADMIN, seconds=HOUR)
            case "rollback":
                self.decide(moves.roll_back, self.ledger.past(1 + who), actor_id=ADMIN, seen=seen)
            case "skip":
                self.decide(moves.skip, actor_id=ADMIN, seen=seen)
            case _ if who == 0:
                self.decide(moves.close, actor_id=ADMIN)

    def time_passes(self, seconds: float) -> None:
        """Let some time pass, and sweep."""
        self.at += seconds
        self.sweep()

    def sweep(self) -> None:
        type(self).steps += 1
        loaded, last_step = self.ledger.loaded, self.ledger.last_step()
        for change in self.ledger.pass_time(self.at):
            self.check(loaded, change, last_step)
            loaded, last_step = self.ledger.loaded, self.ledger.last_step()
        assert self.table.due_at is None or self.table.due_at > self.at, "something stays due for ever"

    def go_away_or_come_back(self, who: int, days: int) -> None:
        """Begin or end somebody's holiday."""
        user = PEOPLE[who].user_id or 0
        known = self.ledger.now(self.at).person(user)
        self.decide(charge_table_clocks)
        try:
            changed = (
                begin_holiday(known, self.at + days * DAY, "", self.at)
                if days
                else end_holiday(known, self.at)
            )
        except Refused:
            return
        self.ledger.people[user] = replace(changed, user_id=user)

    def computer(self, forgets: bool) -> None:
        """Let a computer begin to think, or make its old move."""
        if self.thought is not None:
            then, seat, move = self.thought
            self.thought = None
            if not forgets:
                valid = self.table.version == then.version or self.ledger.still_valid(seat, then.moment)
                made = partial(moves.computer_move, then=then, seat=seat, move=move, actor_id=None)
                self.decide(made, valid)
        elif self.table.phase is Phase.PLAY and self.table.computers_owing and self.ledger.loaded.position:
            seat = self.table.computers_owing[0]
            state = self.ledger.loaded.position.state
            move = engine.think("ribbon", state, seat, b"", Strength.EASY)
            self.thought = self.table, seat, move

    def rematch(self) -> None:
        if self.table.phase not in (Phase.LOBBY, Phase.PLAY) and len(self.ledger.rows) > 3:
            self.compare()
            self.open(self.mode, self.late)

    @invariant()
    def owes_what_its_position_says(self) -> None:
        """Check that the table's seats to move are the game's."""
        position = self.ledger.loaded.position
        if self.table.phase is Phase.PLAY:
            assert position is not None
            assert (self.table.owing, self.table.beat) == (position.owing, position.beat)
        assert set(self.ledger.rows) == set(range(1, self.table.version + 1)), "a version is missing"

    def compare(self) -> None:
        """Compare the position with the replayed history."""
        position = self.ledger.loaded.position
        assert (None if position is None else position.state) == self.ledger.replay()

    def teardown(self) -> None:
        if self.number:
            self.compare()


def _is_agreement(kind: EntryKind, payload: str | None, actor_id: int | None) -> bool:
    """Return True if an entry carries out an agreement of people. Administrators and time need none."""
    result: Any = None if payload is None else msgspec.json.decode(payload)
    match kind:
        case EntryKind.PAUSE:
            return not result[1]
        case EntryKind.HAND_OVER:
            return bool(result.get("why") == "agreed")
        case EntryKind.TAKE_OVER:
            return True
        case _:
            return bool(result == "agreed")


__all__ = ["ADMIN", "PEOPLE", "AnyOrder", "AskedQuestion", "DecisionContext", "payload_of"]
