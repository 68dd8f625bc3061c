import asyncio
import os
import runpy
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import discord
import pytest

from cogs.core.app import NEEDED
from db.connection.trouble import hold_file
from db.processes import ShardPlan
from db.store import Store
from engines.workers import Workers
from host.client import LONGEST_WAIT, ParlourBot, invite
from host.practice import APPLICATION_ID, SETTLE, PracticeBot, PracticeEnv, PracticeSession
from host.settings import BadSettings, load
from tests.forks import ROOT, run_forked

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


def start(**environment: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "PRACTICE_"))}
    own = {"PRACTICE_BROWSER": "false", "DISCORD_TOKEN": "", **environment}
    return run_forked("import sys; from host import start; sys.exit(start.main())", {**clean, **own})


def operate(command: str, url: str) -> subprocess.CompletedProcess[str]:
    program = f"import sys; from host import start; sys.exit(start.main([{command!r}]))"
    return run_forked(program, os.environ | {"DATABASE_URL": url})


def test_a_worker_that_draws_loads_nothing_of_discord_or_the_database() -> None:
    program = "import runpy, sys, render.ribbon; runpy.run_path('bot.py', run_name='__mp_main__')"
    ended = subprocess.run(
        [sys.executable, "-c", f"{program}; print({{'discord', 'sqlalchemy'}} & {{*sys.modules}})"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert ended.stdout == "set()\n"


@pytest.mark.parametrize(("arguments", "said"), [([], "Starting…\n"), (["check"], "")])
def test_a_start_says_so_before_the_bot_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    heard = list[str]()
    monkeypatch.setattr("host.start.main", lambda _: heard.append(capsys.readouterr().out))
    monkeypatch.setattr(sys, "argv", ["bot.py", *arguments])

    with pytest.raises(SystemExit):
        runpy.run_path(str(ROOT / "bot.py"), run_name="__main__")

    assert heard == [said]


def test_an_old_python_is_refused_in_one_sentence() -> None:
    program = (
        "import runpy, sys; sys.version_info = (3, 10, 13); runpy.run_path('bot.py', run_name='__main__')"
    )

    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert ended.stderr == "Tangle Parlour needs Python 3.11 or later; this is Python 3.10.\n"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("DISCORD_TOKEN", "abc", "does not look like a bot's token"),
        ("DISCORD_TOKEN", "a b.c.d" * 10, "does not look like a bot's token"),
        ("DISCORD_TOKEN", "abcdefghijklmnopqrstuvwxyz01-_AB", "that looks like a client secret"),
        ("DISCORD_TOKEN", "0123456789abcdef" * 4, "that looks like a public key"),
        ("DISCORD_TOKEN", "123456789012345678", "that looks like an application ID"),
        ("DATABASE_URL", "mysql://localhost/x", "must begin with sqlite:// or postgresql://"),
        ("DATABASE_URL", "nonsense", "is not a database URL"),
        ("LOG_LEVEL", "LOUD", "input should be"),
        ("WORKERS", "many", "integer"),
        ("WORKERS", "1", "greater than or equal to 2"),
        ("PRACTICE_PORT", "99999", "less than or equal to 65535"),
        ("SHARD_COUNT", "0", "greater than or equal to 1"),
        ("SHARD_IDS", "some", "must list shards like 0-3 or 0,2, or be auto"),
        ("SHARD_IDS", "3-1", "has the range 3-1, which ends before it begins"),
        ("SHARD_IDS", "0-2,1", "names shard 1 twice"),
        ("SHARD_IDS", "0-3", "needs SHARD_COUNT"),
        ("SHARDS_PER_PROCESS", "2", "only works with SHARD_IDS=auto"),
        ("DATABASE_POOL", "1", "greater than or equal to 2"),
        ("DATABASE_TIMEOUT", "0", "greater than or equal to 1"),
        ("PRACTICE_BROWSER", "perhaps", "boolean"),
        ("PRACTICE_DATABASE_URL", "redis://x", "must begin with"),
    ],
)
def test_a_malformed_setting_is_said_in_one_sentence(
    name: str, value: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(BadSettings) as refused:
        load()

    (text,) = str(refused.value).splitlines()
    assert text.startswith(f"{name}: ")
    assert reason in text
    assert value not in text or name != "DISCORD_TOKEN"


POSTGRES = "postgresql://user:word@host/database"


def divide_servers(monkeypatch: pytest.MonkeyPatch, url: str, **values: str) -> ShardPlan:
    for name, value in {"DATABASE_URL": url, **values}.items():
        monkeypatch.setenv(name, value)
    return load().plan


def test_one_process_has_all_shards_unless_it_is_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert divide_servers(monkeypatch, "sqlite:///parlour.db") == ShardPlan(1, (0,), 1)
    assert divide_servers(monkeypatch, "sqlite:///parlour.db", SHARD_COUNT="4") == ShardPlan(
        4, (0, 1, 2, 3), 4
    )


@pytest.mark.parametrize(
    ("ids", "most", "plan"),
    [
        ("0-1, 3", "", ShardPlan(4, (0, 1, 3), 3)),
        ("auto", "", ShardPlan(4, None, 4)),
        ("AUTO", "2", ShardPlan(4, None, 2)),
        ("auto", "9", ShardPlan(4, None, 4)),
    ],
)
def test_on_a_server_processes_share_the_shards(
    ids: str, most: str, plan: ShardPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"SHARD_COUNT": "4", "SHARD_IDS": ids, "SHARDS_PER_PROCESS": most}
    assert divide_servers(monkeypatch, POSTGRES, **settings) == plan


def test_a_shard_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSettings, match=r"^SHARD_IDS: there's no shard 4; the last of 4 is 3\.$"):
        divide_servers(monkeypatch, POSTGRES, SHARD_COUNT="4", SHARD_IDS="2-4")


