"""Several processes on one database: the shards of each, and their messages to each other.

A process receives a message after the commit. Losing one does no harm: the next check finds the change. On
a PostgreSQL server all of that uses one connection of its own. An advisory lock holds a shard; the server
frees it when the connection ends for any reason, so a process without its connection holds nothing."""

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from typing import Any, Literal, Protocol

import asyncpg
import msgspec
from sqlalchemy import ColumnElement, Connection, func, literal_column, select

from db.connection.opening import APPLICATION, connect_to_server, database_url
from db.connection.trouble import DatabaseLabel, describe_error

CHANNEL = "tangle_parlour"
Subject = Literal["table", "rewritten", "draft", "person", "gaps"]


class ChangeNotice(msgspec.Struct, frozen=True, array_like=True):
    """Says that a process has written something that others cache or act on.

    A `person` of number 0 means all people. `rewritten` is a table whose history has changed too.
    """

    by: str
    subject: Subject
    number: int = 0
    guild_id: int = 0
    seat: int | None = None


def encode_notice(note: ChangeNotice) -> str:
    return msgspec.json.encode(note).decode()


def decode_notice(text: str) -> ChangeNotice | None:
    """Read a notice.

    None if only another version of the bot understands it.

    >>> decode_notice(encode_notice(ChangeNotice("a", "table", 7, 1))), decode_notice('["a", "planet"]')
    (ChangeNotice(by='a', subject='table', number=7, guild_id=1, seat=None), None)
    """
    try:
        return msgspec.json.decode(text, type=ChangeNotice)
    except msgspec.MsgspecError:
        return None


def notify(connection: Connection, text: str) -> None:
    """Notify the other processes as soon as this transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_notify(CHANNEL, text)))


AUTO: Literal["auto"] = "auto"
TIMESTAMP = 22
"""The lowest bit of a server's creation time in its number, by which Discord divides."""


def shard_of(guild_id: int, count: int) -> int:
    """Return the shard of a server, for a number of shards.

    >>> shard_of((6 << 22) + 17, 4)
    2
    """
    return (guild_id >> TIMESTAMP) % count


def shard_ids(text: str) -> tuple[int, ...] | Literal["auto"] | None:
    """Read a list of shards, each once and in order.

    None if the list is empty, meaning all.

    Raises:
        ValueError: with a sentence, if it isn't such a list.

    >>> shard_ids("4, 0-2"), shard_ids("auto"), shard_ids("")
    ((0, 1, 2, 4), 'auto', None)
    """
    text = text.strip().lower()
    if text in ("", AUTO):
        return AUTO if text else None
    numbers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?", part.strip())
        if match is None:
            raise ValueError("must list shards like 0-3 or 0,2, or be auto")
        first, last = int(match[1]), int(match[2] or match[1])
        named = set(range(first, last + 1))
        if not named:
            raise ValueError(f"has the range {first}-{last}, which ends before it begins")
        if numbers & named:
            raise ValueError(f"names shard {min(numbers & named)} twice")
        numbers |= named
    return tuple(sorted(numbers))


class ShardPlan(msgspec.Struct, frozen=True):
    """The division of servers: how many shards, which ones this process wants, and how many at most.

    Without numbers it takes whichever are free.
    """

    count: int = 1
    wanted: tuple[int, ...] | None = None
    most: int = 1

    @property
    def candidates(self) -> tuple[int, ...]:
        return tuple(range(self.count)) if self.wanted is None else self.wanted


class Shards:
    """The shards that this process acts for now; a lone process acts for all.

    Shard 0 also acts for things of no server, such as a person's digest.

    Attributes:
        count: the number of shards.
        alone: True if no other process shares them.
        hearing: True if other processes' notices arrive at once.
        lost: held shards whose servers can't be reached now.
        name: the name of this process in its notices.
    """

    def __init__(self) -> None:
        self.count = 1
        self._held = frozenset({0})
        self.alone = True
        self.hearing = True
        self.lost: frozenset[int] = frozenset()
        self.name = secrets.token_hex(4)

    def divide(self, count: int, held: Iterable[int] = ()) -> None:
        """Become one of several processes that share a number of shards."""
        self.count, self.alone, self.hearing = count, False, False
        self.hold(held)

    @property
    def held(self) -> frozenset[int]:
        return self._held

    @property
    def reachable(self) -> frozenset[int]:
        return self._held - self.lost

    def hold(self, held: Iterable[int]) -> None:
        self._held = frozenset(held)

    def owns(self, guild_id: int) -> bool:
        """Return True if this process acts for a server. 0 means no server."""
        return shard_of(guild_id, self.count) in self._held

    def note(self, subject: Subject, number: int = 0, guild_id: int = 0, seat: int | None = None) -> str:
        """Return a notice for the other processes; empty if there are none."""
        return "" if self.alone else encode_notice(ChangeNotice(self.name, subject, number, guild_id, seat))

    def note_of(self, table_id: int, guild_id: int) -> str:
        """Return a notice for the process that acts for a table's server. Empty if it is this one."""
        return "" if self.owns(guild_id) else self.note("table", table_id, guild_id)

    def of(
        self, guild_id: ColumnElement[Any], chosen: Collection[int] | None = None
    ) -> list[ColumnElement[bool]]:
        """Return conditions: a row's server belongs to this process, or to some chosen shards."""
        return in_shards(guild_id, self.count, self._held if chosen is None else chosen)


