"""Whole games as files, and back: every game, every step, the same bytes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.exports import exported
from tables.format import LARGEST
from tables.imports import Past, opened
from tables.model import Imported, Phase, from_rows
from tables.taking import kept_rows
from tests.engines.cases import CASES, Case
from tests.engines.cases import Table as Choice
from tests.engines.test_conformance import hypothetical
from tests.tables.house import ANN, CHANNEL, GUILD, House, user
from tests.tables.stories import finished, kept, story

pytestmark = pytest.mark.slow

STEPS = 400
"""Games that take longer are left alone."""
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


@pytest.mark.slow
@every_game
def test_any_game_with_a_result_comes_back_from_its_file_as_the_same_file(case: Case) -> None:
    over = 0

    seeds = st.binary(min_size=32, max_size=32)

    @hypothetical(case, 100)
    @given(st.sampled_from(case.tables), seeds, st.sampled_from([0.9, 1.0]))
    def check(choice: Choice, seed: bytes, care: float) -> None:
        nonlocal over
        told = story(case, choice, seed, care, STEPS)
        if told.row().phase == Phase.OVER:
            over += 1
            file = told.file()
            found = opened(file)
            assert isinstance(found, Past)
            row, seats = kept_rows(GUILD, CHANNEL, user(ANN), found, 0.0)
            assert exported(from_rows(row, seats), found.rows, None) == file

    check()
    assert over


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
