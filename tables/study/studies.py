"""Studies: a turn of a game tried again, or played on in a sandbox; nobody else sees them."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from functools import partial

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from db.batch import Conflict
from db.records import SeatRow, StudyRow
from engines import engine
from engines.analysis.study import list_knowing_seats, sample_position
from engines.game import Discreet, Seat, Strength
from engines.workers import Workers
from tables.clocks.pace import DAY, NONE
from tables.core import table as tables
from tables.core.change import Change, DecisionContext, TableState, entry
from tables.core.history import EntryKind
from tables.core.repository import Repository
from tables.core.table import SUFFIX, Hints, Occupant, Phase, Refused, Stale, Study, StudyKind, Table
from tables.learning import HintService, Swing, table_swings
from tables.lobby.lobby import StartedTable, begin_alone, new_row, on_terms
from tables.review.record import Record, RecordedTurn
from tables.study.reviews import FAILURES, Reviews, least_loss, study_luck

log = logging.getLogger(__name__)
MOST_MISSED = 3
"""The turns of a player that are offered for another try."""
MOST_WEIGHED = 6
"""The turns that are compared with the computer's choice, which takes a second each."""
NO_DEAL = "null"
"""The deal of a table that begins in the middle of a game."""
NOTHING_LEFT = "Nothing is left to play after that turn. Choose an earlier one."
TERMS = tables.Terms(NONE, private=True, rated=False, hints=Hints.ALLOWED)
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

OUT = "You were out by then, so you can't play on. You can try this turn when the game is over."
ALL_OUT = "Everybody was out by then, so nobody can play on. Choose an earlier turn."


class StudyStart(msgspec.Struct, frozen=True):
    """The beginning of a study: whose game, which turn, and who plays which side."""

    source: Table
    turn: RecordedTurn
    kind: StudyKind
    seat: Seat
    all_sides: bool = False


def list_weak_turns(
    swings: Iterable[Swing], turns: Sequence[RecordedTurn], own: Collection[int]
) -> list[int]:
    """Return those of somebody's `own` turns that brought least.

    The worst is first. A turn of one's own usually helps, so a small gain can be a missed chance.

    >>> turns = [RecordedTurn(n, n, n - 1, (n % 2,), 0.0) for n in range(8)]
    >>> changes = [0.1, -0.1, 0.09, -0.1, -0.2, -0.1, 0.1]
    >>> swings = [Swing(turn, change) for turn, change in enumerate(changes, start=1)]
    >>> list_weak_turns(swings, turns, {1, 3, 5, 7}), list_weak_turns(swings[:4], turns[2:], {3, 5})
    ([5, 3, 1, 7], [5, 3])
    """
    known = [swing for swing in swings if turns[swing.turn].number in own]
    worst = sorted(known, key=lambda swing: swing.change)[:MOST_WEIGHED]
    return [turns[swing.turn].number for swing in worst]


def find_missed_turns(losses: Iterable[tuple[float | None, int]], least: float) -> list[int]:
    """Return the turns that lost most beside the computer's choice.

    Each is given with its loss; None if that isn't known. A loss below `least` doesn't count.

    >>> find_missed_turns([(0.01, 4), (None, 6), (0.05, 8), (0.2, 10), (0.3, 12), (0.04, 14)], 0.03)
    [12, 10, 8]
    """
    known = [(loss, number) for loss, number in losses if loss is not None and loss >= least]
    return [number for _, number in sorted(known, reverse=True)[:MOST_MISSED]]


def study_table(start: StudyStart, position: engine.Position, person: Occupant, now: float) -> StartedTable:
    """Return the private table of a study.

    In a sandbox computers play the other sides, or the person all of them. Raise Refused if nothing is left
    to play.
    """
    source = start.source
    if position.over:
        raise Refused(NOTHING_LEFT)
    turn, seats = start.turn, list[SeatRow]()
    origin = Study(start.kind, source.id, turn.number, start.seat, position.beat, version=turn.version)
    for seat, known in enumerate(source.names):
        name = known.removesuffix(SUFFIX)
        if seat == start.seat or start.all_sides:
            seats.append(SeatRow(seat, person.user_id, name, None))
        elif start.kind is StudyKind.SANDBOX:
            seats.append(SeatRow(seat, None, f"{name}{SUFFIX}", Strength.STRONG))
        else:
            seats.append(SeatRow(seat, None, name, None))
    return begin_study(source.slug, tables.encode(source.options), origin, position, seats, now)


