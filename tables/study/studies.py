"""Studies: a turn of a game tried again, or played on in a sandbox; nobody else sees them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from cachetools import LRUCache

from db.batch import Conflict
from db.records import ActionRow, StudyRow
from engines import engine
from engines.engine import PlayResult, Position
from engines.game import IllegalMove, Seat
from engines.study import play_turn, sample_position
from engines.workers import Urgency, Workers
from tables.clocks.pace import DAY
from tables.core.change import TableState, entry_rows
from tables.core.history import PLAYED, EntryKind, History
from tables.core.repository import Repository
from tables.core.table import Occupant, Phase, Refused, Stale, Study, StudyKind, Table, encode
from tables.learning.hints import (
    ForeseenTurn,
    HintService,
    chance_of,
    counts_together,
    final_chance,
    lead_of,
    table_swings,
)
from tables.play.decisions import advance
from tables.review.record import Record, RecordedTurn
from tables.study.positions import StudyStart, find_missed_turns, is_own_turn, study_luck, study_table

KEPT_SECONDS = DAY
"""The seconds after which a study is forgotten."""
FORGOTTEN_A_SWEEP = 50
"""The most studies that one sweep forgets."""
CACHED = 64
"""Cached reviews of turns."""
NOT_YOURS = "You didn't play that turn. Choose one of your own."
OTHERS_PLAY = "Others are still playing this deal. Come back when the day is over."
NO_SECRETS = "This game is running. You can try its turns again when it's over."


class TurnLine(msgspec.Struct, frozen=True):
    """One way to play a turn: its entries, the view after them, and what it is worth.

    `value` is a chance of winning from 0 to 1, or a lead in the game's own unit; None if the computer has no
    estimate.
    """

    rows: tuple[ActionRow, ...]
    view: Any
    value: float | None

    def __repr__(self) -> str:
        return f"TurnLine(entries={len(self.rows)}, value={self.value})"

    def is_same_as(self, other: TurnLine) -> bool:
        """Return True if another line has the same moves."""
        return [(row.seat, row.payload) for row in self.rows] == [
            (row.seat, row.payload) for row in other.rows
        ]


class TurnReview(msgspec.Struct, frozen=True):
    """A turn tried again, beside what was played and what the strong computer would play.

    Attributes:
        number: the turn's number in the game.
        is_chance: True if values are chances of winning.
        own, best: the new try, and the computer's choice.
        played: the turn as in the game; None if it isn't possible with the hidden things drawn anew.
        reply: what the computer expects next; None at the end, and if all answer at once.
    """

    number: int
    is_chance: bool
    own: TurnLine
    best: TurnLine
    played: TurnLine | None
    reply: ForeseenTurn | None


class Studies:
    """Opens studies, compares tries, and forgets them after a day."""

    def __init__(self, repository: Repository, record: Record, hints: HintService, workers: Workers) -> None:
        self._repository = repository
        self._store = repository.store.studies
        self._history = History(repository.store)
        self._record = record
        self._hints = hints
        self._workers = workers
        self._reviews: LRUCache[tuple[int, int], TurnReview] = LRUCache(CACHED)

    async def find_missed_turns(self, table: Table, seat: Seat) -> list[int]:
        """Return a finished game's turns that brought a seat least.

        The worst is first.

        Raises:
            Refused: during the game. IllegalMove: if it was played by older rules.
        """
        turns, estimates = await self._record.estimates(table)
        if table.outcome is None or not self._record.reveals(table):
            return []
        swings = table_swings(table, table.outcome, estimates, seat)
        own = await self._find_own_turns(table, turns, seat)
        return find_missed_turns(swings, turns, own)

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
            if is_own_turn(turn, seat, simultaneous=simultaneous)
            and any(turn.after < version <= turn.version for version in made)
        }

    async def try_again(self, table_id: int, number: int, person: Occupant) -> Table:
        """Open a turn of a finished game for its player once more.

        Raises:
            Refused: for a running game, and a turn that isn't the person's own.
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
        return await self._open(StudyStart(source, before, StudyKind.TURN, seat), person)

    async def play_on(
        self, table_id: int, number: int | None, person: Occupant, *, all_sides: bool, anew: bool = False
    ) -> Table:
        """Open a sandbox after a turn, or return to the open one.

        Without `number` it is after the last turn. In a running game it is a player's own
        view. `anew` begins once more.

        Raises:
            Refused: if the turn doesn't exist, nothing is left to play, or the running game has no hints.
        """
        source = await self._repository.table(table_id)
        turns = await self._record.turns(source)
        at = turns[-1].number if number is None else number
        if not 0 <= at < len(turns):
            raise Refused(f"Choose a turn from 0 to {len(turns) - 1}.")
        seat = await self._sandbox_seat(source, turns[at], person.user_id or 0)
        start = StudyStart(source, turns[at], StudyKind.SANDBOX, seat, all_sides)
        open_one = None if anew else await self._find_open(start, person.user_id or 0)
        if open_one is None and source.phase is Phase.PLAY:
            await self._repository.store.hints.take(source.id, seat, turns[at].version)
        return open_one or await self._open(start, person)

    async def refusal(self, source: Table, user_id: int) -> str | None:
        """Return why a person gets no sandbox from a game.

        None if they do.
        """
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

        In a finished game a spectator gets that of the seat to move.
        """
        refusal = await self.refusal(source, user_id)
        if refusal is not None:
            raise Refused(refusal)
        own = source.seat_of(user_id)
        if own is not None and source.phase is Phase.PLAY:
            return own
        state, _ = await self._repository.state_at(source, turn.version)
        owing = engine.position(source.slug, len(source.seats), state).owing
        return own if own is not None else owing[0] if owing else 0

    async def _find_open(self, start: StudyStart, user_id: int) -> Table | None:
        row = await self._store.of_person(user_id, start.kind)
        if row is None or row.source_id != start.source.id:
            return None
        table = await self._repository.table(row.table_id)
        study, sides = table.study, len(table.people)
        same = study is not None and (study.version, study.seat) == (start.turn.version, start.seat)
        return table if same and (sides > 1) == (start.all_sides and len(table.seats) > 1) else None

    async def _open(self, start: StudyStart, person: Occupant) -> Table:
        source, turn, seat = start.source, start.turn, start.seat
        state, _ = await self._repository.state_at(source, turn.version)
        luck = study_luck(source, turn, seat)
        sample = partial(sample_position, source.slug, len(source.seats), state, seat, luck)
        position = await self._workers.run(sample)
        now = self._repository.clock()
        rows = study_table(start, position, person, now)
        row = StudyRow(0, person.user_id or 0, start.kind, source.id, now)
        try:
            number, earlier = await self._store.open(row, rows.table, rows.seats, rows.past, source.names)
        except Conflict:
            self._repository.forget(source.id)
            raise Stale from None
        for table_id in earlier:
            self._repository.forget(table_id)
        table = await self._repository.table(number)
        self._repository.listener.on_commit(table, False)
        return table

    async def review(self, table: Table) -> TurnReview:
        """Compare a try with the turn as played, and the computer's choice."""
        key = table.id, table.version
        if key not in self._reviews:
            self._reviews[key] = await self._review(table)
        return self._reviews[key]

    async def _review(self, table: Table) -> TurnReview:
        study = table.study
        if study is None:
            raise Refused("You can only compare a turn that you try again.")
        first = await self._repository.store.first_version(table.id)
        begun, _ = await self._repository.state_at(table, first)
        reached, _ = await self._repository.state_at(table, table.version)
        rows = [row for row in await self._history.active_history(table, first) if row.kind in PLAYED]
        own = await self._line(table, rows, self._position(table, reached))
        best = await self._play_line(table, begun, await self._think(table, begun, study.seat))
        return TurnReview(
            number=study.turn,
            is_chance=self._is_chance(table),
            own=own,
            best=best,
            played=await self._replay_turn(table, study, begun),
            reply=await self._reply(table, study, reached),
        )

    async def _think(self, table: Table, state: bytes, seat: Seat) -> PlayResult:
        """Let the strong computer play a seat's turn."""
        options = encode(table.options).encode()
        return await self._workers.run_with(
            Urgency.LONG, play_turn, table.slug, len(table.seats), options, state, seat, table.salt
        )

    async def _replay_turn(self, table: Table, study: Study, begun: bytes) -> TurnLine | None:
        """Return the turn as played, on the position of the study."""
        source = await self._repository.table(study.table)
        turns = await self._record.turns(source)
        turn = turns[min(study.turn, len(turns) - 1)]
        rows = await self._history.active_history(source, turn.after, turn.version)
        moves = [
            (study.seat, engine.decode_move(source.game, row.payload or ""))
            for row in rows
            if row.kind == EntryKind.MOVE and row.seat == study.seat
        ]
        try:
            played = engine.play(table.slug, len(table.seats), begun, moves)
        except IllegalMove:
            return None
        return await self._play_line(table, begun, played)

    async def _reply(self, table: Table, study: Study, state: bytes) -> ForeseenTurn | None:
        after = self._position(table, state)
        if after.over or table.game.simultaneous:
            return None
        seat = after.owing[0]
        played = await self._think(table, state, seat)
        view = self._repository.engine.view(table.slug, played.position.state, study.seat)
        return ForeseenTurn(seat, self._rows(table, state, played), view)

    def _position(self, table: Table, state: bytes) -> Position:
        return engine.position(table.slug, len(table.seats), state)

    async def _play_line(self, table: Table, begun: bytes, played: PlayResult) -> TurnLine:
        return await self._line(table, self._rows(table, begun, played), played.position)

    def _rows(self, table: Table, begun: bytes, played: PlayResult) -> tuple[ActionRow, ...]:
        state = TableState(table, self._position(table, begun))
        return entry_rows(state, advance(state, played, None), self._repository.clock())

    async def _line(self, table: Table, rows: Sequence[ActionRow], after: Position) -> TurnLine:
        viewer = 0 if table.study is None else table.study.seat
        view = self._repository.engine.view(table.slug, after.state, viewer)
        return TurnLine(tuple(rows), view, await self._value(table, after))

    async def _value(self, table: Table, position: Position) -> float | None:
        """Return what a position is worth for the seat of a study."""
        seat = 0 if table.study is None else table.study.seat
        if position.outcome is not None and self._is_chance(table):
            return final_chance(position.outcome, seat)
        stops: Sequence[int] = [0]
        (estimate,) = await self._repository.engine.estimate_steps(
            table.slug, len(table.seats), position.state, [], stops
        )
        if self._is_chance(table):
            return chance_of(estimate, seat, table.game.chance_scale)
        return lead_of(estimate, seat, team=counts_together(table))

    def _is_chance(self, table: Table) -> bool:
        return bool(table.game.chance_scale) and not counts_together(table)

    async def sweep(self) -> None:
        """Forget studies begun more than a day ago.

        The process of shard 0 does it.
        """
        if not self._repository.store.shards.owns(0):
            return
        before = self._repository.clock() - KEPT_SECONDS
        for table_id in await self._store.forget(before, FORGOTTEN_A_SWEEP):
            self._repository.forget(table_id)
