import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import insert

from db import schema
from db.records import DailyMemberRow, DailyPlayRow, DailyPointsRow, DailyPostRow
from db.subjects.daily import COUNTED, FOR_ONESELF
from engines.analysis.daily import MOST_SIGNS
from engines.engine import Engine
from engines.game import Strength
from engines.registry import SLUGS
from tables.clocks.pace import add_days, begins, ends
from tables.core.history import EntryKind
from tables.core.table import OPEN, Hints, Occupant, Phase, Refused, Table
from tables.daily import SEAT, PlayCourse, finish_play, place_plays, streak
from tables.lobby.decisions import commitment, draw_of
from tests.db.rows import everything, points_on
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user

TODAY = "2026-11-23"


@pytest.fixture
def today(house: House) -> str:
    house.clock.now = begins(TODAY) + 3600
    return TODAY


SWIFT = ("ribbon", "tangram")
"""The games in which no computer looks ahead while somebody plays the deal of the day."""


def long(slug: str) -> Any:
    """Mark a game for thorough runs alone."""
    return pytest.param(slug, marks=pytest.mark.thorough)


async def course(house: House, who: Any, day: str, slug: str) -> list[str | None]:
    """Return four first moves of a play."""
    table = await house.parlour.daily.open(who, day, slug)
    for _ in range(4):
        await house.parlour.computers.finish()
        table = await house.parlour.table(table.id)
        moves = await house.play.moves(table.id, user(who))
        if moves:
            await house.play.move(table.id, user(who), [moves[0]])
    await house.parlour.computers.finish()
    return [row.payload for row in await house.store.actions(table.id) if row.kind == "move"]


async def play_to_the_end(house: House, who: Any, game: str, seed: int = 0, day: str = TODAY) -> Table:
    """Play somebody's play at random to its end."""
    table, rng = await house.parlour.daily.open(who, day, game), Random(seed)
    while table.phase is Phase.PLAY:
        if table.computers_owing:
            await house.parlour.computers.finish()
        else:
            house.clock.now += 20
            moves = await house.play.moves(table.id, user(who))
            await house.play.move(table.id, user(who), [rng.choice(moves)])
        table = await house.parlour.table(table.id)
    await house.settle()
    return table


async def test_the_deal_is_the_same_in_two_processes_and_for_everybody(house: House, today: str) -> None:
    again = house.restart()

    deals = await asyncio.gather(
        *(one.parlour.daily.deal(today, slug) for slug in SLUGS for one in (house, again))
    )
    ann = await house.parlour.daily.open(ANN, today, "tesla")
    bo = await again.parlour.daily.open(BO, today, "tesla")

    assert all(one == other for one, other in zip(deals[::2], deals[1::2], strict=True))
    assert ann.deal == bo.deal
    assert ann.options == bo.options
    assert (ann.seed, ann.salt) == (bo.seed, bo.salt)
    assert len({deal.seed for deal in deals}) == len(SLUGS)


async def test_the_deal_matches_the_promise(house: House, today: str) -> None:
    deal = await house.parlour.daily.deal(today, "ribbon")
    table = await play_to_the_end(house, ANN, "ribbon")

    hidden = draw_of(table, house.clock.now)
    assert hidden is not None
    assert hidden.seed is None
    assert hidden.commitment == house.parlour.daily.promise(deal)
    draw = draw_of(table, ends(today))
    assert draw is not None
    assert draw.matches
    assert commitment(bytes.fromhex(draw.seed or ""), bytes.fromhex(draw.salt or "")) == hidden.commitment


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_play_is_private_without_clock_hints_and_notices(house: House, today: str, slug: str) -> None:
    table = await house.parlour.daily.open(ANN, today, slug)
    await house.settle()

    assert table.day == today
    assert table.seat_of(user(ANN)) == SEAT
    assert table.hints is Hints.FORBIDDEN
    assert table.due_at is None
    assert not table.rated
    assert all(one.strength is Strength.STRONG for one in table.seats[1:])
    assert house.courier.shown == []
    assert await house.parlour.tables_of(user(ANN)) == []
    assert await house.parlour.tables_in(GUILD) == []
    assert await house.store.turns_of(user(ANN)) == []


async def test_the_signs_of_ribbon_tangle_are_as_many_as_its_turns(house: House, today: str) -> None:
    table = await play_to_the_end(house, ANN, "ribbon")

    play = await house.store.daily.play_at(table.id)

    assert play is not None
    turn = int(play.said.rpartition(" ")[2])
    assert len(play.signs) == min(turn, MOST_SIGNS)


