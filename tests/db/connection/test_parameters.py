import asyncio
import ssl
from pathlib import Path
from typing import Any

import pytest

from db.connection.opening import database_url, driver_arguments, tool_environment, without_parameters
from db.store import Store
from host import operate, start

DATABASES = ["postgresql"]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
GIVEN_BY_HOSTS = (
    "application_name=parlour&connect_timeout=10&options=-c%20work_mem%3D5MB&target_session_attrs=read-write"
    "&sslmode=prefer&channel_binding=prefer&gssencmode=disable"
)
REFUSED = {
    "postgresql://db.example/p?channel_binding=require": "DATABASE_URL: has channel_binding=require, which",
    "postgresql://db.example/p?sslmode=maybe": "DATABASE_URL: has sslmode=maybe; it can be disable, allow,",
    "postgresql://db.example/p?connect_timeout=soon": "DATABASE_URL: has connect_timeout=soon; it must be a",
    "postgresql://db.example/p?target_session_attrs=x": "DATABASE_URL: has target_session_attrs=x; it can be",
    "postgresql://db.example/p?sslrootcert=/no/ca.pem": "DATABASE_URL: has sslrootcert=/no/ca.pem, a file",
    "postgresql://db.example/p?sslcert=/no/a.crt": "DATABASE_URL: has sslcert=/no/a.crt, a file that isn't",
    "postgresql://db.example/p?sslkey=/no/a.key": "DATABASE_URL: has sslkey=/no/a.key, a file that isn't",
    "postgresql://db.example/p?pgbouncer=true": "DATABASE_URL: has the parameter “pgbouncer”, which the bot",
    "postgresql://db.example/p?sslmode=require&sslrootcert=system": "DATABASE_URL: has sslrootcert=system,",
    "postgresql://db.example": "DATABASE_URL: names no database; try postgresql://user:password@host/",
    "postgresql://db.example/": "DATABASE_URL: names no database; try postgresql://user:password@host/",
    "postgresql://db.example:99999/p": "DATABASE_URL: has the port 99999; it must be between 1 and 65535",
    "postgresql://db..example/p": "DATABASE_URL: has the host db..example, which can't be a host's name",
}


def arguments(address: str) -> dict[str, Any]:
    return driver_arguments(database_url(address))


@pytest.mark.parametrize("command", [["check"], ["migrate"], ["stats"], ["backup", "copy"], []])
@pytest.mark.parametrize("address", REFUSED)
def test_an_unusable_setting_is_refused_by_name(
    address: str, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)

    assert start.main(command) == operate.UNUSABLE

    said = capsys.readouterr().err
    assert said.startswith(REFUSED[address])
    assert len(said.splitlines()) == 1


def test_parameters_become_what_the_driver_takes() -> None:
    entries = arguments(f"postgresql://db.example/p?{GIVEN_BY_HOSTS}")

    assert entries == {
        "server_settings": {"application_name": "parlour", "options": "-c work_mem=5MB"},
        "timeout": 10,
        "ssl": "prefer",
        "target_session_attrs": "read-write",
    }


def test_certificates_are_handed_to_the_driver_in_an_address(tmp_path: Path) -> None:
    for name in ("ca", "own", "key"):
        (tmp_path / name).touch()
    files = f"sslrootcert={tmp_path}/ca&sslcert={tmp_path}/own&sslkey={tmp_path}/key"

    entries = arguments(f"postgresql://db.example/p?sslmode=verify-full&{files}")

    assert entries == {"dsn": f"postgresql:///?sslmode=verify-full&{files.replace('/', '%2F')}"}


def test_the_root_certificates_of_the_system_are_used() -> None:
    context = arguments("postgresql://db.example/p?sslrootcert=system")["ssl"]

    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_a_parameter_given_twice_counts_once() -> None:
    assert arguments("postgresql://db.example/p?sslmode=disable&sslmode=require") == {"ssl": "require"}


