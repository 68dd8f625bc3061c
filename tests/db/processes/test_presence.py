"""Processes on one server: each shard is held by one of them, and a standby takes what falls free."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import asyncpg
import msgspec
import pytest
from sqlalchemy import Connection, insert, text

from db import processes, schema
from db.connection.opening import APPLICATION
from db.processes import ChangeNotice, DividedOtherwise, Presence, ShardPlan, Shards, TakenOver, shard_of
from db.store import Store
from tests.db.rows import LOBBY, change, connect, new_table
from tests.forks import ForkedProcess
from tests.program.test_start import TOKEN

DATABASES = ["postgresql"]
BOTH = ShardPlan(2, (0, 1), 2)
ANY = ShardPlan(2, None, 2)


class PresentProcess:
    """A process that is present, and writes down what happens to it."""

    def __init__(self, address: str, plan: ShardPlan) -> None:
        self.shards = Shards()
        self.shards.divide(plan.count)
        self.presence = Presence(address, plan, self.shards.name, self, self._record_claim)
        self.notes: list[ChangeNotice] = []
        self._changed = asyncio.Event()
        self.staying = asyncio.create_task(self.presence.stay())

    async def _record_claim(self, held: frozenset[int]) -> None:
        self.shards.hold(held)
        self._changed.set()

    def lose(self) -> None:
        self.shards.hold(())
        self._changed.set()

    def on_notices_lost(self) -> None:
        self.shards.hearing = False

    def on_notices_back(self) -> None:
        self.shards.hearing = True
        self._changed.set()

    def on_notice(self, note: ChangeNotice) -> None:
        self.notes.append(note)
        self._changed.set()

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not seen():
                if self.staying.done():
                    self.staying.result()
                self._changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), 0.05)

    async def holds(self, *shards: int) -> None:
        """Wait until these shards are held."""
        await self.until(lambda: self.shards.held == set(shards))

    async def stop(self) -> None:
        self.staying.cancel()
        await asyncio.gather(self.staying, return_exceptions=True)
        await self.presence.release()


@pytest.fixture
async def start(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Callable[[ShardPlan], PresentProcess]]:
    monkeypatch.setattr(processes, "LOOKS_APART", 0.05)
    monkeypatch.setattr(processes, "HEAD_START", 0.5)
    started: list[PresentProcess] = []

    def starting(plan: ShardPlan) -> PresentProcess:
        started.append(PresentProcess(database, plan))
        return started[-1]

    yield starting
    for process in started:
        await process.stop()


async def hang_up(database: str, *processes: PresentProcess) -> None:
    """Let the server close the connections of some processes."""
    names = [f"{APPLICATION} {process.shards.name}" for process in processes]
    ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY(:names)"
    async with connect(database) as connection:
        await connection.execute(text(ending), {"names": names})


async def test_a_standby_takes_the_shards_of_who_goes(start: Callable[[ShardPlan], PresentProcess]) -> None:
    first = start(ANY)
    await first.holds(0, 1)
    standby = start(ANY)
    await standby.until(lambda: standby.shards.hearing)
    assert standby.shards.held == set()

    await first.stop()

    await standby.holds(0, 1)


async def test_auto_divides_all_shards_within_limits(start: Callable[[ShardPlan], PresentProcess]) -> None:
    processes = [start(ShardPlan(5, None, 2)) for _ in range(3)]
    await processes[0].until(lambda: sum(len(process.shards.held) for process in processes) == 5)

    held = [shard for process in processes for shard in process.shards.held]
    assert sorted(held) == [0, 1, 2, 3, 4]
    assert max(len(process.shards.held) for process in processes) == 2


async def test_a_process_with_room_takes_free_shards(start: Callable[[ShardPlan], PresentProcess]) -> None:
    one = start(ShardPlan(2, (0,), 1))
    await one.holds(0)
    other = start(ANY)
    await other.holds(1)

    await one.stop()

    await other.holds(0, 1)


async def test_the_same_shard_named_twice_is_waited_for(start: Callable[[ShardPlan], PresentProcess]) -> None:
    one = start(BOTH)
    await one.holds(0, 1)
    other = start(ShardPlan(2, (1,), 1))
    await other.until(lambda: other.shards.hearing)
    assert other.shards.held == set()

    await one.stop()

    await other.holds(1)


async def test_a_lost_connection_holds_nothing_until_it_has_its_shards_again(
    start: Callable[[ShardPlan], PresentProcess], database: str
) -> None:
    holder = start(BOTH)
    await holder.holds(0, 1)
    seen: list[frozenset[int]] = []
    holder.on_notices_lost = lambda: seen.append(holder.shards.held)  # type: ignore[method-assign]  # to see the order

    await hang_up(database, holder)

    await holder.until(lambda: bool(seen))
    await holder.holds(0, 1)
    assert not holder.staying.done()


async def test_when_all_are_cut_off_who_held_a_shard_has_it_again_and_one_taken_ends_its_process(
    start: Callable[[ShardPlan], PresentProcess], database: str
) -> None:
    holder = start(ANY)
    await holder.holds(0, 1)
    standby = start(ANY)
    await standby.until(lambda: standby.shards.hearing)

    await hang_up(database, holder, standby)
    await holder.until(lambda: not holder.shards.held)

    await holder.holds(0, 1)
    await standby.until(lambda: standby.shards.hearing)
    assert standby.shards.held == set()

    async with holder.presence._asking:  # it can't come back before the other is there
        await hang_up(database, holder)
        await standby.holds(0, 1)

    with pytest.raises(TakenOver, match=r"^Another process has taken shard 0, so this one ends\.$"):
        await asyncio.wait_for(holder.staying, 20)


async def test_a_connection_that_ends_during_a_query_is_opened_again(
    start: Callable[[ShardPlan], PresentProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(ANY)
    await process.holds(0, 1)
    fetch, broken = asyncpg.Connection.fetch, [True]

    async def fetch_or_break(connection: asyncpg.Connection, *arguments: object) -> object:
        if broken and broken.pop():
            raise asyncpg.InternalClientError(
                "cannot switch to state 12; another operation (2) is in progress"
            )
        return await fetch(connection, *arguments)

    monkeypatch.setattr(asyncpg.Connection, "fetch", fetch_or_break)
    await process.until(lambda: not process.shards.held)

    await process.holds(0, 1)


async def test_another_division_is_refused(start: Callable[[ShardPlan], PresentProcess]) -> None:
    first = start(BOTH)
    await first.holds(0, 1)

    second = start(ShardPlan(3, None, 3))

    with pytest.raises(
        DividedOtherwise, match=r"^SHARD_COUNT: other processes .* with 2, this one with 3: stop"
    ):
        await asyncio.wait_for(second.staying, 20)


async def test_a_commit_at_a_table_of_anothers_is_heard_once_it_is_committed(
    start: Callable[[ShardPlan], PresentProcess], store: Store
) -> None:
    listener = start(BOTH)
    await listener.until(lambda: listener.shards.hearing)
    table = await new_table(store)
    store.shards.divide(2)

    await store.commit(change(table, told=store.shards.note_of(table, 1)))

    await listener.until(lambda: bool(listener.notes))
    assert [(note.subject, note.number, note.guild_id) for note in listener.notes] == [("table", table, 1)]


async def test_a_process_ignores_its_own_notices(
    start: Callable[[ShardPlan], PresentProcess], store: Store
) -> None:
    one, other = start(ShardPlan(2, (0,), 1)), start(ShardPlan(2, (1,), 1))
    await one.until(lambda: one.shards.hearing and other.shards.hearing)
    table = await new_table(store)

    await store.commit(change(table, told=one.shards.note("table", table, 1)))

    await other.until(lambda: bool(other.notes))
    assert one.notes == []


async def test_processes_log_in_one_after_another_where_discord_wants_it(
    start: Callable[[ShardPlan], PresentProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "TURN", 0.5)
    one, other = start(ShardPlan(2, (0,), 1)), start(ShardPlan(2, (1,), 1))
    await one.holds(0)
    await other.holds(1)
    loop, began = asyncio.get_running_loop(), {}

    async def log_in(process: PresentProcess, bucket: int, name: str) -> None:
        await process.presence.identify(bucket)
        began[name] = loop.time()

    await asyncio.gather(log_in(one, 0, "a"), log_in(other, 0, "b"), log_in(other, 1, "apart"))

    assert abs(began["a"] - began["b"]) >= 0.5
    assert min(abs(began["apart"] - began["a"]), abs(began["apart"] - began["b"])) < 0.4


COUNT = 7


async def fill_tables(database: str, store: Store) -> None:
    """Fill thousands of tables in hundreds of servers, few of them due."""
    plain = {key: value for key, value in msgspec.structs.asdict(LOBBY).items() if key != "id"}
    rows = [
        {
            **plain,
            "id": number,
            "guild_id": ((number % 300) << 22) + 5,
            "due_at": 1e6 + number,
            "computer_due": number % 100 == 0,
        }
        for number in range(1, 4001)
    ]
    shown = [
        {
            "table_id": row["id"],
            "kind": "board",
            "target": 0,
            "version": 1,
            "fresh": True,
            "attempts": 0,
            "due_at": row["due_at"],
            "guild_id": row["guild_id"],
        }
        for row in rows
    ]
    async with connect(database) as connection:
        await connection.execute(insert(schema.tables), rows)
        await connection.execute(insert(schema.outbox), shown)
        await connection.execute(text("ANALYZE"))


async def plans(store: Store, monkeypatch: pytest.MonkeyPatch, asking: Any) -> str:
    explain = "EXPLAIN QUERY PLAN " if store._write_engine.dialect.name == "sqlite" else "EXPLAIN "
    lines: list[str] = []
    read = store._reader.read

    class Explaining:
        def __init__(self, connection: Connection) -> None:
            self._connection = connection

        def execute(self, query: Any, values: Any = None) -> Any:
            done = query.compile(self._connection.engine, compile_kwargs={"literal_binds": True})
            rows = self._connection.execute(text(explain + str(done).replace(":", "\\:")))
            lines.extend(str(row) for row in rows)
            return self._connection.execute(query, values)

    with monkeypatch.context() as patched:
        patched.setattr(store._reader, "read", lambda look: read(lambda known: look(Explaining(known))))
        await asking()
    return "\n".join(lines)


@pytest.mark.parametrize("divided", [False, True])
async def test_an_index_finds_due_rows(
    database: str, store: Store, monkeypatch: pytest.MonkeyPatch, divided: bool
) -> None:
    await fill_tables(database, store)
    if divided:
        store.shards.divide(COUNT, {2, 3})
    now = 1e6 + 20

    texts = {
        "ix_outbox_due_at_guild_id": await plans(store, monkeypatch, lambda: store.outbox_due(now)),
        "ix_tables_due_at_guild_id": await plans(store, monkeypatch, lambda: store.due_by(now)),
        "ix_tables_computer_due_guild_id": await plans(store, monkeypatch, store.tables_awaiting_computer),
    }

    for index, plan in texts.items():
        assert index in plan, plan


async def test_only_what_is_due_in_the_shards_that_are_held_is_found(database: str, store: Store) -> None:
    await fill_tables(database, store)
    everywhere = {row.id for row in await store.due_by(1e6 + 50)}
    shown = {row.table_id for row in await store.outbox_due(1e6 + 50)}
    thinking = set(await store.tables_awaiting_computer())
    assert (len(everywhere), len(shown), len(thinking)) == (50, 50, 40)

    store.shards.divide(COUNT, {2, 3})

    def here(numbers: set[int]) -> set[int]:
        return {number for number in numbers if shard_of(((number % 300) << 22) + 5, COUNT) in (2, 3)}

    assert {row.id for row in await store.due_by(1e6 + 50)} == here(everywhere)
    assert {row.table_id for row in await store.outbox_due(1e6 + 50)} == here(shown)
    assert set(await store.tables_awaiting_computer()) == here(thinking)


async def test_a_row_to_show_stands_under_the_server_of_its_table(store: Store) -> None:
    guild_id = (9 << 22) + 1
    table = await new_table(store, guild_id=guild_id)
    await store.commit(change(table, outbox=(("board", 0, True, 0.0),)))
    await store.ask(table, "lobby", 0, 1, False, 0.0)

    store.shards.divide(10, {9})
    assert len(await store.outbox_of(table, 1.0)) == 2
    store.shards.hold({0})
    assert await store.outbox_of(table, 1.0) == []


async def test_without_a_shard_nothing_is_due(database: str, store: Store) -> None:
    await fill_tables(database, store)

    store.shards.divide(COUNT)

    assert await store.due_by(1e12) == []
    assert await store.outbox_due(1e12) == []
    assert await store.tables_awaiting_computer() == []


BOT = """
import asyncio, sys
from host import start

