"""A table before its game: seats, options, the start, and forks of other games."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from db.records import Guard, SeatRow, ServerSettings, TableRow, TableWrite
from engines import engine, registry
from engines.game import Discreet, Seat, Strength
from tables.clocks.pace import read_pace
from tables.core import change, history
from tables.core import table as tables
from tables.core.repository import SNAPSHOT_EVERY, Repository, next_version
from tables.core.table import Occupant, Phase, Refused, Table, encode
from tables.core.turns import EXPIRES_AFTER
from tables.lobby import decisions, invitations


async def continuation_of(repository: Repository, source: Table, upto: int) -> decisions.Continuation:
    """Return the past of another table until a version.

    Nobody at the new table has made these steps, so nobody can undo them. Raise Refused if the game breaks
    today's rules.
    """
    rows = [
        row
        for row in await history.History(repository.store).active_history(source, upto=upto)
        if row.kind in history.STATE_ENTRIES
    ]
    again = await repository.engine.run(
        engine.check_replay,
        source.slug,
        len(source.seats),
        encode(source.options).encode(),
        (source.deal or "").encode(),
        source.seed,
        history.steps_of(rows),
        SNAPSHOT_EVERY,
    )
    if again.departed is not None:
        raise Refused(f"The rules have changed since that game: {again.departed}")
    entries = tuple(
        change.Entry(
            kind=history.EntryKind(row.kind),
            seat=row.seat,
            payload=row.payload,
            events=row.events,
            reveals=row.reveals,
            at=row.at,
            beat=None if made == 0 else again.steps[made - 1].beat,
        )
        for made, row in enumerate(rows)
    )
    states = tuple((made + 1, state) for made, state in again.states[:-1])
    return decisions.Continuation(source, entries, states, again.position)


Write = Callable[[TableRow, list[SeatRow], Sequence[Guard]], Awaitable[int]]


class Lobby:
    """Everything people can do at a table before its game."""

    def __init__(self, repository: Repository, company: invitations.InvitationService) -> None:
        self._repository = repository
        self._company = company

    async def require_table_limits(self, guild_id: int, *people: int) -> None:
        """Raise Refused if a server, or one of the people, has enough open tables.

        The write checks again; this saves the work before it.
        """
        with change.refuse_guards():
            await self._repository.store.check_guards([change.tables_quota(guild_id, *people)])

    async def create(
        self,
        guild_id: int,
        channel_id: int,
        host: Occupant,
        slug: str,
        options: Any,
        others: tuple[Occupant, ...] = (),
        terms: tables.Terms | None = None,
        origin: tables.CustomDeal | tables.Forked | None = None,
        order: tuple[Occupant, ...] = (),
        write: Write | None = None,
        limited: Sequence[int] = (),
    ) -> Table:
        """Open a lobby with the host on the first seat.

        Default terms are the server's. With an `order`, which includes the host, all sit in it, also when
        the game starts. With an `origin` the seats are as many as it names, and all but the first are free.

        `write` writes the table together with other rows, and returns its number. `limited` are others whose
        open tables count. Raise Refused if the host has enough open tables, or the server forbids the pace.
        """
        if host.user_id is None:
            raise ValueError("a table's host is a person")
        if origin is not None:
            others = tuple(Occupant(name) for name in origin.names[1:])
        seats = (order or (host, *others))[: max(registry.game(slug).seats_for(options))]
        settings = await self._settings(guild_id)
        terms = terms or tables.Terms(read_pace(settings.pace), tables.WhenLate(settings.when_late))
        decisions.require_allowed(settings, terms.pace)
        row = new_row(guild_id, channel_id, host.user_id, slug, encode(options), self._repository.clock())
        row = on_terms(row, terms, ordered=bool(order))
        if origin is not None:
            row = replace(row, origin=encode(origin))
        people = dict.fromkeys((host.user_id, *limited))
        guards = [] if guild_id == tables.NO_SERVER else [change.tables_quota(guild_id, *people)]
        with change.refuse_guards():
            number = await (write or self._repository.store.create)(row, _seat_rows(seats), guards)
        return await self._notice_opening(number)

    async def _notice_opening(self, table_id: int) -> Table:
        """Return a newly opened table, and notify the listener."""
        table = await self._repository.table(table_id)
        self._repository.listener.on_commit(table, False)
        return table

    async def join(self, table_id: int, user_id: int, name: str) -> Table:
        """Take a free seat, the first one if seats are settled.

        The last can start the game. Raise Refused if no seat is free, the person isn't welcome, or sits at
        enough tables.
        """
        return await self._seat(table_id, partial(decisions.join, user_id=user_id, name=name), user_id)

    async def sit(self, table_id: int, user_id: int, name: str, seat: Seat) -> Table:
        """Take, or change to, a free seat of one's choice if seats are settled.

        Raise Refused as `join` does, and for a taken seat.
        """
        return await self._seat(
            table_id, partial(decisions.sit, user_id=user_id, name=name, seat=seat), user_id
        )

    async def add_computer(self, table_id: int, user_id: int, strength: Strength) -> Table:
        """Seat a computer player; for the host.

        Raise Refused if no seat is free, or the server forbids computer players.
        """
        return await self._seat(table_id, partial(decisions.add_computer, user_id=user_id, strength=strength))

    async def _seat(
        self, table_id: int, decide: change.InformedDecision[decisions.StartContext], comes: int | None = None
    ) -> Table:
        async def read(loaded: change.TableState) -> decisions.StartContext:
            table = loaded.table
            may_come = table.phase is Phase.LOBBY and table.taken < table.room
            if comes is not None and may_come and table.seat_of(comes) is None:
                await self._company.require_welcome(table, comes)
            last = table.starts_full and table.taken + 1 >= table.room
            return await self._beginning(loaded, begins=last)

        return (await self._repository.apply(table_id, decide, read)).table

    async def _beginning(self, loaded: change.TableState, *, begins: bool) -> decisions.StartContext:
        """Read the other inputs of a start, if the table can start."""
        table = loaded.table
        settings = await self._settings(table.guild_id)
        if not begins or not isinstance(table.origin, tables.Forked):
            return decisions.StartContext(settings)
        source = await self._repository.table(table.origin.table)
        past = await continuation_of(self._repository, source, table.origin.version)
        return decisions.StartContext(settings, past)

    async def set_terms(self, table_id: int, user_id: int, **changes: Any) -> Table:
        """Change `options` or fields of `Terms`; for the host.

        Raise Refused if the server forbids the pace.
        """

        async def load_server_settings(loaded: change.TableState) -> ServerSettings:
            return await self._settings(loaded.table.guild_id)

        decide = partial(decisions.change_terms, user_id=user_id, changes=changes)
        return (await self._repository.apply(table_id, decide, load_server_settings)).table

    async def start(self, table_id: int, user_id: int) -> Table:
        """Deal and start. Raise Refused if somebody else is host, or too few or too many sit at the table."""
        read = partial(self._beginning, begins=True)
        return (await self._repository.apply(table_id, partial(decisions.start, user_id=user_id), read)).table

    async def _settings(self, guild_id: int) -> ServerSettings:
        return await self._repository.store.guild(guild_id) or ServerSettings(guild_id)

    async def rematch(self, table_id: int, user_id: int) -> Table:
        """Open a lobby with the same people, computers, options and pace.

        The asker is host. The seats turn by one, and keep that order at the start. The server's pace replaces
        one that it has forbidden since; forbidden computers leave their seats free. Raise Refused if the
        table is open, the person didn't play, or there is a rematch.
        """

        async def read(loaded: change.TableState) -> decisions.RematchContext:
            old, opens = loaded.table, None
            seat = old.seat_of(user_id)
            if old.phase not in tables.OPEN and seat is not None:
                opens = await self._rematch_of(old, user_id)
            last, again = await self._repository.store.action(old.id, old.version), None
            if last is not None and last.kind == history.EntryKind.REMATCH:
                found = await self._repository.table(int(last.payload or 0))
                again = None if found.phase in (Phase.CLOSED, Phase.EXPIRED) else found.id
            return decisions.RematchContext(again, opens)

        applied = await self._repository.apply(
            table_id, partial(decisions.open_rematch, user_id=user_id), read
        )
        return await self._notice_opening(applied.opened or 0)

    async def _rematch_of(self, old: Table, user_id: int) -> tuple[TableRow, tuple[SeatRow, ...]]:
        """Return the rows of a rematch's lobby, without blocked people."""
        settings, terms = await self._settings(old.guild_id), old.terms
        if not decisions.is_allowed(settings, old.pace):
            terms = replace(terms, pace=read_pace(settings.pace))
        apart = await self._company.apart_from(user_id)
        order = tuple(
            occupant
            for occupant in (*old.seats[1:], *old.seats[:1])
            if not occupant.nobody
            and occupant.user_id not in apart
            and (settings.computers or not occupant.computer)
        )
        row = new_row(
            old.guild_id, old.channel_id, user_id, old.slug, encode(old.options), self._repository.clock()
        )
        seats = order[: max(old.game.seats_for(old.options))]
        return on_terms(row, terms, ordered=True), tuple(_seat_rows(seats))


