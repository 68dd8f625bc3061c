"""Studies: a turn of a game tried again, or played on in a sandbox; nobody else sees them."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

import msgspec
from cachetools import LRUCache

from db.batch import Conflict
from db.records import StudyRow
from engines import engine
from engines.analysis.study import list_knowing_seats, sample_position
from engines.game import Discreet, Seat
from engines.workers import Workers
from tables.clocks.pace import DAY
from tables.core.history import EntryKind
from tables.core.repository import Repository
from tables.core.table import NoTable, Occupant, Phase, Refused, Stale, StudyKind, Table
from tables.learning.hints import HintService, table_swings
from tables.review.record import Record, RecordedTurn
from tables.study import positions
from tables.study.reviews import FAILURES, Reviews, least_loss

log = logging.getLogger(__name__)
KEPT_SECONDS = DAY
"""The seconds after which a study is forgotten."""
FORGOTTEN_A_SWEEP = 50
"""The most studies that one sweep forgets."""
WEIGHING_SECONDS = 25.0
"""The most seconds of a comparison; the next one goes on from there."""
COMPARISONS = 2
"""The most comparisons at a time, each for another person."""
CACHED = 64
"""Cached lists of turns to try again."""
NOT_YOURS = "You didn't play that turn. Choose one of your own."
OTHERS_PLAY = "Others are still playing this deal. Come back when the day is over."
NO_SECRETS = "This game is running. You can try its turns again when it's over."

OUT = "You were out by then, so there's nothing to play on with. When the game is over, you can."
ALL_OUT = "Everybody was out by then, so there's nothing to play on with. Choose an earlier turn."


class OpenSandbox(Discreet, frozen=True):
    """A person's open sandbox: who plays in it, and whether it began at the turn in question."""

    table: Table
    is_from_turn: bool
    all_sides: bool


