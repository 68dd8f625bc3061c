"""An erasure takes its time: others have their turn between its parts, and a crash anywhere is made good."""

import asyncio
from itertools import count

import pytest

from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import NONE
from tables.core.table import Occupant
from tables.cups.cups import CupTerms
from tables.servers import erasure
from tests.db.rows import everything
from tests.often import often
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, user
from tests.tables.servers.test_erasure import together, win_game
from tests.tables.servers.test_killed_in_time import WriteLine, WriterKilled

DATABASES = ["sqlite"]


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "GROUP", 1)


async def add_traces(house: House, zed: Occupant, group: int = 0) -> list[int]:
    """Add tables and a cup of Zed's with a group. Return the tables at which they sat."""
    ann, bo, cy, dee = (Occupant(one.name, user(one) + 1000 * group) for one in (ANN, BO, CY, DEE))
    finished = await win_game(house, zed, ann)
    await house.parlour.import_export.fork(finished.id, 0, ann)
    going = await together(house, zed, ann, bo)
    taken = await together(house, ann, zed)
    cup = await house.parlour.cups.open(GUILD + group, CHANNEL + group, ann, "ribbon", CupTerms(8, NONE))
    for occupant in (zed, cy, dee):
        await house.parlour.cups.join(cup.id, user(occupant), occupant.name)
    await house.parlour.notes.write(going.id, user(zed), "Ann bluffs")
    await house.settle()
    return [finished.id, going.id, taken.id]


async def rows_about(database: str, zed: Occupant) -> dict[str, list[str]]:
    """Return rows with somebody's id or name, by kind."""
    result: dict[str, list[str]] = {}
    for name, rows in (await everything(database)).items():
        lines = [str(row) for row in rows if str(user(zed)) in str(row) or zed.name in str(row)]
        if lines:
            result[name] = lines
    return result


async def half_gone(database: str, zed: Occupant, tables: list[int]) -> list[int]:
    """Return tables that name somebody only in their seats or their history."""
    rows = await everything(database)

    def told(kind: str, number: int) -> bool:
        own = [str(row) for row in rows[kind] if row[0] == number]
        return any(zed.name in row or str(user(zed)) in row for row in own)

    return [number for number in tables if told("seats", number) != told("actions", number)]


async def test_a_crash_between_parts_is_repaired_without_asking_again(house: House, database: str) -> None:
    interrupted = 0
    for at_write in count(step=often(5, 1)):
        zed = Occupant(f"Zed {at_write} Quux", 987_654_321_012_345_000 + at_write)
        tables = await add_traces(house, zed, at_write)
        line = WriteLine(house)
        line.left = at_write
        try:
            await house.parlour.eraser.erase(user(zed))
        except WriterKilled:
            died = True
        else:
            died = False
        line.mend()
        begun = user(zed) in await house.store.erasure.unfinished()
        if begun:
            assert await half_gone(database, zed, tables) == []
            interrupted += 1

        house = house.restart()
        await house.parlour.resume()
        await house.settle()

        if begun or not died:
            assert await rows_about(database, zed) == {}
            assert await house.store.standings.find_wrong_ratings() == []
            assert (await house.parlour.table(tables[1])).names[1:] == ["Ann", "Bo"]
        if not died:
            break

    assert interrupted >= len(tables) // often(5, 1)


async def test_others_move_while_somebody_is_erased(house: House) -> None:
    zed = Occupant("Zed Quux", 987_654_321_012_345_678)
    await add_traces(house, zed)
    options = RibbonOptions(mode="coop", first="host")
    table = await house.lobby.create(GUILD, CHANNEL, BO, "ribbon", options, (CY,))
    await house.lobby.start(table.id, user(BO))
    erasing = asyncio.create_task(house.parlour.eraser.erase(user(zed)))
    while user(zed) not in await house.store.erasure.unfinished():
        assert not erasing.done()

    meanwhile: list[bool] = []
    while not erasing.done() and len(meanwhile) < 4:
        seat = (await house.parlour.table(table.id)).owing[0]
        person = (BO, CY)[seat]
        legal = await house.play.moves(table.id, user(person))
        await house.play.move(table.id, user(person), [legal[0]])
        meanwhile.append(user(zed) in await house.store.erasure.unfinished())
    await erasing

    assert meanwhile[0]
    assert await house.store.erasure.unfinished() == {}
