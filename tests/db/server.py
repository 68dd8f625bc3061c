"""A PostgreSQL server of a test's own, which it may stop."""

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from db.connection.opening import database_url

SCRIPT = Path(__file__).parents[1] / "postgres.sh"
TELL = 'echo "$TEST_POSTGRES_URL"; echo "$TEST_POSTGRES_CONTROL"; exec cat'
"""Say where the server is and what controls it, and stay until the one who asked has gone."""


class NoServer(Exception):
    """Raised if there is no PostgreSQL on this machine."""


class PostgresServer:
    """A server that runs, with one empty database."""

    def __init__(self, address: str, control: str) -> None:
        self.address = database_url(address).render_as_string(hide_password=False)
        self._control = shlex.split(control)

    def control(self, word: str) -> None:
        """Make it `stop` (as in a crash), `start` or `restart`; wait for it."""
        subprocess.run([*self._control, word], check=True, timeout=60, cwd="/")


@contextmanager
def own_server() -> Iterator[PostgresServer]:
    """Yield a server for as long as it is needed.

    Raises:
        NoServer: where none is installed.
    """
    with subprocess.Popen(
        [SCRIPT, "sh", "-c", TELL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as script:
        assert script.stdin is not None
        assert script.stdout is not None
        address, control = script.stdout.readline().strip(), script.stdout.readline().strip()
        if not address:
            raise NoServer
        yield PostgresServer(address, control)
        script.stdin.close()
        script.wait(60)


async def execute(address: str, *statements: str) -> None:
    engine = create_async_engine(database_url(address), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()
