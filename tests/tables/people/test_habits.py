"""Settings of people take effect at once at all their tables, whenever the bot dies on the way."""

from typing import Any

import pytest
from msgspec.structs import replace

from db.records import PersonRow, SettingsEffects
from tables.clocks.pace import DAY, HOUR
from tables.core.history import EntryKind, payload_of
from tables.core.people import Notices, Person, begin_holiday, end_holiday, in_zone, with_quiet
from tables.core.table import Refused, Table
from tables.play.decisions import resign
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CY, House, user

BOARD_EDIT = ("board", 0, False)


@pytest.fixture
async def table(house: House, nearly: None) -> Table:
    return await house.start(ANN, BO, mode="coop", pace="daily")


async def until(house: House, table: Table) -> float | None:
    """Return the seconds left for the first person to move."""
    (waited, *_) = await house.parlour.waited_people(await house.parlour.table(table.id))
    return None if waited.until is None else waited.until - house.clock.now


async def away(house: House, person: Any = ANN, days: float = 5, note: str = "skiing") -> Person:
    now = house.clock.now
    return await house.parlour.personal_settings.change(
        user(person), lambda known: begin_holiday(known, now + days * DAY, note, now)
    )


async def quiet(house: House, begins: int, ends: int) -> Person:
    return await house.parlour.personal_settings.change(
        user(ANN), lambda known: with_quiet(known, begins * 60, ends * 60)
    )


async def due_in(house: House, table: Table) -> float:
    """Return the seconds until a table's next due time in the database."""
    row = await house.store.table(table.id)
    assert row is not None
    assert row.due_at is not None
    return row.due_at - house.clock.now


async def test_a_holiday_stops_the_clock_and_is_told_once(house: House, table: Table) -> None:
    house.clock.now += 12 * HOUR
    before = await due_in(house, table)

    await away(house)
    await house.settle()

    assert await until(house, table) == pytest.approx(1.5 * DAY + 5 * DAY)
    assert await due_in(house, table) == pytest.approx(before + 5 * DAY)
    assert house.courier.take_shown() == [BOARD_EDIT]
    assert (await house.history(table)).count(EntryKind.AWAY) == 1
    last = await house.store.action(table.id, (await house.parlour.table(table.id)).version)
    assert last is not None
    assert payload_of(last) == ["Ann", house.clock.now + 5 * DAY, "skiing"]


async def test_a_holiday_without_a_duty_is_told_and_outlives_others_moves(house: House, table: Table) -> None:
    due = await due_in(house, table)

    await away(house, BO)
    await house.settle()

    assert (await house.history(table))[-1] == EntryKind.AWAY
    assert await due_in(house, table) == due

    await away(house, BO)
    await house.move(table, ANN, "flip 1")

    assert (await house.parlour.people.person(user(BO))).away_until(house.clock.now) is not None


async def test_the_same_again_changes_nothing(house: House, table: Table) -> None:
    first = await away(house)
    entries = await house.history(table)
    await house.settle()
    house.courier.shown.clear()

    assert await away(house) == first
    await house.settle()

    assert await house.history(table) == entries
    assert house.courier.take_shown() == []


async def test_a_refused_holiday_changes_nothing_a_longer_is_told_anew(house: House, table: Table) -> None:
    with pytest.raises(Refused, match="at most 14 days"):
        await away(house, days=15)

    assert await house.parlour.people.person(user(ANN)) == Person(user(ANN))
    assert EntryKind.AWAY not in await house.history(table)

    await away(house, days=2)
    house.clock.now += DAY
    await away(house, days=2)

    assert (await house.history(table)).count(EntryKind.AWAY) == 2
    assert await until(house, table) == pytest.approx(2 * DAY + 2 * DAY)


def test_a_year_has_so_many_days_of_holidays_and_the_answer_says_how_many_are_left() -> None:
    person = Person(1)
    for begin in (0.0, 30 * DAY):
        person = end_holiday(begin_holiday(person, begin + 14 * DAY, "", begin), begin + 12.5 * DAY)

    with pytest.raises(Refused, match="you have 3 left"):
        begin_holiday(person, 70 * DAY, "", 60 * DAY)


