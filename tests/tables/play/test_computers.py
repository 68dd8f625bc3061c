import asyncio
import logging
import time

import msgspec
import pytest

from db.records import DraftRow
from db.store import Store
from engines.engine import Engine
from engines.game import Strength, Thinking
from engines.ribbon.game import Ribbon
from engines.workers import Urgency, Workers
from tables.core.repository import Repository
from tables.core.table import Phase, Table
from tests.engines.ribbon.games import NEARLY
from tests.tables.house import ADMIN, ANN, BO, House, HouseClock, arrange_deal, user

pytestmark = pytest.mark.usefixtures("nearly")


async def against_a_computer(house: House, **options: str) -> Table:
    """Start a game of Ann and a computer; nothing has moved."""
    table = await house.gather(ANN, **{"mode": "coop", "first": "host", **options})
    await house.lobby.add_computer(table.id, user(ANN), Strength.STRONG)
    return await house.lobby.start(table.id, user(ANN))


async def test_a_computer_answers_until_a_person_is_due_and_shows_it_once(house: House) -> None:
    table = await against_a_computer(house)
    await house.settle()
    house.courier.shown.clear()

    await house.play_moves(table, "flip 1")
    await house.settle()

    boards = [row for row, _ in house.courier.shown if row.kind == "board"]
    assert [(row.version, row.fresh) for row in boards] == [
        ((await house.parlour.table(table.id)).version, True)
    ]

    rows = await house.store.actions(table.id, after=table.version + 1)
    assert {(row.seat, row.actor_id) for row in rows} == {(1, None)}
    assert (await house.parlour.table(table.id)).owing in {(0,), ()}


async def test_a_computers_choice_depends_on_the_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.lobby.decisions.secret", lambda: (b"seed", b"salt"))
    tables = [await against_a_computer(house) for _ in range(2)]

    for table in tables:
        await house.play_moves(table, "flip 1")
        await house.settle()

    one, other = [await house.store.actions(table.id) for table in tables]
    assert len(one) > 2
    assert [row.payload for row in one] == [row.payload for row in other]


@pytest.mark.parametrize("thinking", Thinking)
async def test_computers_think_as_long_as_their_table_says(
    house: House, monkeypatch: pytest.MonkeyPatch, thinking: Thinking
) -> None:
    thought: list[object] = []
    think = Engine.think

    async def noted(engine: Engine, *args: object) -> object:
        thought.append(args[-1])
        return await think(engine, *args)  # type: ignore[arg-type]  # they are handed on as they came

    monkeypatch.setattr(Engine, "think", noted)
    table = await house.gather(ANN, mode="coop", first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.STRONG)
    await house.lobby.set_terms(table.id, user(ANN), thinking=thinking)
    table = await house.lobby.start(table.id, user(ANN))

    await house.play_moves(table, "flip 1")
    await house.settle()

    assert set(thought) == {thinking}
    assert (await house.restart().parlour.table(table.id)).thinking is thinking


async def test_computers_go_on_once_after_a_restart_that_resumes_twice(house: House) -> None:
    table = await against_a_computer(house)
    await house.play_moves(table, "flip 1")
    await house.parlour.computers.stop()
    again = house.restart()
    assert (await again.parlour.table(table.id)).owing == (1,)

    await again.parlour.resume()
    await again.parlour.resume()
    await again.settle()

    table = await again.parlour.table(table.id)
    assert table.owing in {(0,), ()}
    assert [row.version for row, _ in again.courier.shown if row.kind == "board"] == [table.version]

    versions = [row.version for row in await house.store.actions(table.id)]
    assert versions == list(range(1, len(versions) + 1))
    shown = [(row.kind, row.target, row.version) for row, _ in again.courier.shown]
    assert len(shown) == len(set(shown)) > 0


