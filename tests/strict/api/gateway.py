"""The gateway: sessions, events, resuming, and what can go wrong with a connection."""

import asyncio
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from aiohttp import WSMsgType, web

from tests.strict.api import wire
from tests.strict.api.errors import Json
from tests.strict.api.world import StrictWorld

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT = 0, 1, 2, 3, 6, 7
INVALID, HELLO, ACK = 9, 10, 11
MEMBERS, PRESENCES, CONTENT = 1 << 1, 1 << 8, 1 << 15
PRIVILEGED = MEMBERS | PRESENCES | CONTENT
GUILDS, GUILD_MESSAGES, DM_MESSAGES = 1 << 0, 1 << 9, 1 << 12
UNKNOWN, NOT_DECODED, TOO_EARLY, BAD_TOKEN, TWICE = 4000, 4002, 4003, 4004, 4005
UNKNOWN_OPCODE, BAD_SHARD, NOT_ALLOWED = 4001, 4010, 4014
ENDING = (1000, 1001, 4007, 4009)
"""Codes after which a session can't be resumed."""


@dataclass
class Session:
    """A login of a shard: what it hears of, and all that it was sent."""

    id: str
    shard: int
    shards: int
    intents: int
    events: list[Json] = field(default_factory=list)

    def hears(self, event: str, guild_id: int | None) -> bool:
        """Return True if the session's shard and its intents cover an event."""
        own = self.shard == (0 if guild_id is None else (guild_id >> 22) % self.shards)
        if event.startswith("MESSAGE_"):
            return own and bool(self.intents & (DM_MESSAGES if guild_id is None else GUILD_MESSAGES))
        if event.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
            return own and bool(self.intents & GUILDS)
        return own


