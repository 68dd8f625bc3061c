"""A table during its game: moves, drafts, undo, leaving, computers, administrators' actions."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from cachetools import LRUCache

from db.records import ActionRow, DraftRow
from db.store import Store
from engines.engine import Step, position, teach
from engines.game import Discreet, Seat, Strength, Thinking
from tables.core.change import NOT_BEGUN, TableState, require_play, with_reason_entry
from tables.core.history import History
from tables.core.repository import Commit, Repository
from tables.core.table import NoTable, Phase, Refused, Stale, Table, encode
from tables.play import decisions
from tables.play.decisions import LastSteps, SeatOffer
from tables.runtime import Background, Cache, LogOnce, Retries, iterate_in_slices, wait_for_end

CACHED_LISTS = 64
"""Cached lists of legal moves, since autocomplete asks at every key."""

CACHED_ANSWERS = 10_000
"""Cached answers of computers in deals of the day: some megabytes."""

TAUGHT_TURNS = 8
"""Turns of each player in which the computers of a lesson don't end it."""


class Perspective(Discreet, frozen=True):
    """What one viewer knows of a table's game: the view of a seat, or a spectator's (seat None)."""

    table: Table
    seat: Seat | None
    view: Any

    @property
    def me(self) -> Seat:
        """Return the viewer's seat; 0 for a spectator, who isn't asked anything."""
        return self.seat or 0


class AutomaticMoves(Protocol):
    """The moves that the bot makes in a person's name, because they have no other."""

    @property
    def automatic_moves(self) -> tuple[Any, ...]:
        """Return all such moves of a game."""

    def obvious(self, view: Any) -> tuple[Any, str] | None:
        """Return the only move in a view; None if there are more."""