async def test_a_table_that_cannot_be_resumed_keeps_no_other_from_going_on(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = await against_a_computer(house), await against_a_computer(house)
    for table in (broken, sound):
        await house.play_moves(table, "flip 1")
    await house.parlour.computers.stop()
    again = house.restart()
    load = Repository.load

    async def hardly(repository: Repository, table_id: int) -> object:
        if table_id == broken.id:
            raise KeyError("a game that is not hosted any more")
        return await load(repository, table_id)

    with monkeypatch.context() as patched:
        patched.setattr(Repository, "load", hardly)
        await again.parlour.resume()
        await again.settle()

    assert (await again.parlour.table(sound.id)).owing != (1,)
    assert f"table {broken.id}: its computer seats have failed" in caplog.text


async def test_a_computers_game_begins_by_itself(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ribbon, "deal", lambda *_args: arrange_deal(NEARLY, first=1))
    table = await house.gather(ANN, mode="coop")
    await house.lobby.add_computer(table.id, user(ANN), Strength.STRONG)

    await house.lobby.start(table.id, user(ANN))
    await house.settle()

    assert (await house.history(table))[:3] == ["join", "start", "move"]


async def test_a_computer_that_failed_is_tried_again_after_growing_pauses(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await against_a_computer(house)
    tried = 0

    async def fail(*args: object) -> None:
        nonlocal tried
        tried += 1
        raise RuntimeError("out of ideas")

    async def swept(seconds: float) -> int:
        house.clock.now += seconds
        await house.parlour.resume()
        await house.settle()
        return tried

    with monkeypatch.context() as patched:
        patched.setattr(Engine, "think", fail)
        await house.play_moves(table, "flip 1")
        await house.settle()
        assert tried == 1
        assert [await swept(seconds) for seconds in (0.0, 4.9, 0.1, 9.9, 0.1, 19.9)] == [1, 1, 2, 2, 3, 3]
    assert (await house.parlour.table(table.id)).owing == (1,)
    logged = [record.levelno for record in caplog.records if "have failed" in record.getMessage()]
    assert logged == [logging.ERROR]

    await swept(0.1)

    assert (await house.parlour.table(table.id)).owing in {(0,), ()}


async def test_a_table_is_told_its_moves_and_once_that_its_computer_has_failed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await against_a_computer(house)
    await house.settle()

    async def fail(*args: object) -> None:
        raise RuntimeError("out of ideas")

    with monkeypatch.context() as patched:
        patched.setattr(Engine, "think", fail)
        house.courier.shown.clear()
        await house.play_moves(table, "flip 1")
        await house.settle()
        assert ("board", 0, True) in house.courier.take_shown()
        assert house.parlour.computers.is_failing(table.id)
        house.clock.now += 5
        await house.parlour.resume()
        await house.settle()
        assert house.courier.take_shown() == []

    house.clock.now += 10
    await house.parlour.resume()
    await house.settle()

    assert not house.parlour.computers.is_failing(table.id)
    assert ("board", 0, True) in house.courier.take_shown()


async def test_a_computer_that_hangs_stops_no_other_tables_computer(
    store: Store, clock: HouseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = Workers(2, {Urgency.ANSWER: 20.0, Urgency.POST: 20.0, Urgency.LONG: 5.0})
    house = House(store, workers, clock)
    hanging, sound = await against_a_computer(house), await against_a_computer(house)
    think = Engine.think

    async def hang_at_one(engine: Engine, slug: str, state: bytes, *args: object) -> object:
        if hung.is_set():
            return await think(engine, slug, state, *args)  # type: ignore[arg-type]  # they are handed on as they came
        hung.set()
        return await workers.run_with(Urgency.LONG, time.sleep, 1000)

    hung = asyncio.Event()
    monkeypatch.setattr(Engine, "think", hang_at_one)
    await house.play_moves(hanging, "flip 1")
    await hung.wait()
    await house.play_moves(sound, "flip 1")
    await house.settle()

    assert (await house.parlour.table(sound.id)).owing in {(0,), ()}
    assert (await house.parlour.table(hanging.id)).owing == (1,)
    assert house.parlour.computers.is_failing(hanging.id)
    house.clock.now += 5
    await house.parlour.resume()
    await house.settle()
    assert (await house.parlour.table(hanging.id)).owing in {(0,), ()}
    await house.stop()
    workers.close()


class Thoughtful:
    """A computer that thinks until somebody stops it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.may_end = asyncio.Event(), asyncio.Event()
        self.thoughts = 0
        think = Engine.think

        async def slowly(engine: Engine, *args: object) -> object:
            self.thoughts += 1
            self.began.set()
            await self.may_end.wait()
            return await think(engine, *args)  # type: ignore[arg-type]  # they are handed on as they came

        monkeypatch.setattr(Engine, "think", slowly)


async def test_nobody_waits_for_a_computer_that_thinks(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await against_a_computer(house)
    thinking = Thoughtful(monkeypatch)
    await house.play_moves(table, "flip 1")
    await thinking.began.wait()

    table = await asyncio.wait_for(house.play.resign(table.id, user(ANN)), 5)

    assert table.phase is Phase.OVER
    thinking.may_end.set()
    await house.settle()
    assert await house.restart().parlour.table(table.id) == table


async def test_a_choice_for_an_old_position_is_dropped(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await against_a_computer(house)
    thinking = Thoughtful(monkeypatch)
    await house.play_moves(table, "flip 1")
    await thinking.began.wait()

    await house.play.rollback(table.id, 1, ADMIN)
    thinking.may_end.set()
    await house.settle()

    assert (await house.history(table))[-2:] == ["move", "rollback"]
    assert (await house.parlour.table(table.id)).owing == (0,)
    assert thinking.thoughts == 1


async def test_anothers_writes_stop_no_computer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await against_a_computer(house)
    think = Engine.think
    interfered: list[object] = []

    async def think_while_others_write(engine: Engine, *args: object) -> object:
        move = await think(engine, *args)  # type: ignore[arg-type]  # they are handed on as they came
        if not interfered:
            interfered.append(move)
            stranger = house.restart()
            await stranger.hand_over(table.id, 0, ADMIN, Strength.MEDIUM)
            await stranger.stop()
        return move

    monkeypatch.setattr(Engine, "think", think_while_others_write)
    await house.play_moves(table, "flip 1")
    await house.settle()

    assert (await house.history(table))[:4] == ["join", "start", "move", "hand_over"]
    assert (await house.restart().parlour.table(table.id)).phase is Phase.OVER


async def test_closing_stops_computers(database: str, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await against_a_computer(house)

    with monkeypatch.context() as patched:
        thinking = Thoughtful(patched)
        await house.play_moves(table, "flip 1")
        await thinking.began.wait()
        await house.parlour.close()

    again = house.restart(await Store.open(database))
    assert (await again.parlour.table(table.id)).owing == (1,)
    await again.parlour.resume()
    await again.settle()
    assert (await again.parlour.table(table.id)).owing in {(0,), ()}
    await again.parlour.close()
    await again.store.close()


class DraftSketch(msgspec.Struct):
    """A draft of some move."""

    swap: int


class Commits:
    """Counts the writes of drafts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows: list[int] = []
        save = Store.save_drafts

        async def counted(store: Store, rows: list[DraftRow], lines: list[str]) -> None:
            self.rows.append(len(rows))
            await save(store, rows, lines)

        monkeypatch.setattr(Store, "save_drafts", counted)


@pytest.fixture
async def table(house: House) -> Table:
    return await house.start(ANN, BO, mode="coop")


async def test_nudges_share_one_commit(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    commits = Commits(monkeypatch)
    for swap in range(20):
        await house.parlour.save_draft(table, 0, DraftSketch(swap))
    await house.parlour.save_draft(table, 1, DraftSketch(7))
    assert commits.rows == []

    await house.parlour.resume()
    await house.parlour.resume()

    assert commits.rows == [2]
    assert await house.restart().parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(19)


async def test_a_draft_is_written_before_the_end(house: House, table: Table) -> None:
    await house.parlour.save_draft(table, 0, DraftSketch(3))

    await house.parlour.close()

    assert await house.restart().parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(3)


async def test_a_draft_that_could_not_be_written_is_written_the_next_time(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_args: object) -> None:
        raise OSError("disk full")

    await house.parlour.save_draft(table, 0, DraftSketch(3))
    with monkeypatch.context() as patched:
        patched.setattr(Store, "save_drafts", fail)
        await house.parlour.resume()
        await house.parlour.resume()
    assert await house.parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(3)
    assert caplog.text.count("writing down drafts failed") == 1

    await house.parlour.resume()

    assert await house.restart().parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(3)


@pytest.mark.parametrize("payload", ["{}", '{"swap": "left"}', "gone", '{"tile": [1]}'])
async def test_an_unreadable_draft_is_no_draft(house: House, table: Table, payload: str) -> None:
    await house.store.save_drafts([DraftRow(table.id, 0, table.moment, payload)])

    assert await house.parlour.drafts.draft(table, 0, DraftSketch) is None