def in_shards(guild_id: ColumnElement[Any], count: int, chosen: Collection[int]) -> list[ColumnElement[bool]]:
    """Return conditions: a row's server is in some shards. None if those are all."""
    if len(chosen) == count:
        return []
    # As literals: PostgreSQL shifts by no bigint, which is what a parameter would become.
    shard = guild_id.bitwise_rshift(literal_column(str(TIMESTAMP))) % literal_column(str(count))
    return [shard.in_(sorted(chosen))]


log = logging.getLogger(__name__)
HOLDING, DIVIDING, IDENTIFYING = (int.from_bytes(word, "big") for word in (b"hold", b"parl", b"turn"))
"""Classes of advisory locks: a shard each, the number of shards, and turns to log in."""
LOOKS_APART = 1.0
"""Seconds between checks for free shards, which also show that the connection lives."""
PATIENCE = 4.0
"""Seconds without an answer after which the connection counts as lost; the server waits longer."""
KEPT_ALIVE = {"tcp_keepalives_idle": "4", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "4"}
"""Keepalive settings: the server frees the locks of a vanished machine after 12 seconds."""
HEAD_START = 3.0
"""Seconds that former holders have to take their shards again after all connections were lost."""
TURN = 5.2
"""Seconds of one turn to log in: Discord limits logins within five."""
LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors of a lost connection; asyncpg raises the last if it ends during a query."""
HELD_BY = """
    SELECT l.objid::int AS number, a.application_name AS name, l.pid AS pid
    FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objsubid = 2 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class DividedOtherwise(Exception):
    """Raised if other processes use another number of shards; its text says what to do."""


class TakenOver(Exception):
    """Raised if another process has taken one of our shards; its text says which."""


class PresenceListener(Protocol):
    """Acts for the held shards, and caches what others can write."""

    def lose(self) -> None:
        """Stop acting for any shard, at once."""

    def on_notices_lost(self) -> None:
        """Stop trusting caches: notices don't arrive."""

    def on_notices_back(self) -> None:
        """Trust caches again: notices arrive."""

    def on_notice(self, note: ChangeNotice) -> None:
        """Act on another process's notice."""


