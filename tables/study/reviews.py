"""Compares ways to play a turn: a new try, the turn as it was played, and the computer's choice."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256
from typing import Any

import msgspec
from cachetools import LRUCache

from db.records import ActionRow
from engines import engine
from engines.analysis.study import ExpectedTurn, StrongComputer, list_choices, sample_position
from engines.engine import PlayResult, Position, estimate_steps
from engines.game import Discreet, IllegalMove, Seat
from engines.workers import WorkerOutOfMemory, Workers, WorkerTimeout
from tables.core.change import TableState, entry_rows
from tables.core.history import PLAYED, EntryKind, History
from tables.core.repository import Repository
from tables.core.table import Phase, Refused, StudyKind, Table
from tables.learning import chance_of, counts_together, final_chance, lead_of
from tables.play.decisions import advance
from tables.review.record import Record, RecordedTurn

LEAST_LOSS = 0.03
"""A turn whose chance of winning is less behind the computer's choice isn't worth another try."""
LEAST_LEAD_LOST = 1.0
"""The same where a lead is counted, in the game's own unit."""
FAILURES = (WorkerTimeout, WorkerOutOfMemory, BrokenProcessPool)
"""The ways in which a comparison can fail in its worker."""
CACHED = 64
"""Cached reviews of turns."""
CACHED_LOSSES = 1024
"""Cached losses of turns."""


def study_luck(source: Table, turn: RecordedTurn, seat: Seat) -> bytes:
    """Return the luck of a study.

    Another try of the same turn has the same. It comes from the salt, which nothing dealt
    depends on, so it gives nothing hidden away.
    """
    return sha256(f"study {turn.number} {seat} ".encode() + source.salt).digest()


def is_turn_over(table: Table) -> bool:
    """Return True if the turn that is tried again has been played.

    The seat isn't asked any more, or for another turn.
    """
    study = table.study
    if study is None or study.kind is not StudyKind.TURN:
        return False
    if table.phase is not Phase.PLAY or study.seat not in table.owing:
        return True
    now, then = (table.game.turn_at(at, len(table.seats), table.options) for at in (table.beat, study.beat))
    return now != then


class TurnLine(Discreet, frozen=True):
    """One way for a seat to play a turn.

    Attributes:
        rows: its entries, up to the turn's end.
        choices: the seat's moves, each with the view before it.
        before: the seat's view at the start, and `view` at the end.
        value: what that is worth: a chance of winning from 0 to 1, or a lead in the game's own unit. None if
            the computer has no estimate, or the turn isn't possible any more.
    """

    rows: tuple[ActionRow, ...]
    choices: tuple[tuple[Any, Any], ...]
    before: Any
    view: Any
    value: float | None

    def is_same_as(self, other: TurnLine) -> bool:
        return [move for move, _ in self.choices] == [move for move, _ in other.choices]


class TurnReview(msgspec.Struct, frozen=True):
    """A turn tried again, beside what was played and what the strong computer would play.

    Attributes:
        number: the turn's number in the game.
        is_chance: True if values are chances of winning.
        own, best: the new try, and the computer's choice.
        played: the turn as in the game.
        is_possible: True if that is possible with the hidden things drawn anew.
        reply: what the computer expects next; None at the end, and if all answer at once.
    """

    number: int
    is_chance: bool
    own: TurnLine
    best: TurnLine
    played: TurnLine
    is_possible: bool
    reply: ExpectedTurn | None


class _Spot(msgspec.Struct, frozen=True):
    """A position before a seat's turn, at a table."""

    table: Table
    seat: Seat
    state: bytes
    beat: int