def begin_study(
    slug: str, options: str, origin: Study, position: engine.Position, seats: Sequence[SeatRow], now: float
) -> StartedTable:
    """Return a private table that begins at a position; `options` is JSON."""
    host = seats[origin.seat].user_id or 0
    row = new_row(0, 0, host, slug, options, now)
    row = replace(on_terms(row, TERMS, ordered=True), origin=tables.encode(origin))
    if origin.kind is StudyKind.PUZZLE:
        row = replace(row, hints=Hints.FORBIDDEN)

    def begin(loaded: TableState, _now: DecisionContext) -> Change:
        table = replace(
            loaded.table, phase=Phase.PLAY, deal=NO_DEAL, beat=position.beat, owing=position.owing, clocks=()
        )
        return Change(table, (entry(EntryKind.START, host),), position=position, snapshot=True)

    return begin_alone(row, seats, begin, now)


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
            weak = list_weak_turns(swings, turns, await self._find_own_turns(table, turns, seat))
            losses, is_whole = await self._weigh(table, [turn for turn in turns if turn.number in weak], seat)
        finally:
            self._comparing.discard(user_id)
        missed = find_missed_turns(losses, least_loss(table))
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
            if turn.number > 0
            and (seat in turn.seats if simultaneous else turn.seats[:1] == (seat,))
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
        before = replace(turn, version=turn.after)
        return await self._open(StudyStart(source, before, StudyKind.TURN, seat), person)

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
        start = StudyStart(source, turns[at], StudyKind.SANDBOX, seat, all_sides)
        open_one = None if anew else await self.newest(person.user_id or 0, start.kind)
        if open_one is not None:
            has_all_sides = all_sides and len(open_one.seats) > 1
            if not _is_from(open_one, start) or (len(open_one.people) > 1) != has_all_sides:
                open_one = None
        if open_one is None and source.phase is Phase.PLAY:
            await self._repository.store.hints.take(source.id, seat, turns[at].version)
        return open_one or await self._open(start, person)

    async def refusal(self, source: Table, user_id: int) -> str | None:
        """Return why a person gets no sandbox from a game. None if they do."""
        if source.study is not None or (source.outcome is None and source.phase is not Phase.PLAY):
            return "You can only play on from a game that has begun and wasn't called off."
        if not self._record.reveals(source):
            return OTHERS_PLAY
        if source.phase is not Phase.PLAY:
            return None
        if source.seat_of(user_id) is None:
            return "Only this game's players can try things while it's running."
        refusal = await self._hints.refusal(source)
        return None if refusal is None else f"{refusal} Sandboxes are off too, because they help as much."

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
            raise Refused(NOTHING_LEFT)
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
        table = await self.newest(user_id, StudyKind.SANDBOX)
        source = await self._repository.table(table_id)
        turns = await self._record.turns(source)
        if table is None or not 0 <= number < len(turns):
            return None
        seat = await self._sandbox_seat(source, turns[number], user_id)
        start = StudyStart(source, turns[number], StudyKind.SANDBOX, seat)
        return OpenSandbox(table, is_from_turn=_is_from(table, start), all_sides=len(table.people) > 1)

    async def _open(self, start: StudyStart, person: Occupant) -> Table:
        source, turn, seat = start.source, start.turn, start.seat
        state, _ = await self._repository.state_at(source, turn.version)
        luck = study_luck(source, turn, seat)
        sample = partial(sample_position, source.slug, len(source.seats), state, seat, luck)
        rows = study_table(start, await self._workers.run(sample), person, self._repository.clock())
        return await self.begin(rows, person, start.kind, source)

    async def begin(
        self, rows: StartedTable, person: Occupant, kind: StudyKind, source: Table | None = None
    ) -> Table:
        """Open a study in place of the person's earlier one. Raise Stale if its source has changed."""
        source_id, names = (0, []) if source is None else (source.id, source.names)
        row = StudyRow(0, person.user_id or 0, kind, source_id, self._repository.clock())
        try:
            number, earlier = await self._store.open(row, rows.table, rows.seats, rows.past, names)
        except Conflict:
            self._repository.forget(source_id)
            raise Stale from None
        for table_id in earlier:
            self._drop(table_id)
        try:
            table = await self._repository.table(number)
        except tables.NoTable:  # another press has replaced it
            newest = await self.newest(row.user_id, kind)
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


def _is_from(table: Table, start: StudyStart) -> bool:
    study, wanted = table.study, (start.source.id, start.turn.version, start.seat)
    return study is not None and (study.table, study.version, study.seat) == wanted
