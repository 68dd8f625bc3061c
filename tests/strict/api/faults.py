"""Fakes faults between the bot and Discord: errors, Cloudflare's pages, limits, cut connections."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web

from tests.strict.api.errors import Json

BAD_GATEWAY = "<html><head><title>502 Bad Gateway</title></head><body>cloudflare</body></html>"
BANNED = "<html><head><title>Access denied | discord.com</title></head><body>Error 1015</body></html>"
VIA = {"Via": "1.1 google"}
"""The header by which discord.py tells Discord's own limits from Cloudflare's."""


def json_response(status: int, body: object, headers: dict[str, str]) -> web.Response:
    """Return JSON without a charset in its type, as discord.py wants it."""
    data = json.dumps(body).encode()
    return web.Response(status=status, body=data, content_type="application/json", headers=headers)


@dataclass
class Fault:
    """A faked answer to some requests, `times` times or until it is over.

    If `got_through`, Discord carries the request out first; if it `cuts`, there is no answer at all.
    """

    method: str
    path: re.Pattern[str]
    status: int = 502
    body: Json | str = BAD_GATEWAY
    headers: dict[str, str] = field(default_factory=dict)
    times: int | None = None
    got_through: bool = False
    cuts: bool = False
    when: Callable[[Json], bool] | None = None
    hits: int = 0

    def strikes(self, method: str, path: str, body: Json) -> bool:
        """Return True if it hits this request, and count that."""
        if (self.times is not None and self.hits >= self.times) or self.method not in (method, "*"):
            return False
        if not self.path.search(path) or (self.when is not None and not self.when(body)):
            return False
        self.hits += 1
        return True

    def end(self) -> None:
        self.times = self.hits

    def response(self) -> web.Response:
        if isinstance(self.body, str):
            return web.Response(
                status=self.status, text=self.body, content_type="text/html", headers=self.headers
            )
        return json_response(self.status, self.body, self.headers)


class Faults:
    """All faults of a strict Discord, in the order in which they are looked through."""

    def __init__(self) -> None:
        self._every: list[Fault] = []

    def add(
        self,
        method: str,
        path: str,
        status: int = 502,
        body: Json | str = BAD_GATEWAY,
        *,
        headers: dict[str, str] | None = None,
        times: int | None = None,
        got_through: bool = False,
        cuts: bool = False,
        when: Callable[[Json], bool] | None = None,
    ) -> Fault:
        """Answer requests to matching paths with an error; method `*` means any."""
        pattern = re.compile(path)
        fault = Fault(method, pattern, status, body, headers or {}, times, got_through, cuts, when)
        self._every.append(fault)
        return fault

    def refuse(
        self, method: str, path: str, status: int, code: int, message: str, *, times: int = 1
    ) -> Fault:
        """Answer with one of Discord's JSON errors."""
        return self.add(method, path, status, {"message": message, "code": code}, headers=VIA, times=times)

    def limit(
        self, method: str, path: str, retry_after: float, *, scope: str = "user", times: int | None = 1
    ) -> Fault:
        """Answer 429 with `retry_after`; the scope is `user`, `shared` or `global`."""
        everywhere = scope == "global"
        headers = {**VIA, "X-RateLimit-Scope": scope, "Retry-After": str(retry_after)}
        if everywhere:
            headers["X-RateLimit-Global"] = "true"
        body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": everywhere}
        return self.add(method, path, 429, body, headers=headers, times=times)

    def ban(self) -> Fault:
        """Answer everything as Cloudflare does an address with too many invalid requests."""
        return self.add("*", ".", 429, BANNED, headers={"Retry-After": "60", "Server": "cloudflare"})

    def end(self) -> None:
        for fault in self._every:
            fault.end()

    def take(self, method: str, path: str, body: Json) -> Fault | None:
        """Return the first fault that hits this request."""
        return next((fault for fault in self._every if fault.strikes(method, path, body)), None)
