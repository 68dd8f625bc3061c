"""Whole games as files, and back: every game, every step, the same bytes."""

from __future__ import annotations

import msgspec
import pytest

from tables.format import LARGEST
from tables.model import Imported
from tests.engines.cases import CASES, Case
from tests.tables.house import ANN, CHANNEL, GUILD, House
from tests.tables.stories import finished, kept

every_game = pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])


@every_game
@pytest.mark.parametrize("number", range(2))
async def test_a_game_that_is_exported_imported_and_exported_is_the_same_file(
    house: House, case: Case, number: int
) -> None:
    table = await kept(house, finished(case, number))
    file = await house.parlour.taking.export(table.id, None)

    again = await house.parlour.taking.open(GUILD, CHANNEL, ANN, file)

    assert await house.parlour.taking.export(again.id, 0) == file
    assert len(file) < LARGEST
    assert again.id != table.id


@every_game
async def test_an_imported_game_is_a_table_of_the_past_that_can_be_browsed(house: House, case: Case) -> None:
    table = await kept(house, finished(case, 5))
    file = await house.parlour.taking.export(table.id, None)

    again = await house.parlour.taking.open(GUILD, CHANNEL, ANN, file)

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
    await house.settled()
    assert house.courier.taken() == [("board", 0, True)]
