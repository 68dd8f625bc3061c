import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cogs.core.app import App
from cogs.review.import_export import PageWriter, log_of
from db.access import IMPORTED, ImportQuota, QuotaReached
from db.records import ActionRow
from engines.engine import decode_events
from engines.game import Seat, Thinking
from engines.registry import game
from engines.workers import Urgency, WorkerOutOfMemory, Workers, WorkerTimeout
from tables.clocks.pace import DAY
from tables.core.table import EVER, Imported, Occupant, Phase, Refused, Table, encode, from_rows
from tables.lobby.decisions import commitment
from tables.review import import_export
from tables.review.format import LARGEST_FILE
from tables.review.record import Record, RecordedTurn
from tests.engines.cases import CASES, GameCase
from tests.engines.cases import TableChoice as Choice
from tests.engines.conformance import decode_state, encode_state, some, viewers
from tests.engines.test_conformance import hypothetical
from tests.often import often
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user
from tests.tables.stories import Story, finish_story, keep_story, story

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


@pytest.mark.any_game
@every_game
async def test_an_export_of_a_running_game_says_what_its_viewer_knows(house: House, case: GameCase) -> None:
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


@pytest.mark.any_game
@every_game
async def test_a_running_games_file_holds_its_owners_part_alone(house: House, case: GameCase) -> None:
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


STEPS = 400
"""Games that take longer are left alone."""


@pytest.mark.any_game
@every_game
@pytest.mark.parametrize("number", range(often(1, 2)))
async def test_an_imported_games_export_is_the_same_file(house: House, case: GameCase, number: int) -> None:
    table = await keep_story(house, finish_story(case, number))
    file = await house.parlour.import_export.export(table.id, None)

    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert await house.parlour.import_export.export(again.id, 0) == file
    assert len(file) < LARGEST_FILE
    assert again.id != table.id


async def test_a_file_says_that_computers_thought_quickly_and_nothing_otherwise(house: House) -> None:
    result = finish_story(next(case for case in CASES if case.slug == "ribbon"), 1)
    usual, table = await keep_story(house, result), await keep_story(house, result, thinking="quick")
    export = house.parlour.import_export.export

    file = await export(table.id, None)
    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert b"thinking" not in await export(usual.id, None)
    assert again.thinking is Thinking.QUICK
    assert await export(again.id, None) == file


@pytest.mark.essential
@pytest.mark.any_game
@every_game
def test_any_game_with_a_result_comes_back_from_its_file_as_the_same_file(case: GameCase) -> None:
    over = 0

    seeds = st.binary(min_size=32, max_size=32)

    @hypothetical(case, often(5, 100))
    @given(st.sampled_from(case.tables), seeds, st.sampled_from([0.9, 1.0]))
    def check(choice: Choice, seed: bytes, care: float) -> None:
        nonlocal over
        result = story(case, choice, seed, care, STEPS)
        if result.row().phase == Phase.OVER:
            over += 1
            file = result.file()
            entries = import_export.import_file(file)
            assert isinstance(entries, import_export.ImportedGame)
            row, seats = import_export.imported_rows(GUILD, CHANNEL, user(ANN), entries, 0.0)
            assert import_export.export_file(from_rows(row, seats), entries.rows, None) == file

    check()
    assert over


@pytest.mark.any_game
@every_game
async def test_an_imported_game_is_a_past_table_to_be_browsed(house: House, case: GameCase) -> None:
    table = await keep_story(house, finish_story(case, 5))
    file = await house.parlour.import_export.export(table.id, None)

    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert (again.phase, again.outcome, again.beat) == (table.phase, table.outcome, table.beat)
    assert (again.names, again.people, again.host_id) == (table.names, [], ANN.user_id)
    assert again.origin == Imported()
    record = house.parlour.record
    turns, of_old = await record.turns(again), await record.turns(table)
    assert [(turn.seats, turn.at) for turn in turns] == [(turn.seats, turn.at) for turn in of_old]
    for turn, old in zip(turns, of_old, strict=True):
        seen = await record.view(again, turn.version, None)
        assert msgspec.json.encode(seen) == msgspec.json.encode(await record.view(table, old.version, None))
        assert [row.events for row in await record.entries(again, turn)] == [
            row.events for row in await record.entries(table, old)
        ]
    await house.settle()
    assert house.courier.take_shown() == [("board", 0, True)]


@pytest.fixture
def file() -> bytes:
    return finish_story(next(case for case in CASES if case.slug == "ribbon"), 1).file()


async def test_one_person_imports_ten_games_a_day(house: House, file: bytes) -> None:
    async def taken(by: House, guild_id: int = GUILD) -> Table:
        return await by.parlour.import_export.open(guild_id, CHANNEL, ANN, file)

    for number in range(import_export.MOST_OF_ONE):
        await taken(house, GUILD + number % 2)
        house.clock.now += 60
    tables = len(await house.store.tables_in(GUILD, [Phase.OVER]))

    with pytest.raises(Refused, match="You've imported 10 games in the last 24 hours"):
        await taken(house.restart())
    assert len(await house.store.tables_in(GUILD, [Phase.OVER])) == tables
    await house.parlour.import_export.open(GUILD, CHANNEL, BO, file)

    house.clock.now += DAY - 60 * import_export.MOST_OF_ONE + 1
    assert (await taken(house)).phase is Phase.OVER


async def test_in_one_server_fifty_games_are_imported_a_day(house: House, file: bytes) -> None:
    for number in range(import_export.MOST_HERE):
        await house.parlour.import_export.open(GUILD, CHANNEL, Occupant("Somebody", 1000 + number // 5), file)

    with pytest.raises(Refused, match="This server has imported 50 games in the last 24 hours"):
        await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    assert (await house.parlour.import_export.open(GUILD + 1, CHANNEL, ANN, file)).phase is Phase.OVER


async def test_one_person_has_one_file_read_at_a_time(house: House, file: bytes) -> None:
    opened = await asyncio.gather(
        house.parlour.import_export.open(GUILD, CHANNEL, ANN, file),
        house.parlour.import_export.open(GUILD, CHANNEL, ANN, file),
        return_exceptions=True,
    )

    assert sum(isinstance(one, Table) for one in opened) == 1
    (refused,) = (one for one in opened if isinstance(one, Refused))
    assert "still reading your last file" in str(refused)


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (WorkerTimeout("it took longer than 60 s"), "long"),
        (WorkerOutOfMemory("it needed more than 2048 MB"), "much memory"),
    ],
)
async def test_a_file_is_read_after_all_that_people_wait_for_and_within_limits(
    house: House, file: bytes, monkeypatch: pytest.MonkeyPatch, error: Exception, what: str
) -> None:
    urgencies: list[Urgency] = []

    async def fail(_workers: Workers, urgency: Urgency, *_args: object) -> object:
        urgencies.append(urgency)
        raise error

    monkeypatch.setattr(Workers, "run_with", fail)

    with pytest.raises(Refused, match=f"takes too {what}, so I can't import it"):
        await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    assert urgencies == [Urgency.LONG]
    assert await house.store.tables_in(GUILD, EVER) == []


async def test_the_import_count_matches_the_imports(house: House, file: bytes) -> None:
    await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    await house.gather(ANN)

    assert encode(Imported()).startswith(IMPORTED)
    once = ImportQuota(GUILD, user(ANN), 0.0, most_each=2, most=2)
    await house.store.check_guards([once])
    for reached in (replace(once, most_each=1), replace(once, most=1)):
        with pytest.raises(QuotaReached):
            await house.store.check_guards([reached])
        await house.store.check_guards([replace(reached, since=house.clock.now + 1)])
