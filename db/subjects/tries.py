"""Keeps tries at the deal of the day beyond an erasure, until the day is over."""

import secrets
from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import Connection, delete, insert, select

from db import schema

SALT_FACT = "salt of tries "
"""The beginning of the key of the fact with a day's salt."""
T, F = schema.daily_tries.c, schema.facts.c


def keep_tries(connection: Connection, user_id: int, tries: Iterable[tuple[str, str]]) -> None:
    """Save an erased person's tries, each by day and game.

    A saved try leads to nobody: only somebody who knows the person can compare it, until the day is over.
    """
    for day, game in tries:
        row = {"day": day, "mark": _mark(connection, user_id, day, game)}
        connection.execute(delete(schema.daily_tries).where(T.day == day, T.mark == row["mark"]))
        connection.execute(insert(schema.daily_tries), [row])


def has_tried(connection: Connection, user_id: int, day: str, game: str) -> bool:
    """Return True if a person had a try at a deal before they were erased."""
    if connection.execute(select(T.mark).where(T.day == day).limit(1)).first() is None:
        return False
    mark = _mark(connection, user_id, day, game)
    return connection.execute(select(T.mark).where(T.day == day, T.mark == mark)).first() is not None


def forget_tries(connection: Connection, before: str) -> None:
    """Delete the tries of past days, and their salts."""
    connection.execute(delete(schema.daily_tries).where(T.day < before))
    connection.execute(
        delete(schema.facts).where(F.key.startswith(SALT_FACT), F.key < f"{SALT_FACT}{before}")
    )


def _mark(connection: Connection, user_id: int, day: str, game: str) -> str:
    return sha256(f"{_salt(connection, day)}:{user_id}:{day}:{game}".encode()).hexdigest()


def _salt(connection: Connection, day: str) -> str:
    """Return the salt of a day. Draw it first if there is none."""
    known = select(F.value).where(F.key == f"{SALT_FACT}{day}")
    result = connection.execute(known).scalar_one_or_none()
    if result is None:
        connection.execute(insert(schema.facts).values(key=f"{SALT_FACT}{day}", value=secrets.token_hex(16)))
        result = connection.execute(known).scalar_one()
    return str(result)
