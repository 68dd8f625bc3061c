import asyncio

import pytest
from msgspec.structs import replace

from db.records import OutboxRow, PostRow
from db.store import Store
from db.subjects.servers import ForeignDatabase
from tests.db.rows import change, everything, new_table

LATER = 1e12
BOARD = OutboxRow(1, "board", 0, version=1, fresh=True, attempts=0, due_at=0.0)


def post(version: int, message_id: int = 30) -> PostRow:
    return PostRow(1, "board", 0, channel_id=2, message_id=message_id, version=version, memo="memo")


async def steps(store: Store, *fresh: bool) -> None:
    """Add steps to table 1; each of them requests its board."""
    for seen, wish in enumerate(fresh):
        await store.commit(change(1, seen, outbox=(("board", 0, wish, 0.0),)))


@pytest.fixture(autouse=True)
async def table(store: Store) -> None:
    assert await new_table(store) == 1


async def waiting(store: Store) -> list[OutboxRow]:
    return await store.outbox_of(1, LATER)


@pytest.mark.parametrize(
    ("wishes", "fresh"), [((True, False), True), ((False, True), True), ((False, False), False)]
)
async def test_older_wishes_are_merged_into_the_newest_and_a_fresh_post_stays_due(
    store: Store, wishes: tuple[bool, ...], fresh: bool
) -> None:
    await steps(store, *wishes)

    assert await waiting(store) == [replace(BOARD, version=2, fresh=fresh)]


async def test_one_step_may_ask_twice_for_the_same(store: Store) -> None:
    await store.commit(
        change(1, outbox=(("board", 0, False, 0.0), ("board", 0, True, 0.0), ("hand", 7, False, 0.0)))
    )

    assert [(row.kind, row.fresh) for row in await waiting(store)] == [("board", True), ("hand", False)]


async def test_a_failed_attempt_is_counted_and_comes_later_unless_a_new_step_is_due(store: Store) -> None:
    await steps(store, True)

    await store.postpone(BOARD, due_at=50.0)

    assert await store.outbox_of(1, 49.0) == []
    assert await store.outbox_of(1, 50.0) == [replace(BOARD, attempts=1, due_at=50.0)]

    await store.commit(change(1, seen=1, outbox=(("board", 0, False, 3.0),)))

    assert await waiting(store) == [replace(BOARD, version=2, due_at=3.0)]


async def test_an_attempt_to_show_what_has_changed_since_postpones_nothing(store: Store) -> None:
    await steps(store, True, False)

    await store.postpone(BOARD, due_at=50.0)

    assert await waiting(store) == [replace(BOARD, version=2)]


@pytest.mark.parametrize(
    ("wishes", "fresh", "version", "stays"),
    [
        pytest.param((True,), True, 1, False, id="shown"),
        pytest.param((True,), True, None, False, id="needless"),
        pytest.param((True, True), True, 1, True, id="changed while an older state was shown"),
        pytest.param((True, True), True, 2, False, id="changed, and shown already"),
        pytest.param((False, True), False, 2, True, id="edited, where a fresh one became due"),
    ],
)
async def test_a_row_is_struck_when_its_message_is_remembered_unless_it_has_changed(
    store: Store, wishes: tuple[bool, ...], fresh: bool, version: int | None, stays: bool
) -> None:
    await steps(store, *wishes)
    shown = None if version is None else post(version)

    await store.finish_post(replace(BOARD, fresh=fresh), shown)

    assert await waiting(store) == ([replace(BOARD, version=2)] if stays else [])
    assert await store.find_last_post(1, "board", 0) == shown
    assert await store.find_last_post(1, "board", 7) is None


async def test_a_newer_message_is_remembered_instead_of_the_older(store: Store) -> None:
    await store.finish_post(BOARD, post(1))

    await store.finish_post(BOARD, post(2, message_id=31))

    assert await store.find_last_post(1, "board", 0) == post(2, message_id=31)


async def test_only_the_row_that_was_shown_is_struck(store: Store) -> None:
    assert await new_table(store) == 2
    await store.commit(
        change(1, outbox=(("board", 0, True, 0.0), ("hand", 7, False, 0.0), ("hand", 8, False, 0.0)))
    )
    await store.commit(change(2, outbox=(("board", 0, True, 0.0),)))

    await store.finish_post(BOARD, post(1))

    rows = await store.outbox_due(LATER)
    assert sorted((row.table_id, row.kind, row.target) for row in rows) == [
        (1, "hand", 7),
        (1, "hand", 8),
        (2, "board", 0),
    ]


async def test_something_may_be_asked_for_without_a_step(store: Store) -> None:
    await store.ask(1, "lobby", 0, version=4, fresh=True, due_at=9.0)

    assert await waiting(store) == [OutboxRow(1, "lobby", 0, 4, True, 0, 9.0)]


async def test_asking_again_forgets_nothing_of_what_waits(store: Store) -> None:
    await steps(store, False, True)
    await store.postpone(replace(BOARD, version=2), due_at=50.0)

    await store.ask(1, "board", 0, version=1, fresh=False, due_at=9.0)

    assert await waiting(store) == [OutboxRow(1, "board", 0, 2, fresh=True, attempts=1, due_at=9.0)]


async def test_a_server_that_removes_the_bot_loses_no_posts_but_its_own(store: Store) -> None:
    elsewhere = await new_table(store, guild_id=2)
    await steps(store, True)
    await store.commit(change(elsewhere, outbox=(("board", 0, True, 0.0),)))

    await store.servers.note_removed(1, at=50.0)

    assert await waiting(store) == []
    assert [row.kind for row in await store.outbox_of(elsewhere, LATER)] == ["board"]


OURS, OTHER = 111, 222


async def test_a_free_database_goes_to_the_first_application(store: Store, second_store: Store) -> None:
    await store.ownership.require(OURS)

    await second_store.ownership.require(OURS)
    assert await second_store.ownership.owner() == OURS


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
