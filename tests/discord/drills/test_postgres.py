"""PostgreSQL is stopped and started under the bot: at most one refusal, and all goes on."""

from collections.abc import Iterator
from typing import Any

import pytest

from cogs.ui.press import UNWRITABLE
from tests.db.incidents import log_lines
from tests.db.server import PostgresServer, own_server
from tests.discord.stage import DiscordStage
from tests.served import POSTGRES

pytestmark = [pytest.mark.as_in_use, pytest.mark.skipif(POSTGRES is None, reason="PostgreSQL is not tested")]


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    with own_server() as started:
        yield started


@pytest.fixture
def database(server: PostgresServer) -> str:
    return server.address


async def test_a_restart_between_two_moves_is_not_noticed(
    stage: DiscordStage, place: Any, server: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    server.control("restart")

    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")

    assert [row.kind for row in await stage.bot.app.parlour.store.actions(1)][-2:] == ["move", "move"]
    assert log_lines(caplog) == []


async def test_while_it_is_gone_a_move_is_refused_and_made_when_it_is_back(
    stage: DiscordStage, place: Any, server: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    stage.trouble = True
    before, posts = await stage.table(), len(stage.posts(place))

    server.control("stop")
    for _ in range(2):
        refused = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
        assert refused.ephemeral
        assert refused.response.content == UNWRITABLE
        await stage.env.advance_time(30)
    server.control("start")

    assert await stage.table() == before
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert len(stage.posts(place)) == posts + 1
    assert " at 3." in stage.post(place).text
    assert [line.partition(" be ")[0] for line in log_lines(caplog)] == ["the database can't"]