@pytest.mark.parametrize("slug", [slug if slug in SWIFT else long(slug) for slug in SLUGS])
async def test_a_play_ends_with_a_result_in_words_and_signs(house: House, today: str, slug: str) -> None:
    table = await play_to_the_end(house, ANN, slug)

    play = await house.store.daily.play_at(table.id)
    assert play is not None
    assert play.counts
    assert play.said
    assert 1 <= len(play.signs) <= 10
    assert set(play.signs) <= set("🟢🔶🟥")
    assert play.moves > 0
    assert 0 < play.seconds <= 20 * play.moves
    assert await house.store.standings.of_table(table.id) == []
    assert await house.store.standings.uncounted() == []


@pytest.mark.parametrize("slug", ["tesla", long("tanglewood"), long("tangle")])
async def test_computers_answer_the_same_moves_alike(house: House, today: str, slug: str) -> None:
    assert await course(house, ANN, today, slug) == await course(house.restart(), BO, today, slug)


async def test_computers_think_once_about_a_position_of_a_deal(
    house: House, today: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughts = 0
    think = Engine.think

    async def counted(engine: Engine, *args: Any) -> Any:
        nonlocal thoughts
        thoughts += 1
        return await think(engine, *args)

    monkeypatch.setattr(Engine, "think", counted)
    first = await course(house, ANN, today, "tesla")
    of_the_first, thoughts = thoughts, 0

    assert await course(house, BO, today, "tesla") == first
    assert (of_the_first > 0, thoughts) == (True, 0)


async def test_answers_of_computers_elsewhere_are_not_cached(house: House) -> None:
    await house.start(ANN, Occupant("Robot", None, Strength.MEDIUM), mode="coop")
    await house.settle()

    assert not house.play._answers


async def test_taking_back_changes_no_answer_of_a_computer(house: House, today: str) -> None:
    ann = await house.parlour.daily.open(ANN, today, "tesla")
    bo = await house.parlour.daily.open(BO, today, "tesla")
    await house.parlour.computers.finish()
    chosen = []
    for who, table, undo in ((ANN, ann, True), (BO, bo, False)):
        move = (await house.play.moves(table.id, user(who)))[0]
        await house.play.move(table.id, user(who), [move])
        if undo and await house.play.can_undo(await house.parlour.table(table.id), user(who)):
            await house.play.undo(table.id, user(who))
            await house.play.move(table.id, user(who), [move])
        await house.parlour.computers.finish()
        chosen.append([row.payload for row in await house.store.actions(table.id) if row.kind == "move"][-1])

    assert chosen[0] == chosen[1]


async def test_the_house_plays_the_deal_by_itself_once(house: House, today: str) -> None:
    again = house.restart()
    assert await house.parlour.daily.computer_play(today, "ribbon") is None
    assert await again.parlour.daily.computer_play(today, "ribbon") is None
    await house.settle()
    await again.settle()
    await house.parlour.standings.sweep()

    row = await again.parlour.daily.computer_play(today, "ribbon")
    assert row is not None
    assert row.rank is not None
    assert not await house.store.daily.finishers(GUILD, today, "ribbon")


async def test_a_play_finished_after_its_day_does_not_count(house: House, today: str) -> None:
    table = await house.parlour.daily.open(ANN, today, "ribbon")
    house.clock.now = ends(today) + 5

    after = await play_to_the_end(house, ANN, "ribbon")

    assert after.id == table.id
    play = await house.store.daily.play_at(table.id)
    assert play is not None
    assert play.rank is not None
    assert not play.counts
    assert await house.parlour.daily.streak(user(ANN)) == 0


async def test_a_past_deal_is_played_again_for_oneself(house: House, today: str) -> None:
    counted = await play_to_the_end(house, ANN, "ribbon")
    await house.parlour.daily.deal(today, "tesla")
    house.clock.now = ends(today) + 5

    first = await house.parlour.daily.open(ANN, today, "ribbon")
    assert first.id != counted.id
    assert (await house.parlour.daily.open(ANN, today, "ribbon")).id == first.id
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    second = await house.parlour.daily.open(ANN, today, "ribbon")
    assert second.id == first.id != counted.id
    assert second.deal == counted.deal
    play = await house.store.daily.play_of(user(ANN), today, "ribbon", 0)
    assert play is not None
    assert play.table_id == counted.id


@pytest.mark.parametrize(("shift", "text"), [(1, "hasn't come yet"), (-1, "That day has no deal")])
async def test_no_deal_is_early_or_before_the_first(house: House, today: str, shift: int, text: str) -> None:
    with pytest.raises(Refused, match=text):
        await house.parlour.daily.open(ANN, add_days(today, shift), "ribbon")


async def test_a_play_is_only_played_and_giving_up_leaves_it_unfinished(house: House, today: str) -> None:
    table = await house.parlour.daily.open(ANN, today, "tesla")
    await house.settle()
    parlour = house.parlour

    for tried in (
        parlour.play.hand_over(table.id, user(ANN), user(ANN), Strength.STRONG),
        parlour.lobby.rematch(table.id, user(ANN)),
        parlour.import_export.export(table.id, SEAT),
        parlour.import_export.fork(table.id, 0, ANN),
        parlour.pauses.pause(table.id, user(ANN), None),
        parlour.play.rollback(table.id, 1, user(ANN)),
        parlour.hints.advice(table.id, user(ANN)),
    ):
        with pytest.raises(Refused):
            await tried
    assert (await parlour.table(table.id)).phase in OPEN

    await house.play.resign(table.id, user(ANN))
    await house.settle()

    play = await house.store.daily.play_at(table.id)
    assert play is not None
    assert (play.said, play.rank, play.counts) == ("given up", None, False)
    assert (await house.parlour.daily.open(ANN, today, "tesla")).id == table.id


async def test_a_play_counts_for_no_limit(house: House, today: str) -> None:
    await house.parlour.daily.open(ANN, today, "ribbon")

    settings = await house.parlour.settings(GUILD)
    await house.store.save_guild(msgspec.structs.replace(settings, most_each=1, most_tables=1))
    table = await house.gather(ANN, BO)

    assert table.channel_id == CHANNEL


@pytest.fixture(autouse=True)
def noon(house: House) -> None:
    house.clock.now = begins(TODAY) + 12 * 3600


async def find_counted_play(house: House, who: int) -> DailyPlayRow | None:
    return await house.store.daily.play_of(who, TODAY, "ribbon", COUNTED)


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_an_erased_person_has_no_second_try_that_day_but_any_other(house: House) -> None:
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    await house.parlour.eraser.erase(user(ANN))

    again = await house.parlour.daily.open(ANN, TODAY, "ribbon")

    assert again.day == TODAY
    assert await find_counted_play(house, user(ANN)) is None
    assert await house.store.daily.play_of(user(ANN), TODAY, "ribbon", FOR_ONESELF) is not None
    await play_to_the_end(house, ANN, "ribbon", seed=4)
    assert await house.store.daily.plays_ended(TODAY, 0.0) == []

    await house.parlour.daily.open(ANN, TODAY, "tangram")
    await house.parlour.daily.open(BO, TODAY, "ribbon")
    house.clock.now += 86_400
    await house.parlour.daily.open(ANN, add_days(TODAY, 1), "ribbon")

    assert await house.store.daily.play_of(user(ANN), TODAY, "tangram", COUNTED) is not None
    assert await find_counted_play(house, user(BO)) is not None
    assert await house.store.daily.play_of(user(ANN), add_days(TODAY, 1), "ribbon", COUNTED) is not None


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_a_saved_try_names_nobody_and_goes_with_its_day(house: House, database: str) -> None:
    await play_to_the_end(house, ANN, "ribbon", seed=3)
    await house.parlour.eraser.erase(user(ANN))
    kept = await everything(database)
    assert len(kept["daily_tries"]) == 1
    assert str(user(ANN)) not in str(kept["daily_tries"])

    house.clock.now += 86_400
    await house.parlour.eraser.forget_old()

    left = await everything(database)
    assert left["daily_tries"] == []
    assert not any("salt of tries" in str(row) for row in left["facts"])


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_the_persons_own_last_move_decides_whether_it_was_in_time(house: House) -> None:
    table = await play_to_the_end(house, ANN, "ribbon", seed=3)
    play = await find_counted_play(house, user(ANN))
    assert play is not None
    turns = await house.parlour.record.turns(table)
    trace = await house.store.entry_headers(table.id)
    own = max(row.version for row in trace if row.seat == SEAT and row.kind == EntryKind.MOVE)
    midnight = ends(TODAY)

    def told(own_at: float, others_at: float) -> DailyPlayRow:
        rows = [replace(row, at=own_at if row.version <= own else others_at) for row in trace]
        tallies = [None] * len(turns)
        begun = replace(play, ended_at=None, counts=False)
        return finish_play(begun, table, PlayCourse(rows, turns, tallies), view)

    view = await house.parlour.record.view(table, turns[-1].version, None)
    assert told(midnight - 1, midnight + 5).counts
    assert not told(midnight + 1, midnight + 5).counts


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_a_clock_that_is_set_back_opens_no_closed_day(house: House) -> None:
    post = await house.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, 5))
    await play_to_the_end(house, BO, "ribbon", seed=7)
    house.clock.now += 86_400
    finishers = place_plays(await house.store.daily.finishers(GUILD, TODAY, "ribbon"))
    await house.parlour.daily.close(post, finishers)

    house.clock.now -= 86_400
    await house.parlour.daily.open(ANN, TODAY, "ribbon")

    assert await find_counted_play(house, user(ANN)) is None
    assert await house.store.daily.open_posts() == []
    again = await house.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL))
    assert again.closed_at is not None


