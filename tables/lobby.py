"""A table before its game: who sits at it, what is played, and the start."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from db.records import ActionRow, GuildRow, SeatRow, TableRow
from engines.engine import Position
from engines.game import IllegalSetup, Seat, Strength
from engines.registry import game
from tables.clocks.pace import CUSTOM, HOUR, PACES, Pace, read_pace, told_pace
from tables.clocks.turns import EXPIRES_AFTER
from tables.company import Company
from tables.fairness import seat_order, secret
from tables.forks import past_of
from tables.history import EntryKind
from tables.model import OPEN, Forked, Laid, Phase, Refused, Sitter, Table, Terms, WhenLate, encode
from tables.opening import require_computers
from tables.repository import Loaded, Outgoing, Repository, require_lobby
from tables.results import who_began
from tables.timekeeping import Due

Write = Callable[[TableRow, list[SeatRow]], Awaitable[int]]
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


async def require_room(repository: Repository, guild_id: int, user_id: int) -> None:
    """Raises Refused for who sits at as many open tables as one may, in all or in this server."""
    tables = await repository.store.tables_of(user_id, OPEN)
    here = sum(table.guild_id == guild_id for table in tables)
    settings = await repository.store.guild(guild_id)
    most = None if settings is None else settings.most_each
    if len(tables) >= MOST_OPEN or (most is not None and here >= most):
        number = len(tables) if len(tables) >= MOST_OPEN else here
        raise Refused(f"You sit at {number} open tables already; finish or leave one of them first.")


class Lobby:
    """Everything that can be done at a table before its game begins."""

    def __init__(self, repository: Repository, company: Company) -> None:
        self._repository = repository
        self._company = company

    async def require_few(self, guild_id: int, host: Sitter) -> int:
        """The user id of somebody who may open one more table in a server.

        Raises:
            Refused: when the server has as many open tables as it wants, or they sit at as many as one may.
        """
        if host.user_id is None:
            raise ValueError("a table's host is a person")
        most = (await self._settings(guild_id)).most_tables
        if most is not None and len(await self._repository.store.tables_in(guild_id, OPEN, most)) >= most:
            raise Refused(
                f"This server has as many tables as it wants at once ({most}); wait for one to end."
            )
        await require_room(self._repository, guild_id, host.user_id)
        return host.user_id

    async def create(
        self,
        guild_id: int,
        channel_id: int,
        host: Sitter,
        slug: str,
        options: Any,
        others: tuple[Sitter, ...] = (),
        terms: Terms | None = None,
        origin: Laid | Forked | None = None,
        order: tuple[Sitter, ...] = (),
        write: Write | None = None,
    ) -> Table:
        """Open a lobby whose host sits on the first seat; without `terms`, on those of the server.

        With an `order`, in which the host is, all sit in it, and still do when the game starts.

        With an `origin` the seats are as many as it names, and all but the first are free.

        With `write`, that writes the table and says its number, together with what else belongs to it.

        Raises:
            Refused: when the host has as many open tables as one person may have, or the server forbids
                the pace.
        """
        host_id = await self.require_few(guild_id, host)
        if origin is not None:
            others = tuple(Sitter(name) for name in origin.names[1:])
        seats = (order or (host, *others))[: max(game(slug).seats_for(options))]
        now = self._repository.clock()
        row = new_row(guild_id, channel_id, host_id, slug, encode(options), now)
        settings = await self._settings(guild_id)
        terms = terms or Terms(read_pace(settings.pace), WhenLate(settings.when_late))
        require_allowed(settings, terms.pace)
        row = msgspec.structs.replace(
            row,
            pace=terms.pace.name,
            when_late=terms.when_late.value,
            starts_full=terms.starts_full,
            private=terms.private,
            rated=terms.rated,
            hints=terms.hints.value,
            ordered=bool(order),
            due_at=now + EXPIRES_AFTER,
            origin=None if origin is None else encode(origin),
        )
        rows = [SeatRow(n, s.user_id, s.name, s.strength) for n, s in enumerate(seats)]
        number = await (write or self._repository.store.create)(row, rows)
        table = await self._repository.table(number)
        self._repository.committed(table, False)
        return table

    async def join(self, table_id: int, user_id: int, name: str) -> Table:
        """Take a free seat, the first where each is one of its own."""
        async with self._repository.lock(table_id):
            loaded = await self._in_lobby(table_id)
            table, room = loaded.table, loaded.table.room
            if table.seat_of(user_id) is not None:
                raise Refused("You sit at this table already.")
            if table.taken >= room:
                raise Refused(
                    f"All {room} seats are taken. `/{table.slug} new` opens a table of your own."
                    if room > 1
                    else f"This table is for one player. `/{table.slug} new` opens a table of your own."
                )
            await self._company.require_welcome(table, user_id)
            return await self._joined(loaded, joined(table, Sitter(name, user_id)), user_id)

    async def sit(self, table_id: int, user_id: int, name: str, seat: Seat) -> Table:
        """Take a free seat of one's choice, or change to it, where each seat is one of its own."""
        async with self._repository.lock(table_id):
            loaded = await self._in_lobby(table_id)
            table, own = loaded.table, loaded.table.seat_of(user_id)
            if not table.arranged:
                raise Refused("Seats are not chosen at this table. **Join** takes one.")
            if not 0 <= seat < len(table.seats) or not table.seats[seat].nobody:
                raise Refused("That seat is taken. Choose another, or stay where you are.")
            if own is None:
                await self._company.require_welcome(table, user_id)
            else:
                table = msgspec.structs.replace(table, seats=left(table, own))
            seats = joined(table, Sitter(name, user_id), seat)
            if own is not None:
                return await self._seat(loaded, seats, EntryKind.JOIN, user_id)
            return await self._joined(loaded, seats, user_id)

    async def _joined(self, loaded: Loaded, seats: tuple[Sitter, ...], user_id: int) -> Table:
        """Commit that a person has come; whoever takes the last seat may thereby start the game."""
        table = loaded.table
        if table.taken + 1 < table.room:
            return await self._seat(loaded, seats, EntryKind.JOIN, user_id)
        reminder = ("full", table.host_id, False, self._repository.clock() + REMINDED_AFTER)
        return await self._filled(await self._seat(loaded, seats, EntryKind.JOIN, user_id, later=[reminder]))

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
        """Seat a computer player; the host's to decide.

        Raises:
            Refused: when no seat is free, or the server plays without computer players.
        """
        async with self._repository.lock(table_id):
            loaded = await self._hosted(table_id, user_id)
            table = loaded.table
            require_computers(await self._settings(table.guild_id))
            if table.taken >= table.room:
                raise Refused("Every seat is taken; remove somebody before you add a computer player.")
            name = next(name for name in COMPUTER_NAMES if name not in table.names)
            seats = joined(table, Sitter(name, None, strength))
            seated = await self._seat(loaded, seats, EntryKind.JOIN, user_id)
            return await self._filled(seated) if seated.taken == seated.room else seated

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
            if table.arranged:
                raise Refused("The options of this table are settled: they are those of its deal.")
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
        options = settled(table)
        if isinstance(table.origin, Forked):
            return await self._go_on(loaded, table.origin, user_id)
        laid = table.origin.deal if isinstance(table.origin, Laid) else None
        deal = laid or encode(table.game.deal(len(table.seats), options, table.seed))
        played = await self._repository.engine.begin(
            table.slug, len(table.seats), encode(options).encode(), deal.encode(), table.seed
        )
        seats = table.seats if table.arranged else tuple(seat_order(table))
        begun = msgspec.structs.replace(
            table, options=options, phase=Phase.PLAY, deal=deal, seats=seats, clocks=()
        )
        settings = await self._settings(table.guild_id)
        who = who_began(begun, settings.rate_computers)
        entry = self._repository.entry(loaded, EntryKind.START, user_id, payload=who)
        return await self._begin(loaded, begun, played.position, [entry])

    async def _go_on(self, loaded: Loaded, origin: Forked, user_id: int) -> Table:
        """Begin where another table's game stood after a turn, with all that had happened by then."""
        table, source = loaded.table, await self._repository.table(origin.table)
        past = await past_of(self._repository, source, origin.version, table.version)
        begun = msgspec.structs.replace(
            table, phase=Phase.PLAY, seed=source.seed, deal=source.deal, clocks=()
        )
        start = msgspec.structs.replace(past.rows[0], actor_id=user_id, payload=None)
        rows = [start, *past.rows[1:]]
        return await self._begin(loaded, begun, past.position, rows, past.states)

    async def _begin(
        self,
        loaded: Loaded,
        table: Table,
        position: Position,
        rows: list[ActionRow],
        earlier: Sequence[tuple[int, bytes]] = (),
    ) -> Table:
        table = msgspec.structs.replace(table, beat=position.beat, owing=position.owing)
        shown: list[Outgoing] = [("lobby", 0, False), ("board", 0, True)]
        for sitter, hand in zip(table.seats, position.hands, strict=True):
            if sitter.user_id is not None and hand is not None:
                shown.append(("hand", sitter.user_id, False))
        return await self._repository.commit(
            loaded, table, rows, position, shown, snapshot=True, earlier=earlier
        )

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
        if not 0 <= seat < len(table.seats) or table.seats[seat].nobody:
            raise Refused("Nobody sits there any more.")
        gone, rest = table.seats[seat], left(table, seat)
        people = [sitter for sitter in rest if sitter.user_id is not None]
        if not people:
            return await self._close(loaded, actor_id)
        if gone.user_id == table.host_id:
            first = people[0]
            if not table.arranged:
                rest = (first, *(sitter for sitter in rest if sitter is not first))
            host = first.user_id or table.host_id
            loaded = msgspec.structs.replace(loaded, table=msgspec.structs.replace(table, host_id=host))
        return await self._seat(loaded, rest, kind, actor_id)

    async def _close(self, loaded: Loaded, actor_id: int) -> Table:
        closed = msgspec.structs.replace(loaded.table, phase=Phase.CLOSED)
        entry = self._repository.entry(loaded, EntryKind.CLOSE, actor_id)
        return await self._repository.commit(loaded, closed, [entry], None, [("lobby", 0, False)])