class Presence:
    """Takes shards as planned and keeps them; waits as a standby while others hold all.

    `claimed` is called with all held shards if there is one more, or after a lost connection.
    """

    def __init__(
        self,
        address: str,
        plan: ShardPlan,
        name: str,
        listener: PresenceListener,
        claimed: Callable[[frozenset[int]], Awaitable[None]],
    ) -> None:
        self._address = address
        self._plan = plan
        self._name = f"{APPLICATION} {name}"
        self._listener = listener
        self._claimed = claimed
        self._own: frozenset[int] = frozenset()
        self._held: frozenset[int] = frozenset()
        self._connection: Any = None
        self._asking = asyncio.Lock()
        self._woken = asyncio.Event()
        self._some = asyncio.Event()
        self._turns: dict[int, asyncio.Lock] = {}
        self._releases: set[asyncio.Task[None]] = set()
        self._lost_before = False
        self._told = ""
        self._told_waiting = False

    @property
    def held(self) -> frozenset[int]:
        return self._held

    async def wait_for_shards(self) -> frozenset[int]:
        await self._some.wait()
        return self._held

    async def stay(self) -> None:
        """Stay present until cancelled; reconnect after a lost connection.

        Raises:
            DividedOtherwise: if other processes use another number of shards.
            TakenOver: if another process took a shard while the connection was lost.
        """
        while True:
            try:
                await self._present()
            except LOST as error:
                reason = str(describe_error(DatabaseLabel.of(self._address), error))
                if reason != self._told:
                    log.warning(
                        "the other processes can't be met, so nothing is done for any shard: %s", reason
                    )
                self._told = reason
            finally:
                await self._disconnect()
            self._lost_before = True
            await asyncio.sleep(LOOKS_APART / 4)

    async def _present(self) -> None:
        connection = await connect_to_server(database_url(self._address), self._name, PATIENCE, KEPT_ALIVE)
        self._connection = connection
        connection.add_termination_listener(self._on_disconnect)
        await connection.add_listener(CHANNEL, self._hear)
        count = self._plan.count
        await self._ask("SELECT pg_advisory_lock_shared($1, $2)", DIVIDING, count)
        others = {row["number"] for row in await self._ask(HELD_BY, DIVIDING)} - {count}
        if others:
            raise DividedOtherwise(
                f"SHARD_COUNT: other processes on this database run with {min(others)}, this one with "
                f"{count}: stop them all first, and start all with the same."
            )
        self._listener.on_notices_back()
        if self._lost_before and not self._own:
            await asyncio.sleep(HEAD_START)
        while True:
            self._woken.clear()
            await self._claim()
            if self._told:
                log.info("the other processes are met again")
                self._told = ""
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOKS_APART)

    def _on_disconnect(self, connection: Any) -> None:
        """React to the end of the connection, even while idle."""
        if connection is self._connection:
            self._let_go()
            self._woken.set()

    def _let_go(self) -> None:
        self._held = frozenset()
        self._some.clear()
        self._listener.on_notices_lost()
        self._listener.lose()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        self._let_go()
        connection.terminate()

    async def release(self) -> None:
        """Free every shard for others at once, after `stay` has ended."""
        self._own = frozenset()
        await self._disconnect()

    def _hear(self, _connection: Any, _pid: int, _channel: str, text: str) -> None:
        note = decode_notice(text)
        if note is not None and not self._name.endswith(f" {note.by}"):
            self._listener.on_notice(note)

    async def _ask(self, query: str, *arguments: Any) -> list[Any]:
        async with self._asking:
            if self._connection is None:
                raise ConnectionResetError("the connection is lost")
            rows: list[Any] = await self._connection.fetch(query, *arguments)
            return rows

    async def _lock(self, kind: int, number: int) -> bool:
        (row,) = await self._ask("SELECT pg_try_advisory_lock($1, $2) AS taken", kind, number)
        return bool(row["taken"])

    async def _claim(self) -> None:
        """Take the missing shards that are free."""
        by = {row["number"]: row for row in await self._ask(HELD_BY, HOLDING)}
        before = self._held
        for shard in sorted(self._own - self._held):
            holder = by.get(shard)
            if holder is not None and holder["name"] == self._name:
                # The server hasn't noticed yet that our old connection is gone.
                await self._ask("SELECT pg_terminate_backend($1)", holder["pid"])
            elif holder is not None or not await self._lock(HOLDING, shard):
                raise TakenOver(f"Another process has taken shard {shard}, so this one ends.")
            else:
                self._held |= {shard}
        for shard in self._plan.candidates:
            if len(self._own) == self._plan.most:
                break
            if shard not in self._own and shard not in by and await self._lock(HOLDING, shard):
                self._own |= {shard}
                self._held |= {shard}
        if self._held != before:
            log.info("holding %s of %s", shard_ranges(self._held), self._plan.count)
            await self._claimed(self._held)
            self._some.set()
        elif not self._own and not self._told_waiting:
            log.info("waiting: other processes hold %s of %s", shard_ranges(frozenset(by)), self._plan.count)
            self._told_waiting = True

    async def identify(self, bucket: int) -> None:
        """Wait for this bucket's turn to log in.

        The turn passes on seconds later. Raise OSError if the connection is lost; nobody has the turn then.
        """
        turn = self._turns.setdefault(bucket, asyncio.Lock())
        await turn.acquire()
        try:
            while True:
                if await self._lock(IDENTIFYING, bucket):
                    break
                await asyncio.sleep(LOOKS_APART / 4)  # nobody is woken when another process gives it back
        except BaseException:
            turn.release()
            raise
        task = asyncio.create_task(self._pass_on(turn, bucket), name=f"turn to log in, {bucket}")
        self._releases.add(task)
        task.add_done_callback(self._releases.discard)

    async def _pass_on(self, turn: asyncio.Lock, bucket: int) -> None:
        try:
            await asyncio.sleep(TURN)
            with suppress(*LOST):  # then it is free already
                await self._ask("SELECT pg_advisory_unlock($1, $2)", IDENTIFYING, bucket)
        finally:
            turn.release()


def shard_ranges(shards: frozenset[int]) -> str:
    """Name shards for the log.

    >>> shard_ranges(frozenset({0, 1, 2, 5})), shard_ranges(frozenset({3}))
    ('shards 0-2, 5', 'shard 3')
    """
    runs: list[list[int]] = []
    for shard in sorted(shards):
        if runs and runs[-1][-1] == shard - 1:
            runs[-1].append(shard)
        else:
            runs.append([shard])
    text = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"shard{'' if len(shards) == 1 else 's'} {text}"
