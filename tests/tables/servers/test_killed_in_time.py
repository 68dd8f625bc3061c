"""A process may die at any write, and time's work at a table is still done once."""

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from tables.clocks.pace import DAY, HOUR
from tables.core import downtime
from tables.core.table import Phase, ProposalKind, Table, WhenLate
from tests.engines.ribbon.games import NEARLY
from tests.often import often
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, House, user

DATABASES = ["sqlite"]
STEP = 2 * HOUR
EVERY = often(30, 4)
"""The process dies at every so-manieth write."""


@pytest.fixture(autouse=True)
def seldom(monkeypatch: pytest.MonkeyPatch, deal_next: Dealt) -> None:
    """Check every two hours; deal games that aren't lost at once."""
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", STEP + HOUR)
    deal_next(NEARLY)


class WriterKilled(Exception):
    """The process is dead, and writes nothing any more."""


class WriteLine:
    """Connects a house with its database; after a number of writes it is cut."""

    def __init__(self, house: House) -> None:
        writer: Any = house.store._writer
        self._writer, self._write = writer, writer.write
        self.left = 10**9
        writer.write = self.write_through

    async def write_through(self, job: Any) -> Any:
        """Write, while the process lives."""
        self.left -= 1
        if self.left < 0:
            raise WriterKilled
        return await self._write(job)

    def mend(self) -> None:
        """Record that the process was started again."""
        self._writer.write = self._write


async def live_three_days(house: House, at_write: int) -> tuple[House, bool]:
    """Live three days; die at that write and restart.

    Return the house, and True if there were that many writes.
    """
    line, died = WriteLine(house), False
    line.left = at_write
    for _ in range(37):
        house.clock.now += STEP
        await house.parlour.resume()
        await house.settle()
        if line.left < 0:
            died = True
            line.mend()
            house.clock.now += 1
            shown = house.courier.shown
            await house.parlour.computers.stop()
            await house.parlour.outbox.finish()
            house = house.restart()
            house.courier.shown = [*shown, *house.courier.shown]
            line = WriteLine(house)
    line.mend()
    return house, died


async def clear_house(house: House, table: Table) -> None:
    if (await house.parlour.table(table.id)).phase is Phase.PLAY:
        await house.play.close(table.id, user(ANN))
    await house.settle()


def count_notices(house: House, table: Table) -> Counter[tuple[str, int]]:
    """Count the showings of each notice, without possible duplicates."""
    return Counter(
        (row.kind, row.target)
        for row, maybe in house.courier.shown
        if row.table_id == table.id and row.kind not in {"board", "lobby", "hand"} and not maybe
    )


@pytest.mark.parametrize("rule", list(WhenLate))
async def test_reminders_and_lateness(house: House, rule: WhenLate) -> None:
    for at_write in range(1, 60, EVERY):
        table = await house.start(ANN, BO, mode="coop", pace="daily", when_late=rule)
        house, died = await live_three_days(house, at_write)

        kinds = Counter(await house.history(table))
        assert kinds["late"] == 1, at_write
        assert kinds["resign"] == (rule is WhenLate.FORFEIT)
        after = await house.parlour.table(table.id)
        assert after.clock(0).missed == (rule is WhenLate.COMPUTER), at_write
        assert count_notices(house, table)["reminder", user(ANN)] <= 2
        await clear_house(house, table)
        if not died:
            break


async def test_a_pause_that_ends_and_a_proposal_that_lapses(house: House) -> None:
    for at_write in range(1, 40, EVERY):
        table = await house.start(ANN, BO, mode="coop", pace="weekly")
        await house.parlour.pauses.pause(table.id, 900, house.clock.now + 10 * HOUR, admin=True)
        house, _ = await live_three_days(house, at_write)
        await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.PAUSE)
        house, _ = await live_three_days(house, at_write)

        kinds = Counter(await house.history(table))
        assert (kinds["pause"], kinds["resume"], kinds["propose"], kinds["decline"]) == (1, 1, 1, 1), at_write
        after = await house.parlour.table(table.id)
        assert (after.paused_at, after.proposal) == (None, None)
        assert after.clock(0).runs
        await clear_house(house, table)


async def test_agreed_proposals_take_effect(house: House) -> None:
    for at_write in range(2):
        table = await house.start(ANN, BO, mode="coop", pace="weekly")
        await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.PAUSE)
        line = WriteLine(house)
        line.left = at_write
        with suppress(WriterKilled):
            await house.parlour.proposals.agree(table.id, user(ANN))
        line.mend()
        house = house.restart()
        await house.parlour.resume()
        await house.settle()

        kinds = Counter(await house.history(table))
        assert (kinds["agree"], kinds["pause"]) == (at_write, at_write)
        assert ((await house.parlour.table(table.id)).paused_at is None) == (at_write == 0)
        await clear_house(house, table)


async def test_a_lobby_that_expires(house: House) -> None:
    for at_write in range(1, 8):
        table = await house.gather(ANN)
        house.clock.now += 7 * DAY - HOUR
        await house.parlour.resume()
        house, _ = await live_three_days(house, at_write)

        assert Counter(await house.history(table))["expire"] == 1
        assert (await house.parlour.table(table.id)).phase is Phase.EXPIRED
        assert count_notices(house, table)["expired", user(ANN)] <= 1
