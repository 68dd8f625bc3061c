import asyncio
import re
import sqlite3
import time
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from cogs import VERSION
from db.connection.trouble import hold_file
from db.store import Store
from engines.workers import Workers
from host import operate, start
from host.monitoring import Monitor
from tests.db.rows import everything, new_table

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


def test_tables_are_inspected_in_the_set_database(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start.main(["migrate"])

    assert start.main(["tables", "show", "7"]) == operate.UNUSABLE
    assert "no table 7" in read_output(capsys)


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


def test_where_there_is_no_database_none_is_made(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["stats"]) == operate.UNUSABLE

    assert "There's no database" in read_output(capsys)
    assert not list(home.iterdir())


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


def test_a_check_begins_with_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/parlour.db")
    monkeypatch.setattr(operate, "LEAST_FREE", 0)

    start.main(["check"])

    assert capsys.readouterr().out.startswith(f"ok   version: Tangle Parlour {VERSION}, Python 3.")
