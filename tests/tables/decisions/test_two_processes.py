"""Two processes do things at one table at the same moment, and hear of each other late, twice or never."""

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from db.processes import decode_notice
from db.records import TableWrite as ChangeRows
from tables.clocks.pace import HOUR, PACES
from tables.core.change import TableState
from tables.core.people import begin_holiday, end_holiday
from tables.core.table import Phase, ProposalKind, Refused, Table, from_rows
from tests.conftest import EVERY_DATABASE
from tests.often import often
from tests.tables.house import ADMIN, ANN, BO, CY, House, user

DATABASES = EVERY_DATABASE
pytestmark = pytest.mark.usefixtures("nearly", "shard_split")

WALKS, STEPS, COMPARED = often(1, 10), often(120, 200), 4
"""The number of walks, the steps of each, and how many walks there are for each full comparison."""
PEOPLE = [user(one) for one in (ANN, BO, CY)]
WISHES = (
    *["move"] * 8,
    *["agree"] * 3,
    *["undo", "propose", "sweep"] * 2,
    *["decline", "pause", "resume", "rollback", "thread", "holiday", "look"],
)


@pytest.fixture
def notes(elsewhere: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the second process's undelivered notices to the first."""
    lines: list[str] = []
    commit = elsewhere.store.commit

    async def telling(change: ChangeRows) -> Any:
        opened = await commit(change)
        lines.extend([change.told] if change.told else [])
        return opened

    monkeypatch.setattr(elsewhere.store, "commit", telling)
    return lines


class ProcessesWalk:
    """One table, and what two processes do there; each step is of one to three things at once."""

    def __init__(self, here: House, there: House, notes: list[str], seed: int) -> None:
        self.here, self.there, self.notes = here, there, notes
        self.rng = Random(seed)
        self.seen = dict.fromkeys(PEOPLE, 0)
        self.taken = 0

    async def begin(self) -> None:
        table = await self.here.gather(ANN, BO, CY, mode="coop", first="host", ribbon_choice="random")
        await self.here.lobby.set_terms(table.id, user(ANN), pace=PACES["daily"])
        self.number = (await self.here.lobby.start(table.id, user(ANN))).id

    async def step(self) -> None:
        """Do some things at once; then deliver some notices."""
        self.taken += 1
        doing = [self._one(self.rng.choice([self.here, self.there])) for _ in range(self.rng.randint(1, 3))]
        await asyncio.gather(*doing)
        for note in list(self.notes):
            heard = decode_notice(note)
            if heard is not None and self.rng.random() < 0.5:
                self.here.parlour.ownership.on_notice(heard)
            if self.rng.random() < 0.6:  # else it comes once more
                self.notes.remove(note)
        await self.here.parlour.ownership.finish()
        if self.taken % COMPARED == 0:
            await self.compare()

    async def _one(self, house: House) -> None:
        wish, who, number = self.rng.choice(WISHES), self.rng.choice(PEOPLE), self.number
        try:
            match wish:
                case "move":
                    await self._move(house, who)
                case "agree":
                    await house.parlour.proposals.agree(number, who)
                case "undo":
                    await house.play.undo(number, who)
                case "propose":
                    matter = self.rng.choice([ProposalKind.UNDO, ProposalKind.PAUSE])
                    await house.parlour.proposals.propose(number, who, matter)
                case "sweep":  # time passes, and the table's own process does the due work
                    self.here.clock.now += self.rng.choice([60.0, HOUR, 5 * HOUR])
                    await self.sweep()
                case "decline":
                    await house.parlour.proposals.decline(number, who, self.seen[who])
                case "pause":
                    await house.parlour.pauses.pause(number, ADMIN, house.clock.now + HOUR, admin=True)
                case "resume":
                    await house.parlour.pauses.resume(number, who)
                case "rollback":
                    await house.play.rollback(number, self.rng.randint(1, 3), ADMIN)
                case "thread":
                    await house.parlour.keep_thread(number, self.rng.randint(10, 20))
                case "holiday":
                    await self._holiday(house, who)
                case "look":
                    self.seen[who] = (await house.parlour.table(number)).version
        except Refused:
            return

    async def _move(self, house: House, who: int) -> None:
        table = await house.parlour.table(self.number)
        who = self.rng.choice([table.seats[seat].user_id or who for seat in table.owing] or [who])
        moves = await house.play.moves(self.number, who)
        if moves:
            seen = self.rng.choice([None, table.version, self.seen[who]])
            await house.play.move(self.number, who, [self.rng.choice(moves)], seen)

    async def _holiday(self, house: House, who: int) -> None:
        now = house.clock.now
        goes = self.rng.random() < 0.5
        await house.parlour.personal_settings.change(
            who,
            lambda person: begin_holiday(person, now + HOUR, "", now) if goes else end_holiday(person, now),
        )
        for one in (self.here, self.there):  # a notice like any other, which isn't tested here
            one.parlour.people.invalidate()

    async def sweep(self) -> None:
        await self.here.parlour.due.look(self.number)

    async def compare(self) -> None:
        """Compare each process's memory with the history of that version. None may be missing."""
        row = await self.here.store.table(self.number)
        assert row is not None
        entries = await self.here.store.actions(self.number)
        assert [entry.version for entry in entries] == list(range(1, row.version + 1))
        now = from_rows(row, await self.here.store.seats(self.number))
        for house in (self.here, self.there):
            known: TableState | None = house.parlour._repository._cache.get(self.number)
            if known is None or known.position is None:
                continue
            state, _ = await self.here.parlour._repository.state_at(known.table, known.table.version)
            assert known.position.state == state, "memory and history have come apart"
            if known.table.version == row.version and not known.doubtful:
                assert _lasting(known.table) == _lasting(now)


def _lasting(table: Table) -> Table:
    """Return a table without what time alone and other rows change."""
    return replace(table, clocks=(), due_at=None, thread_id=None, ticks=0)


async def run_walk(walk: ProcessesWalk, steps: int) -> None:
    """Begin, and take N steps; start another game after each end."""
    await walk.begin()
    for _ in range(steps):
        if (await walk.here.parlour.table(walk.number)).phase is not Phase.PLAY:
            await walk.begin()
        await walk.step()


@pytest.mark.parametrize("seed", range(WALKS))
async def test_two_processes_agree(house: House, elsewhere: House, notes: list[str], seed: int) -> None:
    await run_walk(ProcessesWalk(house, elsewhere, notes, seed), STEPS)


class KeepsBesideAnOlderPosition(ProcessesWalk):
    """A planted fault: the sweep puts the table that it has read beside whatever position is in memory."""

    async def sweep(self) -> None:
        """Read the row, and keep it."""
        repository = self.here.parlour._repository
        row = await self.here.store.table(self.number)
        known = repository._cache.get(self.number)
        if row is not None and known is not None:
            read_now = from_rows(row, await self.here.store.seats(self.number))
            repository._cache[self.number] = replace(known, table=read_now)


async def test_a_planted_newer_table_beside_an_older_position_is_found(
    house: House, elsewhere: House, notes: list[str]
) -> None:
    walk = KeepsBesideAnOlderPosition(house, elsewhere, notes, 4)

    with pytest.raises(AssertionError, match="have come apart"):
        await run_walk(walk, 10 * STEPS)
    print(f"it is found after {walk.taken} steps")
