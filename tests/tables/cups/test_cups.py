"""Cups from the first who joins to the winner, without Discord."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from db.records import ServerSettings
from engines.game import Strength
from engines.registry import SLUGS
from tables.clocks.pace import DAY, MINUTE, NONE, PACES
from tables.core.change import MOST_OPEN
from tables.core.table import OPEN, Hints, Occupant, Phase, Refused, Stale, Table
from tables.cups.cups import MOST_RUNNING, CupTerms, cup_options
from tables.cups.running import CHECK_AGAIN_AFTER, MOST_EACH, OPENED_AT_ONCE
from tables.cups.schedule import Cup, CupPhase
from tables.lobby import decisions as lobby_decisions
from tables.play.seats import take_over
from tests.conftest import EITHER_DATABASE
from tests.often import often
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, user

DATABASES = EITHER_DATABASE


ELI = Occupant("Eli", 105)
FOUR = (ANN, BO, CY, DEE)


async def open_cup(
    house: House, *others: Occupant, slug: str = "ribbon", channel: int = CHANNEL, **terms: Any
) -> Cup:
    wanted = CupTerms(**{"most": 16, "pace": NONE, **terms})
    cup = await house.parlour.cups.open(GUILD, channel, ANN, slug, wanted)
    for other in others:
        cup = await house.parlour.cups.join(cup.id, user(other), other.name)
    return cup


async def begin_cup(house: House, *others: Occupant, **terms: Any) -> Cup:
    cup = await open_cup(house, *others, **terms)
    await house.parlour.cups.start(cup.id, user(ANN))
    return await sweep_cup(house, cup)


async def sweep_cup(house: House, cup: Cup) -> Cup:
    for _ in range(4):
        await house.parlour.running.sweep()
    await house.settle()
    return await house.parlour.cups.cup(cup.id)


async def tables_of(house: House, cup: Cup) -> list[Table]:
    """Return the tables of a cup whose games go on."""
    numbers = [one.table_id for one in cup.pairings if one.table_id is not None and one.places is None]
    return [await house.parlour.table(number) for number in numbers]


async def lose_table(house: House, table: Table, *losers: Occupant) -> None:
    await house.play.resign(table.id, next(user(one) for one in losers if user(one) in table.people))


async def round_lost_by(house: House, cup: Cup, *losers: Occupant) -> Cup:
    """Let the first of `losers` at each table lose; return the cup. Afterwards all its tables have ended."""
    for table in await tables_of(house, cup):
        if len(table.people) > 1:
            await lose_table(house, table, *losers)
        else:  # against a computer
            await house.play.resign(table.id, table.people[0])
    return await sweep_cup(house, cup)


def names(cup: Cup) -> list[str]:
    return [entrant.name for entrant in cup.entrants]


async def test_a_whole_cup_of_four(house: House) -> None:
    cup = await begin_cup(house, BO, CY, DEE)
    seats: Counter[tuple[str, int]] = Counter()

    assert (cup.size, cup.rounds, cup.round) == (2, 3, 1)
    while cup.phase is CupPhase.PLAY:
        tables = await tables_of(house, cup)
        assert len(tables) == 2
        assert all(table.phase is Phase.PLAY and table.ordered for table in tables)
        seats.update((name, seat) for table in tables for seat, name in enumerate(table.names))
        cup = await round_lost_by(house, cup, DEE, CY, BO)

    assert cup.phase is CupPhase.OVER
    assert [(one.entrant.name, one.points) for one in cup.standings] == [
        ("Ann", 6),
        ("Bo", 4),
        ("Cy", 2),
        ("Dee", 0),
    ]
    assert [one.name for one in cup.winners] == ["Ann"]
    assert all(abs(seats[one.name, 0] - seats[one.name, 1]) == 1 for one in FOUR)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_every_game_has_cups_without_hints_in_which_people_sit_as_drawn_up(
    house: House, slug: str
) -> None:
    cup = await begin_cup(house, BO, CY, DEE, ELI, slug=slug)

    tables = await tables_of(house, cup)
    drawn = [list(one.seats) for one in cup.tables_of_round(1)]

    assert [[occupant.user_id for occupant in table.seats] for table in tables] == drawn
    assert sorted(who for seats in drawn for who in seats if who) == [user(one) for one in (*FOUR, ELI)]
    assert all(
        occupant.strength is Strength.STRONG for t in tables for occupant in t.seats if not occupant.user_id
    )
    assert {table.hints for table in tables} == {Hints.FORBIDDEN}


def test_no_first_player_is_drawn_where_that_can_be_chosen() -> None:
    assert {slug: getattr(cup_options(slug), "first", None) for slug in SLUGS} == {
        "ribbon": "host",
        "tesla": None,
        "tangram": None,
        "tanglewood": "host",
        "tangle": None,
    }


async def test_each_table_knows_its_own_cup(house: House) -> None:
    one = await begin_cup(house, BO, CY, DEE)
    two = await begin_cup(house, BO, CY, DEE, slug="tesla", channel=CHANNEL + 1)
    alone = await house.gather(ELI)
    cups = house.parlour.store.cups

    assert [await cups.cup_of(table.id) for table in await tables_of(house, one)] == [one.id] * 2
    assert {await cups.cup_of(table.id) for table in await tables_of(house, two)} == {two.id}
    assert await cups.cup_of(alone.id) is None
    assert {table.slug for table in await tables_of(house, one)} == {"ribbon"}
    assert {(table.slug, table.channel_id) for table in await tables_of(house, two)} == {
        ("tesla", CHANNEL + 1)
    }
    assert {cup.id for cup in await house.parlour.cups.running_cups(GUILD)} == {one.id, two.id}


async def test_a_cup_begins_by_itself_when_it_is_full(house: House) -> None:
    cup = await open_cup(house, BO, CY, DEE, most=4)

    assert cup.phase is CupPhase.PLAY
    assert len(await tables_of(house, await sweep_cup(house, cup))) == 2


async def test_only_host_and_administrators_begin_it_and_only_with_four(house: House) -> None:
    cups = house.parlour.cups
    cup = await open_cup(house, BO, CY)

    with pytest.raises(Refused, match="needs at least 4 players, and 3 have joined"):
        await cups.start(cup.id, user(ANN))
    await cups.join(cup.id, user(DEE), "Dee")
    with pytest.raises(Refused, match="Only the host, Ann, or an admin"):
        await cups.start(cup.id, user(BO))

    assert (await cups.start(cup.id, user(BO), admin=True)).phase is CupPhase.PLAY
    with pytest.raises(Refused, match="has begun"):
        await cups.start(cup.id, user(ANN))
    with pytest.raises(Refused, match="has begun"):
        await cups.join(cup.id, user(ELI), "Eli")
    with pytest.raises(Refused, match="has begun"):
        await cups.leave(cup.id, user(BO))


async def test_with_more_at_a_table_it_takes_as_many(house: House) -> None:
    cup = await open_cup(house, BO, CY, DEE, slug="tangram", size=5)

    with pytest.raises(Refused, match="needs at least 5 players, and 4"):
        await house.parlour.cups.start(cup.id, user(ANN))


async def test_leaving_before_the_start_counts_as_never_joining(house: House) -> None:
    cups = house.parlour.cups
    cup = await open_cup(house, BO, CY)

    with pytest.raises(Refused, match="already in this cup"):
        await cups.join(cup.id, user(BO), "Bo")
    with pytest.raises(Refused, match="Only players in this cup"):
        await cups.leave(cup.id, user(DEE))
    after = await cups.leave(cup.id, user(ANN))
    assert names(after) == ["Bo", "Cy"]
    assert after.host_id == user(BO)
    after = await cups.join(cup.id, user(ANN), "Ann")
    assert names(after) == ["Bo", "Cy", "Ann"]
    for one in (ANN, BO, CY):
        after = await cups.leave(cup.id, user(one))
    assert after.phase is CupPhase.CLOSED
    with pytest.raises(Refused, match="was closed"):
        await cups.join(cup.id, user(ANN), "Ann")


@pytest.mark.parametrize(
    ("slug", "terms", "why"),
    [
        ("ribbon", {"most": 3}, "for 4 to 64 players"),
        ("ribbon", {"most": 65}, "for 4 to 64 players"),
        ("ribbon", {"size": 4}, "is for 2 or 3 players, not 4"),
        ("tanglewood", {"size": 2}, "is for 3 or 4 or 5 players, not 2"),
        ("tangram", {"size": 1}, "is for 2 or 3 or 4 or 5 players, not 1"),
        ("tangram", {"size": 5, "most": 4}, "at least 5 players"),
        ("tesla", {"days": 0}, "1 to 90 days"),
        ("tesla", {"days": 91}, "1 to 90 days"),
    ],
)
async def test_a_wrong_cup_is_refused(house: House, slug: str, terms: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        await open_cup(house, slug=slug, **terms)


async def test_a_channel_has_one_cup_at_a_time_and_a_server_a_few(house: House) -> None:
    cups = house.parlour.cups
    first = await open_cup(house)

    with pytest.raises(Refused, match="already has a cup"):
        await open_cup(house)
    for number in range(1, MOST_RUNNING):
        await cups.open(GUILD, CHANNEL + number, ANN, "tesla", CupTerms(8, NONE))
    with pytest.raises(Refused, match=f"already runs {MOST_RUNNING}"):
        await cups.open(GUILD, CHANNEL + MOST_RUNNING, ANN, "tesla", CupTerms(8, NONE))
    await cups.close(first.id, user(ANN))

    assert (await open_cup(house)).id == MOST_RUNNING + 1


async def test_the_limits_of_the_server_hold_for_cups(house: House) -> None:
    await house.store.save_guild(ServerSettings(GUILD, forbidden_paces=("live",), most_each=1))

    with pytest.raises(Refused, match="doesn't allow that pace"):
        await open_cup(house, pace=PACES["live"])
    cup = await open_cup(house)
    await house.gather(BO)
    with pytest.raises(Refused, match="already at 1 open table"):
        await house.parlour.cups.join(cup.id, user(BO), "Bo")


async def test_computers_play_on_for_who_drops_out_and_have_no_points(house: House) -> None:
    cups = house.parlour.cups
    cup = await begin_cup(house, BO, CY, DEE, slug="tesla", size=2)
    mine = next(one for one in await tables_of(house, cup) if user(DEE) in one.people)
    other = next(who for who in mine.people if who != user(DEE))

    with pytest.raises(Refused, match="Only the host, Ann"):
        await cups.drop(cup.id, user(DEE), user(BO))
    await cups.drop(cup.id, user(DEE), user(DEE))
    cup = await sweep_cup(house, cup)

    assert "Dee (computer)" in (await house.parlour.table(mine.id)).names
    with pytest.raises(Refused, match="already dropped out of this cup"):
        await cups.drop(cup.id, user(DEE), user(ANN))

    cup = await round_lost_by(house, cup, CY, BO)
    standing = {one.entrant.user_id: one for one in cup.standings}
    assert cup.round == 2
    assert standing[user(DEE)].points == standing[user(DEE)].played == 0
    assert standing[other].tie_break == 0
    later = [one for one in await tables_of(house, cup) if "Dee (computer)" in one.names]
    assert len(later) == 1
    assert user(DEE) not in later[0].people


async def test_a_takeover_plays_for_nobody_in_the_cup(house: House) -> None:
    cup = await begin_cup(house, BO, CY, DEE)
    first, _ = await tables_of(house, cup)
    stays, goes = first.people

    await house.decide(
        first.id, take_over, seat=1, user_id=user(ELI), name="Eli", why="offered", actor_id=goes
    )
    await house.play.resign(first.id, user(ELI))
    standing = {one.entrant.user_id: one for one in (await sweep_cup(house, cup)).standings}

    assert standing.keys() == {user(one) for one in FOUR}
    assert (standing[stays].points, standing[stays].tie_break) == (2, 0)
    assert standing[goes].played == 0


async def test_with_one_left_it_is_over_though_an_administrator_took_somebody_out(house: House) -> None:
    cup = await begin_cup(house, BO, CY, DEE)
    after = await house.parlour.cups.drop(cup.id, user(DEE), 900, admin=True)
    assert [one.name for one in after.active] == ["Ann", "Bo", "Cy"]

    for one in (BO, CY):
        await house.parlour.cups.drop(cup.id, user(one), user(one))
    await house.parlour.running.sweep()

    # The computers in their seats may still be thinking: nobody waits for them.
    assert (await house.parlour.cups.cup(cup.id)).phase is CupPhase.OVER


async def test_a_cup_replaces_people_who_left_the_server_and_follows_renames(house: House) -> None:
    async def called(_guild_id: int, user_id: int, known: str) -> str | None:
        return None if user_id == user(DEE) else f"{known}!" if user_id == user(BO) else known

    house.parlour.running.name_of = called
    cup = await begin_cup(house, BO, CY, DEE)

    sitting = sorted(name for table in await tables_of(house, cup) for name in table.names)
    assert sitting == ["Ann", "Bo!", "Cy", "Dee (computer)"]
    assert names(cup) == ["Ann", "Bo!", "Cy", "Dee"]
    assert [one.name for one in cup.active] == ["Ann", "Bo!", "Cy"]


async def test_a_look_that_fails_is_tried_again(house: House, caplog: pytest.LogCaptureFixture) -> None:
    tried: list[int] = []

    async def fails_once(_guild_id: int, user_id: int, known: str) -> str | None:
        tried.append(user_id)
        if len(tried) == 1:
            raise ConnectionError("no network")
        return known

    house.parlour.running.name_of = fails_once
    cup = await begin_cup(house, BO, CY, DEE)
    assert await tables_of(house, cup) == []

    house.clock.now += CHECK_AGAIN_AFTER
    assert len(await tables_of(house, await sweep_cup(house, cup))) == 2
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        f"checking cup {cup.id} failed, and will be tried again"
    ]


@pytest.mark.parametrize("one", [BO, CY, DEE], ids=lambda one: one.name)
async def test_a_table_waits_for_who_sits_at_too_many(
    house: House, one: Occupant, caplog: pytest.LogCaptureFixture
) -> None:
    cup = await open_cup(house, BO, CY, DEE)
    busy = [await house.gather(one) for _ in range(MOST_OPEN)]
    await house.parlour.cups.start(cup.id, user(ANN))
    cup = await sweep_cup(house, cup)
    assert all(user(one) not in table.people for table in await tables_of(house, cup))
    assert len(await tables_of(house, cup)) == 1

    await house.decide(busy[0].id, lobby_decisions.leave, user_id=user(one))
    house.clock.now += CHECK_AGAIN_AFTER

    assert len(await tables_of(house, await sweep_cup(house, cup))) == 2
    assert caplog.records == []


async def test_tables_open_a_few_at_a_time(house: House) -> None:
    many = [Occupant(f"Player {number}", 1000 + number) for number in range(2 * OPENED_AT_ONCE + 1)]
    cup = await open_cup(house, *many, most=64, size=2)
    await house.parlour.cups.start(cup.id, user(ANN))

    await house.parlour.running.sweep()
    assert len(await tables_of(house, await house.parlour.cups.cup(cup.id))) == OPENED_AT_ONCE
    await house.parlour.running.sweep()
    assert len(await tables_of(house, await house.parlour.cups.cup(cup.id))) == OPENED_AT_ONCE + 1


async def test_the_next_round_begins_at_its_date_and_nobody_has_more_than_two_tables(house: House) -> None:
    cup = await begin_cup(house, BO, CY, DEE, days=7)
    assert (cup.round, len(await tables_of(house, cup))) == (1, 2)

    house.clock.now += 7 * DAY
    cup = await sweep_cup(house, cup)
    assert (cup.round, len(await tables_of(house, cup))) == (2, 4)
    house.clock.now += 7 * DAY
    cup = await sweep_cup(house, cup)
    assert (cup.round, len(await tables_of(house, cup))) == (3, 2 * MOST_EACH)

    house.clock.now += 70 * DAY
    while (cup := await sweep_cup(house, cup)).phase is CupPhase.PLAY:
        for table in await tables_of(house, cup):
            await lose_table(house, table, DEE, CY, BO)
        house.clock.now += MINUTE
    assert [one.points for one in cup.standings] == [6, 4, 2, 0]


async def test_a_game_called_off_by_leaving_is_won_by_who_stayed_and_a_closed_one_by_nobody(
    house: House,
) -> None:
    cup = await begin_cup(house, BO, CY, DEE)
    first, closed = await tables_of(house, cup)

    await house.play.resign(first.id, first.people[0])
    await house.play.close(closed.id, 900)
    cup = await sweep_cup(house, cup)
    standing = {one.entrant.user_id: one.points for one in cup.standings}

    assert (await house.parlour.table(first.id)).outcome is None
    assert (standing[first.people[0]], standing[first.people[1]]) == (0, 2)
    assert cup.tables_of_round(1)[1].places == ()
    assert all(standing[one] == 0 for one in closed.people)


async def test_closing_a_cup_leaves_its_games_alone(house: House) -> None:
    cups = house.parlour.cups
    cup = await begin_cup(house, BO, CY, DEE)

    with pytest.raises(Refused, match="Only the host"):
        await cups.close(cup.id, user(BO))
    await cups.close(cup.id, user(ANN))
    for table in await tables_of(house, cup):
        assert (await house.parlour.table(table.id)).phase is Phase.PLAY
        await lose_table(house, table, DEE, CY, BO)
    cup = await sweep_cup(house, cup)

    assert cup.phase is CupPhase.CLOSED
    assert all(one.places is None for one in cup.pairings)
    with pytest.raises(Refused, match="was closed"):
        await cups.drop(cup.id, user(BO), user(BO))


async def test_a_pace_that_was_forbidden_meanwhile_gives_way(house: House) -> None:
    cup = await open_cup(house, BO, CY, DEE, pace=PACES["weekly"])
    await house.store.save_guild(
        ServerSettings(GUILD, pace="relaxed", forbidden_paces=("weekly",), rated=False)
    )

    await house.parlour.cups.start(cup.id, user(ANN))
    tables = await tables_of(house, await sweep_cup(house, cup))

    assert {(table.pace.name, table.rated) for table in tables} == {("relaxed", False)}


async def test_a_written_table_begins_after_a_restart(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, _ = await not_begun(house, monkeypatch, RuntimeError("killed"))

    again = house.restart()
    cup = await sweep_cup(again, cup)

    assert [table.phase for table in await tables_of(again, cup)] == [Phase.PLAY] * 2
    assert len(await again.parlour.tables_in(GUILD, OPEN)) == 2


async def not_begun(house: House, monkeypatch: pytest.MonkeyPatch, error: Exception) -> tuple[Cup, Table]:
    """Return a cup whose first game could not begin. Its table was written before the error."""

    async def fails(_table_id: int, _user_id: int) -> Table:
        raise error

    cup = await open_cup(house, BO, CY, DEE)
    await house.parlour.cups.start(cup.id, user(ANN))
    with monkeypatch.context() as patch:
        patch.setattr(house.lobby, "start", fails)
        await house.parlour.running.sweep()
    cup = await house.parlour.cups.cup(cup.id)
    (table,) = await tables_of(house, cup)
    assert table.phase is Phase.LOBBY
    return cup, table


async def test_a_table_left_before_its_start_is_closed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, table = await not_begun(house, monkeypatch, RuntimeError("killed"))
    await house.decide(table.id, lobby_decisions.leave, user_id=table.people[0])

    cup = await sweep_cup(house.restart(), cup)

    assert [one.places for one in cup.tables_of_round(1)] == [(), None]


async def test_a_table_begun_elsewhere_is_kept_open(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, table = await not_begun(house, monkeypatch, Stale())

    house.clock.now += CHECK_AGAIN_AFTER
    cup = await sweep_cup(house, cup)

    assert (await house.parlour.table(table.id)).phase is Phase.PLAY
    assert len(await tables_of(house, cup)) == 2


async def test_no_pairing_has_two_tables_however_often_it_is_opened(house: House, elsewhere: House) -> None:
    cup = await open_cup(house, BO, CY, DEE)
    await house.parlour.cups.start(cup.id, user(ANN))

    for one in (house, elsewhere, house):
        await one.parlour.running.sweep()
    first = await house.parlour.cups.cup(cup.id)
    row = replace((await house.store.cups.tables(cup.id))[0])
    table = await house.store.table(first.pairings[0].table_id or 0)
    assert table is not None
    again = await house.store.cups.open_table(row, table, await house.store.seats(table.id))

    assert again == table.id
    assert len(await house.parlour.tables_in(GUILD, OPEN)) == 2


@pytest.mark.parametrize("seed", range(often(3, 2), 4))
async def test_a_cup_always_ends(house: House, seed: int) -> None:
    rng = Random(seed)
    cup = await begin_cup(
        house, *(Occupant(f"P{number}", 1000 + number) for number in range(6 + seed)), days=3
    )

    for _ in range(400):
        cup = await sweep_cup(house, cup)
        tables = [table for table in await tables_of(house, cup) if table.people]
        sitting = Counter(who for table in tables for who in table.people)
        assert all(number <= MOST_EACH for number in sitting.values())
        if cup.phase is not CupPhase.PLAY:
            break
        match rng.randrange(12):
            case 0:
                house = house.restart()
            case 1 if len(cup.active) > 4:
                one = rng.choice(cup.active).user_id
                await house.parlour.cups.drop(cup.id, one, one)
            case 2:
                house.clock.now += DAY
            case _ if tables:
                table = rng.choice(tables)
                with suppress(Refused):  # who has resigned already
                    await house.play.resign(table.id, rng.choice(table.people))

    assert cup.phase is CupPhase.OVER
    assert all(one.places is not None and one.table_id is not None for one in cup.pairings)
    assert cup.standings[0].points > 0


@pytest.mark.parametrize("number", [0, 77, 2**31, 2**53, 2**63, -1])
async def test_a_number_without_a_cup_is_refused(house: House, number: int) -> None:
    with pytest.raises(Refused, match="I can't find cup"):
        await house.parlour.cups.cup(number)
