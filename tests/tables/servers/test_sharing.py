"""Two processes share the servers: each acts for its own, and what one writes the other goes on with."""

import asyncio

import pytest
from msgspec.structs import replace

from db.processes import ChangeNotice
from db.records import OutboxRow
from db.store import Store
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import DAY, HOUR, PACES
from tables.core import downtime
from tables.core.people import Person
from tables.core.table import NO_SERVER, Phase, Table
from tables.servers.servers import CLOCK_TOLERANCE
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ANN, BO, CHANNEL, House, HouseClock, user

DATABASES = EITHER_DATABASE
pytestmark = pytest.mark.usefixtures("nearly", "shard_split")

HERE, THERE = 1, (1 << 22) + 1
"""A server of shard 0, and one of shard 1, of two."""


async def start_game(by: House, guild_id: int, *, pace: str = "none", computer: bool = False) -> Table:
    """Start a game from a process; post what is its own."""
    others = () if computer else (BO,)
    lobby = by.lobby
    options = RibbonOptions(mode="coop", first="host")
    table = await lobby.create(guild_id, CHANNEL, ANN, "ribbon", options, others)
    if computer:
        await lobby.add_computer(table.id, user(ANN), Strength.STRONG)
    await lobby.set_terms(table.id, user(ANN), pace=PACES[pace])
    await lobby.start(table.id, user(ANN))
    await by.settle()
    by.courier.shown.clear()
    return await by.parlour.table(table.id)


async def swept(*houses: House) -> None:
    for one in houses:
        await one.parlour.resume()
        await one.settle()


def note(table: Table) -> ChangeNotice:
    """Return a process's notice about another's commit."""
    return ChangeNotice("other", "table", table.id, table.guild_id)


async def test_each_process_shows_what_is_in_its_own_servers(house: House, elsewhere: House) -> None:
    here, there = await start_game(house, HERE), await start_game(elsewhere, THERE)
    for table in (here, there):
        await house.store.ask(table.id, "board", 0, table.version, True, house.clock())

    await swept(house, elsewhere)

    assert [row.table_id for row, _ in house.courier.shown] == [here.id]
    assert [row.table_id for row, _ in elsewhere.courier.shown] == [there.id]


async def test_the_owner_shows_a_move_from_elsewhere_at_once(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE)

    await house.play_moves(there, "flip 1")
    await house.settle()
    assert house.courier.shown == []

    elsewhere.parlour.ownership.on_notice(note(there))
    await elsewhere.parlour.ownership.finish()
    await elsewhere.settle()
    assert [(row.kind, row.fresh) for row, _ in elsewhere.courier.shown] == [("board", True)]
    assert (await elsewhere.parlour.table(there.id)).version == (await house.parlour.table(there.id)).version


async def test_a_post_is_never_older_than_what_it_is_to_show(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE)
    moved = await house.play_moves(there, "flip 1")
    posts: list[int] = []

    async def seen(row: OutboxRow) -> None:
        posts.append((await elsewhere.parlour.table(row.table_id)).version)

    elsewhere.courier.during = seen
    assert (await elsewhere.parlour.table(there.id)).version == there.version
    elsewhere.parlour.outbox.wake(there.id)
    await elsewhere.settle()

    assert posts == [moved.version]


async def test_without_a_word_the_next_look_shows_it(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE)
    await house.play_moves(there, "flip 1")

    await swept(elsewhere)

    assert [(row.kind, row.fresh) for row, _ in elsewhere.courier.shown] == [("board", True)]


async def test_a_computer_moves_where_its_table_is_at_home(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE, computer=True)

    moved = await house.play_moves(there, "flip 1")
    await swept(house)
    assert (await house.parlour.table(there.id)).version == moved.version
    assert moved.owing == (1,)

    elsewhere.parlour.ownership.on_notice(note(there))
    await elsewhere.parlour.ownership.finish()
    await elsewhere.settle()
    assert (await elsewhere.parlour.table(there.id)).owing == (0,)


async def test_a_deadline_is_met_by_who_acts_for_the_table(
    house: House, elsewhere: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 9 * DAY)
    there = await start_game(elsewhere, THERE, pace="daily")
    house.clock.now += 3 * DAY

    await swept(house)
    assert await house.history(there) == await elsewhere.history(there)
    assert "late" not in await house.history(there)

    await swept(elsewhere)
    assert (await elsewhere.history(there)).count("late") == 1


async def test_a_lost_server_loses_no_time(elsewhere: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 9 * DAY)
    there = await start_game(elsewhere, THERE, pace="daily")
    elsewhere.store.shards.lost = frozenset({1})
    elsewhere.clock.now += 3 * DAY

    await swept(elsewhere)

    assert "late" not in await elsewhere.history(there)


async def test_tables_and_drafts_that_changed_elsewhere_are_read_again(
    house: House, elsewhere: House
) -> None:
    there = await start_game(elsewhere, THERE)
    assert (await house.parlour.table(there.id)).version == there.version

    moved = await elsewhere.play_moves(there, "flip 1")

    assert await house.parlour.table(there.id) == moved
    assert (await house.play_moves(there, "flip 4")).version == moved.version + 1

    await elsewhere.parlour.save_draft(there, 0, Person(1))
    await house.parlour.save_draft(there, 0, Person(2))

    elsewhere.parlour.ownership.on_notice(ChangeNotice("other", "draft", there.id, THERE, 0))

    assert await elsewhere.parlour.drafts.draft(there, 0, Person) == Person(2)


