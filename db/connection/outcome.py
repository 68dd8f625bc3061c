"""Whether a batch was committed whose connection was lost before the server could say so.

A server numbers its transactions and remembers what happened to them. The number of a batch comes with the
answer to one of its own statements, so asking for it costs a lone change nothing.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Connection, Function, bindparam, case, func, select, text

NUMBER = "transaction"
"""Under which a connection keeps the number of its transaction, where a statement has brought it."""
_number = bindparam("number", type_=BigInteger)
_unborn = func.txid_snapshot_xmax(func.txid_current_snapshot()) <= _number
_STATUS = select(case((_unborn, "aborted"), else_=func.txid_status(_number)))
"""A server that took over from a failed one may not know the number; then nothing was committed."""
_END = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_xid::text::bigint = :number % 4294967296 "
    "AND datname = current_database() AND pid <> pg_backend_pid()"
)
"""The server tells the transactions of its connections apart by the last 32 bits of their numbers."""


def transaction_number() -> Function[Any]:
    """What a statement on a server selects or returns for its transaction's number."""
    return func.txid_current()


def note_number(connection: Connection, number: int) -> None:
    """Keep the number that a statement of the running transaction has brought."""
    connection.info[NUMBER] = number


def number_of(connection: Connection) -> int | None:
    """The number of the running transaction, asked for if no statement has brought it.

    None on SQLite: it commits in this process, so what COMMIT comes to is always known.
    """
    if connection.dialect.name != "postgresql":
        return None
    if NUMBER in connection.info:
        return int(connection.info.pop(NUMBER))
    return int(connection.execute(select(transaction_number())).scalar_one())


def was_committed(connection: Connection, number: int) -> bool | None:
    """Whether a transaction is committed; None while it still goes on, which it is told not to."""
    connection.execute(_END, {"number": number})
    status = connection.scalar(_STATUS, {"number": number})
    return None if status == "in progress" else bool(status == "committed")
