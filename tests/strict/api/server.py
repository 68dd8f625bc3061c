"""The strict Discord as an HTTP server: authorization, limits, faults, and a record of requests."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.strict.api.call import Call, read_call
from tests.strict.api.errors import Json, Refusal, make_unauthorized
from tests.strict.api.faults import BANNED, VIA, Fault, Faults, json_response
from tests.strict.api.gateway import StrictGateway
from tests.strict.api.rest import ROUTES, Handler
from tests.strict.api.world import StrictWorld

API = "/api/v10"
BY_TOKEN = ("/interactions/", "/webhooks/")
"""Paths that carry their own token, need no other, and don't count towards the limit of the bot."""
A_SECOND, AT_ONCE = 50.0, 60.0
"""Requests of the bot a second, and how many may come at once: a little more than Discord allows."""
INVALID, MOST_INVALID, INVALID_WITHIN = (401, 403, 429), 10_000, 600.0


@dataclass(frozen=True)
class Request:
    """A request of the bot, and what it was answered."""

    method: str
    path: str
    body: Any
    status: int
    answer: Any = field(repr=False)
    fault: Fault | None = field(default=None, repr=False)

    @property
    def code(self) -> int:
        """Return Discord's JSON code; 0 if there is none."""
        return int(self.answer.get("code", 0)) if isinstance(self.answer, dict) and self.status >= 400 else 0


class StrictServer:
    """Serves a world over HTTP. `requests` has every request in the order of its answer."""

    def __init__(self, world: StrictWorld) -> None:
        self.world = world
        self.faults = Faults()
        self.requests: list[Request] = []
        self.most_invalid = MOST_INVALID
        self._invalid: deque[float] = deque()
        self._bucket, self._filled = AT_ONCE, world.now()
        self._runner: web.AppRunner | None = None
        self.address = ""
        self.gateway = StrictGateway(world, lambda: self.address.replace("http", "ws"))

    async def start(self) -> None:
        """Listen at a free port of loopback."""
        app = web.Application(client_max_size=256 * 1024 * 1024)
        for method, path, handler in ROUTES:
            app.router.add_route(method, API + path, self._route(handler))
        app.router.add_get("/", self.gateway.serve)
        app.router.add_route("*", "/{tail:.*}", self._route(self._refuse_route))
        self._runner = web.AppRunner(app, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.address = f"http://{host}:{port}/"

    async def stop(self) -> None:
        await self.gateway.stop()
        if self._runner is not None:
            await self._runner.cleanup()

    def _refuse_route(self, call: Call) -> None:
        """Raise Refusal for a route that isn't served, which is a surprise."""
        self.world.surprises.append(f"unknown route: {call.method} {call.path}")
        raise Refusal(404, 0, "404: Not Found")

    def _route(self, handler: Handler) -> Any:
        async def serve(request: web.Request) -> web.StreamResponse:
            call = await read_call(self.world, request)
            call.parts["gateway"] = self.gateway.address
            body = call.body if isinstance(call.body, dict) else {}
            fault = self.faults.take(call.method, call.path, body)
            response, answer = self._answer(handler, call, request, fault)
            self.requests.append(Request(call.method, call.path, call.body, response.status, answer, fault))
            self.world.pulse.beat()
            if fault is not None and fault.cuts and request.transport is not None:
                request.transport.abort()
            return response

        return serve

    def _answer(
        self, handler: Handler, call: Call, request: web.Request, fault: Fault | None
    ) -> tuple[web.Response, Any]:
        if self._is_banned():
            return web.Response(status=429, text=BANNED, content_type="text/html"), BANNED
        status, answer = 0, None
        if fault is None or fault.got_through:
            status, answer = self._carry_out(handler, call, request)
        if fault is not None and status < 400:
            self._count_invalid(fault.status)
            return fault.response(), fault.body
        self._count_invalid(status)
        headers = _headers(status, answer)
        if answer is None:
            return web.Response(status=204, headers=headers), None
        return json_response(status, answer, headers), answer

    def _carry_out(self, handler: Handler, call: Call, request: web.Request) -> tuple[int, Any]:
        try:
            self._require_authorization(call, request)
            answer = handler(call)
        except Refusal as refusal:
            return refusal.status, refusal.body
        return (204, None) if answer is None else (200, answer)

    def _require_authorization(self, call: Call, request: web.Request) -> None:
        if call.path.startswith(BY_TOKEN):
            return
        if request.headers.get("Authorization") != f"Bot {self.world.token}":
            raise make_unauthorized()
        now = self.world.now()
        self._bucket = min(AT_ONCE, self._bucket + (now - self._filled) * A_SECOND)
        self._filled = now
        if self._bucket < 1:
            wait = round((1 - self._bucket) / A_SECOND, 3)
            self.world.surprises.append("the bot made more than 50 requests a second")
            more = {"retry_after": wait, "global": True}
            raise Refusal(429, 0, "You are being rate limited.", more=more)
        self._bucket -= 1

    def _is_banned(self) -> bool:
        """Return True if there were too many invalid requests within ten minutes."""
        while self._invalid and self.world.now() - self._invalid[0] > INVALID_WITHIN:
            self._invalid.popleft()
        return len(self._invalid) >= self.most_invalid

    def _count_invalid(self, status: int) -> None:
        if status in INVALID:
            self._invalid.append(self.world.now())

    def count(self, method: str, path: str) -> int:
        """Count the carried-out requests of that path."""
        return sum(one.method == method and path in one.path and one.status < 400 for one in self.requests)


def _headers(status: int, answer: Any) -> dict[str, str]:
    """Return the headers of an answer. A limit has `Retry-After` only if its body says how long."""
    if status != 429:
        return {}
    wait = answer.get("retry_after") if isinstance(answer, dict) else None
    headers = dict(VIA)
    if wait is not None:
        headers["Retry-After"] = str(wait)
    if isinstance(answer, dict) and answer.get("global"):
        headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    return headers


def describe_answer(request: Request) -> Json:
    """Return Discord's answer, for a message of a test."""
    answer = request.answer
    return {"request": f"{request.method} {request.path}", "status": request.status, "answer": answer}
