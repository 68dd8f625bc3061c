"""A table during its game: moves, undo, leaving, computer seats and what an administrator may do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from cachetools import LRUCache

from db.records import ActionRow
from engines.engine import Step, position
from engines.game import Seat, Strength, Thinking
from tables.core.change import Loaded, because
from tables.core.history import History
from tables.core.repository import Commit, Repository
from tables.core.requirements import NOT_BEGUN, require_play
from tables.core.table import Phase, Refused, Stale, Table
from tables.lobby.fairness import is_secret
from tables.play import decisions as moves
from tables.play.decisions import LastSteps
from tables.runtime.slices import iterate_in_slices

LISTED = 64
"""For so many seats the legal moves are remembered, for autocomplete asks for them at every key."""

ANSWERED = 10_000
"""Answers of computers in deals of the day that are remembered: some megabytes."""


class Perspective(msgspec.Struct, frozen=True):
    """What one viewer may know of a table's game: the view of a seat, or of a spectator (seat None)."""

    table: Table
    seat: Seat | None
    view: Any

    @property
    def me(self) -> Seat:
        """The seat that looks; 0 for a spectator, whom nothing is asked."""
        return self.seat or 0

    def __repr__(self) -> str:
        return f"Perspective({self.table!r}, seat={self.seat})"


