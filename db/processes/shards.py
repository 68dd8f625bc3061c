"""The shares of several processes, and their messages to each other.

A process receives one after the commit. Losing one does no harm: the next check finds the change.
"""

import re
import secrets
from collections.abc import Collection, Iterable
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, func, literal_column, select

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