class Play:
    """Everything people do during a game; `decisions` decides."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self._answers: LRUCache[tuple[bytes, Seat, Strength, Thinking], Any] = LRUCache(CACHED_ANSWERS)
        self._listed: LRUCache[tuple[int, int, Seat], list[Any]] = LRUCache(CACHED_LISTS)

    async def perspective(self, table_id: int, user_id: int | None) -> Perspective:
        """Return the game as a person can see it. Raise Refused before it has begun."""
        loaded = await self._repository.load(table_id)
        if loaded.position is None:
            require_play(loaded.table)
        return self._perspective(loaded, user_id)

    def _perspective(self, loaded: TableState, user_id: int | None) -> Perspective:
        table = loaded.table
        if loaded.position is None:
            raise Refused(f"No game was played at table {table.id}.")
        seat = None if user_id is None else table.seat_of(user_id)
        reveals = not table.is_secret(self._repository.clock())
        view = self._repository.view(table, table.version, loaded.position.state, seat, reveals=reveals)
        return Perspective(table, seat, view)

    async def moves(self, table_id: int, user_id: int) -> list[Any]:
        """Return a person's legal moves; none if they owe none."""
        loaded = await self._repository.load(table_id)
        table = loaded.table
        seat = table.seat_of(user_id)
        if loaded.position is None or seat is None or table.phase is not Phase.PLAY:
            return []
        key = table.id, table.version, seat
        listed = self._listed.get(key)
        if listed is None:
            result = self._repository.engine.moves(table.slug, loaded.position.state, seat)
            listed = self._listed[key] = [move async for move in iterate_in_slices(result)]
        return listed

    async def move(
        self, table_id: int, user_id: int, made: Sequence[Any], seen: int | None = None
    ) -> tuple[Perspective, list[Step]]:
        """Make one or more moves for a person: all or none.

        `seen` is the moment in which they were chosen, if there was a panel. Return the game as the person
        sees it then, and every step made.

        Raises:
            Stale: if the table has moved on since `seen`.
            Refused: if the rules, or the person's rights, don't allow it.
        """

        async def still_valid(loaded: TableState) -> bool:
            seat = loaded.table.seat_of(user_id)
            return seen is None or seat is None or await self.is_decision_current(loaded.table, seat, seen)

        decide = partial(decisions.move, user_id=user_id, moves=made)
        applied = await self._repository.apply(table_id, decide, still_valid)
        await self._repository.listener.on_action(user_id)
        return self._perspective(applied.loaded, user_id), applied.steps

    async def is_decision_current(self, table: Table, seat: Seat, seen: int) -> bool:
        """Return True if a seat still decides what it saw at a moment.

        It does as long as only others have moved since: simultaneous decisions don't disturb each other.
        """
        if seen == table.moment or table.game.simultaneous:
            return seen == table.moment
        return await self._history.have_only_others_moved(table, seat, seen)

    async def undo(
        self, table_id: int, user_id: int, seen: int | None = None, automatic: AutomaticMoves | None = None
    ) -> Perspective:
        """Undo a person's own last step, with its forced and `automatic` moves.

        Raise Refused if the last step is somebody else's, or has revealed something.
        """

        async def last(loaded: TableState) -> LastSteps | None:
            steps = await self._own_steps(loaded.table, user_id, automatic)
            return await self._before(loaded.table, steps) if steps else None

        decide = partial(decisions.undo, user_id=user_id, seen=seen)
        applied = await self._repository.apply(table_id, decide, last)
        await self._repository.listener.on_action(user_id)
        return self._perspective(applied.loaded, user_id)

    async def start_again(self, table_id: int, commit: Commit) -> Table:
        """Take a game that has ended back to its start.

        `commit` deletes what was played. Raise Refused for a running game.
        """

        async def start(loaded: TableState) -> LastSteps:
            version = await self._repository.store.first_version(table_id)
            state, _ = await self._repository.state_at(loaded.table, version)
            return LastSteps((), version, position(loaded.table.slug, len(loaded.table.seats), state))

        return (await self._repository.apply(table_id, decisions.start_again, start, commit=commit)).table

    async def can_undo(self, table: Table, user_id: int, automatic: AutomaticMoves | None = None) -> bool:
        if table.phase is not Phase.PLAY and not decisions.goes_on_after_end(table):
            return False
        return decisions.can_undo(table, await self._own_steps(table, user_id, automatic))

    async def _own_steps(
        self, table: Table, user_id: int, automatic: AutomaticMoves | None
    ) -> list[list[ActionRow]]:
        """Return a person's last own step, then automatic ones."""
        steps, version = list[list[ActionRow]](), table.version
        while step := await self._find_own_step(table, user_id, version):
            steps.insert(0, step)
            made = step[0].payload
            if automatic is None or made not in [encode(move) for move in automatic.automatic_moves]:
                return steps
            state, _ = await self._repository.state_at(table, step[0].base)
            if automatic.obvious(self._repository.engine.view(table.slug, state, step[0].seat)) is None:
                return steps
            version = step[0].base
        return []

    async def _find_own_step(self, table: Table, user_id: int, version: int) -> list[ActionRow]:
        """Return a person's last step if none came after it. In lessons and studies, their last of all."""
        while step := await self._history.last_step(table.id, version):
            if decisions.is_own(table, step, user_id):
                return step
            if not table.undoes_everything:
                break
            version = step[0].base
        return []

    async def last_steps(self, loaded: TableState, most: int) -> LastSteps | None:
        """Return the last steps that can be undone, anybody's. None if there are none."""
        taken = await self._history.last_steps(loaded.table, most)
        return await self._before(loaded.table, taken) if taken else None

    async def _before(self, table: Table, steps: Sequence[Sequence[ActionRow]]) -> LastSteps:
        base = steps[0][0].base
        ground = await self._history.state_entry(table.id, base)
        version = base if ground is None else ground.version
        state, _ = await self._repository.state_at(table, version)
        stood = position(table.slug, len(table.seats), state)
        return LastSteps(tuple(map(tuple, steps)), version, stood)

    async def resign(self, table_id: int, user_id: int) -> Table:
        table = (await self._repository.apply(table_id, partial(decisions.resign, user_id=user_id))).table
        await self._repository.listener.on_action(user_id)
        return table

    async def preview_resignation(self, table_id: int, user_id: int) -> Table:
        loaded = await self._repository.load(table_id)
        return decisions.resign(loaded, await self._repository.time.now(loaded.table), user_id=user_id).table

    async def hand_over(
        self, table_id: int, user_id: int, actor_id: int, strength: Strength, offer: SeatOffer | None = None
    ) -> Table:
        """Give a person's seat to a computer, at the person's or an administrator's wish.

        The computer waits while the seat is on `offer`.
        """
        decide = partial(
            decisions.hand_over, user_id=user_id, actor_id=actor_id, strength=strength, offer=offer
        )
        return (await self._repository.apply(table_id, decide)).table

    async def skip(
        self, table_id: int, actor_id: int, seen: int | None = None, reason: str = ""
    ) -> list[Step]:
        """Let computers move for those to move; `seen` is the known version."""
        decide = with_reason_entry(partial(decisions.skip, actor_id=actor_id, seen=seen), actor_id, reason)
        noted = await self._repository.apply(table_id, decide)
        steps: list[Step] = []
        for seat in noted.table.awaited:
            with suppress(Stale):
                while True:
                    steps += await self._skip_seat(noted.table, seat, actor_id)
        return steps

    async def _skip_seat(self, then: Table, seat: Seat, actor_id: int) -> list[Step]:
        """Return the steps of a computer's move for a person.

        None if others were faster. Raise Stale if that person has nothing to decide, or something else.
        """
        loaded = await self._repository.load(then.id)
        table = loaded.table
        waits = table.phase is Phase.PLAY and seat in table.awaited and table.beat == then.beat
        if not waits or table.seats[seat] != then.seats[seat]:
            raise Stale
        move = await self.choose_move(loaded, seat, Strength.STRONG)
        with suppress(Stale):  # somebody moved: the computer thinks again
            return await self.make_computer_move(table, seat, move, actor_id)
        return []

    async def choose_move(self, loaded: TableState, seat: Seat, strength: Strength) -> Any:
        """Return a computer's choice for a seat; nothing is changed yet."""
        table = loaded.table
        if loaded.position is None:
            raise Refused(NOT_BEGUN)
        # To the same moves in the deal of a day a computer has the same answer, whoever makes them, and
        # whatever was taken back in between. So it thinks about each position once.
        state = loaded.position.state
        moment = table.version.to_bytes(8, "big") if table.day is None else state
        entropy = sha256(table.seed + table.salt + moment).digest()
        turn = table.game.turn_at(table.beat, len(table.seats), table.options)
        if table.learning and (turn is None or turn <= TAUGHT_TURNS * len(table.seats)):
            return await self._repository.engine.run(teach, table.slug, state, seat, entropy)
        key = entropy, seat, strength, table.thinking
        answer = self._answers.get(key)
        if answer is None:
            thought = self._repository.engine.think(
                table.slug, state, seat, entropy, strength, table.thinking
            )
            answer = await thought
            if table.day is not None:
                self._answers[key] = answer
        return answer

    async def make_computer_move(
        self, then: Table, seat: Seat, move: Any, actor_id: int | None
    ) -> list[Step]:
        """Make a move chosen for a seat when the table was `then`.

        The table isn't locked while a computer thinks. As with a person's panel, the decision must be the
        same afterwards. Raise Stale if the seat's decision has changed.
        """

        async def still_valid(loaded: TableState) -> bool:
            same = loaded.table.version == then.version
            return same or await self.is_decision_current(loaded.table, seat, then.moment)

        decide = partial(decisions.computer_move, then=then, seat=seat, move=move, actor_id=actor_id)
        return (await self._repository.apply(then.id, decide, still_valid)).steps

    async def rollback(
        self, table_id: int, steps: int, actor_id: int, seen: int | None = None, reason: str = ""
    ) -> Table:
        """Undo anybody's last steps, whatever they revealed.

        Forced moves go with their step and aren't counted. `seen` is the version asked about.
        """
        decide = with_reason_entry(
            partial(decisions.roll_back, actor_id=actor_id, seen=seen), actor_id, reason
        )
        return (await self._repository.apply(table_id, decide, partial(self.last_steps, most=steps))).table

    async def close(self, table_id: int, actor_id: int, *, why: str | None = None, reason: str = "") -> Table:
        """End a table without a result, in any phase. `why` is ``left`` if nobody is left there."""
        decide = with_reason_entry(partial(decisions.close, actor_id=actor_id, why=why), actor_id, reason)
        return (await self._repository.apply(table_id, decide)).table