@pytest.mark.databases(["sqlite", "postgresql"])
async def test_two_processes_make_one_deal_and_open_one_try(house: House, elsewhere: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    both = (house, elsewhere)

    deals = await asyncio.gather(*(one.parlour.daily.deal(TODAY, "tesla") for one in both))
    tables = await asyncio.gather(*(one.parlour.daily.open(ANN, TODAY, "tesla") for one in (*both, *both)))
    others = await asyncio.gather(*(one.parlour.daily.open(BO, TODAY, "tesla") for one in both))

    assert deals[0] == deals[1]
    assert len({table.id for table in tables}) == 1
    assert len({table.id for table in others}) == 1
    assert tables[0].id != others[0].id
    assert tables[0].deal == others[0].deal


async def test_of_equal_points_more_first_places_come_first(house: House) -> None:
    for who, places in ((ANN, (2, 2)), (BO, (1, 5))):
        member = DailyMemberRow(GUILD, user(who), member=True, checked_at=0.0)
        await house.store.daily._execute(insert(schema.daily_members), msgspec.structs.asdict(member))
        for day, place in enumerate(places):
            row = DailyPointsRow(GUILD, f"2026-11-2{day}", user(who), who.name, place, 5)
            await house.store.daily._execute(insert(schema.daily_points), msgspec.structs.asdict(row))

    order = await house.store.daily.standing(GUILD, "2026-11-20", "2026-11-30")

    assert [(row.name, row.points, row.firsts) for row in order] == [("Bo", 10, 1), ("Ann", 10, 0)]


@pytest.mark.databases(["postgresql"])
async def test_two_processes_claim_one_post_and_note_its_points_once(house: House, elsewhere: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    await play_to_the_end(house, ANN, "ribbon", seed=2)
    await house.parlour.daily.note_member(GUILD, user(ANN), member=True)
    both = (house, elsewhere)

    posts = await asyncio.gather(
        *(
            one.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, number))
            for number, one in enumerate(both)
        )
    )
    finishers = await house.parlour.daily.placed_finishers(GUILD, TODAY, "ribbon")
    await asyncio.gather(*(one.parlour.daily.close(posts[0], finishers) for one in both))

    assert posts[0] == posts[1]
    assert [row.points for row in await points_on(elsewhere.store, GUILD, TODAY)] == [10]
    assert [row.points for row in await elsewhere.store.daily.standing(GUILD, TODAY, TODAY)] == [10]


