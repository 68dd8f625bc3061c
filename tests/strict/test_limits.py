"""The strict Discord limits requests, logins, commands and emoji."""

import asyncio
import base64
import logging
from collections.abc import AsyncIterator

import discord
import pytest
from discord.http import HTTPClient, Route

from tests.strict.client import PICTURE, Client, Reply, gallery, page, text
from tests.strict.conftest import Strict
from tests.strict.errors import NOT_ATTACHED
from tests.strict.messages import send
from tests.strict.process import TOKEN

ONE = {"name": "play", "description": "Play"}


@pytest.fixture
async def http(strict: Strict, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HTTPClient]:
    """Yield discord.py's own client, logged in."""
    monkeypatch.setattr(Route, "BASE", f"{strict.server.address}api/v10")
    made = HTTPClient(asyncio.get_running_loop(), max_ratelimit_timeout=30.0)
    await made.static_login(TOKEN)
    yield made
    await made.close()


def commands(strict: Strict) -> str:
    return f"/applications/{strict.world.application_id}/commands"


def emojis(strict: Strict) -> str:
    return f"/applications/{strict.world.application_id}/emojis"


async def upload(strict: Strict, client: Client, name: str, data: bytes = PICTURE) -> Reply:
    image = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return await client.post(emojis(strict), {"name": name, "image": image})


# Requests


async def test_another_token_is_refused(client: Client) -> None:
    assert (await client.call("GET", "/users/@me", bot="other")).status == 401
    assert (await client.get("/users/@me")).status == 200


async def test_an_unknown_route_is_a_surprise(strict: Strict, client: Client) -> None:
    assert (await client.get("/guilds/1/webhooks")).status == 404
    assert strict.world.surprises == ["unknown route: GET /guilds/1/webhooks"]


async def test_discord_py_shows_which_file_is_missing(strict: Strict, http: HTTPClient) -> None:
    with pytest.raises(discord.HTTPException) as raised:
        await http.request(
            Route("POST", "/channels/{channel_id}/messages", channel_id=strict.channel.id),
            json=page(gallery("board.png")),
        )

    assert (raised.value.status, raised.value.code) == (400, 50035)
    assert "In components.0.items.0.media.url: The attachment 'board.png'" in raised.value.text
    assert NOT_ATTACHED in raised.value.text


@pytest.mark.parametrize("scope", ["user", "shared", "global"])
async def test_a_short_limit_is_waited_out(strict: Strict, http: HTTPClient, scope: str) -> None:
    strict.server.faults.limit("GET", "/users/@me", 0.05, scope=scope)

    await http.request(Route("GET", "/users/@me"))

    limited = next(one for one in strict.server.requests if one.status == 429)
    assert limited.answer["global"] is (scope == "global")


async def test_a_long_limit_is_raised(strict: Strict, http: HTTPClient) -> None:
    strict.server.faults.limit("GET", "/users/@me", 31.0)

    with pytest.raises(discord.RateLimited):
        await http.request(Route("GET", "/users/@me"))


async def test_old_edits_make_discord_py_raise_a_key_error(strict: Strict, http: HTTPClient) -> None:
    message = send(strict.world, strict.channel, page(text("Hi")))
    strict.world.refuses_old_edits = True
    strict.world.pass_time(3601)

    with pytest.raises(KeyError):
        await http.request(
            Route(
                "PATCH",
                "/channels/{channel_id}/messages/{message_id}",
                channel_id=strict.channel.id,
                message_id=message.id,
            ),
            json=page(text("Ho")),
        )


async def test_too_many_invalid_requests_ban_the_address(strict: Strict, client: Client) -> None:
    strict.server.most_invalid = 3
    for _ in range(3):
        await client.call("GET", "/users/@me", bot="other")

    banned = await client.get("/users/@me")
    assert banned.status == 429
    assert "Error 1015" in banned.body
    assert "Via" not in banned.headers
    strict.world.pass_time(601)
    assert (await client.get("/users/@me")).status == 200


async def test_a_ban_is_no_limit_that_discord_py_waits_out(strict: Strict, http: HTTPClient) -> None:
    strict.server.faults.ban()

    with pytest.raises(discord.HTTPException) as raised:
        await http.request(Route("GET", "/users/@me"))
    assert raised.value.status == 429


async def test_more_than_50_requests_a_second_are_refused(strict: Strict, client: Client) -> None:
    replies = [await client.get("/users/@me") for _ in range(80)]

    limited = [one for one in replies if one.status == 429]
    assert limited
    assert limited[0].body["global"] is True
    assert limited[0].headers["X-RateLimit-Global"] == "true"
    assert strict.world.surprises