class Studies:
    """Opens studies, compares tries, and forgets them after a day."""

    def __init__(self, repository: Repository, record: Record, hints: HintService, workers: Workers) -> None:
        self._repository = repository
        self._store = repository.store.studies
        self._record = record
        self._hints = hints
        self._workers = workers
        self.reviews = Reviews(repository, record, workers, hints.strong)
        self._missed: LRUCache[tuple[int, int, Seat], list[int]] = LRUCache(CACHED)
        self._comparing: set[int] = set()
        self._slots = asyncio.Semaphore(COMPARISONS)

    def is_comparing(self, user_id: int) -> bool:
        return user_id in self._comparing

    async def recall_missed_turns(self, table: Table, seat: Seat) -> list[int] | None:
        """Return what `find_missed_turns` has found before, or None."""
        turns, _ = await self._record.estimates(table)
        return self._missed.get((table.id, turns[-1].version, seat))

    async def find_missed_turns(self, table: Table, seat: Seat) -> list[int] | None:
        """Return a finished game's turns that the computer would have played better.

        The one that lost most is first. None if no turn could be compared, or another game of the same
        person is being compared.

        Raises:
            Refused: during the game. IllegalMove: if it was played by older rules.
        """
        turns, estimates = await self._record.estimates(table)
        user_id = table.seats[seat].user_id or 0
        if table.outcome is None or not self._record.reveals(table) or self.is_comparing(user_id):
            return None
        key = table.id, turns[-1].version, seat
        if key in self._missed:
            return self._missed[key]
        self._comparing.add(user_id)
        try:
            swings = table_swings(table, table.outcome, estimates, seat)
            weak = positions.list_weak_turns(swings, turns, await self._find_own_turns(table, turns, seat))
            losses, is_whole = await self._weigh(table, [turn for turn in turns if turn.number in weak], seat)
        finally:
            self._comparing.discard(user_id)
        missed = positions.find_missed_turns(losses, least_loss(table))
        if is_whole:
            self._missed[key] = missed
        return missed if is_whole or missed else None

    async def _weigh(
        self, table: Table, turns: Sequence[RecordedTurn], seat: Seat
    ) -> tuple[list[tuple[float | None, int]], bool]:
        """Return each turn's loss with its number, and True if none failed.

        What takes longer than some seconds in all is left out.
        """
        losses, is_whole = list[tuple[float | None, int]](), True
        try:
            async with asyncio.timeout(WEIGHING_SECONDS), self._slots:
                for turn in turns:
                    try:
                        losses.append((await self.reviews.loss(table, turn, seat), turn.number))
                    except FAILURES as error:
                        log.warning("table %s: turn %s can't be compared: %r", table.id, turn.number, error)
                        is_whole = False
        except TimeoutError:
            is_whole = False
        return losses, is_whole

    async def _find_own_turns(self, table: Table, turns: Sequence[RecordedTurn], seat: Seat) -> set[int]:
        """Return the numbers of turns that a seat's person began themselves."""
        user_id, simultaneous = table.seats[seat].user_id, table.game.simultaneous
        made = {
            row.version
            for row in await self._repository.store.entry_headers(table.id)
            if row.kind == EntryKind.MOVE and row.actor_id == user_id
        }
        return {
            turn.number
            for turn in turns
            if positions.is_own_turn(turn, seat, simultaneous=simultaneous)
            and any(turn.after < version <= turn.version for version in made)
        }

    async def try_again(self, table_id: int, number: int, person: Occupant) -> Table:
        """Open a turn of a finished game for its player once more.

        Raise Refused for a running game, and a turn that isn't the person's own.
        """
        source = await self._repository.table(table_id)
        seat = source.seat_of(person.user_id or 0)
        if source.phase is not Phase.OVER:
            raise Refused(NO_SECRETS)
        if not self._record.reveals(source):
            raise Refused(OTHERS_PLAY)
        turns = await self._record.turns(source)
        turn = turns[number] if 0 <= number < len(turns) else None
        own = set() if seat is None else await self._find_own_turns(source, turns, seat)
        if seat is None or turn is None or number not in own:
            raise Refused(NOT_YOURS)
        before = msgspec.structs.replace(turn, version=turn.after)
        return await self._open(positions.StudyStart(source, before, StudyKind.TURN, seat), person)

    async def play_on(
        self, table_id: int, number: int | None, person: Occupant, *, all_sides: bool, anew: bool = False
    ) -> Table:
        """Open a sandbox after a turn, or return to the open one.

        Without `number` it is after the last turn. In a running game it is a player's own view. `anew` begins
        once more. Raise Refused if the turn doesn't exist, nothing is left to play, or the running game has
        no hints.
        """
        source = await self._repository.table(table_id)
        turns = await self._record.turns(source)
        at = turns[-1].number if number is None else number
        if not 0 <= at < len(turns):
            raise Refused(f"Choose a turn from 0 to {len(turns) - 1}.")
        seat = await self._sandbox_seat(source, turns[at], person.user_id or 0)
        start = positions.StudyStart(source, turns[at], StudyKind.SANDBOX, seat, all_sides)
        open_one = None if anew else await self._find_open(start, person.user_id or 0)
        if open_one is None and source.phase is Phase.PLAY:
            await self._repository.store.hints.take(source.id, seat, turns[at].version)
        return open_one or await self._open(start, person)

    async def refusal(self, source: Table, user_id: int) -> str | None:
        """Return why a person gets no sandbox from a game. None if they do."""
        if source.study is not None or (source.outcome is None and source.phase is not Phase.PLAY):
            return "You can only play on from a game that has begun, and wasn't called off."
        if not self._record.reveals(source):
            return OTHERS_PLAY
        if source.phase is not Phase.PLAY:
            return None
        if source.seat_of(user_id) is None:
            return "Only its players can try things in a running game."
        refusal = await self._hints.refusal(source)
        return None if refusal is None else f"{refusal} A sandbox would help as much."

    async def _sandbox_seat(self, source: Table, turn: RecordedTurn, user_id: int) -> Seat:
        """Return the seat whose view a sandbox begins with.

        In a finished game a spectator, and whoever was out, gets that of the seat to move.
        """
        refusal = await self.refusal(source, user_id)
        if refusal is not None:
            raise Refused(refusal)
        own, seats = source.seat_of(user_id), len(source.seats)
        state, _ = await self._repository.state_at(source, turn.version)
        owing = engine.position(source.slug, seats, state).owing
        if not owing:
            raise Refused(positions.NOTHING_LEFT)
        knowing = await self._workers.run(list_knowing_seats, source.slug, seats, state)
        if own in knowing:
            return own
        if source.phase is Phase.PLAY:
            raise Refused(OUT)
        seat = next((seat for seat in (*owing, *knowing) if seat in knowing), None)
        if seat is None:
            raise Refused(ALL_OUT)
        return seat

    async def newest(self, user_id: int, kind: StudyKind) -> Table | None:
        row = await self._store.of_person(user_id, kind)
        return None if row is None else await self._repository.table(row.table_id)

    async def find_sandbox(self, table_id: int, number: int, user_id: int) -> OpenSandbox | None:
        """Return a person's open sandbox, compared with a turn. Raise Refused as `play_on` does."""
        row = await self._store.of_person(user_id, StudyKind.SANDBOX)
        source = await self._repository.table(table_id)
        turns = await self._record.turns(source)
        if row is None or not 0 <= number < len(turns):
            return None
        seat = await self._sandbox_seat(source, turns[number], user_id)
        start = positions.StudyStart(source, turns[number], StudyKind.SANDBOX, seat)
        table = await self._repository.table(row.table_id)
        return OpenSandbox(table, is_from_turn=_is_from(table, start), all_sides=len(table.people) > 1)

    async def _find_open(self, start: positions.StudyStart, user_id: int) -> Table | None:
        row = await self._store.of_person(user_id, start.kind)
        if row is None:
            return None
        table = await self._repository.table(row.table_id)
        has_all_sides = start.all_sides and len(table.seats) > 1
        return table if _is_from(table, start) and (len(table.people) > 1) == has_all_sides else None

    async def _open(self, start: positions.StudyStart, person: Occupant) -> Table:
        source, turn, seat = start.source, start.turn, start.seat
        state, _ = await self._repository.state_at(source, turn.version)
        luck = positions.study_luck(source, turn, seat)
        sample = partial(sample_position, source.slug, len(source.seats), state, seat, luck)
        position = await self._workers.run(sample)
        now = self._repository.clock()
        rows = positions.study_table(start, position, person, now)
        row = StudyRow(0, person.user_id or 0, start.kind, source.id, now)
        try:
            number, earlier = await self._store.open(row, rows.table, rows.seats, rows.past, source.names)
        except Conflict:
            self._repository.forget(source.id)
            raise Stale from None
        for table_id in earlier:
            self._drop(table_id)
        try:
            table = await self._repository.table(number)
        except NoTable:  # another press has replaced it
            newest = await self.newest(row.user_id, start.kind)
            if newest is None:
                raise
            return newest
        self._repository.listener.on_commit(table, False)
        return table

    async def sweep(self) -> None:
        """Forget studies of over a day, in shard 0's process."""
        repository = self._repository
        if not repository.store.shards.owns(0) or not await repository.time.downtime.is_steady():
            return
        before = self._repository.clock() - KEPT_SECONDS
        for table_id in await self._store.forget(before, FORGOTTEN_A_SWEEP):
            self._drop(table_id)

    def _drop(self, table_id: int) -> None:
        self._repository.forget(table_id)
        self._repository.listener.on_deletion(table_id)


def _is_from(table: Table, start: positions.StudyStart) -> bool:
    study, wanted = table.study, (start.source.id, start.turn.version, start.seat)
    return study is not None and (study.table, study.version, study.seat) == wanted