async def test_clocks_that_were_kept_elsewhere_are_read_again_too(
    house: House, elsewhere: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 9 * DAY)
    there = await start_game(elsewhere, THERE, pace="daily")
    before = await house.parlour.table(there.id)
    house.clock.now += DAY + HOUR

    await swept(elsewhere)

    after = await house.parlour.table(there.id)
    assert (after.version, after.clocks) != (before.version, before.clocks)
    assert after == await elsewhere.parlour.table(there.id)


async def test_without_notices_even_own_tables_are_looked_up(house: House, elsewhere: House) -> None:
    here = await start_game(house, HERE)
    moved = await elsewhere.play_moves(here, "flip 1")
    assert await house.parlour.table(here.id) == here

    house.parlour.ownership.on_notices_lost()
    assert await house.parlour.table(here.id) == moved

    house.parlour.ownership.on_notices_back()
    assert await house.parlour.table(here.id) == moved


async def test_a_look_after_new_shards_that_failed_is_taken_until_it_has_worked_once(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks = 0
    boards = Store.boards

    async def hardly(store: Store) -> object:
        nonlocal looks
        looks += 1
        if looks < 3:
            raise OSError("no connection")
        return await boards(store)

    monkeypatch.setattr(Store, "boards", hardly)
    await house.parlour.ownership.take({0})
    assert "looking after new shards failed, and will be tried again" in caplog.text

    for _ in range(4):
        await swept(house)

    assert looks == 3


async def test_a_process_that_takes_a_shard_looks_for_earlier_posts(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE)
    house.clock.now += HOUR
    await elsewhere.store.ask(there.id, "board", 0, there.version, True, house.clock())
    elsewhere.parlour.ownership.lose()

    await house.parlour.ownership.take({0, 1})
    await swept(house, elsewhere)

    assert [(row.table_id, maybe) for row, maybe in house.courier.shown] == [(there.id, True)]
    assert elsewhere.courier.shown == []
    house.courier.shown.clear()
    house.clock.now += CLOCK_TOLERANCE + 1
    await house.parlour.refresh(there.id, "board", fresh=True)
    await house.settle()
    assert [maybe for _, maybe in house.courier.shown] == [False]


async def test_a_process_that_loses_a_shard_posts_nothing_more(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(_row: OutboxRow) -> None:
        begun.set()
        await go_on.wait()

    elsewhere.courier.before = slowly
    for kind in ("board", "lobby"):
        await elsewhere.store.ask(there.id, kind, 0, there.version, True, elsewhere.clock())
    elsewhere.parlour.outbox.wake(there.id)
    await begun.wait()

    elsewhere.parlour.ownership.lose()
    go_on.set()
    await swept(elsewhere)

    assert [row.kind for row, _ in elsewhere.courier.shown] == ["board"]
    await house.parlour.ownership.take({0, 1})
    assert await house.waiting(there) == [("lobby", 0, True)]


async def test_a_setting_from_elsewhere_applies_once_heard(house: House, elsewhere: House) -> None:
    assert (await house.parlour.people.person(user(ANN))).reminders
    await elsewhere.parlour.personal_settings.change(
        user(ANN), lambda person: replace(person, reminders=False)
    )

    house.parlour.ownership.on_notice(ChangeNotice("other", "person", user(ANN)))

    assert not (await house.parlour.people.person(user(ANN))).reminders


async def test_a_shard_that_nobody_held_gives_its_time_back_and_no_other(
    house: House, elsewhere: House, clock: HouseClock
) -> None:
    here, there = (
        await start_game(house, HERE, pace="daily"),
        await start_game(elsewhere, THERE, pace="daily"),
    )
    await swept(house, elsewhere)
    elsewhere.parlour.ownership.lose()
    since = clock.now
    while clock.now < since + 2 * HOUR:
        clock.now += 120
        await swept(house)

    await elsewhere.parlour.ownership.take({1})
    await swept(elsewhere)

    ((waited_here,), (waited_there,)) = [
        await one.parlour.waited_people(table) for one, table in ((house, here), (elsewhere, there))
    ]
    assert waited_there.left - waited_here.left == pytest.approx(2 * HOUR, abs=120)
    house.parlour.ownership.on_notice(ChangeNotice("other", "gaps"))
    assert await house.parlour.waited_people(there) == [waited_there]


async def test_digests_are_sent_by_who_holds_the_first_shard(house: House, elsewhere: House) -> None:
    await start_game(house, HERE)
    await house.parlour.personal_settings.change(user(ANN), lambda person: replace(person, digest_hour=0))
    house.clock.now += DAY

    await swept(elsewhere)
    assert elsewhere.courier.digests == []
    await swept(house)

    assert [digest.user_id for digest, _ in house.courier.digests] == [user(ANN)]
    assert house.store.shards.owns(NO_SERVER)


async def test_a_game_that_ends_elsewhere_is_counted_at_home(house: House, elsewhere: House) -> None:
    there = await start_game(elsewhere, THERE)
    ended = await house.play_moves(there, "flip 1; leave")
    assert ended.phase is Phase.OVER

    await swept(house)
    assert await house.store.standings.uncounted_since(there.id) == (there.id, ended.version)
    await swept(elsewhere)

    assert await house.store.standings.uncounted_since(there.id) is None
