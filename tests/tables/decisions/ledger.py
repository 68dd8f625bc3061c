"""A table in memory, its whole history beside it: decisions are carried out here without any database."""

from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from db.records import ActionRow
from db.store import Store
from engines import engine
from engines.game import Seat
from tables.clocks.pace import PACES
from tables.core.change import Change, Decision, DecisionContext, PostRequest, TableState
from tables.core.history import MOVES, EntryKind, History
from tables.core.people import Person
from tables.core.repository import next_version
from tables.core.table import Occupant, Table, Terms, WhenLate, encode, from_rows
from tables.lobby.lobby import new_row, on_terms
from tables.play.decisions import LastSteps, is_own
from tables.play.plans import play_plans
from tables.time.due import DueContext, do_what_is_due

R = TypeVar("R")


def at_once(work: Coroutine[Any, Any, R]) -> R:
    """Return the result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast(R, done.value)
    raise AssertionError("it waits for something")


class Ledger:
    """One table at its newest version, every entry of its history, and every state that it has had."""

    def __init__(
        self, host: Occupant, slug: str, options: Any, when_late: WhenLate, at: float, seed: int
    ) -> None:
        row = new_row(1, 2, host.user_id or 0, slug, encode(options), at)
        row = on_terms(row, Terms(PACES["daily"], when_late), ordered=True)
        row = replace(row, id=1, seed=seed.to_bytes(32, "big").hex(), salt="00" * 16)
        lobby = from_rows(row, [])
        self.loaded = TableState(replace(lobby, seats=(host,)), None)
        self.rows: dict[int, ActionRow] = {}
        self.states: dict[int, bytes] = {}
        self.shown: list[tuple[PostRequest, int]] = []
        self.people: dict[int, Person] = {}
        self.away_told: dict[int, float] = {}
        self._history = History(cast(Store, self))

    async def action(self, _table_id: int, version: int) -> ActionRow | None:
        return self.rows.get(version)

    async def actions(self, _table_id: int, after: int = 0, upto: int | None = None) -> list[ActionRow]:
        last = self.table.version if upto is None else upto
        return [self.rows[version] for version in range(after + 1, last + 1)]

    @property
    def table(self) -> Table:
        return self.loaded.table

    def now(self, at: float) -> DecisionContext:
        return DecisionContext(at, self.people)

    def apply(self, at: float, change: Change | None) -> Change | None:
        """Carry out a change of the current table, and what follows."""
        if change is None:
            return None
        before, change = self.loaded, play_plans(self.loaded, change, self.now(at))
        following = next_version(before, change, self.now(at))
        for row in following.rows:
            assert row.version == len(self.rows) + 1
            self.rows[row.version] = row
            if row.kind == EntryKind.AWAY and row.actor_id is not None:
                self.away_told[row.actor_id] = row.at
        self.loaded = following.loaded
        if self.loaded.position is not None:
            self.states[self.table.version] = self.loaded.position.state
        if before.position is not None and sum(row.kind == EntryKind.MOVE for row in following.rows) > 1:
            state = before.position.state
            for row in following.rows:
                state = self._replay_row(state, row)
                self.states[row.version] = state
        self.shown += [(one, self.table.version) for one in following.shows]
        return change

    def _replay_row(self, state: bytes, row: ActionRow) -> bytes:
        slug, seats = self.table.slug, len(self.table.seats)
        if row.kind == EntryKind.RESIGN:
            return engine.resign(slug, seats, state, row.seat or 0, follow=False).position.state
        if row.kind in MOVES:
            made = [(row.seat or 0, engine.decode_move(self.table.game, row.payload or ""))]
            return engine.play(slug, seats, state, made, follow=False).position.state
        return state

    def decide(self, at: float, decision: Decision) -> Change | None:
        return self.apply(at, decision(self.loaded, self.now(at)))

    def pass_time(self, at: float) -> list[Change]:
        done: list[Change] = []
        while True:
            people = [self.people[user] for user in self.table.people if user in self.people]
            away = [person.user_id for person in people if person.away_until(at) is not None]
            known = DueContext({user: self.away_told.get(user) for user in away}, self.past(1))
            change = self.apply(at, do_what_is_due(self.loaded, self.now(at), known))
            if change is None:
                return done
            done.append(change)
            assert len(done) < 10, "time never stops making something happen"

    def past(self, steps: int) -> LastSteps | None:
        """Return the last steps of the game, with the state before them."""
        return self.before(at_once(self._history.last_steps(self.table, steps)))

    def own_past(self, user_id: int) -> LastSteps | None:
        """Return a person's own last step, if it is also the table's."""
        step = at_once(self._history.last_step(1, self.table.version))
        return self.before([step] if step and is_own(self.table, step, user_id) else [])

    def before(self, steps: Sequence[Sequence[ActionRow]]) -> LastSteps | None:
        if not steps:
            return None
        ground = at_once(self._history.state_entry(1, steps[0][0].base))
        version = steps[0][0].base if ground is None else ground.version
        stood = engine.position(self.table.slug, len(self.table.seats), self.states[version])
        return LastSteps(tuple(map(tuple, steps)), version, stood)

    def still_valid(self, seat: Seat, seen: int) -> bool:
        return seen == self.table.version or at_once(
            self._history.have_only_others_moved(self.table, seat, seen)
        )

    def last_step(self) -> int | None:
        """Return the version of the last step that could be undone."""
        step = at_once(self._history.last_step(1, self.table.version))
        return step[0].version if step else None

    def replay(self) -> bytes | None:
        """Replay the valid history from the deal on; return the state."""
        table, state = self.table, None
        for row in at_once(self._history.active_history(table)):
            if row.kind == EntryKind.START:
                deal, options = (table.deal or "").encode(), encode(table.options).encode()
                begun = engine.begin(table.slug, len(table.seats), options, deal, table.seed)
                state = begun.position.state
            elif state is not None:
                state = self._replay_row(state, row)
        return state
