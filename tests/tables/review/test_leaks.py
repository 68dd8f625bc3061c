"""Files of a running game reveal no more than its viewer may know.

Each game has two versions: as it was, and as it may as well have happened for that viewer. Whatever
`resample_hidden` may change is another then, with what others have decided and what only they may read.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from cogs.core.app import App
from cogs.review.import_export import log_of
from cogs.review.page import PageWriter
from db.records import ActionRow
from engines.engine import decode_events
from engines.game import Seat
from engines.registry import game
from tables.core.table import Phase, Table, encode
from tables.lobby.decisions import commitment
from tables.review.record import Record, RecordedTurn
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import decode_state, encode_state, some, viewers
from tests.often import often
from tests.tables.house import House
from tests.tables.stories import Story, keep_story, story

DATABASES = ["sqlite"]
GAMES = often(1, 2)
"""The number of random games of each game with two versions; turned up in a search for a leak."""
PAGE_STEPS = often(5, 20)
"""Steps of a game whose pages are compared: each turn is drawn twice for each viewer."""
every_game = pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])


def otherwise(result: Story, viewer: Seat | None) -> Story:
    """Return an alternative game with other secrets and moves.

    The moves differ only behind what the viewer read.
    """
    rules, rng = game(result.slug), Random(9)
    kept_rows: list[tuple[ActionRow, bytes]] = []
    for row, state in zip(result.rows, result.states, strict=True):
        events = decode_events(rules, row.events)
        read = [event for event in events if event.only in (None, viewer)]
        silent = rules.simultaneous and not any(event.reveals for event in read)
        if row.seat is not None and row.seat != viewer and silent:
            continue
        if row.seat != viewer:
            row = replace(row, events=encode(read), payload=None if row.payload is None else '"hidden"')
        kept_rows.append((row, encode_state(rules.resample_hidden(decode_state(rules, state), viewer, rng))))
    rows = [replace(row, version=n + 1, base=n) for n, (row, _) in enumerate(kept_rows)]
    return result._replace(rows=rows, states=[state for _, state in kept_rows])


class Redealt(Record):
    """A record whose positions are those of the story, for what was played can't be played again."""

    def __init__(self, house: House, told: Story) -> None:
        super().__init__(house.parlour._repository)
        self._told = told

    async def views(self, table: Table, turns: Sequence[RecordedTurn], seat: Seat | None) -> list[Any]:
        rules = table.game
        return [rules.view(decode_state(rules, self._told.states[turn.version - 1]), seat) for turn in turns]

    async def view(self, table: Table, version: int, seat: Seat | None) -> Any:
        return table.game.view(decode_state(table.game, self._told.states[version - 1]), seat)


async def log(house: House, table: Table, seat: Seat | None) -> str:
    nothing = cast(Any, None)
    text = await log_of(App(nothing, house.parlour, nothing, nothing, house.workers), table, seat)
    assert commitment(table.seed, table.salt) not in text
    return text.replace(f"table {table.id}", "table")


async def page(house: House, table: Table, seat: Seat | None) -> bytes:
    record, workers = house.parlour.record, house.workers
    return await PageWriter(record, workers, table, seat, "light", title="A game").write()


def running(case: GameCase, number: int) -> list[Story]:
    """Return a random game at some of its turns."""
    rng = Random(f"leaks {case.slug} {number}")
    table = rng.choice([choice for choice in case.tables if choice.seats > 1])
    result = story(case, table, rng.randbytes(32), 0.9)
    steps = [count for count in range(len(result.rows) - 1) if count]
    return [result.upto(count) for count in some(steps, often(2, 4))]


@pytest.mark.slow
@pytest.mark.any_game
@every_game
async def test_an_export_of_a_running_game_says_only_what_its_viewer_knows(
    house: House, case: GameCase
) -> None:
    parlour, told_apart = house.parlour, 0
    record = parlour.record
    for result in (result for number in range(GAMES) for result in running(case, number)):
        table = await keep_story(house, result)
        assert table.phase is Phase.PLAY
        for viewer in viewers(result.choice):
            other = otherwise(result, viewer)
            seed = b"\x77" * 32
            deal = encode(case.game.deal(result.choice.seats, result.choice.options, seed))
            lookalike = await keep_story(house, other, seed=seed.hex(), salt="77" * 16, deal=deal)
            told_apart += (other.rows, other.states) != (result.rows, result.states)

            assert await parlour.import_export.export(
                lookalike.id, viewer
            ) == await parlour.import_export.export(table.id, viewer)
            parlour.record = Redealt(house, other)
            there = await log(house, lookalike, viewer)
            parlour.record = record
            assert there == await log(house, table, viewer)
    assert told_apart


@pytest.mark.slow
@pytest.mark.any_game
@every_game
async def test_the_file_of_a_running_game_holds_what_its_owner_has_done_and_no_secret(
    house: House, case: GameCase
) -> None:
    result = running(case, 1)[-1]
    table = await keep_story(house, result)

    for viewer in viewers(result.choice):
        data = await house.parlour.import_export.export(table.id, viewer)
        file = msgspec.json.decode(data)

        assert file["kind"] == "part"
        assert not {"deal", "seed", "salt", "outcome"} & file.keys()
        assert table.seed.hex() not in data.decode()
        moves = [step["move"] for step in file["steps"] if "move" in step]
        mine = [row for row in result.rows if row.seat == viewer and row.payload is not None]
        assert moves == [msgspec.json.decode(row.payload or "") for row in mine if viewer is not None]
        assert {event.get("only") for step in file["steps"] for event in step["events"]} <= {None, viewer}


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.CLOSED])
async def test_only_a_game_with_a_result_is_told_whole(house: House, phase: Phase) -> None:
    result = running(CASES[0], 0)[-1]
    table = await keep_story(house, result, phase=phase.value)

    assert msgspec.json.decode(await house.parlour.import_export.export(table.id, 0))["kind"] == "part"


@pytest.mark.slow
@pytest.mark.any_game
@every_game
async def test_a_page_of_a_running_game_says_only_what_its_viewer_knows(house: House, case: GameCase) -> None:
    record, told_apart = house.parlour.record, 0
    result = running(case, 2)[-1]
    result = result.upto(min(PAGE_STEPS, len(result.rows) - 1))
    table = await keep_story(house, result)
    assert table.phase is Phase.PLAY
    for viewer in (None, 0):
        other = otherwise(result, viewer)
        lookalike = await keep_story(house, other, seed="77" * 32, salt="77" * 16)
        told_apart += (other.rows, other.states) != (result.rows, result.states)

        house.parlour.record = Redealt(house, other)
        there = await page(house, lookalike, viewer)
        house.parlour.record = record

        assert there == await page(house, table, viewer)
    assert told_apart
