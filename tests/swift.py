"""Databases of tests: what is written need not outlive a power cut, and what is asked is compiled once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

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


COMPILED = Compiled()


def hurry(patch: pytest.MonkeyPatch) -> None:
    """From now on stores wait for no disk, and compile no statement that one has compiled before."""
    for name in ("sqlite_engine", "server_engine"):
        patch.setattr(opening, name, _hurried(getattr(opening, name)))


def _hurried(make: Callable[..., AsyncEngine]) -> Callable[..., AsyncEngine]:
    def made(*args: Any, **settings: Any) -> AsyncEngine:
        engine = make(*args, execution_options={"compiled_cache": COMPILED}, **settings)
        if engine.dialect.name == "sqlite":
            event.listen(engine.sync_engine, "connect", _wait_for_no_disk)
        return engine

    return made


def _wait_for_no_disk(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA synchronous=OFF").close()
