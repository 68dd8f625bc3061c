import asyncio
import logging
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter

from cogs.discord.work import PAUSES, Rate, Requests, pause_after
from cogs.ui.answering import _is_discord_failure
from tests.db.incidents import log_lines
from tests.discord.stage import DiscordStage

OLD_EDITS = {"message": "Maximum number of edits to messages older than 1 hour reached", "code": 30046}
EXPIRED = {"message": "Invalid Webhook Token", "code": 50027}
PAGE = "<!DOCTYPE html>\n<title>Access denied</title>"


class Refusing:
    """A server that gives every request its next answer, and the last one again and again."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, Any]] = []
        self.asked = 0
        self.hangs = asyncio.Event()

    async def answer(self, _request: web.Request) -> web.Response:
        self.asked += 1
        if not self.answers:
            self.hangs.set()
            await asyncio.Event().wait()
        status, body = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(body, str):
            return web.Response(status=status, text=body, content_type="text/html", headers={"Via": "1.1"})
        return web.Response(
            status=status,
            body=discord.utils._to_json(body).encode(),
            headers={"Via": "1.1 google", "Content-Type": "application/json"},
        )


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Refusing]:
    refusing = Refusing()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", refusing.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield refusing
    await runner.cleanup()


@pytest.fixture
async def http(server: Refusing) -> AsyncIterator[HTTPClient]:
    server.answers = [(200, {"id": "1"})]
    client = HTTPClient(asyncio.get_running_loop(), http_trace=Rate(lambda: 1.0).trace())
    await client.static_login("token")
    server.answers = []
    server.asked = 0
    yield client
    await client.close()


def edit() -> Route:
    ids: dict[str, Any] = {"channel_id": 1, "message_id": 2}
    return Route("PATCH", "/channels/{channel_id}/messages/{message_id}", **ids)


async def edit_answer(http: HTTPClient) -> Any:
    """Edit an answer to a press, which bypasses the client's own `request`."""
    ids: dict[str, Any] = {"webhook_id": 1, "webhook_token": "token"}
    route = Route("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", **ids)
    session: aiohttp.ClientSession = http._HTTPClient__session  # type: ignore[attr-defined]  # private
    adapter: Any = AsyncWebhookAdapter  # discord.py types it only in part
    return await adapter().request(route, session, payload={})


async def test_each_answer_of_discord_is_a_second_look_at_the_clock(server: Refusing) -> None:
    """The test server dates its answers, as Discord does."""
    heard: list[float] = []
    server.answers = [(200, {"id": "1"})]
    client = HTTPClient(asyncio.get_running_loop(), http_trace=Rate(lambda: 1.0, heard.append).trace())

    await client.static_login("token")

    await client.close()
    assert heard
    assert abs(heard[-1] - time.time()) < 60


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [(OLD_EDITS, 30046, OLD_EDITS["message"]), (PAGE, 0, "Cloudflare refuses requests from this address")],
)
async def test_a_limit_without_a_time_is_a_refusal_of_posts_and_answers(
    server: Refusing, http: HTTPClient, body: Any, code: int, text: str
) -> None:
    server.answers = [(429, body)]
    for request in (http.request(edit(), json={}), edit_answer(http)):
        with pytest.raises(discord.HTTPException) as refused:
            await request
        assert (refused.value.status, refused.value.code, refused.value.text) == (429, code, text)
        assert _is_discord_failure(refused.value)
    assert server.asked == 2


async def test_a_limit_with_a_time_is_waited_out(server: Refusing, http: HTTPClient) -> None:
    limit = (429, {"retry_after": 0.01, "message": "You are being rate limited.", "global": False})

    for request in (http.request(edit(), json={}), edit_answer(http)):
        server.answers = [limit, (200, {"id": "2"})]
        assert await request == {"id": "2"}


async def test_an_answer_is_not_held_up_for_minutes(server: Refusing, http: HTTPClient) -> None:
    server.answers = [(429, {"retry_after": 600.0, "message": "You are being rate limited."})]

    with pytest.raises(discord.RateLimited) as limited:
        await edit_answer(http)

    assert limited.value.retry_after == 600.0
    assert _is_discord_failure(limited.value)


async def test_an_answer_whose_token_has_expired_came_too_late(server: Refusing, http: HTTPClient) -> None:
    server.answers = [(401, EXPIRED)]

    with pytest.raises(discord.HTTPException) as refused:
        await edit_answer(http)

    assert _is_discord_failure(refused.value)


def test_only_limits_and_outages_are_waited_out_at_the_start() -> None:
    def failed(status: int) -> discord.HTTPException:
        response: Any = SimpleNamespace(status=status, reason="for a test")
        return discord.HTTPException(response, None)

    assert [pause_after(failed(status), 0) for status in (400, 401, 403, 404)] == [None] * 4
    assert [pause_after(failed(status), 0) for status in (429, 500, 503)] == [PAUSES[0]] * 3
    assert pause_after(failed(503), len(PAUSES)) is None
    assert sum(PAUSES) < 11 * 60


async def test_a_running_bot_passes_refusals_on(server: Refusing, http: HTTPClient) -> None:
    requests = Requests(http, lambda: False)
    requests.is_starting = False
    server.answers = [(503, "upstream")]

    with pytest.raises(discord.HTTPException):
        await http.request(edit(), json={})

    assert server.asked == 1


async def test_a_stop_gives_a_request_up_silently(server: Refusing, http: HTTPClient) -> None:
    is_closed = [False]
    Requests(http, lambda: is_closed[0])
    under_way = asyncio.create_task(http.request(edit(), json={}))
    await server.hangs.wait()

    is_closed[0] = True
    await http.close()

    await asyncio.wait([under_way], timeout=5)
    assert under_way.cancelled()
    with pytest.raises(asyncio.CancelledError):
        await http.request(edit(), json={})


async def test_a_lost_connection_is_still_an_error(server: Refusing, http: HTTPClient) -> None:
    Requests(http, lambda: False)
    await http.close()

    with pytest.raises(RuntimeError, match="Session is closed"):
        await http.request(edit(), json={})


async def test_an_interrupted_post_comes_later(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    place: Any = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    posts = len(stage.posts(place))
    http, parlour = stage.bot.http, stage.bot.app.parlour

    async def closed(*_route: Any, **_options: Any) -> Any:
        raise RuntimeError("Session is closed")

    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.INFO):
        patch.setattr(http, "request", closed)
        Requests(http, lambda: True)
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
        assert log_lines(caplog) == []
        assert len(await parlour.store.outbox_of(1, 1e12)) == 1

    await stage.restart()
    await stage.env.advance_time(10)
    assert len(stage.posts(place)) == posts + 1
    assert " at 3 " in stage.post(place).text
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []
