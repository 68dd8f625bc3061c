"""Starting and staying on Discord: it refuses, limits, fails or closes, and one sentence says so."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cogs.discord.gateway import CLOSED_FOR_GOOD
from db.connection.trouble import hold_file
from db.store import Store
from tests.program.site import (
    BLOCKED,
    COMMANDS,
    GATEWAY,
    ME,
    BotEnding,
    DiscordSite,
    answer,
    rate_limit,
    serving,
    start_bot,
)

IMPATIENT = """
init = client.ParlourBot.__init__

def impatient(self, *parts, **settings):
    init(self, *parts, **settings)
    self.http.max_ratelimit_timeout = 0.5

replace("host.client.ParlourBot.__init__", impatient)
"""
"""Half a second is a long rate limit, where discord.py itself waits for less than 30."""
SOON = 'replace("host.client.UNLOGGED_OUTAGE", 0.5)'
"""An outage of half a second is logged."""
LOST = "lost Discord's gateway; clocks stop until it is back"
POSTING = """
import asyncio
from cogs.posts.courier import DiscordCourier
from db.records import OutboxRow
from tables.parlour import Parlour

finish = Parlour.close

async def show(self, row, may_be_duplicate):
    await self.app.bot.http.request(discord.http.Route("GET", "/hang"))

async def outbox_of(table_id, now):
    return [OutboxRow(table_id, "board", 0, 1, False, 0, 0.0)]

async def close(self):
    await finish(self)
    self.store.outbox_of = outbox_of
    self.outbox.wake(1)
    await asyncio.sleep(0.5)

replace("cogs.posts.courier.DiscordCourier.show", show)
replace("tables.parlour.Parlour.close", close)
"""
"""A post begins while the bot stops, and Discord doesn't answer."""
NO_COG = 'replace("host.client.COGS", (*client.COGS, "cogs.no_such_cog"))'


@pytest.fixture
async def site() -> AsyncIterator[DiscordSite]:
    async with serving() as served:
        yield served


async def start_and_stop(site: DiscordSite, folder: Path, more: str = "") -> BotEnding:
    async with start_bot(site, folder, more) as bot:
        await bot.until(lambda: site.identified)
        bot.stop()
        return await bot.wait_for_end()


async def start_and_fail(site: DiscordSite, folder: Path, more: str = "") -> BotEnding:
    async with start_bot(site, folder, more) as bot:
        return await bot.wait_for_end()


async def test_a_start_logs_in_once(site: DiscordSite, tmp_path: Path) -> None:
    ended = await start_and_stop(site, tmp_path)

    assert (ended.code, ended.warnings(), ended.processes) == (0, [], 0)
    assert len(site.identified) == 1


async def test_a_start_waits_for_a_login(site: DiscordSite, tmp_path: Path) -> None:
    site.logins, site.more_in = 0, 3.0

    ended = await start_and_stop(site, tmp_path)

    assert site.identified == [1000]
    [line] = ended.warnings()
    assert line.startswith("waiting ")
    assert line.endswith("all 1000 daily logins are used up")


async def test_a_session_that_is_over_waits_for_a_login(site: DiscordSite, tmp_path: Path) -> None:
    site.resumable = False
    async with start_bot(site, tmp_path, SOON) as bot:
        await bot.until(lambda: site.identified)
        site.logins, site.more_in = 0, 3.0
        await site.hang_up(4000)
        await bot.until(lambda: len(site.identified) == 2)
        bot.stop()
        ended = await bot.wait_for_end()

    assert site.identified == [1000, 1000]
    assert [line[:8] for line in ended.warnings()] == ["waiting "]
    assert ended.code == 0


async def test_a_stop_ends_the_wait_for_a_login(site: DiscordSite, tmp_path: Path) -> None:
    site.logins, site.more_in = 0, 3600.0
    async with start_bot(site, tmp_path) as bot:
        await bot.reads("waiting 3")
        bot.stop()
        ended = await bot.wait_for_end()

    assert (ended.code, ended.processes, site.identified) == (0, 0, [])
    assert "Traceback" not in ended.log


@pytest.mark.parametrize(
    ("path", "request_"),
    [
        (ME, "GET /users/@me"),
        (COMMANDS, "GET /applications/{application_id}/commands"),
        (GATEWAY, "GET /gateway/bot"),
    ],
)
async def test_a_rate_limit_delays_the_start(
    site: DiscordSite, tmp_path: Path, path: str, request_: str
) -> None:
    site.faults[path] = [rate_limit(1.2)]

    ended = await start_and_stop(site, tmp_path, IMPATIENT)

    assert ended.code == 0
    assert ended.warnings() == [f"start delayed by 1 s: Discord limits {request_}"]
    assert "Traceback" not in ended.log


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param([rate_limit(86_394.0)] * 3, "", id="limit"),
        *(
            ([answer(status, {"message": "No", "code": code})], f"(error code: {code}): No")
            for status, code in ((400, 30034), (400, 50035), (403, 20012), (400, 987654))
        ),
    ],
)
async def test_no_limit_or_refusal_of_commands_keeps_a_bot_from_starting(
    site: DiscordSite, tmp_path: Path, fault: list[Any], said: str
) -> None:
    site.faults[COMMANDS] = fault

    ended = await start_and_stop(site, tmp_path)

    assert ended.code == 0
    [line] = ended.warnings()
    assert line.startswith("can't register the commands; the old ones go on, and I try again each hour: ")
    assert said in line
    assert "Traceback" not in ended.log


@pytest.mark.parametrize("fault", [answer(503, "upstream"), answer(429, BLOCKED)], ids=["503", "429"])
async def test_a_short_outage_delays_the_start(site: DiscordSite, tmp_path: Path, fault: Any) -> None:
    site.faults[ME], site.faults[GATEWAY] = [fault, fault], [fault]

    ended = await start_and_stop(site, tmp_path)

    assert ended.code == 0
    assert [line.partition(": ")[0] for line in ended.warnings()] == ["start delayed"] * 2
    assert "Traceback" not in ended.log


@pytest.mark.parametrize("fault", [answer(503, "upstream"), answer(429, BLOCKED)], ids=["503", "429"])
async def test_a_long_outage_ends_the_start_in_words(site: DiscordSite, tmp_path: Path, fault: Any) -> None:
    site.faults[ME] = [fault] * 10

    ended = await start_and_fail(site, tmp_path)

    assert (ended.code, ended.processes) == (1, 0)
    assert ended.lines[-1].startswith("Discord failed: it answered ")
    assert ended.lines[-1].endswith(". Try again later.")
    assert site.asked == [f"GET {ME}"] * 4
    assert "Traceback" not in ended.log
    assert "DOCTYPE" not in ended.log


@pytest.mark.essential
@pytest.mark.parametrize("path", [ME, COMMANDS])
async def test_a_refused_token_is_said_in_one_sentence(site: DiscordSite, tmp_path: Path, path: str) -> None:
    site.faults[path] = [answer(401, {"message": "401: Unauthorized", "code": 0})]

    ended = await start_and_fail(site, tmp_path)

    assert (ended.code, ended.processes) == (2, 0)
    assert ended.lines[-1].startswith("DISCORD_TOKEN: Discord doesn't accept it")
    assert "Traceback" not in ended.log


@pytest.mark.parametrize("code", [4004, 4010, 4013, 4014])
async def test_a_connection_that_is_closed_for_good_ends_the_bot_in_order(
    site: DiscordSite, tmp_path: Path, code: int
) -> None:
    site.closes_with = code

    ended = await start_and_fail(site, tmp_path)

    assert ended.lines[-1] == CLOSED_FOR_GOOD[code]
    assert (ended.code, ended.processes, ended.warnings()) == (2, 0, [])
    assert "Traceback" not in ended.log
    with hold_file(f"sqlite:///{tmp_path}/parlour.db"):
        """Nothing holds the database any more."""


async def test_a_lost_gateway_is_logged_once_and_so_is_its_return(site: DiscordSite, tmp_path: Path) -> None:
    async with start_bot(site, tmp_path, SOON) as bot:
        await bot.until(lambda: site.identified)
        await bot.reads("registered")
        site.is_down = True
        await site.hang_up(4000)
        await bot.reads(LOST)
        site.is_down = False
        await bot.reads("gateway is back after")
        bot.stop()
        ended = await bot.wait_for_end()

    assert ended.warnings() == [LOST]
    assert "Attempting a reconnect" not in ended.log
    assert "Traceback" not in ended.log


async def test_a_gateway_that_is_down_at_the_start_is_logged_once(site: DiscordSite, tmp_path: Path) -> None:
    site.is_down = True
    async with start_bot(site, tmp_path, SOON) as bot:
        await bot.reads(LOST)
        site.is_down = False
        await bot.reads("gateway is back after")
        bot.stop()
        ended = await bot.wait_for_end()

    assert (ended.code, ended.warnings(), ended.processes) == (0, [LOST], 0)
    assert "Traceback" not in ended.log


async def test_a_stop_ends_a_start_without_a_gateway(site: DiscordSite, tmp_path: Path) -> None:
    site.is_down = True
    async with start_bot(site, tmp_path, SOON) as bot:
        await bot.reads(LOST)
        bot.stop()
        ended = await bot.wait_for_end()

    assert (ended.code, ended.processes) == (0, 0)
    assert "Traceback" not in ended.log


async def test_a_stop_interrupts_a_post_silently(site: DiscordSite, tmp_path: Path) -> None:
    ended = await start_and_stop(site, tmp_path, POSTING)

    assert "GET /hang" in site.asked
    assert (ended.code, ended.warnings(), ended.processes) == (0, [], 0)
    assert "Traceback" not in ended.log


@pytest.mark.parametrize("failure", ["login", "owner", "commands", "cog", "connection"])
async def test_a_failed_start_leaves_no_process_behind(
    site: DiscordSite, tmp_path: Path, failure: str, store: Store
) -> None:
    refusal = answer(400, {"message": "Invalid Form Body", "code": 50035})
    more = ""
    match failure:
        case "login":
            site.faults[ME] = [refusal]
        case "owner":
            await store.ownership.require(111)
        case "commands":
            site.faults[COMMANDS] = [answer(401, {"message": "401: Unauthorized", "code": 0})]
        case "cog":
            more = NO_COG
        case "connection":
            site.faults[GATEWAY] = [refusal]

    ended = await start_and_fail(site, tmp_path, more)

    assert ended.code in (1, 2)
    assert ended.processes == 0, ended.log
    assert ("Traceback" in ended.log) == (failure == "cog")