class Reviews:
    """Values turns, tried again or played, as the strong computer does."""

    def __init__(
        self, repository: Repository, record: Record, workers: Workers, strong: StrongComputer
    ) -> None:
        self._repository = repository
        self._strong = strong
        self._history = History(repository.store)
        self._record = record
        self._workers = workers
        self._reviews: LRUCache[tuple[int, int], TurnReview] = LRUCache(CACHED)
        self._losses: LRUCache[tuple[int, int, Seat], float | None] = LRUCache(CACHED_LOSSES)

    async def review(self, table: Table) -> TurnReview:
        """Compare a try with the turn as played, and the computer's choice.

        Raise FAILURES if thinking takes too long, or its process fails.
        """
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
        spot = _Spot(table, study.seat, begun, study.beat)
        rows = [row for row in await self._history.active_history(table, first) if row.kind in PLAYED]
        moves = [(row.seat or 0, engine.decode_move(table.game, row.payload)) for row in rows if row.payload]
        start, after = self._position(table, begun), self._position(table, reached)
        own = await self._line(spot, rows, moves, after)
        source = await self._repository.table(study.table)
        turns = await self._record.turns(source)
        turn = turns[min(study.turn, len(turns) - 1)]
        played = await self._replay_turn(spot, source, turn)
        return TurnReview(
            number=study.turn,
            is_chance=_is_chance(table),
            own=own,
            best=await self._play_line(spot, await self._play(table, start, study.seat)),
            played=await self._historic_line(source, turn, study.seat)
            if played is None
            else await self._play_line(spot, played),
            is_possible=played is not None,
            reply=await self._strong.expect_reply(
                table.slug, len(table.seats), table.options, after, study.seat, table.salt
            ),
        )

    async def loss(self, source: Table, turn: RecordedTurn, seat: Seat) -> float | None:
        """Return what the computer's choice is worth more than a turn.

        Once known it is kept. None if the turn isn't possible with the hidden things drawn anew. Raise
        FAILURES if thinking takes too long, or its process fails.
        """
        key = source.id, turn.version, seat
        if key not in self._losses:
            self._losses[key] = await self._loss(source, turn, seat)
        return self._losses[key]

    async def _loss(self, source: Table, turn: RecordedTurn, seat: Seat) -> float | None:
        state, _ = await self._repository.state_at(source, turn.after)
        luck = study_luck(source, turn, seat)
        begun = await self._workers.run(sample_position, source.slug, len(source.seats), state, seat, luck)
        if begun.over or seat not in begun.owing:
            return None
        spot = _Spot(source, seat, begun.state, begun.beat)
        played = await self._replay_turn(spot, source, turn)
        if played is None:
            return None
        best = await self._play(source, begun, seat)
        then, better = [
            await self._value(source, seat, (await self._finish(spot, one.position)).position)
            for one in (played, best)
        ]
        return None if then is None or better is None else better - then

    async def _play(
        self, table: Table, begun: Position, seat: Seat | None, beat: int | None = None
    ) -> PlayResult:
        """Play the turn of a beat strongly, or that of the position."""
        begun = begun if beat is None else msgspec.structs.replace(begun, beat=beat)
        return await self._strong.play(table.slug, len(table.seats), table.options, begun, seat, table.salt)

    async def _finish(self, spot: _Spot, reached: Position) -> PlayResult:
        """Let the others answer, where all answer at once."""
        if not spot.table.game.simultaneous or reached.over:
            return PlayResult(reached, [])
        return await self._play(spot.table, reached, None, spot.beat)

    async def _replay_turn(self, spot: _Spot, source: Table, turn: RecordedTurn) -> PlayResult | None:
        rows = await self._history.active_history(source, turn.after, turn.version)
        moves = [
            (spot.seat, engine.decode_move(source.game, row.payload or ""))
            for row in rows
            if row.kind == EntryKind.MOVE and row.seat == spot.seat
        ]
        try:
            return engine.play(source.slug, len(source.seats), spot.state, moves)
        except IllegalMove:
            return None

    async def _historic_line(self, source: Table, turn: RecordedTurn, seat: Seat) -> TurnLine:
        """Return a recorded turn without a value."""
        rows = await self._history.active_history(source, turn.after, turn.version)
        before, view = [
            self._repository.engine.view(source.slug, state, seat)
            for version in (turn.after, turn.version)
            for state, _ in [await self._repository.state_at(source, version)]
        ]
        return TurnLine(tuple(row for row in rows if row.kind in PLAYED), (), before, view, None)

    def _position(self, table: Table, state: bytes) -> Position:
        return engine.position(table.slug, len(table.seats), state)

    async def _play_line(self, spot: _Spot, played: PlayResult) -> TurnLine:
        moves = [(step.seat, step.move) for step in played.steps]
        return await self._line(spot, self._rows(spot.table, spot.state, played), moves, played.position)

    def _rows(self, table: Table, begun: bytes, played: PlayResult) -> tuple[ActionRow, ...]:
        state = TableState(table, self._position(table, begun))
        return entry_rows(state, advance(state, played, None), self._repository.clock())

    async def _line(
        self, spot: _Spot, rows: Sequence[ActionRow], moves: Sequence[tuple[Seat, Any]], after: Position
    ) -> TurnLine:
        table, finished = spot.table, await self._finish(spot, after)
        before, view = (
            self._repository.engine.view(table.slug, state, spot.seat)
            for state in (spot.state, finished.position.state)
        )
        choices = await self._workers.run(list_choices, table.slug, spot.state, spot.seat, list(moves))
        every = [*rows, *self._rows(table, after.state, finished)] if finished.steps else rows
        return TurnLine(
            tuple(every), choices, before, view, await self._value(table, spot.seat, finished.position)
        )

    async def _value(self, table: Table, seat: Seat, position: Position) -> float | None:
        if position.outcome is not None and _is_chance(table):
            return final_chance(position.outcome, seat)
        stops: Sequence[int] = [0]
        (estimate,) = await self._repository.engine.run(
            estimate_steps, table.slug, len(table.seats), position.state, [], stops
        )
        if _is_chance(table):
            return chance_of(estimate, seat, table.game.chance_scale)
        return lead_of(estimate, seat, team=counts_together(table))


def least_loss(table: Table) -> float:
    """Return the loss from which a turn is worth another try."""
    return LEAST_LOSS if _is_chance(table) else LEAST_LEAD_LOST


def _is_chance(table: Table) -> bool:
    return bool(table.game.chance_scale) and not counts_together(table)
