import pytest
from msgspec.structs import replace

from tables.clocks.pace import HOUR
from tables.core.table import Refused, Table
from tables.lobby import decisions as lobby_decisions
from tables.lobby.looking import BAND, WAITS_LAST, WISH_LASTS, Seeker, Want, suits
from tables.standings.ratings import FEWEST_GAMES, Habits
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, user
from tests.tables.standings.test_rivals import RIBBON, lose_game

DATABASES = EITHER_DATABASE
STEADY = Habits(10, 10, None, (18, 22))
FLEETING = Habits(10, 8, None, (18, 22))
EARLY = Habits(10, 10, None, (6, 10))
LATER = Habits(10, 10, None, (20, 25))


def seek(*wants: Want, rating: int = 1000, habits: Habits | None = None) -> Seeker:
    return Seeker(wants, rating, habits)


@pytest.mark.parametrize(
    ("one", "other", "suit"),
    [
        (seek(), seek(rating=3000, habits=FLEETING), True),
        (seek(Want.NEAR), seek(rating=1000 + BAND), True),
        (seek(Want.NEAR), seek(rating=1001 + BAND), False),
        (seek(Want.HOURS, habits=STEADY), seek(habits=LATER), True),
        (seek(Want.HOURS, habits=STEADY), seek(habits=EARLY), False),
        (seek(Want.HOURS, habits=STEADY), seek(habits=replace(EARLY, hours=None)), True),
        (seek(Want.HOURS, habits=STEADY), seek(), True),
        (seek(Want.FINISH), seek(habits=STEADY), True),
        (seek(Want.FINISH), seek(habits=FLEETING), False),
        (seek(Want.FINISH, habits=FLEETING), seek(habits=STEADY), True),
        (seek(Want.FINISH), seek(), True),
    ],
)
def test_a_want_of_either_counts_for_both(one: Seeker, other: Seeker, suit: bool) -> None:
    assert suits(one, other) is suit
    assert suits(other, one) is suit


async def test_who_leaves_games_is_not_among_finishers(house: House) -> None:
    await leave_games(house)
    look = house.parlour.looking.look
    await look(GUILD, user(ANN), "Ann", ["tesla"], [])

    assert await look(GUILD, user(CY), "Cy", ["tesla"], [], [Want.FINISH]) is None
    match = await look(GUILD, user(BO), "Bo", ["tesla"], [], [Want.FINISH])

    assert match is not None
    assert {row.name for row in match.people} == {"Bo", "Cy"}

    table = await open_for_finishers(house)

    with pytest.raises(Refused, match="finish at least 90 %"):
        await house.lobby.join(table.id, user(ANN), "Ann")
    assert (await house.parlour.table(table.id)).names == ["Cy"]

    await house.lobby.join(table.id, user(BO), "Bo")
    joined = await house.lobby.join(table.id, user(DEE), "Dee")
    assert joined.names == ["Cy", "Bo", "Dee"]


async def test_a_usual_wait_is_the_median_of_those_who_had_to_wait(house: House) -> None:
    looking = house.parlour.looking
    for hours in (2, 4, 5):
        assert await looking.usual_wait(GUILD, "tesla") is None
        await looking.look(GUILD, user(ANN), "Ann", ["tesla"], [])
        house.clock.now += hours * HOUR
        match = await looking.look(GUILD, user(BO), "Bo", ["tesla"], [])
        assert match is not None
        table = await looking.open(match, CHANNEL, BO)
        await house.decide(table.id, lobby_decisions.cancel, user_id=user(BO))

    assert await looking.usual_wait(GUILD, "tesla") == 4 * HOUR
    assert await looking.usual_wait(GUILD, "ribbon") is None
    house.clock.now += WAITS_LAST
    assert await looking.usual_wait(GUILD, "tesla") is None


