"""Every command and the start report trouble with a database: where it is, and what to do."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from db.backup import backup
from db.connection.opening import database_url
from db.store import Store
from host import operate, start
from tests.db.server import PostgresServer, execute, own_server

POSTGRES = "TEST_POSTGRES_URL" in os.environ
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
ON_BOTH = [
    "sqlite",
    pytest.param("postgresql", marks=pytest.mark.skipif(not POSTGRES, reason="there is no PostgreSQL")),
]
CONTAINER_USER = 10001
"""The number of the Dockerfile's user."""
SMALL = 3 * 1024 * 1024
"""Bytes of a disk that is soon full."""
MOUNT, UMOUNT = shutil.which("mount") or "mount", shutil.which("umount") or "umount"


async def migrate(address: str) -> None:
    await (await Store.open(address)).close()


@cache
def read_empty_database() -> bytes:
    """Return a file with the schema of the bot: migrating takes long."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "parlour.db"
        asyncio.run(migrate(f"sqlite:///{file}"))
        return file.read_bytes()


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the log alone: the program runs in the tests' process."""
    monkeypatch.setattr(start, "set_up", lambda _settings: None)


def make(address: str) -> None:
    Path(address.removeprefix("sqlite:///")).write_bytes(read_empty_database())


def mount(folder: Path, *options: str) -> bool:
    """Mount a small disk, also again; return False if not allowed."""
    command = [MOUNT, "-t", "tmpfs", "-o", ",".join((f"size={SMALL}", *options)), "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mount(folder):
        pytest.skip("nothing can be mounted here")
    yield folder
    subprocess.run([UMOUNT, "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with own_server() as result:
        asyncio.run(execute(result.address, f"create database {TEMPLATE}"))
        asyncio.run(migrate(address_on(result, TEMPLATE)))
        yield result


def address_on(server: PostgresServer, name: str) -> str:
    return database_url(server.address).set(database=name).render_as_string(hide_password=False)


def make_on(server: PostgresServer, name: str) -> str:
    asyncio.run(execute(server.address, f"create database {name} template {TEMPLATE}"))
    return address_on(server, name)


def fill(folder: Path) -> None:
    with (folder / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass


class TroubleCase:
    """A database with which something is the matter, and the words in which that has to be said."""

    def __init__(self, address: str, *words: str) -> None:
        self.address, self.words = address, words


def on_file(cause: str, home: Path, request: pytest.FixtureRequest) -> TroubleCase:
    file = home / "parlour.db"
    address = f"sqlite:///{file}"
    named = f"{file} (DATABASE_URL)"
    match cause:
        case "damaged":
            make(address)
            data = bytearray(file.read_bytes())
            data[4096:20480] = b"\xff" * 16384
            file.write_bytes(data)
            return TroubleCase(address, f"{named} is damaged", "`python bot.py restore PATH --force`")
        case "read-only":
            disk: Path = request.getfixturevalue("disk")
            address = f"sqlite:///{disk}/parlour.db"
            make(address)
            assert mount(disk, "remount", "ro")
            return TroubleCase(
                address, f"{disk}/parlour.db (DATABASE_URL) can't be written", f"its folder {disk}"
            )
        case "full":
            disk = request.getfixturevalue("disk")
            address = f"sqlite:///{disk}/parlour.db"
            make(address)
            fill(disk)
            named = f"{disk}/parlour.db (DATABASE_URL)"
            return TroubleCase(address, named, f"the disk of {disk} is full: make room")
        case "missing":
            return TroubleCase(
                f"sqlite:///{home}/nowhere/parlour.db",
                f"The folder {home}/nowhere of {home}/nowhere/parlour.db (DATABASE_URL) is missing: make it",
            )
        case _:
            file.mkdir()
            return TroubleCase(address, f"{named} is a folder: name a file")


def on_server(cause: str, server: PostgresServer) -> TroubleCase:
    name = f"d{next(NUMBERS)}"
    url = database_url(server.address)
    engine_address = address_on(server, name)
    named = f"PostgreSQL at {url.query['host']}:5432 (DATABASE_URL)"
    if cause == "unreachable":
        closed = "postgresql://tangle@127.0.0.1:1/parlour"
        return TroubleCase(
            closed, "No PostgreSQL answers at 127.0.0.1:1 (DATABASE_URL): start it, or fix the"
        )
    if cause == "missing":
        return TroubleCase(engine_address, f"{named} has no database “{name}”: create it, or fix the name")
    make_on(server, name)
    match cause:
        case "damaged":
            harm(server, engine_address)
            return TroubleCase(engine_address, f"{named} is damaged", "`python bot.py restore PATH --force`")
        case "read-only":
            allowed = f"alter database {name} set default_transaction_read_only = on"
            asyncio.run(execute(server.address, allowed))
            return TroubleCase(
                engine_address, f"{named} is read-only", "set DATABASE_URL to the server that accepts"
            )
        case _:
            asyncio.run(execute(engine_address, *FULL))
            return TroubleCase(engine_address, f"{named} has a full disk: make room there")


NUMBERS = iter(range(1_000_000))
TEMPLATE = "migrated"
FULL = (
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception"
    " 'could not extend file: No space left on device' using errcode = '53100'; end $$",
    "create function refuse_tables() returns event_trigger language plpgsql as $$ begin raise exception"
    " 'could not extend file: No space left on device' using errcode = '53100'; end $$",
    "create trigger refuse before insert or update or delete on facts execute function refuse()",
    "create trigger refuse before insert or update or delete on guilds execute function refuse()",
    "create event trigger refuse on ddl_command_start execute function refuse_tables()",
)
"""A server says this when it has no room; nothing of ours is asked whether it believes that."""


async def ask_server(address: str, query: str) -> Any:
    engine = create_async_engine(database_url(address))
    async with engine.connect() as connection:
        result = await connection.scalar(text(query))
    await engine.dispose()
    return result


def harm(server: PostgresServer, address: str) -> None:
    """Overwrite the file with a server's version of a database."""
    file = asyncio.run(
        ask_server(
            address,
            "select current_setting('data_directory') || '/' || pg_relation_filepath('alembic_version')",
        )
    )
    asyncio.run(execute(address, "checkpoint"))
    server.control("stop")
    path = Path(file)
    path.write_bytes(b"\xff" * len(path.read_bytes()))
    server.control("start")


@pytest.fixture
def case(
    command: list[str],
    cause: str,
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> TroubleCase:
    """Return the settings' database, which is in trouble.

    A full one is of an older version, so that a start has something to write, except if it is copied.
    """
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    result = (
        on_file(cause, tmp_path, request)
        if kind == "sqlite"
        else on_server(cause, request.getfixturevalue("server"))
    )
    monkeypatch.setenv("DATABASE_URL", result.address)
    if cause == "full" and command[0] != "copy":
        request.getfixturevalue("next_version")
    return result


def whole_copy(kind: str, folder: Path, request: pytest.FixtureRequest) -> Path:
    path = folder / f"{kind}.copy"
    backup(well(kind, folder, request), path)
    return path


def well(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if kind == "postgresql":
        server: PostgresServer = request.getfixturevalue("server")
        return make_on(server, f"d{next(NUMBERS)}")
    address = f"sqlite:///{folder}/well.db"
    make(address)
    return address


CAUSES = ("damaged", "read-only", "full", "missing", "unreachable")
COMMANDS = (
    ["start"],
    ["check"],
    ["migrate"],
    ["backup", "{folder}/new.copy"],
    ["restore", "{whole}", "--force"],
    ["copy", "{address}", "sqlite:///{folder}/goal.db"],
    ["copy", "sqlite:///{folder}/well.db", "{address}"],
    ["adopt"],
    ["left", "5"],
    ["stats"],
    ["tables", "show", "7"],
)
USUALLY = {"start", "check", "backup"}
"""The commands that every run tries; thorough runs try the others too."""
READING = {"backup", "copy from"}
"""Commands that only read, so that they do what they should on a database that can be read."""


def command_name(command: list[str]) -> str:
    if command[0] != "copy":
        return command[0]
    return "copy from" if command[1] == "{address}" else "copy to"


def fine(cause: str, kind: str, command: str) -> bool:
    """Return True if a command must work in spite of the trouble."""
    if command in READING:
        return cause in ("read-only", "full")
    if command == "check" and (cause, kind) == ("full", "postgresql"):
        return True  # nobody but a server sees its disk
    return (command, cause) == ("restore", "damaged")  # that is what a copy is put back over


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            one, id=command_name(one), marks=() if command_name(one) in USUALLY else pytest.mark.thorough
        )
        for one in COMMANDS
    ],
)
@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("kind", ON_BOTH)
def test_a_database_error_says_where_it_is_and_what_to_do(
    command: list[str],
    cause: str,
    kind: str,
    case: TroubleCase,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    words, name = list(case.words), command_name(command)
    whole = whole_copy(kind, folder, request) if name == "restore" else None
    if name == "copy to":
        make(f"sqlite:///{folder}/well.db")
    if name.startswith("copy"):
        words = [one.replace("DATABASE_URL", "FROM" if name == "copy from" else "TO") for one in words]

    typed = [word.format(folder=folder, whole=whole, address=case.address) for word in command]
    code = start.main([] if name == "start" else typed)
    pair = capsys.readouterr()

    if fine(cause, kind, name):
        assert code == operate.FINE, pair
        return
    assert code == (operate.AMISS if name == "check" else operate.UNUSABLE), pair
    if (name, cause) == ("check", "full"):
        words = [f"BAD  disk: only 0 MB free in {tmp_path}/disk; make room there"]
    for word in words:
        assert word in pair.out + pair.err, (word, pair)
    assert "Traceback" not in pair.err
    assert all(line.startswith(("ok  ", "BAD ")) for line in pair.out.splitlines()), pair.out


@pytest.mark.parametrize(
    ("cause", "why"),
    [
        ("full", " because the disk of {disk} is full: make room"),
        ("read-only", f": give user {os.geteuid()} write access to it and its"),
    ],
)
@pytest.mark.parametrize("kind", ON_BOTH)
def test_trouble_with_the_place_of_a_copy_is_not_blamed_on_the_database(
    kind: str,
    cause: str,
    why: str,
    disk: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", well(kind, tmp_path, request))
    if cause == "full":
        fill(disk)
    else:
        assert mount(disk, "remount", "ro")

    assert start.main(["backup", f"{disk}/new.copy"]) == operate.UNUSABLE

    result = capsys.readouterr().err
    assert result.startswith(f"The copy {disk}/new.copy can't be written{why.format(disk=disk)}")
    assert "DATABASE_URL" not in result
    assert not (disk / "new.copy").exists()
    assert not (disk / "new.copy.part").exists()


@pytest.mark.skipif(not POSTGRES, reason="there is no PostgreSQL")
def test_a_copy_of_the_other_kind_of_database_is_named_as_such(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copies = {kind: whole_copy(kind, tmp_path, request) for kind in ("postgresql", "sqlite")}
    addresses = {kind: well(kind, tmp_path, request) for kind in copies}

    monkeypatch.setenv("DATABASE_URL", addresses["postgresql"])
    assert start.main(["restore", str(copies["sqlite"]), "--force"]) == operate.UNUSABLE
    of_file = capsys.readouterr().err
    monkeypatch.setenv("DATABASE_URL", addresses["sqlite"])
    assert start.main(["restore", str(copies["postgresql"]), "--force"]) == operate.UNUSABLE
    of_server = capsys.readouterr().err

    assert "is a copy of a SQLite database" in of_file
    assert f"`python bot.py copy sqlite:///{copies['sqlite']} URL`" in of_file
    assert "pg_restore" not in of_file
    assert "is a copy of a PostgreSQL database" in of_server


@pytest.mark.parametrize("kind", ON_BOTH)
def test_a_copy_that_lacks_its_end_is_damaged_and_not_put_back(
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copy = whole_copy(kind, tmp_path, request)
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    monkeypatch.setenv("DATABASE_URL", well(kind, tmp_path, request))

    assert start.main(["restore", str(copy), "--force"]) == operate.UNUSABLE

    result = capsys.readouterr().err
    assert result.startswith(f"{copy} is damaged: name another copy")
    assert "DATABASE_URL" not in result


@pytest.fixture
def foreign_folder() -> Iterator[Path]:
    """Yield another user's folder, like one mounted into a container."""
    me = os.geteuid()
    with TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        if me == 0:
            os.seteuid(CONTAINER_USER)
        yield Path(name)
        os.seteuid(me)


def test_a_folder_of_another_user_is_refused_with_the_number_of_ours(
    foreign_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{foreign_folder}/parlour.db")

    assert start.main() == operate.UNUSABLE

    said = capsys.readouterr().err
    assert f"{foreign_folder}/parlour.db (DATABASE_URL) can't be written: give user {os.geteuid()}" in said
    assert f"write access to it and its folder {foreign_folder}" in said