class Connection:
    """One websocket of the bot, compressed if it asked for that."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, compress: bool
    ) -> None:
        self.socket = socket
        self.transport = transport
        self.session: Session | None = None
        self._zlib = zlib.compressobj() if compress else None
        self._queue: asyncio.Queue[Json | None] = asyncio.Queue()

    def send(self, payload: Json) -> None:
        self._queue.put_nowait(payload)

    def finish(self) -> None:
        self._queue.put_nowait(None)

    async def write(self) -> None:
        """Send what is queued, in order, until the connection ends."""
        while (payload := await self._queue.get()) is not None:
            text = json.dumps(payload)
            try:
                if self._zlib is None:
                    await self.socket.send_str(text)
                else:
                    data = self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(data)
            except (ConnectionError, RuntimeError):
                return


class StrictGateway:
    """All sessions and connections, and the hooks of tests."""

    def __init__(self, world: StrictWorld, address: Callable[[], str]) -> None:
        self._world = world
        self._address = address
        self.heartbeat_ms = 41_250
        self.is_zombie = False
        """A zombie takes everything and says nothing."""
        self.identifies = 0
        self.resumes = 0
        self.sessions: dict[str, Session] = {}
        self.connections: list[Connection] = []
        world.listeners.append(self.tell)

    @property
    def address(self) -> str:
        return self._address()

    @property
    def open(self) -> list[Connection]:
        return [one for one in self.connections if one.session is not None]

    # What tests do to it

    async def close(self, code: int) -> None:
        """Close every connection with a code."""
        for one in list(self.connections):
            if one.session is not None and code in ENDING:
                self.sessions.pop(one.session.id, None)
            await one.socket.close(code=code)

    def cut_off(self) -> None:
        """Cut every connection without a word."""
        for one in list(self.connections):
            if one.transport is not None:
                one.transport.abort()

    def ask_to_reconnect(self) -> None:
        for one in self.open:
            one.send({"op": RECONNECT, "d": None, "s": None, "t": None})

    def invalidate(self, *, resumable: bool) -> None:
        """Tell every session that it is invalid."""
        for one in self.open:
            if one.session is not None and not resumable:
                self.sessions.pop(one.session.id, None)
            one.send({"op": INVALID, "d": resumable, "s": None, "t": None})

    def end_sessions(self) -> None:
        """Forget all sessions, so that none can be resumed."""
        self.sessions.clear()

    async def stop(self) -> None:
        for one in list(self.connections):
            await one.socket.close(code=1001)

    # Events

    def tell(self, event: str, data: Any, guild_id: int | None) -> None:
        """Send an event to its sessions, or when they resume."""
        for session in list(self.sessions.values()):
            if session.hears(event, guild_id):
                self._dispatch(session, event, data)

    def _dispatch(self, session: Session, event: str, data: Any) -> None:
        payload = {"op": DISPATCH, "t": event, "s": len(session.events) + 1, "d": data}
        session.events.append(json.loads(json.dumps(payload)))
        if not self.is_zombie:
            for one in self.connections:
                if one.session is session:
                    one.send(payload)

    # A connection

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket until it ends."""
        socket = web.WebSocketResponse(autoping=True, compress=False)
        await socket.prepare(request)
        compress = request.query.get("compress")
        if compress not in (None, "zlib-stream"):
            self._world.surprises.append(f"the gateway can't compress by {compress}")
        one = Connection(socket, request.transport, compress=compress == "zlib-stream")
        self.connections.append(one)
        writing = asyncio.create_task(one.write())
        one.send({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_ms}, "s": None, "t": None})
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    code = self._take(one, received.data)
                    if code is not None:
                        await socket.close(code=code)
        finally:
            self.connections.remove(one)
            one.finish()
            await writing
            self._world.pulse.beat()
        return socket

    def _take(self, one: Connection, text: str) -> int | None:
        """Handle what the bot sends. Return the code to close with, if any."""
        try:
            payload = json.loads(text)
            op, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError):
            return NOT_DECODED
        if op == HEARTBEAT:
            if not self.is_zombie:
                one.send({"op": ACK, "d": None, "s": None, "t": None})
            return None
        if op == IDENTIFY:
            return TWICE if one.session is not None else self._identify(one, data)
        if op == RESUME:
            return self._resume(one, data)
        if one.session is None:
            return TOO_EARLY
        return None if op in (PRESENCE, 4, 8) else UNKNOWN_OPCODE

    def _identify(self, one: Connection, data: Json) -> int | None:
        world = self._world
        shard, shards = data.get("shard", (0, 1))
        if data["token"] != world.token:
            return BAD_TOKEN
        if not 0 <= shard < shards:
            return BAD_SHARD
        if data["intents"] & PRIVILEGED:
            return NOT_ALLOWED
        if world.sessions_left <= 0:
            world.surprises.append("the bot logged in though no session start was left")
            return BAD_TOKEN
        self.identifies += 1
        world.use_session()
        one.session = Session(uuid4().hex, shard, shards, data["intents"])
        self.sessions[one.session.id] = one.session
        self._greet(one.session)
        world.pulse.beat()
        return None

    def _greet(self, session: Session) -> None:
        """Send READY and the servers of a session."""
        world = self._world
        own = [
            guild
            for guild in world.guilds.values()
            if guild.has_bot and (guild.id >> 22) % session.shards == session.shard
        ]
        ready = {
            "v": 10,
            "user": wire.user(world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in own],
            "session_id": session.id,
            "resume_gateway_url": self.address,
            "shard": [session.shard, session.shards],
            "application": {"id": str(world.application_id), "flags": 0},
        }
        self._dispatch(session, "READY", ready)
        for guild in own:
            self._dispatch(session, "GUILD_CREATE", wire.guild_create(world, guild))

    def _resume(self, one: Connection, data: Json) -> int | None:
        if data["token"] != self._world.token:
            return BAD_TOKEN
        session = self.sessions.get(data["session_id"])
        if session is None:
            one.send({"op": INVALID, "d": False, "s": None, "t": None})
            return None
        one.session = session
        self.resumes += 1
        for payload in session.events[data["seq"] or 0 :]:
            one.send(payload)
        self._dispatch(session, "RESUMED", {})
        self._world.pulse.beat()
        return None
