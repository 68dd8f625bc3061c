"""Notices between processes, sent in the transaction that they are about.

A process receives one after the commit. Losing one does no harm: the next check finds the change.
"""

from typing import Literal

import msgspec
from sqlalchemy import Connection, func, select

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