KEPT = 2000
Place = tuple[int, Seat]


class Drafts:
    """Keeps each seat's newest draft. A small change costs no commit: `write` saves all at once."""

    def __init__(self, store: Store, kept: int = KEPT) -> None:
        """At most `kept` drafts stay in memory beside unsaved ones."""
        self._store = store
        self._memory: Cache[Place, DraftRow] = Cache(LRUCache(kept))
        self._unwritten: dict[Place, DraftRow] = {}
        self._told: dict[Place, str] = {}

    async def draft(self, table: Table, seat: Seat, kind: type[Any]) -> Any | None:
        """Return a seat's draft of this very moment.

        None if there is none or it can't be read. An older version of the bot can have written it.
        """
        place = table.id, seat
        row = self._unwritten.get(place)
        if row is None:
            kept = self._memory.read_all([place], self._read) if self._here(table) else self._read([place])
            result = (await kept).get(place)
            row = self._unwritten.get(place) or result
        if row is None or row.version != table.moment:
            return None
        try:
            return msgspec.json.decode(row.payload, type=kind)
        except msgspec.MsgspecError:
            return None

    async def _read(self, places: list[Place]) -> dict[Place, DraftRow]:
        rows = {place: await self._store.draft(*place) for place in places}
        return {place: row for place, row in rows.items() if row is not None}

    def save(self, table: Table, seat: Seat, draft: msgspec.Struct) -> None:
        row = DraftRow(table.id, seat, table.moment, msgspec.json.encode(draft).decode())
        self._unwritten[table.id, seat] = row
        if self._here(table):
            self._memory.put((table.id, seat), row)
        else:
            self._told[table.id, seat] = self._store.shards.note("draft", table.id, table.guild_id, seat)

    def _here(self, table: Table) -> bool:
        """Return True if this process acts for a table, so its drafts are mostly made here."""
        return self._store.shards.owns(table.guild_id)

    def invalidate(self, table_id: int | None = None, seat: Seat = 0) -> None:
        """Forget a seat's draft in memory. Without a table, all but unsaved ones."""
        if table_id is None:
            self._memory.invalidate()
        else:
            self._memory.invalidate((table_id, seat))
            self._unwritten.pop((table_id, seat), None)

    async def write(self) -> None:
        """Save the drafts changed since the last call, in one commit."""
        (rows, self._unwritten), (texts, self._told) = (self._unwritten, {}), (self._told, {})
        if not rows:
            return
        try:
            await self._store.save_drafts(
                list(rows.values()), [texts[place] for place in texts if texts[place]]
            )
        except BaseException:
            self._unwritten = rows | self._unwritten
            self._told = texts | self._told
            raise