def test_user_and_database_may_be_parameters() -> None:
    url = database_url("postgresql://db.example/?user=ann&password=s3cret&dbname=parlour")

    assert (url.username, url.password, url.database) == ("ann", "s3cret", "parlour")
    assert not without_parameters(url).query


def test_an_address_that_was_translated_is_left_alone() -> None:
    once = database_url(f"postgres://ann@db.example/p?{GIVEN_BY_HOSTS}")

    assert database_url(once.render_as_string(hide_password=False)) == once


def test_the_tools_of_postgresql_get_the_same_parameters() -> None:
    texts = tool_environment(database_url(f"postgresql://ann@db.example:5433/p?{GIVEN_BY_HOSTS}"))

    assert texts == {
        "PGHOST": "db.example",
        "PGPORT": "5433",
        "PGUSER": "ann",
        "PGDATABASE": "p",
        "PGSSLMODE": "prefer",
        "PGCONNECT_TIMEOUT": "10",
        "PGAPPNAME": "parlour",
        "PGOPTIONS": "-c work_mem=5MB",
        "PGTARGETSESSIONATTRS": "read-write",
    }


async def test_hosts_parameters_work(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{database}&{GIVEN_BY_HOSTS}"
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setattr(operate, "LEAST_FREE", 0)

    codes = [
        await asyncio.to_thread(start.main, command)
        for command in (["check"], ["migrate"], ["stats"], ["backup", f"{tmp_path}/copy"])
    ]
    store = await Store.open(address)

    assert codes == [operate.FINE] * 4
    settings = "SELECT current_setting('application_name'), current_setting('work_mem')"
    row = await store._reader.read(lambda one: one.exec_driver_sql(settings).one())
    assert tuple(row) == ("parlour", "5MB")
    await store.close()


async def test_a_server_without_encryption_is_named_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"N")  # as PostgreSQL says that it has no encryption
        await writer.drain()
        writer.close()  # or Python 3.12 waits for it at the end

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv("DATABASE_URL", f"postgresql://ann@127.0.0.1:{port}/p?sslmode=require")

        assert await asyncio.to_thread(start.main, ["migrate"]) == operate.UNUSABLE

    assert "can't be reached with the sslmode and sslrootcert in DATABASE_URL" in (capsys.readouterr().err)


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("sqlite:///parlour.db", "sqlite+aiosqlite:///parlour.db"),
        ("sqlite:////srv/tangle parlour/parlour.db", "sqlite+aiosqlite:////srv/tangle parlour/parlour.db"),
        ("sqlite+pysqlite:///parlour.db", "sqlite+aiosqlite:///parlour.db"),
        ("postgres://ann:p%40ss@db.example/parlour", "postgresql+asyncpg://ann:p%40ss@db.example/parlour"),
        ("postgresql+psycopg2://db.example:5433/p", "postgresql+asyncpg://db.example:5433/p"),
        ("postgresql://ann@/p?host=/run/pg", "postgresql+asyncpg://ann@/p?host=%2Frun%2Fpg"),
        ("postgres://db.example/p?sslmode=require", "postgresql+asyncpg://db.example/p?ssl=require"),
    ],
)
def test_an_address_is_used_with_our_driver(written: str, used: str) -> None:
    assert database_url(written).render_as_string(hide_password=False) == used


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "is not a database URL"),
        ("parlour.db", "is not a database URL"),
        ("://", "is not a database URL"),
        ("postgresql://db.example:s3cret/parlour", "is not a database URL"),
        ("mysql://ann:s3cret@db.example/parlour", "must begin with sqlite:// or postgresql://"),
        ("http://ann:s3cret@db.example/parlour", "must begin with sqlite:// or postgresql://"),
        ("sqlite://", "must name a file"),
        ("sqlite://parlour.db", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
        ("sqlite:///file:parlour?mode=memory&uri=true", "must name a file"),
    ],
)
def test_any_other_address_is_refused_with_a_reason_that_holds_no_secret(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refusal:
        database_url(written)

    assert "s3cret" not in str(refusal.value)