async def test_a_holiday_ends_with_the_next_move_at_any_table(house: House, table: Table) -> None:
    other = await house.start(ANN, CY, mode="coop")
    await away(house)
    house.clock.now += DAY

    await house.move(other, ANN, "flip 1")

    assert (await house.parlour.people.person(user(ANN))).away_until(house.clock.now) is None
    assert await until(house, table) == pytest.approx(2 * DAY)
    assert await due_in(house, table) < 2 * DAY


async def test_a_holiday_ends_with_a_step_taken_back_but_no_forfeit(house: House, table: Table) -> None:
    await house.play_moves(table, "flip 1; flip 2; swap 1")
    await away(house, BO)
    house.clock.now += HOUR
    await house.play.undo(table.id, user(BO))

    assert (await house.parlour.people.person(user(BO))).away_until(house.clock.now) is None

    await away(house)
    await house.decide(table.id, resign, user_id=user(ANN))

    assert (await house.parlour.people.person(user(ANN))).away_until(house.clock.now) is not None


async def test_a_holiday_ends_with_a_resignation(house: House) -> None:
    table = await house.start(ANN, BO, CY)
    await away(house)
    house.clock.now += HOUR
    await house.play.resign(table.id, user(ANN))

    assert (await house.parlour.people.person(user(ANN))).away_until(house.clock.now) is None


async def test_a_holiday_ends_by_itself(house: House, table: Table) -> None:
    await away(house, days=3)
    house.clock.now += 3 * DAY + HOUR

    assert (await house.parlour.people.person(user(ANN))).away_until(house.clock.now) is None
    assert await until(house, table) == pytest.approx(2 * DAY - HOUR)