log = logging.getLogger(__name__)


class Computers:
    """Moves the computers of every table, one task a table, never under the table's lock."""

    def __init__(self, repository: Repository, play: Play, clock: Callable[[], float]) -> None:
        self._repository = repository
        self._play = play
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._thoughts: dict[asyncio.Task[Any], Table] = {}
        self._retries: Retries[int] = Retries(clock)
        self._log_once = LogOnce()
        self._background = Background()
        self._stopped = False

    def is_failing(self, table_id: int) -> bool:
        """Return True if a table's computers have failed and not moved since."""
        return self._retries.failures(table_id) > 0

    def wake(self, table: Table) -> bool:
        """Let a table's computers move if they owe. Return True if they will."""
        if table.phase is not Phase.PLAY or not table.computers_owing or not self._acts_for(table):
            return self.is_moving(table.id)
        return self._begin(table.id)

    async def resume(self) -> None:
        """Resume every table at which a computer owes a move."""
        for table_id in await self._repository.store.tables_awaiting_computer():
            self._begin(table_id)

    async def finish(self) -> None:
        while self._tasks:
            await wait_for_end(self._tasks.values())

    async def wait_until_settled(self, table_id: int, seconds: float) -> bool:
        """Wait for a table's computers, at most that long. Return True if none is about to move."""
        task = self._tasks.get(table_id)
        if task is not None:
            await asyncio.wait([task], timeout=seconds)
        return not self.is_moving(table_id)

    async def stop(self) -> None:
        """Stop all computers; the next start resumes what they owe.

        Thoughts are given up, writes are finished.
        """
        self._stopped = True
        for thought in self._thoughts:
            thought.cancel()
        await self.finish()

    def give_up(self) -> None:
        """Stop thinking about other processes' tables."""
        for thought, table in self._thoughts.items():
            if not self._acts_for(table):
                thought.cancel()

    def drop(self, table_id: int) -> None:
        for thought, table in self._thoughts.items():
            if table.id == table_id:
                thought.cancel()

    def _acts_for(self, table: Table) -> bool:
        return self._repository.store.shards.owns(table.guild_id)

    def is_moving(self, table_id: int) -> bool:
        task = self._tasks.get(table_id)
        return task is not None and not task.done()

    def _begin(self, table_id: int) -> bool:
        if self.is_moving(table_id):
            return True
        if self._stopped or not self._retries.is_due(table_id):
            return False
        task = asyncio.create_task(self._drive(table_id), name=f"computer seats of table {table_id}")
        self._tasks[table_id] = task
        task.add_done_callback(lambda done: self._on_end(table_id, done))
        return True

    def _on_end(self, table_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(table_id) is task:
            del self._tasks[table_id]
            self._repository.listener.on_computers_settled(table_id)

    async def _drive(self, table_id: int) -> None:
        try:
            while not self._stopped and await self._move_one(table_id):
                self._work(table_id)
        except NoTable:  # it was private, and has been deleted
            self._work(table_id)
        except Exception as error:  # nobody waits for this task, and one table's trouble is not the others'
            is_first = not self.is_failing(table_id)
            self._retries.note_failure(table_id)
            if self._log_once.note_failure(table_id, error):
                log.exception("table %s: its computer seats have failed, and will be tried again", table_id)
            if is_first:
                coroutine = self._repository.listener.on_computers_failed(table_id)
                await self._background.run(f"announcing it at table {table_id}", coroutine)
        else:
            self._work(table_id)

    def _work(self, table_id: int) -> None:
        self._retries.note_success(table_id)
        if self._log_once.note_success(table_id):
            log.info("table %s: its computer seats move again", table_id)

    async def _move_one(self, table_id: int) -> bool:
        """Make the next move that a computer owes. Return True if there was one."""
        loaded = await self._repository.load(table_id)
        table = loaded.table
        if table.phase is not Phase.PLAY or not table.computers_owing or not self._acts_for(table):
            return False
        seat = table.computers_owing[0]
        strength = table.seats[seat].strength or Strength.STRONG
        thought = asyncio.create_task(self._play.choose_move(loaded, seat, strength))
        self._thoughts[thought] = table
        try:
            move = await thought
        finally:
            del self._thoughts[thought]
        with suppress(Stale):  # the table has moved on: it is checked again
            await self._play.make_computer_move(table, seat, move, None)
        return True
