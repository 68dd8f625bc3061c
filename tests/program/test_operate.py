import asyncio
import logging
import re
import sqlite3
import time
import tomllib
from collections.abc import AsyncIterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from PIL import Image
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from cogs import VERSION
from db.connection.trouble import hold_file
from db.connection.writer import DatabaseUnavailable
from db.store import Store
from engines.registry import SLUGS
from engines.workers import Workers
from host import monitoring, operate, start
from host.monitoring import FILTERED, REPEAT_AFTER, STUCK, Monitor, RepeatFilter
from tables.runtime import COMMITS
from tests.db.rows import everything, new_table
from tests.tables.house import ANN, BO, House, HouseClock

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database of the test's own, without a token."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/parlour.db")
    monkeypatch.setenv("DISCORD_TOKEN", "")
    return tmp_path


def read_output(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_a_fresh_machine_is_well(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["check"]) == operate.FINE

    lines = read_output(capsys).splitlines()
    assert [line[:4] for line in lines] == ["ok  "] * 5
    assert lines[0].startswith(f"ok   version: Tangle Parlour {VERSION}, Python 3.")
    assert "the first start creates" in lines[2]
    assert not (home / "parlour.db").exists()


def test_a_failed_check_says_what_to_do(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "parlour.db").write_text("no database at all" * 100)
    monkeypatch.setattr(operate, "LEAST_FREE", 10**18)

    assert start.main(["check", "--token"]) == operate.AMISS

    text = read_output(capsys)
    assert "BAD  database:" in text
    assert "BAD  disk: only" in text
    assert "BAD  token: DISCORD_TOKEN is missing" in text


def test_a_database_is_made_counted_copied_restored(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = str(home / "copy.db")

    codes = [start.main(arguments) for arguments in (["migrate"], ["stats"], ["backup", copy], ["check"])]
    with closing(sqlite3.connect(home / "parlour.db")) as database:
        database.execute("insert into facts values ('a', 'b')")
        database.commit()
    refused = start.main(["restore", copy])
    forced = start.main(["restore", copy, "--force"])

    assert codes == [operate.FINE] * 4
    assert (refused, forced) == (operate.UNUSABLE, operate.FINE)
    assert "--force" in read_output(capsys)
    with closing(sqlite3.connect(home / "parlour.db")) as database:
        assert database.execute("select * from facts where key = 'a'").fetchall() == []


async def test_a_database_is_adopted_by_the_next_application(
    home: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    await store.ownership.require(111)

    assert await asyncio.to_thread(start.main, ["adopt"]) == operate.FINE

    assert "of application 111 until now" in read_output(capsys)
    await store.ownership.require(222)
    assert await store.ownership.owner() == 222


async def test_a_check_counts_rows_that_cannot_be_read(
    home: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    for guild_id in (5, 6):
        await new_table(store, guild_id=guild_id)
    assert await asyncio.to_thread(start.main, ["check"]) == operate.FINE
    assert "ok   rows: all can be read" in read_output(capsys)
    await store._execute(text("update tables set pace = 'whenever' where id = 2"))

    assert await asyncio.to_thread(start.main, ["check"]) == operate.AMISS

    assert "BAD  rows: 1 can't be read and are left out: table 2; the log says why" in read_output(capsys)


async def test_servers_that_were_not_believed_to_be_gone_are_noted(
    home: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    for guild_id in (5, 6, 7):
        await new_table(store, guild_id=guild_id)

    assert await asyncio.to_thread(start.main, ["left", "5", "8"]) == operate.UNUSABLE
    assert "The database has nothing on 8" in read_output(capsys)
    assert await store.servers.removed_servers() == {}

    assert await asyncio.to_thread(start.main, ["left", "5", "6"]) == operate.FINE
    assert (await store.servers.removed_servers()).keys() == {5, 6}


@pytest.mark.parametrize("arguments", [["adopt"], ["left", "5"]])
def test_a_running_bot_keeps_its_database(
    arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start.main(["migrate"])

    with hold_file(f"sqlite:///{home}/parlour.db"):
        assert start.main(arguments) == operate.UNUSABLE

    assert "Another process runs the bot" in read_output(capsys)


@pytest.mark.parametrize("arguments", [["dance"], ["backup"], ["restore"], ["--version-of-what"]])
def test_a_command_that_there_is_not_is_said_to_be_none(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        start.main(arguments)

    assert ended.value.code == operate.UNUSABLE


def test_settings_that_cannot_be_used_are_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "redis://x")

    assert start.main(["stats"]) == operate.UNUSABLE
    assert read_output(capsys).startswith("DATABASE_URL: ")


async def test_a_database_is_carried_over_into_another(home: Path, tmp_path: Path) -> None:
    source, target = f"sqlite:///{home}/parlour.db", f"sqlite:///{tmp_path}/other.db"

    def carried() -> int:
        return start.main(["migrate"]) or start.main(["copy", source, target])

    assert await asyncio.to_thread(carried) == operate.FINE

    assert await everything(target) == await everything(source)


def test_a_copy_to_what_is_no_database_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        start.main(["copy", "mysql://x/y", f"sqlite:///{home}/other.db"])

    assert ended.value.code == operate.UNUSABLE
    assert "must begin with sqlite:// or postgresql://" in read_output(capsys)


def test_a_bot_that_does_not_answer_is_not_well(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start.main(["health"]) == operate.UNUSABLE
    assert "METRICS_PORT is not set" in read_output(capsys)

    monkeypatch.setenv("METRICS_PORT", "1")
    assert start.main(["health"]) == operate.AMISS
    assert "The bot doesn't answer" in read_output(capsys)


def test_no_database_is_made_and_tables_are_in_one(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["stats"]) == operate.UNUSABLE

    assert "There's no database" in read_output(capsys)
    assert not list(home.iterdir())

    start.main(["migrate"])

    assert start.main(["tables", "show", "7"]) == operate.UNUSABLE
    assert "no table 7" in read_output(capsys)


async def test_a_bot_that_is_well_is_asked(
    store: Store, workers: Workers, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monitor = Monitor(store, workers, lambda: True, time.time)
    monkeypatch.setenv("METRICS_PORT", str(await monitor.start("127.0.0.1", 0)))

    assert await asyncio.to_thread(start.main, ["health"]) == operate.FINE

    await monitor.stop()


def test_one_version_is_told_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    releases = re.findall(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

    with pytest.raises(SystemExit) as ended:
        start.main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Tangle Parlour {VERSION}\n"
    assert project["version"] == VERSION == releases[0][0]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", releases[0][1])


@pytest.mark.essential
def test_the_listing_fits_the_directory_and_has_a_picture_of_each_game(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(["listing", "--out", str(home / "listing")]) == operate.FINE

    for name, length, most in re.findall(r"(\w+), (\d+) of (\d+) letters:", read_output(capsys)):
        assert 40 < int(length) <= int(most) == operate.LISTED[name]
    assert len(operate.LISTING["tags"]) <= 5
    pictures = {path.stem: path for path in (home / "listing").iterdir()}
    assert pictures.keys() == set(SLUGS)
    for path in pictures.values():
        with Image.open(path) as image:
            assert image.size == operate.WIDE


class FakeGateway:
    """Reports if Discord can be reached and has sent the known servers."""

    connected = True
    servers = True


class MonitorClient:
    """A monitor that runs, and somebody who asks it."""

    def __init__(self, address: str, house: House, gateway: FakeGateway) -> None:
        self.address, self.house, self.gateway = address, house, gateway

    async def health(self) -> tuple[int, Any]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.address}/health") as answer:
            return answer.status, await answer.json()

    async def metrics(self) -> dict[str, float]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.address}/metrics") as answer:
            families = text_string_to_metric_families(await answer.text())
        return {
            "".join([sample.name, *(f" {value}" for value in sample.labels.values())]): sample.value
            for family in families
            for sample in family.samples
        }


@pytest.fixture
async def monitor_client(store: Store, workers: Workers) -> AsyncIterator[MonitorClient]:
    house, gateway = House(store, workers, HouseClock()), FakeGateway()
    monitor = Monitor(store, workers, lambda: gateway.connected, house.clock, servers=lambda: gateway.servers)
    port = await monitor.start("127.0.0.1", 0)
    yield MonitorClient(f"http://127.0.0.1:{port}", house, gateway)
    await monitor.stop()
    await house.stop()


@pytest.mark.parametrize("lost", ["nothing", "gateway", "servers"])
async def test_a_bot_says_if_it_is_well_and_what_is_lost(monitor_client: MonitorClient, lost: str) -> None:
    monitor_client.gateway.connected = lost != "gateway"
    monitor_client.gateway.servers = lost != "servers"

    status, parts = await monitor_client.health()

    assert status == (200 if lost == "nothing" else 503)
    assert parts == {part: part != lost for part in ("database", "gateway", "outbox", "servers")}
    assert (await monitor_client.metrics())["parlour_gateway_connected"] == (lost != "gateway")


async def test_a_database_that_cannot_be_written_is_told(
    monitor_client: MonitorClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_store: Store, _key: str, _value: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Store, "save_fact", broken)

    status, result = await monitor_client.health()

    assert status == 503
    assert result == {"database": False, "gateway": True, "outbox": True, "servers": True}
    await monitor_client.health()
    assert [record.getMessage() for record in caplog.records] == ["not healthy: database: disk full"]


async def test_unreadable_rows_are_counted_and_the_bot_is_well(monitor_client: MonitorClient) -> None:
    house = monitor_client.house
    table = await house.gather(ANN, BO)
    await house.settle()
    await house.store._execute(text("update tables set clocks = '?'"))
    await house.restart().parlour.tables_in(table.guild_id)

    assert await monitor_client.health() == (
        200,
        {"database": True, "gateway": True, "outbox": True, "servers": True, "unreadable_rows": 1},
    )


async def test_a_post_that_nobody_shows_is_told(monitor_client: MonitorClient) -> None:
    table = await monitor_client.house.gather(ANN, BO)
    await monitor_client.house.settle()
    await monitor_client.house.store.ask(
        table.id, "board", 0, table.version, False, monitor_client.house.clock.now
    )
    monitor_client.house.clock.now += STUCK + 1

    assert await monitor_client.health() == (
        503,
        {"database": True, "gateway": True, "outbox": False, "servers": True},
    )
    values = await monitor_client.metrics()
    assert values["parlour_outbox_rows"] == 1
    assert values["parlour_outbox_age_seconds"] == STUCK + 1


async def test_tables_and_commits_are_counted(monitor_client: MonitorClient) -> None:
    before = (await monitor_client.metrics())["parlour_commits_total"]
    await monitor_client.house.start(ANN, BO)
    await monitor_client.house.settle()
    monitor_client.house.clock.now += 61

    values = await monitor_client.metrics()

    assert values["parlour_tables play"] == 1
    assert values["parlour_commits_total"] > before
    assert values["parlour_commits_total"] == COMMITS._value.get()
    assert values["parlour_workers_waiting"] == 0
    assert values["parlour_workers_busy answer"] == 0


class Lag:
    """Notes how late the event loop was."""

    def __init__(self) -> None:
        self.measured: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def observe(self, seconds: float) -> None:
        if not self.measured.done():
            self.measured.set_result(seconds)


async def test_the_lag_of_the_event_loop_is_measured(
    store: Store, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    lag = Lag()
    monkeypatch.setattr(monitoring, "LAG_INTERVAL", 0.01)
    monkeypatch.setattr(monitoring, "LOOP_LAG_SECONDS", lag)
    monitor = Monitor(store, workers, lambda: True, HouseClock())

    await monitor.start("127.0.0.1", 0)
    seconds = await asyncio.wait_for(lag.measured, 20)
    await monitor.stop()

    assert 0 <= seconds < 20


@pytest.fixture
def library() -> logging.Logger:
    logger = logging.Logger("library")
    logger.addFilter(RepeatFilter())
    return logger


def passes(library: logging.Logger, text: str, at: float, error: Exception | None = None) -> bool:
    result = None if error is None else (type(error), error, None)
    record = logging.LogRecord("library", logging.ERROR, "", 0, text, (7.0,), result)
    record.created = at
    return bool(library.filter(record))


@pytest.mark.parametrize(
    "text",
    [
        "Attempting a reconnect for shard ID %s in %.2fs",
        "Failed to connect for shard_id: %s. Retrying...",
        "Shard ID %s has stopped responding to the gateway. Closing and restarting.",
    ],
)
def test_reconnects_are_left_to_the_bot(library: logging.Logger, text: str) -> None:
    assert not passes(library, text, 1.0, ConnectionRefusedError("no"))


@pytest.mark.parametrize("name", ["shard", "gateway", "client", "http", "webhook.async_"])
def test_the_loggers_of_the_library_are_filtered(name: str) -> None:
    module = import_module(f"discord.{name}")

    assert module._log.name in FILTERED


def test_limits_are_told_once_a_cause_and_uncertain_effects_each_time(library: logging.Logger) -> None:
    text = "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds."
    refused, slow = ConnectionRefusedError("no"), TimeoutError("too slow")

    assert [passes(library, text, 900.0 * n, refused) for n in range(9)] == [True, *[False] * 8]
    assert [passes(library, text, 8000.0 + n, slow) for n in range(2)] == [True, False]
    assert passes(library, text, 8000.0 + REPEAT_AFTER + 2, slow)

    assert [passes(library, "Ignoring exception in %s", float(n)) for n in range(3)] == [True] * 3

    gone, bug = DatabaseUnavailable("locked", "locked"), KeyError("table")
    text = "Ignoring exception in autocomplete for %r"

    assert not passes(library, text, 1.0, gone)
    assert [passes(library, text, at, bug) for at in (1.0, 2.0)] == [True, True]
