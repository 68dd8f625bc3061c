"""Written rows come back, by every way of reading them."""

from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, StatementError

from db.records import AuditRow, DraftRow, OutboxRow, PostRow, SeatRow, ServerSettings, TableWrite
from db.store import Store
from tests.db.rows import ANN, BO, LOBBY, SEATS, change, connect, everything, new_table, step

EVER = ("lobby", "play", "over", "closed")
SOMEBODY_ELSE = 999
POST = PostRow(1, "board", 0, channel_id=2, message_id=30, version=1, memo="")


async def test_a_new_table_may_have_a_past_that_is_written_with_it(store: Store) -> None:
    past = TableWrite(
        99,
        0,
        {},
        (step(1), step(2), step(3)),
        b"end",
        outbox=(("board", 0, True, 5.0),),
        earlier=((1, b"start"),),
    )

    number = await store.create(replace(LOBBY, version=3), SEATS, past=past)

    assert [row.version for row in await store.actions(number)] == [1, 2, 3]
    assert await store.snapshot(number, 3) == (3, b"end")
    assert await store.snapshot(number, 2) == (1, b"start")
    assert [(row.kind, row.version) for row in await store.outbox_of(number, 5.0)] == [("board", 3)]


async def test_a_past_that_cannot_be_written_and_a_text_for_a_list_leave_nothing(store: Store) -> None:
    twice = TableWrite(99, 0, {}, (step(1), step(1)), b"end")

    with pytest.raises(IntegrityError):
        await store.create(replace(LOBBY, version=1), SEATS, past=twice)

    assert await store.tables_in(1, ["lobby"]) == []

    wrong: Any = "[]"

    with pytest.raises(StatementError, match="Expected `array`, got `str`"):
        await store.save_guild(ServerSettings(9, open_in=wrong))

    assert await store.guild(9) is None


async def test_every_value_that_a_table_can_hold_comes_back(store: Store) -> None:
    full = replace(
        LOBBY,
        guild_id=2**63 - 1,
        thread_id=2**62,
        phase="over",
        owing="[0,1]",
        computer_due=True,
        deal='{"deck":"ABC"}',
        outcome='{"how":"tie"}',
        touched_at=1753900000.123456,
    )

    number = await store.create(full, SEATS)

    assert await store.table(number) == replace(full, id=number)
    assert await store.seats(number) == list(SEATS)
    assert await store.table(number + 1) is None
    assert await store.seats(number + 1) == []


async def test_text_of_any_script_and_size_and_any_bytes_come_back(store: Store) -> None:
    name = "Ænn 🧶 <@1> @everyone '; DROP TABLE seats; -- 漢字 עברית"
    payload, state = "🧵" * 500_000, bytes(range(256)) * 4096
    number = await store.create(LOBBY, [SeatRow(0, ANN, name, None)])

    await store.commit(change(number, actions=(step(1, payload=payload),), snapshot=state))

    assert [seat.name for seat in await store.seats(number)] == [name]
    assert [row.payload for row in await store.actions(number)] == [payload]
    assert await store.snapshot(number, 1) == (1, state)


async def test_the_number_of_a_table_is_never_given_to_another(database: str, store: Store) -> None:
    gone = [await new_table(store) for _ in range(3)][-1]
    async with connect(database) as connection:
        await connection.execute(text("DELETE FROM tables"))

    assert await new_table(store) == gone + 1


async def test_a_table_that_is_deleted_takes_everything_of_its_own_along(database: str, store: Store) -> None:
    number = await new_table(store)
    await store.commit(change(number, snapshot=b"state", outbox=(("board", 0, True, 0.0),)))
    await store.save_drafts([DraftRow(number, 0, 1, "{}")])
    await store.ask(number, "lobby", 0, 1, False, 0.0)
    await store.finish_post((await store.outbox_of(number, now=0.0))[0], replace(POST, table_id=number))
    async with connect(database) as connection:
        if connection.dialect.name == "sqlite":
            await connection.execute(text("PRAGMA foreign_keys = ON"))
        await connection.execute(text("DELETE FROM tables"))

    rows = await everything(database)

    assert {name for name, found in rows.items() if found} == {"alembic_version", "facts"}