def new_row(guild_id: int, channel_id: int, host_id: int, slug: str, options: str, now: float) -> TableRow:
    """The row of a lobby that is opened now, with secrets of its own; `options` is JSON."""
    seed, salt = secret()
    return TableRow(
        id=0,
        guild_id=guild_id,
        channel_id=channel_id,
        thread_id=None,
        game=slug,
        options=options,
        phase=Phase.LOBBY.value,
        host_id=host_id,
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


def joined(table: Table, sitter: Sitter, seat: Seat | None = None) -> tuple[Sitter, ...]:
    """The seats when somebody has taken one: a new one, or where they are settled a free one of those."""
    if not table.arranged:
        return (*table.seats, sitter)
    free = [number for number, other in enumerate(table.seats) if other.nobody]
    at = free[0] if seat is None else seat
    return (*table.seats[:at], sitter, *table.seats[at + 1 :])


def left(table: Table, seat: Seat) -> tuple[Sitter, ...]:
    """The seats when somebody has left one; where they are settled, it is free again."""
    free = (Sitter(table.arranged[seat]),) if table.arranged else ()
    return (*table.seats[:seat], *free, *table.seats[seat + 1 :])


def settled(table: Table) -> Any:
    """The options as they will be played. A lobby for several is not begun alone by a slip.

    Raises:
        Refused: when too few or too many sit there, or the options can't be played.
    """
    if table.arranged:
        if table.taken < table.room:
            raise Refused(
                f"All {table.room} seats have to be taken, and {table.room - table.taken} are free. "
                "Add a computer player, or wait for others."
            )
        return table.options
    seats, allowed = len(table.seats), table.game.seats_for(table.options)
    try:
        if seats not in allowed:
            room = " or ".join(str(number) for number in allowed)
            raise IllegalSetup(f"With these options it takes {room} players, and {seats} sit here.")
        return table.game.settle(seats, table.options)
    except IllegalSetup as reason:
        raise Refused(f"{reason} Add a computer player, wait for others, or change the options.") from None
