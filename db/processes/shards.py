"""Which part of all servers this process acts for, by Discord's own division: the number of a server."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, literal_column

from db.processes.notify import ChangeNotice, Subject, written

AUTO: Literal["auto"] = "auto"
TIMESTAMP = 22
"""From this bit on a server's number says when it was made; Discord divides by that part."""


def shard_of(guild_id: int, count: int) -> int:
    """The shard, of so many, that a server belongs to.

    >>> shard_of((6 << 22) + 17, 4)
    2
    """
    return (guild_id >> TIMESTAMP) % count


def shard_ids(text: str) -> tuple[int, ...] | Literal["auto"] | None:
    """The shards that are listed, each once and in order; None for an empty list, which means all.

    Raises:
        ValueError: with a sentence, for what is no such list.

    >>> shard_ids("4, 0-2"), shard_ids("auto"), shard_ids("")
    ((0, 1, 2, 4), 'auto', None)
    """
    text = text.strip().lower()
    if text in ("", AUTO):
        return AUTO if text else None
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?", part.strip())
        if match is None:
            raise ValueError("must list shards like 0-3 or 0,2, or be auto")
        first, last = int(match[1]), int(match[2] or match[1])
        named = set(range(first, last + 1))
        if not named:
            raise ValueError(f"has the range {first}-{last}, which ends before it begins")
        if found & named:
            raise ValueError(f"names shard {min(found & named)} twice")
        found |= named
    return tuple(sorted(found))


class Plan(msgspec.Struct, frozen=True):
    """How the servers are divided: into how many shards, which this process wants, and how many at most.

    Where it wants none by number, it takes whichever are free.
    """

    count: int = 1
    wanted: tuple[int, ...] | None = None
    most: int = 1

    @property
    def candidates(self) -> tuple[int, ...]:
        """The shards that this process may come to hold."""
        return tuple(range(self.count)) if self.wanted is None else self.wanted


class Shards:
    """The shards for whose servers this process acts now. A process alone acts for all.

    What belongs to no server, such as a person's digest, is for who holds shard 0.

    Attributes:
        count: how many there are.
        alone: whether there are no other processes to share with.
        hearing: whether what other processes write is heard of at once.
        lost: those among the held whose servers can't be reached for now.
        name: what this process is called in what it tells others.
    """

    def __init__(self) -> None:
        self.count = 1
        self._held = frozenset({0})
        self.alone = True
        self.hearing = True
        self.lost: frozenset[int] = frozenset()
        self.name = secrets.token_hex(4)

    def divide(self, count: int, held: Iterable[int] = ()) -> None:
        """Be one of several processes from now on, with these of so many shards."""
        self.count, self.alone, self.hearing = count, False, False
        self.hold(held)

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process acts for."""
        return self._held

    @property
    def reachable(self) -> frozenset[int]:
        """Those of them whose servers can be reached."""
        return self._held - self.lost

    def hold(self, held: Iterable[int]) -> None:
        """Act for these shards from now on, and for no other."""
        self._held = frozenset(held)

    def owns(self, guild_id: int) -> bool:
        """Whether this process acts for a server; for 0 also whether it does so for what belongs to none."""
        return shard_of(guild_id, self.count) in self._held

    def note(self, subject: Subject, number: int = 0, guild_id: int = 0, seat: int | None = None) -> str:
        """What to tell the other processes; nothing where there are none."""
        return "" if self.alone else written(ChangeNotice(self.name, subject, number, guild_id, seat))

    def note_of(self, table_id: int, guild_id: int) -> str:
        """What to tell the process that acts for a written table's server; nothing where it is us."""
        return "" if self.owns(guild_id) else self.note("table", table_id, guild_id)

    def of(
        self, guild_id: ColumnElement[Any], chosen: Collection[int] | None = None
    ) -> list[ColumnElement[bool]]:
        """That a row's server is one that this process acts for, or is in some other shards."""
        return among(guild_id, self.count, self._held if chosen is None else chosen)


def among(guild_id: ColumnElement[Any], count: int, chosen: Collection[int]) -> list[ColumnElement[bool]]:
    """That a row's server is in one of some shards of so many; nothing to ask where those are all."""
    if len(chosen) == count:
        return []
    # As literals: PostgreSQL shifts by no bigint, which is what a parameter would become.
    shard = guild_id.bitwise_rshift(literal_column(str(TIMESTAMP))) % literal_column(str(count))
    return [shard.in_(sorted(chosen))]
