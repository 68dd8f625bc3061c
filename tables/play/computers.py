"""Computer players: they move after every commit that leaves one of them to move."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engines.game import Strength
from tables.core.repository import Repository
from tables.core.table import NoTable, Phase, Stale, Table
from tables.play.play import Play
from tables.runtime.background import Background, LogOnce, Retries, wait_for_end

log = logging.getLogger(__name__)


class Computers:
    """Moves the computers of every table, one task a table, never under the table's lock."""

    def __init__(self, repository: Repository, play: Play, clock: Callable[[], float]) -> None:
        self._repository = repository
        self._play = play
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._thoughts: dict[asyncio.Task[Any], Table] = {}
        self._retries: Retries[int] = Retries(clock)
        self._log_once = LogOnce()
        self._background = Background()
        self._stopped = False

    def is_failing(self, table_id: int) -> bool:
        """Return True if a table's computers have failed and not moved since."""
        return self._retries.failures(table_id) > 0

    def wake(self, table: Table) -> bool:
        """Let a table's computers move if they owe. Return True if they will."""
        if table.phase is not Phase.PLAY or not table.computers_owing or not self._acts_for(table):
            return self.is_moving(table.id)
        return self._begin(table.id)

    async def resume(self) -> None:
        """Resume every table at which a computer owes a move."""
        for table_id in await self._repository.store.tables_awaiting_computer():
            self._begin(table_id)

    async def finish(self) -> None:
        while self._tasks:
            await wait_for_end(self._tasks.values())

    async def wait_until_settled(self, table_id: int, seconds: float) -> bool:
        """Wait for a table's computers, at most that long. Return True if none is about to move."""
        task = self._tasks.get(table_id)
        if task is not None:
            await asyncio.wait([task], timeout=seconds)
        return not self.is_moving(table_id)

    async def stop(self) -> None:
        """Stop all computers; the next start resumes what they owe.

        Thoughts are given up, writes are finished.
        """
        self._stopped = True
        for thought in self._thoughts:
            thought.cancel()
        await self.finish()

    def give_up(self) -> None:
        """Stop thinking about other processes' tables."""
        for thought, table in self._thoughts.items():
            if not self._acts_for(table):
                thought.cancel()

    def drop(self, table_id: int) -> None:
        for thought, table in self._thoughts.items():
            if table.id == table_id:
                thought.cancel()

    def _acts_for(self, table: Table) -> bool:
        return self._repository.store.shards.owns(table.guild_id)

    def is_moving(self, table_id: int) -> bool:
        task = self._tasks.get(table_id)
        return task is not None and not task.done()

    def _begin(self, table_id: int) -> bool:
        if self.is_moving(table_id):
            return True
        if self._stopped or not self._retries.is_due(table_id):
            return False
        task = asyncio.create_task(self._drive(table_id), name=f"computer seats of table {table_id}")
        self._tasks[table_id] = task
        task.add_done_callback(lambda done: self._on_end(table_id, done))
        return True

    def _on_end(self, table_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(table_id) is task:
            del self._tasks[table_id]
            self._repository.listener.on_computers_settled(table_id)

    async def _drive(self, table_id: int) -> None:
        try:
            while not self._stopped and await self._move_one(table_id):
                self._work(table_id)
        except NoTable:  # it was private, and has been deleted
            self._work(table_id)
        except Exception as error:  # nobody waits for this task, and one table's trouble is not the others'
            is_first = not self.is_failing(table_id)
            self._retries.note_failure(table_id)
            if self._log_once.note_failure(table_id, error):
                log.exception("table %s: its computer seats have failed, and will be tried again", table_id)
            if is_first:
                coroutine = self._repository.listener.on_computers_failed(table_id)
                await self._background.run(f"announcing it at table {table_id}", coroutine)
        else:
            self._work(table_id)

    def _work(self, table_id: int) -> None:
        self._retries.note_success(table_id)
        if self._log_once.note_success(table_id):
            log.info("table %s: its computer seats move again", table_id)

    async def _move_one(self, table_id: int) -> bool:
        """Make the next move that a computer owes. Return True if there was one."""
        loaded = await self._repository.load(table_id)
        table = loaded.table
        if table.phase is not Phase.PLAY or not table.computers_owing or not self._acts_for(table):
            return False
        seat = table.computers_owing[0]
        strength = table.seats[seat].strength or Strength.STRONG
        thought = asyncio.create_task(self._play.choose_move(loaded, seat, strength))
        self._thoughts[thought] = table
        try:
            move = await thought
        finally:
            del self._thoughts[thought]
        with suppress(Stale):  # the table has moved on: it is checked again
            await self._play.make_computer_move(table, seat, move, None)
        return True
