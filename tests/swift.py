"""Databases of tests: what is written need not outlive a power cut, and what is asked is compiled once."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from functools import partial
from typing import Any

import pytest

from db.connection import opening


class Compiled(dict[Any, Any]):
    """Compiled statements that engines share though each has a dialect of its own, of the same kind."""

    def get(self, key: Any, default: Any = None) -> Any:
        """What was compiled for any dialect of that name."""
        return super().get(_named(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_named(key), value)


def _named(key: Any) -> Any:
    dialect, *rest = key
    return dialect.name, *rest


COMPILED_ONCE: dict[str, Any] = {"execution_options": {"compiled_cache": Compiled()}}
LONGEST = 5.0
"""Seconds for which a thread is waited for."""
SYNCHRONOUS, HASTY = "PRAGMA synchronous=FULL", "PRAGMA synchronous=OFF"


class HastyCursor(sqlite3.Cursor):
    """Leaves it to the operating system when to write, whatever it is told."""

    def execute(self, statement: str, *parameters: Any) -> HastyCursor:
        """Execute a statement, but the one that would have each commit wait for the disk."""
        return super().execute(HASTY if statement == SYNCHRONOUS else statement, *parameters)


class HastyConnection(sqlite3.Connection):
    """A connection whose commits wait for no disk."""

    def cursor(self, factory: Any = HastyCursor) -> Any:
        """A cursor of the hasty kind."""
        return super().cursor(factory)


HASTILY: dict[str, Any] = {"factory": HastyConnection}


def hurry(patch: pytest.MonkeyPatch) -> None:
    """From now on stores wait for no disk, and compile no statement that one has compiled before."""
    sqlite_engine, server_engine = opening.sqlite_engine, opening.server_engine
    patch.setattr(opening, "sqlite_engine", partial(sqlite_engine, connect_args=HASTILY, **COMPILED_ONCE))
    patch.setattr(opening, "server_engine", partial(server_engine, **COMPILED_ONCE))


async def threads_ended() -> None:
    """Wait for the threads of connections that were cut off while they were made.

    They still answer, and an event loop that was closed meanwhile would be their end.
    """
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, LONGEST)