class StartedTable(Discreet, frozen=True):
    """The rows of a table whose game has begun: the table, its seats, and its history."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    past: TableWrite


def seats_alone(count: int, own: Seat, person: Occupant, others: Strength | None = None) -> list[SeatRow]:
    """Return a person's own seat with the others, which have names of computers."""
    seats = [person] * count
    for seat in range(count):
        if seat != own:
            seats[seat] = Occupant(decisions.computer_name([one.name for one in seats]), None, others)
    return _seat_rows(seats)


def begin_alone(
    row: TableRow,
    seats: Sequence[SeatRow],
    begin: Callable[[change.TableState, change.DecisionContext], change.Change],
    now: float,
) -> StartedTable:
    """Return the rows of a private table after its start."""
    loaded, at = change.TableState(tables.from_rows(row, list(seats)), None), change.DecisionContext(now)
    following = next_version(loaded, begin(loaded, at), at)
    table, position = following.loaded.table, following.loaded.position
    if position is None:
        raise ValueError("a game that has begun has a position")
    kept = TableRow(id=0, thread_id=None, version=table.version, origin=row.origin, **tables.columns(table))
    return StartedTable(kept, tables.seat_rows(table), TableWrite(0, 0, {}, following.rows, position.state))


def new_row(guild_id: int, channel_id: int, host_id: int, slug: str, options: str, now: float) -> TableRow:
    """Return the row of a new lobby with fresh secrets. `options` is JSON."""
    seed, salt = decisions.secret()
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


def on_terms(row: TableRow, terms: tables.Terms, *, ordered: bool) -> TableRow:
    """Return a lobby's row with terms. At an `ordered` table all play as they sit."""
    return replace(row, **tables.to_row_values(terms), ordered=ordered, due_at=row.created_at + EXPIRES_AFTER)


def _seat_rows(occupants: Sequence[Occupant]) -> list[SeatRow]:
    return [SeatRow(seat, one.user_id, one.name, one.strength) for seat, one in enumerate(occupants)]