async def test_who_changes_a_search_keeps_their_place(house: House) -> None:
    looking, began = house.parlour.looking, house.clock.now
    await looking.look(GUILD, user(ANN), "Ann", ["tesla"], ["daily"])
    house.clock.now += HOUR
    await looking.look(GUILD, user(BO), "Bo", ["tesla"], ["brisk"])
    house.clock.now += HOUR

    await looking.look(GUILD, user(ANN), "Ann", ["tesla", "tangle"], ["weekly"], [Want.NEAR])

    waiting = await looking.looking(GUILD, "tesla")
    assert [(row.name, row.at) for row in waiting] == [("Ann", began), ("Bo", began + HOUR)]
    assert [row.at for row in await looking.looking(GUILD, "tangle")] == [began + 2 * HOUR]


async def test_a_search_begins_anew_after_its_end_and_changed_opens_no_table(house: House) -> None:
    looking = house.parlour.looking
    await looking.look(GUILD, user(ANN), "Ann", ["tesla"], [])
    house.clock.now += WISH_LASTS + 1

    await looking.look(GUILD, user(ANN), "Ann", ["tesla"], [])

    assert [row.at for row in await looking.of(GUILD, user(ANN))] == [house.clock.now]

    match = await looking.look(GUILD, user(BO), "Bo", ["tesla"], [])
    assert match is not None
    await looking.look(GUILD, user(ANN), "Ann", ["tesla"], ["weekly"])

    with pytest.raises(Refused, match="left the queue"):
        await looking.open(match, CHANNEL, BO)


async def test_a_search_reads_only_possible_players(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    look, standings, asked = house.parlour.looking.look, house.parlour.standings, list[int]()
    habits = standings.habits

    async def note(guild_id: int, user_id: int, viewer: int | None = None) -> Habits | None:
        asked.append(user_id)
        return await habits(guild_id, user_id, viewer)

    monkeypatch.setattr(standings, "habits", note)
    await look(GUILD, user(ANN), "Ann", ["tesla"], ["brisk"])
    await look(GUILD, user(BO), "Bo", ["tesla"], ["daily"])
    await house.parlour.blocks.block(user(DEE), user(CY))
    await look(GUILD, user(DEE), "Dee", ["tesla"], ["weekly"])
    assert asked == []

    match = await look(GUILD, user(CY), "Cy", ["tesla"], ["daily", "weekly"], [Want.FINISH])

    assert match is not None
    assert sorted(asked) == sorted([user(BO), user(CY)])


async def test_the_invited_and_who_hides_like_a_newcomer_join_finishers(house: House) -> None:
    await leave_games(house)
    table = await open_for_finishers(house)

    await house.parlour.invitations.invite(table.id, user(CY), user(ANN), "Ann")

    assert (await house.lobby.join(table.id, user(ANN), "Ann")).names == ["Cy", "Ann"]

    await house.parlour.personal_settings.change(user(ANN), lambda person: replace(person, hidden=True))
    look = house.parlour.looking.look
    await look(GUILD, user(ANN), "Ann", ["tesla"], [])

    assert await look(GUILD, user(CY), "Cy", ["tesla"], [], [Want.FINISH, Want.NEAR]) is not None
    table = await open_for_finishers(house)
    assert (await house.lobby.join(table.id, user(ANN), "Ann")).names == ["Cy", "Ann"]


async def leave_games(house: House) -> None:
    """Let Ann leave games to Bo until both are known."""
    for _ in range(FEWEST_GAMES):
        await lose_game(house, ANN, BO)
    await house.parlour.standings.finish(GUILD)


async def open_for_finishers(house: House) -> Table:
    table = await house.gather(CY, mode="versus")
    assert table.slug == RIBBON
    return await house.lobby.set_terms(table.id, user(CY), finishers=90)


async def test_a_search_is_kept_for_a_week_and_then_deleted(house: House) -> None:
    await house.parlour.looking.look(GUILD, 7, "Gil", ["ribbon"], ())
    house.clock.now += WISH_LASTS - 1
    await house.parlour.eraser.forget_old()
    assert await house.store.relations.wishes_of(GUILD, 7, 0.0)

    house.clock.now += 2
    await house.parlour.eraser.forget_old()

    assert await house.store.relations.wishes_of(GUILD, 7, 0.0) == []
