"""What processes tell each other: in the transaction that writes it, so it is heard once that is committed.

Whoever hears nothing finds it at the next look; nothing depends on being told.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from sqlalchemy import Connection, func, select

CHANNEL = "tangle_parlour"
Subject = Literal["table", "rewritten", "draft", "person", "gaps"]


class ChangeNotice(msgspec.Struct, frozen=True, array_like=True):
    """That a process has written something that others keep in memory, or have to act on.

    A `person` of number 0 stands for all people. `rewritten` is a table whose history has changed too.
    """

    by: str
    subject: Subject
    number: int = 0
    guild_id: int = 0
    seat: int | None = None


def written(note: ChangeNotice) -> str:
    """A note as it travels."""
    return msgspec.json.encode(note).decode()


def read(text: str) -> ChangeNotice | None:
    """The note that a text is; None for one that only another version of the bot understands.

    >>> read(written(ChangeNotice("a", "table", 7, 1))), read('["a", "planet"]')
    (ChangeNotice(by='a', subject='table', number=7, guild_id=1, seat=None), None)
    """
    try:
        return msgspec.json.decode(text, type=ChangeNotice)
    except msgspec.MsgspecError:
        return None


def tell(connection: Connection, text: str) -> None:
    """Tell the other processes on a server as soon as this transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_notify(CHANNEL, text)))
