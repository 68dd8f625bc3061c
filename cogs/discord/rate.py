"""Keeps each process within its share of a token's request rate; reads Discord's refusals."""

import asyncio
import json
import logging
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

log = logging.getLogger(__name__)
REQUESTS_PER_SECOND = 50.0
"""Requests a second that Discord accepts for a token, in all."""
UNLIMITED = ("/interactions/", "/webhooks/")
"""Addresses outside that limit: the answers to presses and commands."""
SLOW, SLOW_FOR = 0.5, 60.0
"""The share of its rate that a process uses after a refusal, and for how many seconds."""
LONGEST_WAIT = 60.0
"""Seconds to wait for a limit at most; then a request tries it."""
LONGEST_WAIT_FOR_ANSWER = 30.0
"""The longest limit, in seconds, that the answer to a press waits out; discord.py has no such bound."""
TOO_MANY = 429


class Rate:
    """Spaces out requests at the rate of this process's share.

    `share` is the part of all shards that it holds. `compare_time` gets the time that each answer bears.
    """

    def __init__(
        self, share: Callable[[], float], compare_time: Callable[[float], None] | None = None
    ) -> None:
        self._share = share
        self._compare_time = compare_time
        self._next = 0.0
        self._closed_until = 0.0
        self._slow_until = 0.0

    def trace(self) -> aiohttp.TraceConfig:
        """Return hooks that delay requests, and check their answers."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._before)
        trace.on_request_end.append(self._after)
        return trace

    async def _before(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        if any(part in params.url.path for part in UNLIMITED):
            return
        wait = self.wait(asyncio.get_running_loop().time())
        if wait > 0:
            await asyncio.sleep(wait)

    async def _after(
        self, _session: aiohttp.ClientSession, _context: Any, params: aiohttp.TraceRequestEndParams
    ) -> None:
        response = params.response
        at = read_date(response.headers.get("Date", ""))
        if at is not None and self._compare_time is not None:
            self._compare_time(at)
        if response.status != TOO_MANY:
            return
        if response.headers.get("X-RateLimit-Global"):
            self.note_refusal(
                asyncio.get_running_loop().time(), float(response.headers.get("Retry-After", 1.0))
            )
        body = read_refusal(await response.text(encoding="utf-8", errors="replace"))
        raise_unless_waitable(response, body, any(part in params.url.path for part in UNLIMITED))

    def wait(self, now: float) -> float:
        """Reserve a request's place; return the seconds that it must wait.

        >>> rate = Rate(lambda: 0.5)
        >>> waits = [rate.wait(100.0) for _ in range(27)]
        >>> [round(wait, 2) for wait in waits[23:]]
        [0.0, 0.0, 0.04, 0.08]
        """
        allowed = max(1.0, REQUESTS_PER_SECOND * self._share() * (SLOW if now < self._slow_until else 1.0))
        # As many as a second allows may come at once after a pause.
        begin = max(self._next, now - 1 + 1 / allowed, self._closed_until)
        self._next = begin + 1 / allowed
        return max(0.0, begin - now)

    def note_refusal(self, now: float, seconds: float) -> None:
        """Pause all requests: the processes together hit Discord's rate limit."""
        log.warning("the token hit Discord's rate limit: no requests for %.1f s", seconds)
        self._closed_until = max(self._closed_until, now + min(seconds, LONGEST_WAIT))
        self._slow_until = self._closed_until + SLOW_FOR


def read_date(text: str) -> float | None:
    """Return a Date header's instant; None if it can't be read.

    >>> read_date("Thu, 01 Jan 1970 00:01:00 GMT"), read_date("yesterday")
    (60.0, None)
    """
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None


def read_refusal(text: str) -> dict[str, Any]:
    """Return a refusal as JSON, or one naming Cloudflare for a page.

    >>> read_refusal('{"code": 30046, "message": "Too many edits"}')
    {'code': 30046, 'message': 'Too many edits'}
    >>> read_refusal("<!DOCTYPE html><title>Access denied</title>")
    {'message': 'Cloudflare refuses requests from this address'}
    """
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {"message": "Cloudflare refuses requests from this address"}


def raise_unless_waitable(response: aiohttp.ClientResponse, body: dict[str, Any], is_answer: bool) -> None:
    """Raise a suitable error for a refusal that discord.py can't wait out.

    discord.py raises a KeyError if no time is named, as for edits of old messages (30046).

    Raises:
        discord.HTTPException: if the refusal names no time. discord.RateLimited: if an answer to a press
        would wait for long.
    """
    seconds = body.get("retry_after")
    if not isinstance(seconds, (int, float)):
        raise discord.HTTPException(response, body)
    if is_answer and seconds > LONGEST_WAIT_FOR_ANSWER:
        raise discord.RateLimited(seconds)
