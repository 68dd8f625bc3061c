"""Finds out if a batch was committed whose connection was lost before the answer.

A server numbers its transactions and remembers their outcomes. The number of a batch comes with the answer
to one of its own statements, so a lone write pays nothing for it.
"""

from typing import Any

from sqlalchemy import BigInteger, Connection, Function, bindparam, case, func, select, text

NUMBER = "transaction"
"""The key under which a connection keeps its transaction's number."""
_number = bindparam("number", type_=BigInteger)
_unborn = func.txid_snapshot_xmax(func.txid_current_snapshot()) <= _number
_STATUS = select(case((_unborn, "aborted"), else_=func.txid_status(_number)))
"""A server that took over from a failed one can lack the number; then nothing was committed."""
_END = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_xid::text::bigint = :number % 4294967296 "
    "AND datname = current_database() AND pid <> pg_backend_pid()"
)
"""The server tells running transactions apart by the last 32 bits of their numbers."""


def transaction_number() -> Function[Any]:
    """Return the expression for the number of a statement's transaction."""
    return func.txid_current()


def note_number(connection: Connection, number: int) -> None:
    """Keep the number of the running transaction."""
    connection.info[NUMBER] = number


def current_number(connection: Connection) -> int | None:
    """Return the number of the running transaction.

    Ask the server if it isn't known. None on SQLite, which commits in this process: the outcome is always
    known.
    """
    if connection.dialect.name != "postgresql":
        return None
    if NUMBER in connection.info:
        return int(connection.info.pop(NUMBER))
    return int(connection.execute(select(transaction_number())).scalar_one())


def end_and_check(connection: Connection, number: int) -> bool | None:
    """Return True if a transaction is committed, None while it is running. Also end it."""
    connection.execute(_END, {"number": number})
    status = connection.scalar(_STATUS, {"number": number})
    return None if status == "in progress" else bool(status == "committed")
