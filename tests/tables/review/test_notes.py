"""A person's notes about their tables: private, short, and gone with the table."""

import pytest

from tables.core.table import Refused
from tables.review.record import LONGEST
from tests.tables.house import ANN, BO, House, user


async def test_a_note_is_kept_for_its_person_and_table_alone(house: House) -> None:
    first, second = await house.gather(ANN, BO), await house.gather(BO)
    notes = house.parlour.notes

    assert await notes.write(first.id, user(ANN), "  watch Bo's red  ") == "watch Bo's red"

    tables = [first.id, second.id]
    assert await notes.of(user(ANN), tables) == {first.id: "watch Bo's red"}
    assert await notes.of(user(BO), tables) == {}
    assert await house.restart().parlour.notes.of(user(ANN), tables) == {first.id: "watch Bo's red"}


async def test_a_new_note_takes_the_place_of_the_old_and_an_empty_one_erases_it(house: House) -> None:
    table, notes = await house.gather(ANN), house.parlour.notes
    await notes.write(table.id, user(ANN), "one")

    await notes.write(table.id, user(ANN), "two")
    assert await notes.of(user(ANN), [table.id]) == {table.id: "two"}
    await notes.write(table.id, user(ANN), " ")
    assert await notes.of(user(ANN), [table.id]) == {}
    await notes.write(table.id, user(ANN), "")


async def test_a_note_that_is_too_long_or_about_no_table_is_refused(house: House) -> None:
    table, notes = await house.gather(ANN), house.parlour.notes
    await notes.write(table.id, user(ANN), "x" * LONGEST)

    with pytest.raises(Refused, match="501 of 500 characters"):
        await notes.write(table.id, user(ANN), "y" * (LONGEST + 1))
    with pytest.raises(Refused, match="no table 99"):
        await notes.write(99, user(ANN), "z")

    assert await notes.of(user(ANN), [table.id]) == {table.id: "x" * LONGEST}


async def test_notes_come_with_the_list_of_ones_tables(house: House) -> None:
    table = await house.gather(ANN, BO)
    await house.parlour.notes.write(table.id, user(ANN), "ask Bo to start")

    mine = await house.parlour.overviews.of(user(ANN), 0)
    others = await house.parlour.overviews.of(user(BO), 0)

    assert (mine.notes, others.notes) == ({table.id: "ask Bo to start"}, {})


async def test_a_note_keeps_its_lines_without_characters_that_no_database_takes(house: House) -> None:
    table = await house.gather(ANN)

    written = await house.parlour.notes.write(table.id, user(ANN), "red\x00\nblue \ud800 \u202egreen")

    assert written == "red\nblue ? green"
    assert await house.parlour.notes.of(user(ANN), [table.id]) == {table.id: written}
