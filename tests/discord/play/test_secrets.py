"""One person's secrets appear in no line of the log, in no exception, in no `repr`."""

import json
import logging
import sqlite3
import traceback
from collections.abc import Iterator
from io import StringIO
from itertools import product
from typing import Any

import msgspec
import pytest
from sqlalchemy.exc import DBAPIError

from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from db.records import ActionRow, DraftRow
from engines.engine import PlayResult, Step
from host import monitoring
from host.monitoring import handler, library_levels
from host.settings import Settings
from tests.discord.stage import DiscordStage, pick

SEED, SALT = b"\x5e" * 32, b"\x5a" * 16
PASSWORD = "hunter2-swordfish"
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
BALLOTS = "wombat-badger"


@pytest.fixture(autouse=True)
def known_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.lobby.decisions.secret", lambda: (SEED, SALT))


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for name, level in library_levels(logging.DEBUG).items():
        caplog.set_level(level, name)


async def secrets_of(stage: DiscordStage) -> list[str]:
    """Return what only a player, or nobody, may read of table 1."""
    table = await stage.table()
    hands = [msgspec.json.encode((await stage.view(name)).hands).decode() for name in ("Ann", "Bo")]
    return [SEED.hex(), SALT.hex(), str(SEED), str(SALT), table.deal, BALLOTS, PASSWORD, TOKEN, *hands]


def read_log(caplog: pytest.LogCaptureFixture) -> str:
    """Return the whole log as text and as JSON, with tracebacks."""
    written = [handler(form) for form in ("text", "json")]
    for writer, record in product(written, caplog.records):
        writer.filter(record)
    return "\n".join(writer.format(record) for writer, record in product(written, caplog.records))


async def test_a_turn_is_logged_discreetly(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=500)
    await stage.panel_flip("Ann", place)

    text = read_log(caplog)

    assert "table 1, board: not shown yet" in text
    assert [secret for secret in await secrets_of(stage) if secret in text] == []


async def test_a_failing_database_is_discreet(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    stage.trouble = True
    store = stage.bot.app.parlour.store
    opened, panel = await stage.panel("Ann", place)
    database = str(store._write_engine.url.database)
    with sqlite3.connect(database) as connection:
        connection.execute("alter table actions rename to moved_away")
        connection.execute("alter table snapshots rename to moved_too")
    connection.close()

    await pick(stage["Ann"], opened.response, "flip", panel.values("flip")[0])
    row = await store.table(1)
    assert row is not None
    with pytest.raises(DBAPIError) as failed:
        await store.create(msgspec.structs.replace(row, phase=None), [])

    text = read_log(caplog) + "".join(traceback.format_exception(failed.value))
    assert "no such table" in text
    assert [secret for secret in await secrets_of(stage) if secret in text] == []


async def test_a_press_that_goes_wrong_is_logged_by_its_room_and_verb(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    stage.trouble = True

    async def fail(*_args: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("cogs.ui.press.handle", fail)
    press = Press("table", "hand", 1, 1, BALLOTS)
    page = Page(["A forged post.", [Button("Go", press)]])
    await stage.find_channel(place).send(view=page.view())
    await stage["Ann"].click(stage.post(place).message, label="Go")

    text = read_log(caplog)
    assert "press table:hand" in text
    assert BALLOTS not in text


async def test_objects_with_secrets_do_not_print_them(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", mode="coop", first="host")
    parlour = stage.bot.app.parlour
    loaded = await parlour._repository.load(1)
    assert loaded.position is not None
    row = await parlour.store.table(1)
    perspective = await parlour.play.perspective(1, stage["Ann"].id)
    move = (await parlour.play.moves(1, stage["Ann"].id))[0]
    payload = msgspec.json.encode({"ballots": BALLOTS}).decode()
    things = [
        loaded,
        loaded.table,
        loaded.position,
        row,
        perspective,
        PlayResult(loaded.position, [Step(0, move, [])]),
        ActionRow(1, 0, "move", 0, 1, payload, payload, True, 0.0),
        DraftRow(1, 0, 1, payload),
        Settings(database_url=f"postgresql://me:{PASSWORD}@host/db", discord_token=TOKEN),  # type: ignore[arg-type]  # as typed
        ZeroDivisionError(loaded, row, perspective),
    ]

    text = " ".join([*map(repr, things), *map(str, things)])

    state = str(loaded.position.state)
    assert [secret for secret in [*await secrets_of(stage), state] if secret in text] == []


@pytest.fixture
def log_stream(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    stream = StringIO()
    handler = monitoring.handler("json")
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [*root.handlers, handler])
    level = root.level
    root.setLevel(logging.INFO)
    yield stream
    root.setLevel(level)  # every logger remembers the level until it is set


async def test_a_reference_leads_from_a_press_to_the_post(stage: DiscordStage, log_stream: StringIO) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="solo")
    log_stream.truncate(0)
    log_stream.seek(0)

    await stage["Ann"].click(stage.card().message, label="Start")

    lines = [json.loads(line) for line in log_stream.getvalue().splitlines()]
    (asked,) = [line for line in lines if line["message"].startswith("press lobby:start: done after")]
    own = [line for line in lines if line["reference"] == asked["reference"]]
    entries = [line["message"] for line in own]
    assert any(message.startswith("table 1: at version ") for message in entries), entries
    assert any(message.startswith("table 1, board: shown at version ") for message in entries), entries
    assert {"time", "level", "logger", "message", "reference"} <= asked.keys()


async def test_two_presses_have_two_references(stage: DiscordStage, log_stream: StringIO) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    await stage["Ann"].click(stage.post(place).message, label="Take turn")
    await stage["Bo"].click(stage.post(place).message, label="Take turn")

    lines = [json.loads(line) for line in log_stream.getvalue().splitlines()]
    presses = [line["reference"] for line in lines if line["message"].startswith("press ribbon:")]
    presses += [line["reference"] for line in lines if line["message"].startswith("press table:")]
    assert len(presses) == len(set(presses)) >= 2
    assert "-" not in presses


def test_a_line_for_people_begins_with_time_level_and_reference() -> None:
    handler = monitoring.handler("text")
    record = logging.LogRecord("tables.core.outbox", logging.INFO, "", 0, "table 7, board: shown", (), None)

    assert handler.filter(record)
    line = handler.format(record)

    assert line.endswith("INFO    - tables.core.outbox: table 7, board: shown")