@pytest.mark.parametrize("ids", ["auto", "0-2"])
def test_several_processes_on_a_file_are_refused(ids: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        BadSettings, match=r"^SHARD_IDS: several processes need PostgreSQL, .* to a server\.$"
    ):
        divide_servers(monkeypatch, "sqlite:///parlour.db", SHARD_COUNT="4", SHARD_IDS=ids)


@pytest.mark.parametrize("mode", [pytest.param("practice", marks=pytest.mark.thorough), "discord"])
def test_a_second_bot_on_a_file_is_refused_and_what_only_looks_is_not(mode: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/parlour.db"
    setting = "PRACTICE_DATABASE_URL" if mode == "practice" else "DATABASE_URL"
    token = "" if mode == "practice" else TOKEN

    with hold_file(url):
        second = start(**{setting: url, "DISCORD_TOKEN": token})
        migrated, counted = operate("migrate", url), operate("stats", url)

    assert second.returncode == 2
    assert second.stderr.startswith("Another process runs the bot on ")
    assert f"a SQLite file belongs to one: stop the other, or set {setting} to another" in second.stderr
    assert "Traceback" not in second.stderr
    assert migrated.returncode == counted.returncode == 0
    with hold_file(url):
        """The first one has gone, and left nothing that would keep another."""


def test_several_malformed_settings_are_one_sentence_each() -> None:
    ended = start(WORKERS="many", LOG_LEVEL="LOUD")

    assert ended.returncode == 2
    assert [line.split(":")[0] for line in ended.stderr.splitlines()] == ["LOG_LEVEL", "WORKERS"]


@pytest.mark.parametrize("mode", ["practice", "discord"])
def test_a_database_that_cannot_be_opened_is_said_in_one_sentence(mode: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/no/such/folder/parlour.db"

    ended = (
        start(PRACTICE_DATABASE_URL=url)
        if mode == "practice"
        else start(DATABASE_URL=url, DISCORD_TOKEN=TOKEN)
    )

    setting = "PRACTICE_DATABASE_URL" if mode == "practice" else "DATABASE_URL"
    assert ended.returncode == 2
    folder = tmp_path / "no/such/folder"
    assert f"The folder {folder} of {folder}/parlour.db ({setting}) is missing: make it" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table alembic_version (version_num varchar(32) not null)")
        connection.execute("insert into alembic_version values ('9999')")
    connection.close()

    ended = start(PRACTICE_DATABASE_URL=f"sqlite:///{path}")

    assert ended.returncode == 2
    assert "version 9999" in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_practice_mode_leaves_another_bots_database_alone_and_names_its_own(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/parlour.db"
    store = await Store.open(url)
    await store.ownership.require(222)
    await store.close()
    before = (tmp_path / "parlour.db").read_bytes()

    ended = start(PRACTICE_DATABASE_URL=url, PRACTICE_PORT="0")

    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == (
        "PRACTICE_DATABASE_URL names the database of a bot on Discord (application 222). Nothing changed "
        "there. Name another one."
    )
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "parlour.db").read_bytes() == before


def test_the_invite_link_asks_for_exactly_what_is_needed() -> None:
    query = parse_qs(urlparse(invite(42)).query)

    assert query["permissions"] == [str(NEEDED.value)]
    assert set(query["scope"][0].replace("+", " ").split()) == {"bot", "applications.commands"}
    assert {name for name, on in NEEDED if on} == {
        "read_messages",
        "send_messages",
        "send_messages_in_threads",
        "create_public_threads",
        "attach_files",
        "read_message_history",
    }


async def test_no_privileged_intent_is_asked_for_and_no_long_limit_waited_out(
    store: Store, workers: Workers
) -> None:
    bot = ParlourBot(store, workers)
    intents = bot.intents

    privileged = discord.Intents(members=True, presences=True, message_content=True)
    assert intents.value & privileged.value == 0
    assert intents.guilds
    assert bot.http.max_ratelimit_timeout == LONGEST_WAIT


WAITING = """
import asyncio, os, signal, sys
from host import start

class Waiting(start.ParlourBot):
    async def start(self, token):
        os.kill(os.getpid(), signal.{name})
        while not self.is_closed():
            await asyncio.sleep(0.01)

    async def close(self):
        {closing}
        await super().close()

start.ParlourBot = Waiting
sys.exit(start.main())
"""


def start_and_signal(tmp_path: Path, name: str, closing: str = "pass") -> subprocess.CompletedProcess[str]:
    """Signal the bot as soon as it runs; return its ending. `closing` runs as it closes."""
    return ran(WAITING.format(name=name, closing=closing), tmp_path)


def ran(program: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    own = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": f"sqlite:///{tmp_path}/parlour.db"}
    return run_forked(program, {**os.environ, **own})


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_in_order(tmp_path: Path, name: str) -> None:
    ended = start_and_signal(tmp_path, name)

    assert ended.returncode == 0, ended.stderr
    assert "stopping; press again to quit at once" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    ended = start_and_signal(
        tmp_path, "SIGTERM", "os.kill(os.getpid(), signal.SIGTERM); await asyncio.sleep(600)"
    )

    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr


LOCKED = """
import sqlite3, sys
from host import start
from db.connection import opening

opening.PATIENCE = 0

class Locked(start.ParlourBot):
    async def start(self, token):
        store = self.app.parlour.store
        other = sqlite3.connect(store._write_engine.url.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await store.save_fact("key", "value")

start.ParlourBot = Locked
sys.exit(start.main())
"""


FOREIGN = """
import sys
from host import start

class Foreign(start.ParlourBot):
    application_id = 222

    async def start(self, token):
        await self.setup_hook()

start.ParlourBot = Foreign
sys.exit(start.main())
"""


async def test_another_applications_database_is_refused_with_numbers(tmp_path: Path, store: Store) -> None:
    await store.ownership.require(111)

    ended = await asyncio.to_thread(ran, FOREIGN, tmp_path)

    assert ended.returncode == 2
    assert "DISCORD_TOKEN: is of application 222" in ended.stderr
    assert "(DATABASE_URL) is of application 111" in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_one_practice_after_the_other_goes_on_with_its_database(store: Store, workers: Workers) -> None:
    for day in range(2):
        bot = PracticeBot(store, workers)
        env = PracticeEnv(bot, settle_timeout=SETTLE, check_errors=False, shard_count=1)
        env.backend.advance_clock(day * 86_400.0)
        session = PracticeSession(env, bot)
        await env.start()
        assert bot.is_ready()
        assert session.env.bot is bot
        await bot.app.parlour.close()
        await env.shutdown()

    assert await store.ownership.owner() == APPLICATION_ID


def test_a_database_that_is_locked_at_the_start_is_said_in_one_sentence(tmp_path: Path) -> None:
    ended = ran(LOCKED, tmp_path)

    assert ended.returncode == 1
    assert "parlour.db (DATABASE_URL) is locked by another program: quit it, or try again" in ended.stderr
    assert "Traceback" not in ended.stderr