@pytest.mark.databases(["postgresql"])
async def test_a_play_that_ends_is_counted_once_by_whoever_looks(house: House, elsewhere: House) -> None:
    house.clock.now = begins(TODAY) + 3600
    table = await play_to_the_end(house, ANN, "ribbon", seed=2)
    play = await house.store.daily.play_at(table.id)

    await elsewhere.parlour.standings.sweep()
    await elsewhere.parlour.daily.settle(await elsewhere.parlour.table(table.id))

    assert await elsewhere.store.daily.play_at(table.id) == play
    assert await elsewhere.store.standings.uncounted() == []


def play(user_id: int, rank: int, ended_at: float = 0.0) -> DailyPlayRow:
    return DailyPlayRow(
        user_id, "2026-11-23", "ribbon", 0, user_id, f"P{user_id}", 0.0, ended_at, rank, counts=True
    )


def test_equal_results_share_the_better_points_and_a_streak_lasts_until_a_day_is_missed() -> None:
    finishers = place_plays([play(1, 9), play(2, 7), play(3, 7), play(4, 5)])

    assert [(one.place, one.points) for one in finishers] == [(1, 10), (2, 8), (2, 8), (4, 5)]
    assert place_plays([]) == []
    many = place_plays([play(number, -number) for number in range(1, 12)])
    assert [one.points for one in many] == [10, 8, 6, 5, 4, 3, 2, 1, 1, 1, 1]

    today = "2026-03-01"
    days = [add_days(today, -back) for back in (1, 2, 3, 5)]

    assert streak(days, today) == 3
    assert streak([today, *days], today) == 4
    assert streak(days, add_days(today, 1)) == 0
    assert streak([], today) == 0