async def test_answers_do_not_count_towards_the_limit(strict: Strict, client: Client) -> None:
    for _ in range(80):
        assert (await client.post("/interactions/7/nobody/callback", {"type": 6})).code == 10062
    assert (await client.get("/users/@me")).status == 200


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_discord_py_repeats_what_failed(
    strict: Strict, http: HTTPClient, status: int, monkeypatch: pytest.MonkeyPatch, no_pauses: None
) -> None:
    strict.server.faults.add("GET", "/users/@me", status, times=2)

    await http.request(Route("GET", "/users/@me"))

    assert [one.status for one in strict.server.requests[-3:]] == [status, status, 200]


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let discord.py repeat requests without a pause."""
    sleep = asyncio.sleep
    monkeypatch.setattr("discord.http.asyncio.sleep", lambda _seconds: sleep(0))


# Commands


async def test_commands_are_put_and_listed(strict: Strict, client: Client) -> None:
    put = await client.call("PUT", commands(strict), [ONE])

    assert [one["name"] for one in (await client.get(commands(strict))).body] == ["play"]
    again = await client.call("PUT", commands(strict), [{**ONE, "description": "Play on"}])
    assert put.body[0]["id"] == again.body[0]["id"]


async def test_a_day_takes_200_new_commands(strict: Strict, client: Client) -> None:
    for day in range(2):
        batch = [{**ONE, "name": f"play{day}{number}"} for number in range(100)]
        assert (await client.call("PUT", commands(strict), batch)).status == 200

    refused = await client.call("PUT", commands(strict), [{**ONE, "name": "one-more"}])
    assert refused.refusal == (400, 30034)
    assert (await client.call("PUT", commands(strict), batch)).status == 200
    strict.world.pass_time(86_401)
    assert (await client.call("PUT", commands(strict), [{**ONE, "name": "one-more"}])).status == 200


async def test_a_bulk_update_keeps_the_entry_point_command(strict: Strict, client: Client) -> None:
    strict.owner.turn_on_activities()
    (launch,) = (await client.get(commands(strict))).body

    assert (await client.call("PUT", commands(strict), [ONE])).refusal == (400, 50240)

    put = await client.call("PUT", commands(strict), [ONE, launch])
    assert [one["type"] for one in put.body] == [1, 4]
    assert put.body[1]["id"] == launch["id"]


OPTION = {"name": "day", "description": "When", "type": 3}
BAD_COMMANDS = {
    "a name with a capital": {**ONE, "name": "Play"},
    "a name of 33": {**ONE, "name": "x" * 33},
    "no description": {"name": "play"},
    "a description of 101": {**ONE, "description": "x" * 101},
    "26 options": {**ONE, "options": [{**OPTION, "name": f"day{number}"} for number in range(26)]},
    "an option twice": {**ONE, "options": [OPTION, OPTION]},
    "what is required last": {**ONE, "options": [OPTION, {**OPTION, "name": "b", "required": True}]},
    "26 choices": {**ONE, "options": [{**OPTION, "choices": [{"name": "a", "value": "a"}] * 26}]},
    "an empty choice": {**ONE, "options": [{**OPTION, "choices": [{"name": "", "value": "a"}]}]},
    "8,001 characters": {**ONE, "options": [
        {**OPTION, "name": f"d{o}", "choices": [{"name": "x" * 99, "value": "y" * 99}] * 25} for o in range(2)
    ]},
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_COMMANDS)
async def test_a_bad_command_is_refused(strict: Strict, client: Client, what: str) -> None:
    assert (await client.call("PUT", commands(strict), [BAD_COMMANDS[what]])).refusal == (400, 50035)


async def test_a_server_says_whom_it_allows_a_command(strict: Strict, client: Client) -> None:
    path = f"/applications/{strict.world.application_id}/guilds/{strict.guild.id}/commands/7/permissions"
    assert (await client.get(path)).refusal == (404, 10066)

    strict.world.command_permissions[7] = [{"id": str(strict["Ann"].id), "type": 2, "permission": True}]
    assert len((await client.get(path)).body["permissions"]) == 1


# Emoji


async def test_emoji_are_made_listed_and_deleted(strict: Strict, client: Client) -> None:
    made = await upload(strict, client, "tp_seat")

    assert [one["name"] for one in (await client.get(emojis(strict))).body["items"]] == ["tp_seat"]
    assert (await client.call("DELETE", f"{emojis(strict)}/{made.id}")).status == 204
    assert (await client.call("DELETE", f"{emojis(strict)}/{made.id}")).refusal == (404, 10014)


@pytest.mark.parametrize("name", ["x", "x" * 33, "two words", "tp-seat"])
async def test_an_emoji_name_has_2_to_32_letters(strict: Strict, client: Client, name: str) -> None:
    assert (await upload(strict, client, name)).refusal == (400, 50035)


async def test_an_emoji_is_a_picture_of_256_kib(strict: Strict, client: Client) -> None:
    fits = PICTURE + bytes(256 * 1024 - len(PICTURE))

    assert (await upload(strict, client, "fits", fits)).status == 200
    assert (await upload(strict, client, "large", fits + b"x")).fields == {"image": "BINARY_TYPE_MAX_SIZE"}
    assert (await upload(strict, client, "none", b"no picture")).fields == {"image": "IMAGE_INVALID"}


async def test_an_application_has_2000_emoji_of_different_names(
    strict: Strict, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.strict.application.MOST_EMOJI", 2)

    replies = [await upload(strict, client, name) for name in ("one", "one", "two", "three")]

    assert [one.status for one in replies] == [200, 400, 200, 400]
    assert replies[-1].code == 30008


# Logins


async def test_the_gateway_says_how_many_logins_are_left(strict: Strict, client: Client) -> None:
    strict.world.exhaust_sessions(60.0)

    result = (await client.get("/gateway/bot")).body

    limit = result["session_start_limit"]
    assert (limit["total"], limit["remaining"], limit["max_concurrency"]) == (1000, 0, 1)
    assert 50_000 < limit["reset_after"] <= 60_000
    assert result["url"].startswith("ws://127.0.0.1:")


def test_a_lost_shard_is_logged_by_another_name_than_a_lost_client() -> None:
    from discord import client, shard

    names = {module._log.name for module in (client, shard)}
    assert names == {"discord.client", "discord.shard"}
    assert logging.getLogger("discord.shard").parent is logging.getLogger("discord")