async def test_a_servers_tables_come_by_phase_the_last_touched_first(store: Store) -> None:
    old = await new_table(store, touched_at=1.0)
    new = await new_table(store, touched_at=3.0)
    playing = await new_table(store, touched_at=2.0, phase="play")
    over = await new_table(store, touched_at=9.0, phase="over")
    await new_table(store, guild_id=SOMEBODY_ELSE)

    assert [row.id for row in await store.tables_in(1, ("lobby", "play"))] == [new, playing, old]
    assert [row.id for row in await store.tables_in(1, ("over",))] == [over]
    assert [row.id for row in await store.tables_in(1, EVER, limit=2)] == [over, new]


async def test_a_place_has_the_tables_of_its_thread_or_those_of_a_channel_without_one(store: Store) -> None:
    in_channel = await new_table(store, channel_id=5)
    in_thread = await new_table(store, channel_id=5, thread_id=6, touched_at=1.0)
    older_in_thread = await new_table(store, channel_id=5, thread_id=6, touched_at=0.5)
    await new_table(store, channel_id=5, thread_id=6, phase="closed")

    assert [row.id for row in await store.tables_at(5, ("lobby",))] == [in_channel]
    assert [row.id for row in await store.tables_at(6, ("lobby",))] == [in_thread, older_in_thread]
    assert await store.tables_at(SOMEBODY_ELSE, EVER) == []


async def test_a_person_has_the_tables_at_which_they_sit(store: Store) -> None:
    hers = await new_table(store)
    await store.create(LOBBY, [SeatRow(0, BO, "Bo", None)])
    both = await store.create(
        replace(LOBBY, touched_at=2000.0), [SeatRow(0, BO, "Bo", None), SeatRow(1, ANN, "Ann", None)]
    )

    assert [row.id for row in await store.tables_of(ANN, ("lobby",))] == [both, hers]
    assert await store.tables_of(ANN, ("play",)) == []
    assert await store.tables_of(SOMEBODY_ELSE, EVER) == []


async def test_tables_with_a_due_computer_and_threads_by_phase_are_found(store: Store) -> None:
    await new_table(store)
    due = await new_table(store, computer_due=True)

    assert await store.tables_awaiting_computer() == [due]

    await new_table(store)
    await new_table(store, thread_id=6)
    await new_table(store, thread_id=7, phase="over")
    await new_table(store, thread_id=8, guild_id=SOMEBODY_ELSE)

    assert await store.threads_of(1, ("lobby", "play")) == [6]


async def test_a_thread_is_remembered_and_forgotten(store: Store) -> None:
    number, other = await new_table(store), await new_table(store, thread_id=6)

    await store.commit(TableWrite(number, 0, {"thread_id": 44}, ()))
    await store.commit(TableWrite(other, 0, {"thread_id": None}, ()))

    assert [row.thread_id for row in await store.tables_in(1, EVER)] == [44, None]


async def test_history_comes_whole_or_in_part_oldest_first(store: Store) -> None:
    number, other = await new_table(store), await new_table(store)
    rows = [step(1), step(2, seat=None, actor_id=None, payload=None), step(3, base=1, reveals=True)]
    await store.commit(change(number, actions=tuple(rows)))
    await store.commit(change(other))

    assert await store.actions(number) == rows
    assert await store.actions(number, after=1) == rows[1:]
    assert await store.actions(number, after=1, upto=2) == [rows[1]]
    assert await store.action(number, 3) == rows[2]
    assert await store.action(number, 4) is None


async def test_the_newest_snapshot_that_is_not_too_new_is_found(store: Store) -> None:
    number, other = await new_table(store), await new_table(store)
    for seen, state in [(0, None), (1, b"two"), (2, None), (3, b"four")]:
        await store.commit(change(number, seen, snapshot=state))
    await store.commit(change(other, snapshot=b"another table's"))

    pairs = [await store.snapshot(number, version) for version in (1, 2, 3, 4, 99)]

    assert pairs == [None, (2, b"two"), (2, b"two"), (4, b"four"), (4, b"four")]


async def test_a_draft_replaces_the_one_before_and_seats_of_tables_come_together(store: Store) -> None:
    number = await store.create(LOBBY, SEATS)
    await store.save_drafts([DraftRow(number, 0, 1, "first"), DraftRow(number, 1, 1, "another seat's")])

    await store.save_drafts([DraftRow(77, 0, 1, "nowhere"), DraftRow(number, 0, 2, "second")])

    assert await store.draft(number, 0) == DraftRow(number, 0, 2, "second")
    assert await store.draft(number, 1) == DraftRow(number, 1, 1, "another seat's")
    assert await store.draft(number, 2) is None
    assert await store.draft(77, 0) is None

    one, other = await store.create(LOBBY, SEATS), await store.create(LOBBY, SEATS[:1])

    assert await store.seats_of([other, one]) == {one: list(SEATS), other: list(SEATS[:1])}
    assert await store.seats_of([]) == {}


