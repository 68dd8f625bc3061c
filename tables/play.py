"""A table during its game: moves, undo, leaving, computer seats and what an administrator may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

import msgspec
from cachetools import LRUCache

from db.records import ActionRow
from engines.engine import Played, Position, Step
from engines.game import NOT_YOUR_TURN, IllegalMove, Outcome, Seat, Strength
from tables.history import EntryKind, History, made_by
from tables.model import SUFFIX, Phase, Refused, Sitter, Stale, Table, encode
from tables.repository import (
    Loaded,
    Outgoing,
    Repository,
    outgoing,
    require_going,
    require_open,
    require_play,
    require_playable,
)

LISTED = 64
"""For so many seats the legal moves are remembered, for autocomplete asks for them at every key."""


class Perspective(msgspec.Struct, frozen=True):
    """What one viewer may know of a table's game: the view of a seat, or of a spectator (seat None)."""

    table: Table
    seat: Seat | None
    view: Any

    def __repr__(self) -> str:
        return f"Perspective({self.table!r}, seat={self.seat})"


class HandOver(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose seat a computer player has taken, whether it was that person's own wish, and else why.

    `why` is ``late`` or ``agreed``; empty where an administrator did it.
    """

    name: str
    own: bool
    why: str = ""


async def _nothing(_user_id: int) -> None:
    """Nobody listens."""


class Play:
    """Everything that happens at a table while its game goes on.

    `acted` is called with a person who has made a move, taken one back or resigned, after the commit.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self.acted: Callable[[int], Awaitable[None]] = _nothing
        self._listed: LRUCache[tuple[int, int, Seat], list[Any]] = LRUCache(LISTED)

    async def perspective(self, table_id: int, user_id: int | None) -> Perspective:
        """The game as that person may see it. Raises Refused before it has begun."""
        loaded = await self._repository.load(table_id)
        if loaded.position is None:
            require_play(loaded.table)
        return self._perspective(loaded, user_id)

    def _perspective(self, loaded: Loaded, user_id: int | None) -> Perspective:
        table, position = loaded.table, loaded.position
        if position is None:
            raise Refused(f"No game was played at table {table.id}.")
        seat = None if user_id is None else table.seat_of(user_id)
        return Perspective(table, seat, self._repository.engine.view(table.slug, position.state, seat))

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
            listed = self._listed[key] = self._repository.engine.moves(
                table.slug, loaded.position.state, seat
            )
        return listed

    async def move(
        self, table_id: int, user_id: int, moves: Sequence[Any], seen: int | None = None
    ) -> tuple[Perspective, list[Step]]:
        """Make one or more moves for a person: all of them or none.

        `seen` is the moment in which the moves were chosen, where one was shown. Gives back the
        game as the person sees it then, and every step that was made.

        Raises:
            Stale: when the table has moved on since `seen`.
            Refused: when the rules, or the person's rights, don't allow it.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            require_play(table)
            seat = table.seat_of(user_id)
            if seat is None:
                raise Refused("You don't play at this table.")
            require_going(table)
            if seen is not None and not await self.stands(table, seat, seen):
                raise Stale
            played = await self._played(loaded, [(seat, move) for move in moves])
            after = await self._advance(loaded, played, user_id)
            moved = msgspec.structs.replace(loaded, table=after, position=played.position)
            perspective = self._perspective(moved, user_id)
        await self.acted(user_id)
        return perspective, played.steps

    async def stands(self, table: Table, seat: Seat, seen: int) -> bool:
        """Whether what a seat was shown at a moment is still what it decides.

        It is as long as nothing has happened since but moves of others: who owes a decision together with
        others is not disturbed by theirs.
        """
        if seen == table.moment or table.game.simultaneous:
            return seen == table.moment
        return await self._history.only_others_moved(table, seat, seen)

    async def _played(self, loaded: Loaded, moves: list[tuple[Seat, Any]]) -> Played:
        table, position = loaded.table, loaded.position
        if position is None:
            raise Refused("The game has not begun yet.")
        try:
            return await self._repository.engine.play(table.slug, len(table.seats), position.state, moves)
        except IllegalMove as reason:
            if str(reason) == NOT_YOUR_TURN:
                waited = ", ".join(table.names[seat] for seat in table.owing)
                raise Refused(f"It isn't your turn; {waited} is to move.") from None
            raise Refused(str(reason)) from None

    async def _advance(
        self, loaded: Loaded, played: Played, actor_id: int | None, first: EntryKind = EntryKind.MOVE
    ) -> Table:
        table, before, after = loaded.table, loaded.position, played.position
        if before is None:
            raise Refused("The game has not begun yet.")
        rows = []
        for number, step in enumerate(played.steps):
            version = table.version + 1 + number
            rows.append(
                ActionRow(
                    version=version,
                    base=version - 1,
                    kind=EntryKind.FORCED if step.forced else first,
                    seat=step.seat,
                    actor_id=actor_id,
                    payload=None if step.move is None else encode(step.move),
                    events=encode(step.events),
                    reveals=step.reveals,
                    at=self._repository.clock(),
                    beat=step.beat,
                )
            )
            first = EntryKind.MOVE
        shown = outgoing(table, before, after)
        if after.over:
            shown += await self._followers(table)
        return await self._repository.commit(
            loaded, standing(table, after), rows, after, shown, snapshot=after.over
        )

    async def _followers(self, table: Table) -> list[Outgoing]:
        """Those who follow a table, to be told of its end."""
        followers = await self._repository.store.ties.followers(table.id)
        return [("ended", user_id, True) for user_id in followers if user_id not in table.people]

    async def undo(self, table_id: int, user_id: int, seen: int | None = None) -> Perspective:
        """Take back a person's own last step, with all that followed from it by force.

        Raises:
            Refused: when the last step is somebody else's, or has shown something that can't be unseen.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            require_play(table)
            require_going(table)
            if seen is not None and seen != table.version:
                raise Stale
            last = await self._last_own(table, user_id)
            if not last:
                raise Refused("There is no step of yours to take back.")
            if any(row.reveals for row in last) and not table.learning:
                raise Refused("That can't be taken back: it has been seen, or it ended your turn.")
            await self._restore(loaded, last[0].base, EntryKind.UNDO, user_id, fresh=False)
            perspective = self._perspective(await self._repository.load(table_id), user_id)
        await self.acted(user_id)
        return perspective

    async def can_undo(self, table_id: int, user_id: int) -> bool:
        """Whether the last step is that person's own and may be taken back."""
        table = await self._repository.table(table_id)
        if table.phase is not Phase.PLAY:
            return False
        last = await self._last_own(table, user_id)
        return bool(last) and (table.learning or not any(row.reveals for row in last))

    async def _last_own(self, table: Table, user_id: int) -> list[ActionRow]:
        """A person's last step, if it is also the table's; where one learns, the last that is theirs."""
        version = table.version
        while step := await self._history.last_step(table.id, version):
            if _own(table, step, user_id):
                return step
            if not table.learning:
                break
            version = step[0].base
        return []

    async def _restore(
        self,
        loaded: Loaded,
        version: int,
        kind: EntryKind,
        actor_id: int,
        *,
        fresh: bool,
        why: str | None = None,
    ) -> Table:
        table = loaded.table
        ground = await self._history.ground(table.id, version)
        version = version if ground is None else ground.version
        state, _ = await self._repository.state_at(table, version)
        position = self._repository.engine.position(table.slug, len(table.seats), state)
        entry = self._repository.entry(loaded, kind, actor_id, payload=why, base=version)
        shown: list[Outgoing] = outgoing(table, loaded.position or position, position)
        if fresh:
            shown.append(("board", 0, True))
        if table.phase is not Phase.PLAY:
            shown.append(("lobby", 0, False))
        going = msgspec.structs.replace(table, phase=Phase.PLAY, seats=tuple(map(_played_on, table.seats)))
        back = standing(going, position)
        return await self._repository.commit(loaded, back, [entry], position, shown, snapshot=True)

    async def resign(self, table_id: int, user_id: int) -> Table:
        """Take a person out of the game at their own wish."""
        table = await self.forfeit(table_id, user_id)
        await self.acted(user_id)
        return table

    async def forfeit(self, table_id: int, user_id: int) -> Table:
        """Take a person out of the game as if they had resigned."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            require_play(loaded.table)
            seat = loaded.table.seat_of(user_id)
            if seat is None or loaded.position is None:
                raise Refused("You don't play at this table.")
            try:
                played = await self._repository.engine.resign(
                    loaded.table.slug, len(loaded.table.seats), loaded.position.state, seat
                )
            except IllegalMove as reason:
                raise Refused(str(reason)) from None
            return await self._advance(loaded, played, user_id, first=EntryKind.RESIGN)

    async def hand_over(self, table_id: int, seat: Seat, actor_id: int, strength: Strength) -> Table:
        """Let a computer player take a person's seat, by the person's or an administrator's wish."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            require_play(table)
            if seat >= len(table.seats) or table.seats[seat].computer:
                raise Refused("A computer player sits there already.")
            gone = table.seats[seat]
            name = f"{gone.name}{SUFFIX}"
            seats = (*table.seats[:seat], Sitter(name, None, strength), *table.seats[seat + 1 :])
            people = [sitter.user_id for sitter in seats if sitter.user_id is not None]
            host = people[0] if table.host_id == gone.user_id and people else table.host_id
            changed = msgspec.structs.replace(table, seats=seats, host_id=host)
            told = HandOver(gone.name, own=actor_id == gone.user_id)
            entry = self._repository.entry(loaded, EntryKind.HAND_OVER, actor_id, seat=seat, payload=told)
            shown: list[Outgoing] = [("board", 0, True), ("lobby", 0, False)]
            if not told.own and gone.user_id is not None:
                shown.append(("replaced", gone.user_id, True))
            return await self._repository.commit(loaded, changed, [entry], loaded.position, shown)

    async def skip(self, table_id: int, actor_id: int) -> list[Step]:
        """Let a computer player make the next move of every person who is waited for."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            require_play(loaded.table)
            require_going(loaded.table)
            beat = loaded.table.beat
            waiting = [seat for seat in loaded.table.owing if not loaded.table.seats[seat].computer]
            if not waiting:
                raise Refused("Nobody is waited for at this table.")
            names = [loaded.table.seats[seat].name for seat in waiting]
            entry = self._repository.entry(loaded, EntryKind.SKIP, actor_id, payload=names)
            await self._repository.commit(loaded, loaded.table, [entry], loaded.position, [])
        steps: list[Step] = []
        for seat in waiting:
            while True:
                table = await self._repository.table(table_id)
                if table.phase is not Phase.PLAY or seat not in table.owing or table.beat != beat:
                    break
                with suppress(Stale):  # somebody moved meanwhile: it is thought about again
                    steps += await self.think(table_id, seat, Strength.STRONG, actor_id)
        return steps

    async def think(self, table_id: int, seat: Seat, strength: Strength, actor_id: int | None) -> list[Step]:
        """Let the computer choose a seat's next move, and make it.

        The table is not locked while the computer thinks. As with a person's panel, what it was shown
        must still stand when it has chosen.

        Raises:
            Stale: when the table has moved on meanwhile, so that the choice has to be made anew.
        """
        loaded = await self._repository.load(table_id)
        move = await self.chosen(loaded, seat, strength)
        return await self.make_chosen(loaded.table, seat, move, actor_id)

    async def chosen(self, loaded: Loaded, seat: Seat, strength: Strength) -> Any:
        """The move that a computer player chooses for a seat; nothing is changed yet."""
        table, position = loaded.table, loaded.position
        if position is None:
            raise Refused("The game has not begun yet.")
        entropy = sha256(table.seed + table.salt + table.version.to_bytes(8, "big")).digest()
        return await self._repository.engine.think(table.slug, position.state, seat, entropy, strength)

    async def make_chosen(self, then: Table, seat: Seat, move: Any, actor_id: int | None) -> list[Step]:
        """Make the move that was chosen for a seat when the table stood as it did then.

        Raises:
            Stale: when what the seat decides is not the same any more.
        """
        async with self._repository.lock(then.id):
            now = await self._repository.load(then.id)
            if not await self._may_still(now.table, then, seat):
                raise Stale
            try:
                played = await self._played(now, [(seat, move)])
            except Refused:
                if now.table.version == then.version:
                    raise
                raise Stale from None
            await self._advance(now, played, actor_id)
        return played.steps

    async def _may_still(self, now: Table, then: Table, seat: Seat) -> bool:
        """Whether what a seat was to decide at one version is still what it decides at a later one."""
        if now.version == then.version:
            return True
        return (
            now.phase is Phase.PLAY
            and seat in now.owing
            and now.seats[seat] == then.seats[seat]
            and await self.stands(now, seat, then.moment)
        )

    async def rollback(self, table_id: int, steps: int, actor_id: int, *, why: str | None = None) -> Table:
        """Take back the last steps whoever made them, even those that showed something or ended the game.

        What followed by force from a step goes with it and is not counted. `why` is ``agreed`` where it is
        no administrator's wish.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            require_playable(loaded.table)
            taken = await self._history.last_steps(loaded.table, steps)
            if not taken:
                raise Refused("There is no step to take back.")
            return await self._restore(
                loaded, taken[0][0].base, EntryKind.ROLLBACK, actor_id, fresh=True, why=why
            )

    async def last_mover(self, table_id: int) -> Seat | None:
        """Whose the last step at a table is that could be taken back; None where there is none."""
        table = await self._repository.table(table_id)
        last = await self._history.last_step(table.id, table.version)
        return last[0].seat if last else None

    async def close(self, table_id: int, actor_id: int, *, why: str | None = None) -> Table:
        """End a table without a result, whatever its phase; `why` as in `rollback`, or ``left``."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            require_open(loaded.table)
            closed = msgspec.structs.replace(loaded.table, phase=Phase.CLOSED, owing=())
            shown: list[Outgoing] = [("lobby", 0, False)]
            if loaded.position is not None:
                shown.append(("board", 0, True))
                shown += await self._followers(loaded.table)
            entry = self._repository.entry(loaded, EntryKind.CLOSE, actor_id, payload=why)
            return await self._repository.commit(loaded, closed, [entry], loaded.position, shown)


def _played_on(sitter: Sitter) -> Sitter:
    """Who plays on a seat when a game goes on after its end: a computer for a former player."""
    return Sitter(f"{sitter.name}{SUFFIX}", None, Strength.STRONG) if sitter.nobody else sitter


def _own(table: Table, step: Sequence[ActionRow], user_id: int) -> bool:
    """Whether a step was made by that person on the seat that is theirs."""
    return made_by(step, user_id) and step[0].seat == table.seat_of(user_id)


def standing(table: Table, position: Position) -> Table:
    """The table as it stands with that position."""
    outcome: Outcome | None = position.outcome
    called_off = position.over and outcome is None
    phase = Phase.CLOSED if called_off else Phase.OVER if position.over else table.phase
    return msgspec.structs.replace(
        table, phase=phase, beat=position.beat, owing=position.owing, outcome=outcome
    )
