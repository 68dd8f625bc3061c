"""A table before its game: who sits at it, what is played, and the start."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from db.records import ActionRow, GuildRow, SeatRow, TableRow
from engines.engine import Played
from engines.game import IllegalSetup, Strength
from engines.registry import game
from tables.clocks.pace import CUSTOM, HOUR, PACES, Pace, read_pace, told_pace
from tables.clocks.turns import EXPIRES_AFTER
from tables.fairness import seat_order, secret
from tables.history import EntryKind
from tables.model import Phase, Refused, Sitter, Table, Terms, WhenLate, encode
from tables.repository import Loaded, Outgoing, Repository, require_lobby
from tables.timekeeping import Due

COMPUTER_NAMES = ("Ada", "Ivo", "Mia", "Otto", "Zoe")
MOST_OPEN = 20
REMINDED_AFTER = HOUR / 2
"""So long after the last seat was taken the host is reminded to start."""


def allowed(settings: GuildRow, pace: Pace) -> bool:
    """Whether a server allows a pace at its tables."""
    forbidden = json.loads(settings.forbidden_paces)
    return pace.name not in forbidden and (CUSTOM not in forbidden or pace.name in PACES)


def require_allowed(settings: GuildRow, pace: Pace) -> None:
    """Raises Refused for a pace that the server forbids."""
    if not allowed(settings, pace):
        raise Refused(f"This server doesn't allow that pace ({told_pace(pace)}). Choose another.")


async def require_room(repository: Repository, user_id: int) -> None:
    """Raises Refused for who sits at as many open tables as one person may."""
    open_tables = await repository.store.tables_of(user_id, (Phase.LOBBY, Phase.PLAY))
    if len(open_tables) >= MOST_OPEN:
        raise Refused(
            f"You sit at {len(open_tables)} open tables already; finish or leave one of them first."
        )


class Lobby:
    """Everything that can be done at a table before its game begins."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def create(
        self,
        guild_id: int,
        channel_id: int,
        host: Sitter,
        slug: str,
        options: Any,
        others: tuple[Sitter, ...] = (),
        terms: Terms | None = None,
    ) -> Table:
        """Open a lobby whose host sits on the first seat; without `terms`, on those of the server.

        Raises:
            Refused: when the host has as many open tables as one person may have, or the server forbids
                the pace.
        """
        rules = game(slug)
        if host.user_id is None:
            raise ValueError("a table's host is a person")
        await require_room(self._repository, host.user_id)
        room = max(rules.seats_for(options))
        seats = (host, *others)[:room]
        seed, salt = secret()
        now = self._repository.clock()
        row = TableRow(
            id=0,
            guild_id=guild_id,
            channel_id=channel_id,
            thread_id=None,
            game=slug,
            options=encode(options),
            phase=Phase.LOBBY.value,
            host_id=host.user_id,
            version=0,
            beat=0,
            owing="[]",
            computer_due=False,
            seed=seed.hex(),
            salt=salt.hex(),
            deal=None,
            outcome=None,
            created_at=now,
            touched_at=now,
        )
        settings = await self._settings(guild_id)
        terms = terms or Terms(read_pace(settings.pace), WhenLate(settings.when_late))
        require_allowed(settings, terms.pace)
        row = msgspec.structs.replace(
            row,
            pace=terms.pace.name,
            when_late=terms.when_late.value,
            starts_full=terms.starts_full,
            due_at=now + EXPIRES_AFTER,
        )
        rows = [SeatRow(n, s.user_id, s.name, s.strength) for n, s in enumerate(seats)]
        table = await self._repository.table(await self._repository.store.create(row, rows))
        self._repository.committed(table, False)
        return table

    async def join(self, table_id: int, user_id: int, name: str) -> Table:
        """Take a free seat."""
        async with self._repository.lock(table_id):
            loaded = await self._in_lobby(table_id)
            table = loaded.table
            if table.seat_of(user_id) is not None:
                raise Refused("You sit at this table already.")
            room = max(table.game.seats_for(table.options))
            if len(table.seats) >= room:
                raise Refused(
                    f"All {room} seats are taken. `/{table.slug} new` opens a table of your own."
                    if room > 1
                    else f"This table is for one player. `/{table.slug} new` opens a table of your own."
                )
            seats = (*table.seats, Sitter(name, user_id))
            if len(seats) < room:
                return await self._seat(loaded, seats, EntryKind.JOIN, user_id)
            reminder = ("full", table.host_id, False, self._repository.clock() + REMINDED_AFTER)
            return await self._filled(
                await self._seat(loaded, seats, EntryKind.JOIN, user_id, later=[reminder])
            )

    async def leave(self, table_id: int, user_id: int) -> Table:
        """Give up a seat. After the host the next person is host; the last to leave closes the table."""
        async with self._repository.lock(table_id):
            loaded = await self._in_lobby(table_id)
            seat = loaded.table.seat_of(user_id)
            if seat is None:
                raise Refused("You don't sit at this table.")
            return await self._remove(loaded, seat, EntryKind.LEAVE, user_id)

    async def kick(self, table_id: int, seat: int, actor_id: int) -> Table:
        """Take anybody from a seat, at an administrator's wish."""
        async with self._repository.lock(table_id):
            return await self._remove(await self._in_lobby(table_id), seat, EntryKind.KICK, actor_id)

    async def add_computer(self, table_id: int, user_id: int, strength: Strength) -> Table:
        """Seat a computer player; the host's to decide."""
        async with self._repository.lock(table_id):
            loaded = await self._hosted(table_id, user_id)
            table = loaded.table
            room = max(table.game.seats_for(table.options))
            if len(table.seats) >= room:
                raise Refused("Every seat is taken; remove somebody before you add a computer player.")
            name = next(name for name in COMPUTER_NAMES if name not in table.names)
            seats = (*table.seats, Sitter(name, None, strength))
            seated = await self._seat(loaded, seats, EntryKind.JOIN, user_id)
            return await self._filled(seated) if len(seats) == room else seated

    async def _filled(self, table: Table) -> Table:
        """The table whose last seat was just taken: in play, if it starts by itself then."""
        if table.starts_full:
            with suppress(Refused):  # with these options it can't begin: the host has to look at it
                return await self._start(await self._in_lobby(table.id), table.host_id)
        return table

    async def remove_computer(self, table_id: int, user_id: int) -> Table:
        """Take the computer player that came last from its seat; the host's to decide."""
        async with self._repository.lock(table_id):
            loaded = await self._hosted(table_id, user_id)
            seats = [seat for seat, sitter in enumerate(loaded.table.seats) if sitter.computer]
            if not seats:
                raise Refused("No computer player sits at this table.")
            return await self._remove(loaded, seats[-1], EntryKind.LEAVE, user_id)

    async def set_terms(self, table_id: int, user_id: int, **changes: Any) -> Table:
        """Play at another `pace`, with another `when_late` or `starts_full`; the host's to decide.

        Raises:
            Refused: when the server forbids the pace.
        """
        async with self._repository.lock(table_id):
            loaded = await self._hosted(table_id, user_id)
            table = loaded.table
            changed = msgspec.structs.replace(table, **changes)
            require_allowed(await self._settings(table.guild_id), changed.pace)
            entry = self._repository.entry(loaded, EntryKind.OPTIONS, user_id, payload=table.options)
            return await self._repository.commit(loaded, changed, [entry], None, [("lobby", 0, False)])

    async def _settings(self, guild_id: int) -> GuildRow:
        return await self._repository.store.guild(guild_id) or GuildRow(guild_id)

    async def expire(self, table_id: int) -> None:
        """Close a lobby in which nothing has happened for too long, and tell its host."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._repository.clock()
            if table.phase is not Phase.LOBBY or now < table.touched_at + EXPIRES_AFTER:
                return
            closed = msgspec.structs.replace(table, phase=Phase.EXPIRED)
            entry = self._repository.entry(loaded, EntryKind.EXPIRE, None)
            shown: list[Outgoing] = [("lobby", 0, False), ("expired", table.host_id, True)]
            await self._repository.commit(loaded, closed, [entry], None, shown)

    async def reopen(self, table_id: int, user_id: int) -> Table:
        """Open a lobby again that had expired; for anybody who sat there.

        Raises:
            Refused: when it is open already, has ended otherwise, or the person didn't sit there.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            if table.phase is Phase.LOBBY:
                raise Refused("This table is open again already.")
            if table.phase is Phase.PLAY:
                raise Refused("The game has begun already.")
            if table.phase is not Phase.EXPIRED:
                raise Refused("This table can't be opened again; open a new one.")
            if table.seat_of(user_id) is None:
                raise Refused("Only who sat here can open the table again; open one of your own.")
            opened = msgspec.structs.replace(table, phase=Phase.LOBBY)
            entry = self._repository.entry(loaded, EntryKind.REOPEN, user_id)
            return await self._repository.commit(loaded, opened, [entry], None, [("lobby", 0, False)])

    async def set_options(self, table_id: int, user_id: int, options: Any) -> Table:
        """Play with other options; the host's to decide."""
        async with self._repository.lock(table_id):
            loaded = await self._hosted(table_id, user_id)
            table = loaded.table
            room = max(table.game.seats_for(options))
            if len(table.seats) > room:
                raise Refused(
                    f"That is for {room} player{'s' if room > 1 else ''} at most, and "
                    f"{len(table.seats)} sit here. Somebody has to leave first."
                )
            changed = msgspec.structs.replace(table, options=options)
            entry = self._repository.entry(loaded, EntryKind.OPTIONS, user_id, payload=options)
            return await self._repository.commit(loaded, changed, [entry], None, [("lobby", 0, False)])

    async def cancel(self, table_id: int, user_id: int) -> Table:
        """Close the lobby without a game; the host's to decide."""
        async with self._repository.lock(table_id):
            return await self._close(await self._hosted(table_id, user_id), user_id)

    async def start(self, table_id: int, user_id: int) -> Table:
        """Deal and begin.

        Raises:
            Refused: when somebody else is host, or too few or too many sit at the table.
        """
        async with self._repository.lock(table_id):
            return await self._start(await self._hosted(table_id, user_id), user_id)

    async def _start(self, loaded: Loaded, user_id: int) -> Table:
        table = loaded.table
        seats = len(table.seats)
        options = self._settled(table)
        deal = encode(table.game.deal(seats, options, table.seed))
        played = await self._repository.engine.begin(
            table.slug, seats, encode(options).encode(), deal.encode(), table.seed
        )
        begun = msgspec.structs.replace(
            table, options=options, phase=Phase.PLAY, deal=deal, seats=tuple(seat_order(table)), clocks=()
        )
        return await self._begin(loaded, begun, played, user_id)

    @staticmethod
    def _settled(table: Table) -> Any:
        """The options as they will be played. A lobby for several is not begun alone by a slip."""
        seats, allowed = len(table.seats), table.game.seats_for(table.options)
        try:
            if seats not in allowed:
                room = " or ".join(str(number) for number in allowed)
                raise IllegalSetup(f"With these options it takes {room} players, and {seats} sit here.")
            return table.game.settle(seats, table.options)
        except IllegalSetup as reason:
            raise Refused(
                f"{reason} Add a computer player, wait for others, or change the options."
            ) from None

    async def _begin(self, loaded: Loaded, table: Table, played: Played, user_id: int) -> Table:
        position = played.position
        table = msgspec.structs.replace(table, beat=position.beat, owing=position.owing)
        shown: list[Outgoing] = [("lobby", 0, False), ("board", 0, True)]
        for sitter, hand in zip(table.seats, position.hands, strict=True):
            if sitter.user_id is not None and hand is not None:
                shown.append(("hand", sitter.user_id, False))
        entry = self._repository.entry(loaded, EntryKind.START, user_id)
        return await self._repository.commit(loaded, table, [entry], position, shown, snapshot=True)

    async def _in_lobby(self, table_id: int) -> Loaded:
        loaded = await self._repository.load(table_id)
        require_lobby(loaded.table)
        return loaded

    async def _hosted(self, table_id: int, user_id: int) -> Loaded:
        loaded = await self._in_lobby(table_id)
        if loaded.table.host_id != user_id:
            host = loaded.table.seats[loaded.table.seat_of(loaded.table.host_id) or 0].name
            raise Refused(f"Only the host, {host}, can do that.")
        return loaded

    async def _seat(
        self,
        loaded: Loaded,
        seats: tuple[Sitter, ...],
        kind: EntryKind,
        actor_id: int,
        later: Sequence[Due] = (),
    ) -> Table:
        entry: ActionRow = self._repository.entry(loaded, kind, actor_id)
        changed = msgspec.structs.replace(loaded.table, seats=seats)
        return await self._repository.commit(
            loaded, changed, [entry], None, [("lobby", 0, False)], later=later
        )

    async def _remove(self, loaded: Loaded, seat: int, kind: EntryKind, actor_id: int) -> Table:
        table = loaded.table
        if not 0 <= seat < len(table.seats):
            raise Refused("Nobody sits there any more.")
        rest = table.seats[:seat] + table.seats[seat + 1 :]
        people = [sitter for sitter in rest if not sitter.computer]
        if not people:
            return await self._close(loaded, actor_id)
        if table.seats[seat].user_id == table.host_id:
            first = people[0]
            rest = (first, *(sitter for sitter in rest if sitter is not first))
            host = first.user_id or table.host_id
            loaded = msgspec.structs.replace(loaded, table=msgspec.structs.replace(table, host_id=host))
        return await self._seat(loaded, rest, kind, actor_id)

    async def _close(self, loaded: Loaded, actor_id: int) -> Table:
        closed = msgspec.structs.replace(loaded.table, phase=Phase.CLOSED)
        entry = self._repository.entry(loaded, EntryKind.CLOSE, actor_id)
        return await self._repository.commit(loaded, closed, [entry], None, [("lobby", 0, False)])