async def test_settings_of_a_server_and_facts_replace_those_before(store: Store) -> None:
    await store.save_guild(ServerSettings(1, admin_role_id=5))
    await store.save_guild(ServerSettings(2))

    await store.save_guild(ServerSettings(1, admin_role_id=None, place="channel"))

    assert await store.guild(1) == ServerSettings(1, None, "channel")
    assert await store.guild(2) == ServerSettings(2, None, "threads")
    assert await store.guild(3) is None

    assert await store.fact("commands") is None
    await store.save_fact("commands", "one")
    await store.save_fact("other", "")

    await store.save_fact("commands", "two")

    assert await store.fact("commands") == "two"
    assert await store.fact("other") == ""


async def test_the_notice_board_and_the_settings_of_a_server_are_kept_apart(store: Store) -> None:
    await store.save_guild(ServerSettings(1, pace="weekly"))
    assert await store.save_board(1, 10, 11, None)
    assert not await store.save_board(1, 12, 13, None)
    assert await store.save_board(2, 20, None, None)

    await store.save_guild(ServerSettings(1, pace="brisk", board_channel_id=99))

    assert await store.guild(1) == ServerSettings(1, pace="brisk", board_channel_id=10, board_message_id=11)
    assert {row.guild_id for row in await store.boards()} == {1, 2}
    assert [row.guild_id for row in await store.boards([2, 3])] == [2]
    assert await store.save_board(1, None, None, 10)
    assert await store.guild(1) == ServerSettings(1, pace="brisk")
    assert [row.guild_id for row in await store.boards()] == [2]


async def test_admin_actions_are_listed_by_server_newest_first(store: Store) -> None:
    rows = [
        AuditRow(1, None, ANN, "settings", "place: channel", 1.0),
        AuditRow(1, 7, BO, "skip", "", 2.0),
        AuditRow(1, 7, BO, "skip", "", 2.0),
    ]
    for row in [*rows, replace(rows[0], guild_id=2)]:
        await store.administration.add_audit(row)

    assert await store.administration.audit(1) == rows[::-1]
    assert await store.administration.audit(1, limit=1) == [rows[2]]
    assert await store.administration.audit(1, table_id=7, skip=1) == [rows[1]]
    assert await store.administration.audit(1, actor_id=ANN) == [rows[0]]
    assert await store.administration.audit(3) == []


async def test_tables_are_found_by_game_by_who_is_to_move_and_by_age(store: Store) -> None:
    old = await new_table(store, phase="play", owing="[0]", touched_at=10.0)
    other = await new_table(store, phase="play", owing="[1,10]", touched_at=30.0)
    lobby = await new_table(store, game="tesla", touched_at=20.0)
    await new_table(store, phase="over", touched_at=0.0)
    await new_table(store, guild_id=2)

    async def found(**filters: Any) -> list[int]:
        wanted = {"game": None, "waiting_for": None, "idle_since": None, "skip": 0, "limit": 10, **filters}
        rows = await store.administration.tables(1, ("lobby", "play"), **wanted)
        return [row.id for row in rows]

    assert await found() == [old, lobby, other]
    assert await found(skip=1, limit=1) == [lobby]
    assert await found(game="ribbon") == [old, other]
    assert await found(waiting_for=ANN) == [old]
    assert await found(waiting_for=BO) == []
    assert await found(idle_since=20.0) == [old, lobby]


async def test_a_due_post_is_found(store: Store) -> None:
    number, other = await new_table(store), await new_table(store)
    await store.commit(change(number, outbox=(("board", 0, True, 20.0), ("hand", ANN, False, 20.0))))
    await store.ask(other, "lobby", 0, 0, False, 10.0)
    board = OutboxRow(number, "board", 0, 1, True, 0, 20.0)
    hand = OutboxRow(number, "hand", ANN, 1, False, 0, 20.0)
    lobby = OutboxRow(other, "lobby", 0, 0, False, 0, 10.0)

    assert await store.outbox_due(9.9) == []
    assert await store.outbox_due(10.0) == [lobby]
    due = await store.outbox_due(20.0)
    assert due[0] == lobby
    assert sorted(due[1:], key=lambda row: row.kind) == [board, hand]
    assert await store.outbox_due(20.0, limit=1) == [lobby]
    assert await store.outbox_of(other, 20.0) == [lobby]
    assert await store.outbox_of(number, 10.0) == []
