"""A database is one application's; another's bot is refused until it is let go."""

import asyncio

import pytest

from db.store import Store
from db.subjects.servers import ForeignDatabase
from tests.db.rows import everything

OURS, OTHER = 111, 222


async def test_a_database_of_nobody_is_of_the_first_application_that_asks(
    store: Store, second_store: Store
) -> None:
    await store.ownership.require(OURS)

    await second_store.ownership.require(OURS)
    assert await second_store.ownership.owner() == OURS


@pytest.mark.slow
async def test_another_application_is_refused_and_nothing_is_changed(store: Store, database: str) -> None:
    await store.ownership.require(OURS)
    before = await everything(database)

    with pytest.raises(ForeignDatabase, match=r"^DISCORD_TOKEN.* 222,.*DATABASE_URL.* 111,.* adopt$"):
        await store.ownership.require(OTHER)

    assert await everything(database) == before


async def test_of_two_applications_that_ask_at_once_one_is_refused(store: Store, second_store: Store) -> None:
    asked = await asyncio.gather(
        store.ownership.require(OURS), second_store.ownership.require(OTHER), return_exceptions=True
    )

    (refused,) = (answer for answer in asked if answer is not None)
    assert isinstance(refused, ForeignDatabase)
    assert await store.ownership.owner() == (OTHER if refused is asked[0] else OURS)


async def test_a_database_that_is_let_go_is_of_the_next_application_that_asks(store: Store) -> None:
    await store.ownership.require(OURS)

    assert await store.ownership.release() == OURS

    assert await store.ownership.owner() is None
    await store.ownership.require(OTHER)
    with pytest.raises(ForeignDatabase):
        await store.ownership.require(OURS)
