"""Outbox: every wish is met, later if necessary, once if possible, and no trouble delays the rest."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from db.records import OutboxRow
from db.store import Store
from engines.game import Strength
from tables.core.outbox import AT_ONCE
from tables.core.table import Occupant, Table
from tables.runtime import LONGEST_PAUSE, TryLater, pause
from tests.conftest import EITHER_DATABASE
from tests.engines.ribbon.games import CLEAN, NEARLY, THREE
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CY, House, failing, nothing, user

DATABASES = EITHER_DATABASE

BOARD = ("board", 0, True)


@pytest.fixture
async def table(house: House, deal_next: Dealt) -> Table:
    deal_next(NEARLY)
    return await house.start(ANN, BO, mode="coop")


async def sweep(house: House, seconds: float = 0.0) -> list[tuple[OutboxRow, bool]]:
    """Move the clock, do the due work, and return what was tried."""
    house.courier.shown.clear()
    house.clock.now += seconds
    await house.parlour.outbox.sweep()
    await house.settle()
    return list(house.courier.shown)


def test_pauses_grow_up_to_a_longest() -> None:
    pauses = [pause(attempts) for attempts in range(30)]

    assert pauses[:4] == [5.0, 10.0, 20.0, 40.0]
    assert pauses == sorted(pauses)
    assert set(pauses[8:]) == {LONGEST_PAUSE}


async def test_a_sent_message_is_remembered_and_nothing_is_sent_again_or_left_running(
    house: House, table: Table
) -> None:
    table = await house.play_moves(table, "flip 1")
    await house.settle()

    assert house.courier.take_shown() == [BOARD]
    post = await house.store.find_last_post(table.id, "board", 0)
    assert post is not None
    assert post.version == table.version
    assert await house.waiting(table) == []
    assert await sweep(house, 10_000.0) == []
    names = {task.get_name() for task in asyncio.all_tasks()}
    assert not {name for name in names if name.startswith(("posts of table", "computer seats"))}


@pytest.mark.parametrize(
    "error", [TryLater("Discord is down"), ZeroDivisionError("a bug")], ids=["later", "bug"]
)
async def test_a_failed_post_is_retried_after_growing_pauses(
    house: House, table: Table, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    house.courier.during = failing(3, error)
    await house.play_moves(table, "flip 1")
    await house.settle()
    assert [may_be_duplicate for _, may_be_duplicate in house.courier.shown] == [False]

    tried = []
    for seconds in (4.9, 0.1, 9.9, 0.1, 19.9, 0.1):
        tried.append([may_be_duplicate for _, may_be_duplicate in await sweep(house, seconds)])

    assert tried == [[], [True], [], [True], [], [True]]
    assert await house.waiting(table) == []
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"table {table.id}, board"
    ]


async def test_another_reason_why_something_is_not_shown_is_told_anew_and_so_is_the_same_later(
    house: House, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await house.play_moves(table, "flip 1")
    for reason in ("Discord is down", "Missing Permissions", None, "Missing Permissions"):
        house.courier.during = nothing if reason is None else failing(2, TryLater(reason))
        await house.parlour.refresh(table.id, "board")
        await house.settle()
        await sweep(house, LONGEST_PAUSE)

    lines = [record.getMessage().rpartition(": ")[2] for record in caplog.records]
    assert lines == ["Discord is down", "Missing Permissions", "Missing Permissions"]


async def test_an_outage_is_a_warning_and_a_bug_an_error_with_its_place(
    house: House, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    for error in (TryLater("Discord is down"), ZeroDivisionError("a bug")):
        house.courier.during = failing(1, error)
        await house.parlour.refresh(table.id, "board")
        await house.settle()

    logged = [(record.levelno, bool(record.exc_info)) for record in caplog.records]
    assert logged == [(logging.WARNING, False), (logging.ERROR, True)]


async def test_a_delivery_that_was_cancelled_begins_again_at_the_next_sweep_alone(
    house: House, table: Table
) -> None:
    async def be_cancelled(_row: OutboxRow) -> None:
        house.courier.during = nothing
        await house.parlour.refresh(table.id, "board")
        raise asyncio.CancelledError

    house.courier.during = be_cancelled
    await house.play_moves(table, "flip 1")
    await house.settle()

    assert [row.kind for row, _ in house.courier.shown] == ["board"]
    assert [row.kind for row, _ in await sweep(house)] == ["board"]
    assert await house.waiting(table) == []


async def test_a_row_that_waited_through_a_restart_may_have_been_shown(house: House, table: Table) -> None:
    house.courier.during = failing(1, TryLater("cut off"))
    await house.store.ask(table.id, "board", 0, table.version, True, house.clock.now)
    house.clock.now += 1
    again = house.restart()
    await house.store.ask(table.id, "lobby", 0, table.version, True, house.clock.now)

    await again.parlour.resume()
    await again.settle()

    assert [(row.kind, may_be_duplicate) for row, may_be_duplicate in again.courier.shown] == [
        ("board", True),
        ("lobby", False),
    ]


async def test_a_message_that_could_not_be_noted_may_have_been_shown(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_args: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "finish_post", fail)
        await house.play_moves(table, "flip 1")
        await house.settle()

    assert [may_be_duplicate for _, may_be_duplicate in await sweep(house)] == [True]
    assert await house.waiting(table) == []
    assert f"table {table.id}: its posts wait for the next sweep" in caplog.text


async def test_the_next_message_is_sure(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    house.courier.during = failing(1, TryLater("Discord is down"))
    table = await house.play_moves(table, "flip 1")
    await house.settle()
    await sweep(house, 5.0)

    table = await house.play_moves(table, "flip 2; pass")
    await house.settle()

    assert [may_be_duplicate for _, may_be_duplicate in house.courier.shown][1:] == [False]


async def test_steps_that_could_not_be_shown_are_shown_as_one(house: House, table: Table) -> None:
    house.courier.during = failing(2, TryLater("Discord is down"))
    await house.play_moves(table, "flip 1")
    await house.settle()
    table = await house.play_moves(table, "flip 2; pass")
    await house.settle()

    shown = await sweep(house, 5.0)

    assert [(row.version, row.fresh) for row, _ in shown] == [(table.version, True)]


async def test_a_step_made_while_an_older_is_shown_is_shown_after_it(house: House, table: Table) -> None:
    async def flip_meanwhile(_row: OutboxRow) -> None:
        house.courier.during = nothing
        await house.play_moves(table, "flip 2; pass")

    house.courier.during = flip_meanwhile
    await house.play_moves(table, "flip 1")
    await house.settle()

    assert [row.version for row, _ in house.courier.shown] == [table.version + 1, table.version + 3]
    assert await house.waiting(table) == []


async def test_a_step_that_the_message_shows_already_is_not_shown_again(house: House, table: Table) -> None:
    async def flip_before(_row: OutboxRow) -> None:
        house.courier.before = nothing
        await house.play_moves(table, "flip 2; pass")

    house.courier.before = flip_before
    await house.play_moves(table, "flip 1")
    await house.settle()

    post = await house.store.find_last_post(table.id, "board", 0)
    assert post is not None
    assert post.version == table.version + 3
    assert [row.version for row, _ in house.courier.shown] == [table.version + 1]
    assert await house.waiting(table) == []


async def test_the_board_comes_before_the_card_and_hands_last(house: House, table: Table) -> None:
    for kind, target in [("hand", 5), ("lobby", 0), ("hand", 4), ("board", 0)]:
        await house.store.ask(table.id, kind, target, table.version, False, house.clock.now)

    shown = await sweep(house)

    assert [(row.kind, row.target) for row, _ in shown] == [
        ("board", 0),
        ("lobby", 0),
        ("hand", 4),
        ("hand", 5),
    ]


async def test_tables_are_shown_side_by_side_but_not_all_at_once(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    tables = [await house.start(ANN, BO, mode="coop") for _ in range(AT_ONCE + 2)]
    at_work: set[int] = set()
    most = 0
    together = asyncio.Event()

    async def wait_for_the_others(row: OutboxRow) -> None:
        nonlocal most
        at_work.add(row.table_id)
        most = max(most, len(at_work))
        if len(at_work) == AT_ONCE:
            together.set()
        await together.wait()
        at_work.remove(row.table_id)

    house.courier.during = wait_for_the_others
    for table in tables:
        await house.play_moves(table, "flip 1")
    await house.settle()

    assert most == AT_ONCE
    assert len(house.courier.shown) == len(tables)


async def test_one_tables_trouble_keeps_no_other_from_being_shown(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    broken, sound = [await house.start(ANN, BO, mode="coop") for _ in range(2)]

    async def fail_at_one(row: OutboxRow) -> None:
        if row.table_id == broken.id:
            raise ZeroDivisionError

    house.courier.during = fail_at_one
    for table in (broken, sound):
        await house.play_moves(table, "flip 1")
    await house.settle()

    assert await house.waiting(broken) == [BOARD]
    assert await house.waiting(sound) == []


async def test_one_messages_trouble_keeps_no_other_of_its_table(house: House, table: Table) -> None:
    house.courier.during = failing(1, ZeroDivisionError())

    await house.play.close(table.id, user(ANN))
    await house.settle()

    assert [row.kind for row, _ in house.courier.shown] == ["board", "lobby"]
    assert await house.waiting(table) == [BOARD]


async def test_finishing_waits_for_what_is_being_shown(house: House, table: Table) -> None:
    done = []

    async def slowly(_row: OutboxRow) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        done.append(True)

    house.courier.during = slowly
    await house.play_moves(table, "flip 1")

    await house.parlour.outbox.finish()

    assert done == [True]
    assert await house.waiting(table) == []


async def test_a_decoration_that_fails_is_given_up_and_sends_nothing_again(
    house: House, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse() -> None:
        raise OSError("the old post can't be edited")

    house.courier.decoration = refuse
    table = await house.play_moves(table, "flip 1")
    await house.settle()

    assert house.courier.take_shown() == [BOARD]
    assert await house.waiting(table) == []
    assert await sweep(house, LONGEST_PAUSE) == []
    assert (
        caplog.messages.count(
            f"table {table.id}, board: an older post stays as it is: the old post can't be edited"
        )
        == 1
    )


async def test_a_decoration_that_can_wait_is_tried_again_until_it_works(house: House, table: Table) -> None:
    tried = []

    async def refuse_twice() -> None:
        tried.append(house.clock.now)
        if len(tried) < 3:
            raise TryLater("Discord takes no edits of old messages now")

    house.courier.decoration = refuse_twice
    await house.play_moves(table, "flip 1")
    await house.settle()
    house.courier.decoration = None
    for seconds in (4.9, 0.1, 9.9, 0.1, LONGEST_PAUSE, LONGEST_PAUSE):
        await sweep(house, seconds)

    first = tried[0]
    assert [at - first for at in tried] == pytest.approx([0.0, 5.0, 15.0])


async def test_a_message_is_noted_before_its_decoration_begins(house: House, table: Table) -> None:
    noted = []

    async def look() -> None:
        noted.append(await house.store.find_last_post(table.id, "board", 0))

    house.courier.decoration = look
    await house.play_moves(table, "flip 1")
    await house.settle()

    assert noted[0] is not None
    assert noted[0].version == table.version + 1


async def test_a_doubted_message_is_looked_for_before_it_is_sent(house: House, table: Table) -> None:
    house.parlour.outbox.doubt(table.id, "board")
    await house.play_moves(table, "flip 1")
    await house.settle()

    assert [is_doubted for row, is_doubted in house.courier.shown if row.kind == "board"] == [True]


Wish = tuple[str, int, bool]
FRESH_BOARD: Wish = ("board", 0, True)
EDITED_BOARD: Wish = ("board", 0, False)
CARD: Wish = ("lobby", 0, False)


def hand(occupant: Occupant) -> Wish:
    return ("hand", user(occupant), False)


async def take_shown(house: House) -> list[Wish]:
    """Return what was shown since the last look, once everything is."""
    await house.settle()
    return house.courier.take_shown()


async def test_a_start_shows_the_card_the_board_and_every_secret_hand(house: House) -> None:
    table = await house.gather(ANN, BO)
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)

    table = await house.lobby.start(table.id, user(ANN))

    # Before ribbons are chosen blindly, nobody has looked at a hand yet.
    assert await house.waiting(table) == [FRESH_BOARD, CARD]


async def test_hands_are_sent_to_people_once_they_may_look_at_them(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.gather(ANN, BO, first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    table = await house.lobby.start(table.id, user(ANN))
    await house.play_moves(table, "green")
    await house.settle()
    house.courier.shown.clear()

    await house.play_moves(table, "orange")

    assert await take_shown(house) == [FRESH_BOARD, hand(ANN), hand(BO)]


@pytest.fixture
async def team(house: House, deal_next: Dealt) -> Table:
    deal_next(NEARLY)
    table = await house.start(ANN, BO, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2")
    await take_shown(house)
    return table


async def test_steps_inside_a_turn_show_nothing(house: House, team: Table) -> None:
    await house.move(team, BO, "swap 1; exchange 2 P")
    await house.play.undo(team.id, user(BO))

    assert await take_shown(house) == []
    assert await house.waiting(team) == []


async def test_a_changed_hand_is_shown_to_its_owner_alone(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.start(ANN, BO, CY)
    await house.play_moves(table, "green; orange; flip 8; flip 9")
    await take_shown(house)

    await house.play_moves(table, "exchange 9 L")

    assert await take_shown(house) == [hand(BO)]


async def test_a_game_that_is_called_off_is_told_too(house: House, duel: Table) -> None:
    await house.play.resign(duel.id, user(BO))

    assert (await take_shown(house))[:2] == [FRESH_BOARD, CARD]


async def test_new_duties_come_in_a_fresh_post_which_answers_edit_until_the_last(
    house: House, deal_next: Dealt
) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 12))
    table = await house.play_moves(table, f"green; orange; flip 1; {pairs}; pass")
    await take_shown(house)

    for typed, owing, board in (("tie", 2, FRESH_BOARD), ("yes", 1, EDITED_BOARD), ("no", 1, FRESH_BOARD)):
        before, table = table.owing, await house.play_moves(table, typed)
        assert (len(table.owing), table.owing != before) == (owing, True)
        assert board in await take_shown(house)


@pytest.mark.parametrize(
    ("act", "also"),
    [
        (lambda house, team: house.play.rollback(team.id, 1, ADMIN), []),
        (
            lambda house, team: house.hand_over(team.id, 0, ADMIN, Strength.MEDIUM),
            [CARD, ("replaced", user(ANN), True)],
        ),
        (lambda house, team: house.play.close(team.id, ADMIN), [CARD]),
        (lambda house, team: house.play.resign(team.id, user(BO)), [CARD]),
    ],
    ids=["a rollback", "a seat handed over", "a closed table", "the end"],
)
async def test_what_happens_to_the_whole_table_is_told_in_a_fresh_post(
    house: House, team: Table, act: Callable[[House, Table], Awaitable[object]], also: list[Wish]
) -> None:
    await act(house, team)

    assert await take_shown(house) == [FRESH_BOARD, *also]
