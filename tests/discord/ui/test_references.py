"""A reference leads through the log: from what somebody asked for, to what was written, to what was shown."""

import json
import logging
from collections.abc import Iterator
from io import StringIO

import pytest

from host import monitoring
from tests.discord.stage import DiscordStage

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


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
