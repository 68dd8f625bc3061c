import logging
from importlib import import_module

import pytest

from db.connection.availability import DatabaseUnavailable
from host.logs import FILTERED, REPEAT_AFTER, RepeatFilter


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


def test_a_limit_that_is_met_again_and_again_is_told_once_a_cause(library: logging.Logger) -> None:
    text = "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds."
    refused, slow = ConnectionRefusedError("no"), TimeoutError("too slow")

    assert [passes(library, text, 900.0 * n, refused) for n in range(9)] == [True, *[False] * 8]
    assert [passes(library, text, 8000.0 + n, slow) for n in range(2)] == [True, False]
    assert passes(library, text, 8000.0 + REPEAT_AFTER + 2, slow)


def test_an_uncertain_effect_is_told_each_time(library: logging.Logger) -> None:
    assert [passes(library, "Ignoring exception in %s", float(n)) for n in range(3)] == [True] * 3


def test_a_database_that_cannot_be_used_is_not_told_of_at_every_key_that_is_typed(
    library: logging.Logger,
) -> None:
    gone, bug = DatabaseUnavailable("locked", "locked"), KeyError("table")
    text = "Ignoring exception in autocomplete for %r"

    assert not passes(library, text, 1.0, gone)
    assert [passes(library, text, at, bug) for at in (1.0, 2.0)] == [True, True]