class Waiting(start.ParlourBot):
    async def start(self, token):
        print("connects", self.shard_ids, flush=True)
        for shard in self.shard_ids or [0]:
            await self.on_shard_ready(shard)
        print("acts for", sorted(self.app.parlour.store.shards.held), flush=True)
        while not self.is_closed():
            await asyncio.sleep(0.01)

start.ParlourBot = Waiting
sys.exit(start.main())
"""
PATIENCE = 30.0
"""Seconds for which a bot may say nothing."""
StartBot = Callable[..., Awaitable[ForkedProcess]]


@pytest.fixture
async def start_bot(database: str) -> AsyncIterator[StartBot]:
    running: list[ForkedProcess] = []

    async def starting(**settings: str) -> ForkedProcess:
        environment = {**os.environ, "DISCORD_TOKEN": TOKEN, "DATABASE_URL": database, **settings}
        running.append(await ForkedProcess.start(BOT, environment))
        return running[-1]

    yield starting
    for process in running:
        process.kill()
        await process.communicate()
        process.close()


async def read_lines(process: ForkedProcess, lines: int = 2) -> list[str]:
    async with asyncio.timeout(PATIENCE):
        return [(await process.stdout.readline()).decode().strip() for _ in range(lines)]


async def waits(process: ForkedProcess) -> None:
    async with asyncio.timeout(PATIENCE):
        while line := await process.stderr.readline():
            if b"waiting: other processes hold" in line:
                return
    raise AssertionError("the bot ended")


async def exit_code(process: ForkedProcess) -> int:
    async with asyncio.timeout(PATIENCE):
        return await process.wait()


async def test_a_second_process_waits_and_goes_on_where_the_first_stopped(start_bot: StartBot) -> None:
    first = await start_bot()
    assert await read_lines(first) == ["connects None", "acts for [0]"]
    second = await start_bot()
    await waits(second)

    first.send_signal(signal.SIGTERM)
    began = time.monotonic()
    assert await read_lines(second) == ["connects None", "acts for [0]"]

    assert time.monotonic() - began < 10
    assert await exit_code(first) == 0


@pytest.mark.thorough
async def test_a_standby_that_is_told_to_stop_does_so(start_bot: StartBot) -> None:
    await read_lines(await start_bot())
    standby = await start_bot()
    await waits(standby)

    standby.send_signal(signal.SIGTERM)

    assert await exit_code(standby) == 0


async def test_two_processes_share_the_shards_and_each_connects_its_own(start_bot: StartBot) -> None:
    auto = {"SHARD_COUNT": "4", "SHARD_IDS": "auto", "SHARDS_PER_PROCESS": "2"}

    first = await read_lines(await start_bot(**auto))
    second = await read_lines(await start_bot(**auto))

    assert first == ["connects [0, 1]", "acts for [0, 1]"]
    assert second == ["connects [2, 3]", "acts for [2, 3]"]


@pytest.mark.thorough
async def test_a_process_that_divides_otherwise_is_refused_in_a_sentence(start_bot: StartBot) -> None:
    await read_lines(await start_bot(SHARD_COUNT="4"))
    other = await start_bot(SHARD_COUNT="5")

    text = (await other.communicate())[1].decode()

    assert other.returncode == 2
    assert "SHARD_COUNT: other processes on this database run with 4, this one with 5: stop them all" in text
    assert "Traceback" not in text