class Play:
    """Everything that happens at a table while its game goes on; `decisions` says what that comes to."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self._answers: LRUCache[tuple[bytes, Seat, Strength, Thinking], Any] = LRUCache(ANSWERED)
        self._listed: LRUCache[tuple[int, int, Seat], list[Any]] = LRUCache(LISTED)

    async def perspective(self, table_id: int, user_id: int | None) -> Perspective:
        """The game as that person may see it. Raises Refused before it has begun."""
        loaded = await self._repository.load(table_id)
        if loaded.position is None:
            require_play(loaded.table)
        return self._perspective(loaded, user_id)

    def _perspective(self, loaded: Loaded, user_id: int | None) -> Perspective:
        table = loaded.table
        if loaded.position is None:
            raise Refused(f"No game was played at table {table.id}.")
        seat = None if user_id is None else table.seat_of(user_id)
        reveals = not is_secret(table, self._repository.clock())
        view = self._repository.engine.view(table.slug, loaded.position.state, seat, reveals=reveals)
        return Perspective(table, seat, view)

    async def moves(self, table_id: int, user_id: int) -> list[Any]:
        """Every legal move of that person now; none for somebody who may make none."""
        loaded = await self._repository.load(table_id)
        table = loaded.table
        seat = table.seat_of(user_id)
        if loaded.position is None or seat is None or table.phase is not Phase.PLAY:
            return []
        key = table.id, table.version, seat
        listed = self._listed.get(key)
        if listed is None:
            found = self._repository.engine.moves(table.slug, loaded.position.state, seat)
            listed = self._listed[key] = [move async for move in iterate_in_slices(found)]
        return listed

    async def move(
        self, table_id: int, user_id: int, made: Sequence[Any], seen: int | None = None
    ) -> tuple[Perspective, list[Step]]:
        """Make one or more moves for a person: all of them or none.

        `seen` is the moment in which the moves were chosen, where one was shown. Gives back the
        game as the person sees it then, and every step that was made.

        Raises:
            Stale: when the table has moved on since `seen`.
            Refused: when the rules, or the person's rights, don't allow it.
        """

        async def still_valid(loaded: Loaded) -> bool:
            seat = loaded.table.seat_of(user_id)
            return seen is None or seat is None or await self.still_valid(loaded.table, seat, seen)

        decide = partial(moves.moved, user_id=user_id, moves=made)
        applied = await self._repository.apply(table_id, decide, still_valid)
        await self._repository.listener.acted(user_id)
        return self._perspective(applied.loaded, user_id), applied.steps

    async def still_valid(self, table: Table, seat: Seat, seen: int) -> bool:
        """Whether what a seat was shown at a moment is still what it decides.

        It is as long as nothing has happened since but moves of others: who owes a decision together with
        others is not disturbed by theirs.
        """
        if seen == table.moment or table.game.simultaneous:
            return seen == table.moment
        return await self._history.only_others_moved(table, seat, seen)

    async def undo(self, table_id: int, user_id: int, seen: int | None = None) -> Perspective:
        """Take back a person's own last step, with all that followed from it by force.

        Raises:
            Refused: when the last step is somebody else's, or has shown something that can't be unseen.
        """

        async def last(loaded: Loaded) -> LastSteps | None:
            step = await self._last_own(loaded.table, user_id)
            return await self._before(loaded.table, [step]) if step else None

        decide = partial(moves.undone, user_id=user_id, seen=seen)
        applied = await self._repository.apply(table_id, decide, last)
        await self._repository.listener.acted(user_id)
        return self._perspective(applied.loaded, user_id)

    async def start_again(self, table_id: int, commit: Commit) -> Table:
        """Take a game that has ended back to its start; `commit` forgets what was played.

        Raises:
            Refused: for a game that goes on.
        """

        async def start(loaded: Loaded) -> LastSteps:
            version = await self._repository.store.first_version(table_id)
            state, _ = await self._repository.state_at(loaded.table, version)
            return LastSteps((), version, position(loaded.table.slug, len(loaded.table.seats), state))

        return (await self._repository.apply(table_id, moves.start_again, start, commit=commit)).table

    async def can_undo(self, table: Table, user_id: int) -> bool:
        """Whether the last step is that person's own and may be taken back."""
        return table.phase is Phase.PLAY and moves.may_undo(table, await self._last_own(table, user_id))

    async def _last_own(self, table: Table, user_id: int) -> list[ActionRow]:
        """A person's last step, if it is also the table's; where one learns, the last that is theirs."""
        version = table.version
        while step := await self._history.last_step(table.id, version):
            if moves.is_own(table, step, user_id):
                return step
            if not table.learning:
                break
            version = step[0].base
        return []

    async def last_steps(self, loaded: Loaded, most: int) -> LastSteps | None:
        """The last steps of a game that could be taken back, anybody's; None where there are none."""
        taken = await self._history.last_steps(loaded.table, most)
        return await self._before(loaded.table, taken) if taken else None

    async def _before(self, table: Table, steps: Sequence[Sequence[ActionRow]]) -> LastSteps:
        """Some last steps of a game, with how it stood before them."""
        base = steps[0][0].base
        ground = await self._history.ground(table.id, base)
        version = base if ground is None else ground.version
        state, _ = await self._repository.state_at(table, version)
        stood = position(table.slug, len(table.seats), state)
        return LastSteps(tuple(map(tuple, steps)), version, stood)

    async def resign(self, table_id: int, user_id: int) -> Table:
        """Take a person out of the game at their own wish."""
        table = (await self._repository.apply(table_id, partial(moves.resigned, user_id=user_id))).table
        await self._repository.listener.acted(user_id)
        return table

    async def hand_over(self, table_id: int, user_id: int, actor_id: int, strength: Strength) -> Table:
        """Let a computer player take a person's seat, by the person's or an administrator's wish."""
        decide = partial(moves.handed_over, user_id=user_id, actor_id=actor_id, strength=strength)
        return (await self._repository.apply(table_id, decide)).table

    async def skip(
        self, table_id: int, actor_id: int, seen: int | None = None, reason: str = ""
    ) -> list[Step]:
        """Let a computer player make the next move of every person who is waited for.

        `seen` is the version that somebody was asked about.
        """
        decide = because(partial(moves.skipping, actor_id=actor_id, seen=seen), actor_id, reason)
        noted = await self._repository.apply(table_id, decide)
        steps: list[Step] = []
        for seat in noted.table.awaited:
            with suppress(Stale):
                while True:
                    steps += await self._skipped(noted.table, seat, actor_id)
        return steps

    async def _skipped(self, then: Table, seat: Seat, actor_id: int) -> list[Step]:
        """The steps of a computer's move for who is still waited for; none where others were faster.

        Raises:
            Stale: when that person isn't waited for any more, or for something else.
        """
        loaded = await self._repository.load(then.id)
        table = loaded.table
        waits = table.phase is Phase.PLAY and seat in table.awaited and table.beat == then.beat
        if not waits or table.seats[seat] != then.seats[seat]:
            raise Stale
        move = await self.chosen(loaded, seat, Strength.STRONG)
        with suppress(Stale):  # somebody moved meanwhile: it is thought about again
            return await self.make_chosen(table, seat, move, actor_id)
        return []

    async def chosen(self, loaded: Loaded, seat: Seat, strength: Strength) -> Any:
        """The move that a computer player chooses for a seat; nothing is changed yet."""
        table = loaded.table
        if loaded.position is None:
            raise Refused(NOT_BEGUN)
        # To the same moves in the deal of a day a computer has the same answer, whoever makes them, and
        # whatever was taken back in between. So it thinks about each position once.
        state = loaded.position.state
        moment = table.version.to_bytes(8, "big") if table.day is None else state
        entropy = sha256(table.seed + table.salt + moment).digest()
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

    async def make_chosen(self, then: Table, seat: Seat, move: Any, actor_id: int | None) -> list[Step]:
        """Make the move that was chosen for a seat when the table stood as it did then.

        The table isn't locked while a computer thinks. As with a person's panel, what it was shown must still
        stand when it has chosen.

        Raises:
            Stale: when what the seat decides is not the same any more.
        """

        async def still_valid(loaded: Loaded) -> bool:
            same = loaded.table.version == then.version
            return same or await self.still_valid(loaded.table, seat, then.moment)

        decide = partial(moves.computed, then=then, seat=seat, move=move, actor_id=actor_id)
        return (await self._repository.apply(then.id, decide, still_valid)).steps

    async def rollback(
        self, table_id: int, steps: int, actor_id: int, seen: int | None = None, reason: str = ""
    ) -> Table:
        """Take back anybody's last steps, even steps that showed something or ended the game.

        What followed by force from a step goes with it and is not counted. `seen` is the version that
        somebody was asked about.
        """
        decide = because(partial(moves.rolled_back, actor_id=actor_id, seen=seen), actor_id, reason)
        read = partial(self.last_steps, most=steps)
        return (await self._repository.apply(table_id, decide, read)).table

    async def close(self, table_id: int, actor_id: int, *, why: str | None = None, reason: str = "") -> Table:
        """End a table without a result, whatever its phase; `why` is ``left`` where nobody is left there."""
        decide = because(partial(moves.closed, actor_id=actor_id, why=why), actor_id, reason)
        return (await self._repository.apply(table_id, decide)).table
