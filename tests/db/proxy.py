"""A way to a PostgreSQL server on which connections are cut while a COMMIT is under way."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from db.connection.opening import database_url

COMMIT = b"COMMIT;\x00"
LOOK = b"SELECT pg_terminate_backend"
"""The first words of the statement that asks for an outcome."""
LOT = 65_536


class Proxy:
    """Passes everything on between clients and a server, but for planned failures.

    Attributes:
        plans: what happens to the next COMMITs, the first first: `unanswered`: the server gets it and its
            answer is lost; `lost`: it doesn't get that far; `late`: it does so only when somebody asks for
            the outcome.
        cut_looks: the number of requests for an outcome that are cut off.
        looks: the number of requests for an outcome so far.
    """

    def __init__(self, open_server: Callable[[], Any]) -> None:
        self._open_server = open_server
        self._asked = asyncio.Event()
        self._busy: set[asyncio.Task[Any]] = set()
        self.plans: deque[str] = deque()
        self.cut_looks = 0
        self.looks = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, here = await self._open_server()
        back = asyncio.create_task(_pass_on(there, writer))
        self._busy.add(back)
        back.add_done_callback(self._busy.discard)
        late = False
        with suppress(ConnectionError):
            while data := await reader.read(LOT):
                if LOOK in data:
                    self.looks += 1
                    self._asked.set()
                    if self.cut_looks:
                        self.cut_looks -= 1
                        break
                if COMMIT in data and self.plans:
                    late = await self._go_wrong(self.plans.popleft(), data, back, here, writer)
                    break
                here.write(data)
                await here.drain()
        back.cancel()
        writer.close()
        if late:
            await self._asked.wait()
            here.write(data)
            await here.drain()
            await there.read(LOT)
        here.close()

    async def _go_wrong(
        self,
        plan: str,
        data: bytes,
        back: asyncio.Task[Any],
        here: asyncio.StreamWriter,
        client: asyncio.StreamWriter,
    ) -> bool:
        """Cut the client off at its COMMIT. Return True if the server gets it later."""
        if plan == "unanswered":
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            here.write(data)
            await here.drain()
        client.close()
        return plan == "late"


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(LOT):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def run_proxy(address: str) -> AsyncIterator[tuple[Proxy, str]]:
    """Yield a proxy before a database's server, and the address through it."""
    url = database_url(address)
    folder = url.query.get("host")
    port = url.port or 5432

    async def open_server() -> Any:
        if isinstance(folder, str):
            return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
        return await asyncio.open_connection(url.host, port)

    proxy = Proxy(open_server)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    own_port = server.sockets[0].getsockname()[1]
    through = url.difference_update_query(["host"]).set(host="127.0.0.1", port=own_port)
    try:
        yield proxy, through.render_as_string(hide_password=False)
    finally:
        server.close()