async def test_in_one_sitting_neither_nights_nor_holidays_count(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    table = await house.start(ANN, BO, mode="coop", pace="live")

    await away(house)

    assert await until(house, table) == 15 * 60
    assert EntryKind.AWAY not in await house.history(table)


async def test_new_quiet_hours_count_from_now_on_and_not_for_what_has_run(house: House, table: Table) -> None:
    # The house's clock says 13:46 UTC.
    house.clock.now += 6 * HOUR
    await quiet(house, 10, 20)

    assert await until(house, table) == pytest.approx(42 * HOUR + quiet_in(house, 42 * HOUR))
    await house.settle()
    assert house.courier.take_shown() == [BOARD_EDIT]


def quiet_in(house: House, seconds: float) -> float:
    """Return a clock's delay by quiet hours from 10 to 20. The clock has `seconds` left."""
    person = with_quiet(Person(1), 10 * 60, 20 * 60)
    return person.rest().runs_out(house.clock.now, seconds) - house.clock.now - seconds


async def test_quiet_hours_that_end_make_the_deadline_sooner(house: House, table: Table) -> None:
    await quiet(house, 14, 20)
    late = await due_in(house, table)
    house.clock.now += 3 * HOUR  # all but a quarter of an hour of it at night

    await house.parlour.personal_settings.change(user(ANN), lambda known: with_quiet(known, None, None))

    assert await until(house, table) == pytest.approx(2 * DAY - 800, abs=1)
    assert await due_in(house, table) < late


async def test_rest_that_stops_no_clock_touches_no_table_zones_move_it(house: House, table: Table) -> None:
    row = await house.store.table(table.id)

    await house.parlour.personal_settings.change(user(ANN), lambda known: replace(known, notices=Notices.DM))

    assert await house.store.table(table.id) == row
    assert house.courier.take_shown() == []
    assert (await house.restart().parlour.people.person(user(ANN))).notices is Notices.DM

    await quiet(house, 22, 6)
    person = await house.parlour.personal_settings.change(
        user(ANN), lambda known: in_zone(known, "Asia/Tokyo")
    )

    assert person.quiet is not None
    assert person.quiet.zone == "Asia/Tokyo"
    (known,) = await house.store.people([user(ANN)])
    assert (known.zone, known.quiet_begins) == ("Asia/Tokyo", 22 * 60)


async def test_the_hour_of_the_digest_says_when_the_next_is_due(house: House) -> None:
    person = await house.parlour.personal_settings.change(
        user(ANN), lambda known: replace(known, digest_hour=20)
    )
    gone = await away(house, days=3)

    assert person.digest_at is not None
    assert 0 < person.digest_at - house.clock.now < DAY
    assert gone.digest_at == person.digest_at + 3 * DAY


async def test_cancelled_quiet_hours_release_their_notices(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    await quiet(house, 12, 20)
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    (notice,) = [row for row in await house.store.outbox_of(table.id, 1e12) if row.kind == "notice"]
    assert notice.due_at > house.clock.now + HOUR

    await house.parlour.personal_settings.change(user(ANN), lambda known: with_quiet(known, None, None))

    (notice,) = [row for row in await house.store.outbox_of(table.id, 1e12) if row.kind == "notice"]
    assert notice.due_at == house.clock.now


class BotKilled(Exception):
    """The process dies here."""


async def test_a_death_before_the_person_is_saved_leaves_all_as_it_was(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.clock.now += 6 * HOUR
    before = await until(house, table)

    async def killed(*_args: object) -> None:
        raise BotKilled

    monkeypatch.setattr(house.store, "save_person", killed)
    with pytest.raises(BotKilled):
        await quiet(house, 10, 20)

    again = house.restart()
    assert await until(again, table) == pytest.approx(before)
    assert (await again.parlour.people.person(user(ANN))).quiet is None


async def kill_after_saving(house: House, monkeypatch: pytest.MonkeyPatch, change: Any) -> House:
    """Kill the bot after saving a person; return the restarted house."""
    save = house.store.save_person

    async def saved(row: PersonRow, seen: PersonRow, retimed: SettingsEffects | None = None) -> None:
        await save(row, seen, retimed)
        raise BotKilled

    monkeypatch.setattr(house.store, "save_person", saved)
    with pytest.raises(BotKilled):
        await change
    monkeypatch.setattr(house.store, "save_person", save)
    again = house.restart()
    await again.parlour.resume()
    await again.settle()
    return again


async def test_a_death_after_a_holiday_was_saved_is_made_good_by_the_sweep(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = await kill_after_saving(house, monkeypatch, away(house))

    assert (await again.history(table)).count(EntryKind.AWAY) == 1
    assert await until(again, table) == pytest.approx(7 * DAY)
    assert await due_in(again, table) > 5 * DAY
    assert again.courier.take_shown() == [BOARD_EDIT]
    await again.parlour.resume()
    await again.settle()
    assert (await again.history(table)).count(EntryKind.AWAY) == 1


async def test_a_death_after_quiet_hours_were_saved_is_made_good_by_the_sweep(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.clock.now += 6 * HOUR
    again = await kill_after_saving(house, monkeypatch, quiet(house, 10, 20))

    assert await until(again, table) == pytest.approx(42 * HOUR + quiet_in(house, 42 * HOUR))
    assert await due_in(again, table) == pytest.approx(18 * HOUR + quiet_in(house, 18 * HOUR))
    assert again.courier.take_shown() == [BOARD_EDIT]


async def test_a_failure_at_one_table_is_made_good_without_a_restart(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    commit, failing = house.store.commit, [True]

    async def once(change: Any) -> None:
        if failing and any(row.kind == EntryKind.AWAY for row in change.actions):
            failing.pop()
            raise OSError("the disk is full")
        await commit(change)

    monkeypatch.setattr(house.store, "commit", once)
    await away(house)
    assert EntryKind.AWAY not in await house.history(table)

    for _ in range(2):
        await house.parlour.resume()
    await house.settle()

    assert (await house.history(table)).count(EntryKind.AWAY) == 1
    assert await due_in(house, table) > 5 * DAY
    assert "the clocks of table" in caplog.text


async def test_coming_back_shows_the_deadline_again(house: House, table: Table) -> None:
    await away(house)
    await house.settle()
    house.courier.shown.clear()
    house.clock.now += DAY
    now = house.clock.now

    await house.parlour.personal_settings.change(user(ANN), lambda known: end_holiday(known, now))
    await house.settle()

    assert house.courier.take_shown() == [BOARD_EDIT]
    assert await until(house, table) == pytest.approx(2 * DAY)
