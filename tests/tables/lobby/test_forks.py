import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from engines.game import Strength
from engines.ribbon.truth.state import RibbonDeal
from tables.clocks.pace import HOUR
from tables.core.change import MOST_OPEN
from tables.core.history import PLAYED
from tables.core.table import CustomDeal, Forked, Imported, Phase, Refused, Table, encode
from tables.lobby import decisions as lobby_decisions
from tables.lobby.decisions import draw_of
from tables.lobby.looking import BAND, WAITS_LAST, WISH_LASTS, Seeker, Want, suits
from tables.review.format import Chair, DealFile, write
from tables.standings.ratings import FEWEST_GAMES, Habits
from tests.conftest import EITHER_DATABASE
from tests.engines.cases import CASES, GameCase
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, arrange_deal, user
from tests.tables.standings.test_rivals import RIBBON, lose_game
from tests.tables.stories import finish_story, keep_story

every_game = pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])
DECK = "ABCDEFGHIJKLMNOPQR"


def make_deal_file(**options: str) -> bytes:
    return write(
        DealFile(
            game="ribbon",
            options=Raw(encode(options)),
            seats=[Chair("Granny"), Chair("Tom")],
            deal=Raw(encode(arrange_deal(DECK))),
        )
    )


async def over(house: House) -> Table:
    table = await house.start(ANN, BO)
    return await house.play_moves(table, "green; orange; flip 8; flip 9; leave")


async def fill_seats(house: House, table: Table) -> Table:
    while table.taken < table.room:
        table = await house.lobby.add_computer(table.id, table.host_id, Strength.MEDIUM)
    return table


@pytest.mark.any_game
@every_game
async def test_a_fork_stands_where_the_game_stood_after_the_turn(house: House, case: GameCase) -> None:
    source = await keep_story(house, finish_story(case, 1))
    turns = await house.parlour.record.turns(source)
    for at in (turns[0], turns[len(turns) // 2], turns[-2]):
        fork = await fill_seats(house, await house.parlour.import_export.fork(source.id, at.number, CY))

        begun = await house.lobby.start(fork.id, user(CY))

        assert begun.phase is Phase.PLAY
        kind = case.game.State
        there = msgspec.msgpack.decode(await house.state(source, at.version), type=kind)
        assert msgspec.msgpack.decode(await house.state(begun, begun.version), type=kind) == there
        again = await house.parlour.record.turns(begun)
        assert [(turn.seats, turn.at) for turn in again] == [
            (turn.seats, turn.at) for turn in turns[: at.number + 1]
        ]
        for turn, then in zip(again, turns, strict=False):
            old = await house.state(source, then.version)
            assert msgspec.msgpack.decode(await house.state(begun, turn.version), type=kind) == (
                msgspec.msgpack.decode(old, type=kind)
            )
        await house.parlour.computers.stop()


async def test_a_fork_is_opened_at_the_turns_of_a_finished_game_alone(house: House, duel: Table) -> None:
    with pytest.raises(Refused, match="once it's over"):
        await house.parlour.import_export.fork(duel.id, 0, CY)

    source = await over(house)
    last = len(await house.parlour.record.turns(source)) - 1
    for turn in (-1, last, last + 1, 10**9):
        with pytest.raises(Refused, match=f"Choose a turn from 0 to {last - 1}"):
            await house.parlour.import_export.fork(source.id, turn, CY)


async def test_people_and_computers_sit_down_in_a_fork_where_they_like(house: House) -> None:
    source = await over(house)
    fork = await house.parlour.import_export.fork(source.id, 0, CY)
    assert isinstance(fork.origin, Forked)
    assert [(occupant.name, occupant.nobody) for occupant in fork.seats] == [("Cy", False), ("Bo", True)]
    assert (fork.taken, fork.room) == (1, 2)
    with pytest.raises(Refused, match="1 of 2 seats is still free"):
        await house.lobby.start(fork.id, user(CY))

    fork = await house.lobby.sit(fork.id, user(CY), "Cy", 1)
    assert [occupant.name for occupant in fork.seats] == ["Ann", "Cy"]
    fork = await house.lobby.sit(fork.id, user(DEE), "Dee", 0)
    assert fork.names == ["Dee", "Cy"]
    with pytest.raises(Refused, match="That seat is taken"):
        await house.lobby.sit(fork.id, user(BO), "Bo", 1)
    with pytest.raises(Refused, match="All 2 seats"):
        await house.lobby.join(fork.id, user(BO), "Bo")

    fork = (await house.decide(fork.id, lobby_decisions.leave, user_id=user(CY))).table
    assert [(occupant.name, occupant.nobody) for occupant in fork.seats] == [("Dee", False), ("Bo", True)]
    assert fork.host_id == DEE.user_id
    fork = await house.lobby.add_computer(fork.id, user(DEE), Strength.MEDIUM)
    assert [occupant.computer for occupant in fork.seats] == [False, True]
    fork = (await house.decide(fork.id, lobby_decisions.remove_computer, user_id=user(DEE))).table
    assert fork.names == ["Dee", "Bo"]
    fork = await house.lobby.join(fork.id, user(BO), "Bo")
    assert (await house.lobby.start(fork.id, user(DEE))).names == ["Dee", "Bo"]


async def test_a_fork_keeps_seats_and_options_and_closes_with_the_last(house: House) -> None:
    fork = await house.parlour.import_export.fork((await over(house)).id, 0, CY)

    for seat in (-1, 2, 10**9):
        with pytest.raises(Refused):
            await house.lobby.sit(fork.id, user(DEE), "Dee", seat)

    with pytest.raises(Refused, match="deal was set up beforehand"):
        await house.lobby.set_terms(fork.id, user(CY), options=fork.options)
    left = await house.decide(fork.id, lobby_decisions.leave, user_id=user(CY))
    assert left.table.phase is Phase.CLOSED


async def test_seats_of_other_lobbies_are_not_chosen(house: House, lobby: Table) -> None:
    with pytest.raises(Refused, match="You can't choose a seat"):
        await house.lobby.sit(lobby.id, user(BO), "Bo", 1)


async def test_nobody_takes_back_what_was_done_at_the_other_table_but_an_administrator(house: House) -> None:
    source = await over(house)
    fork = await house.parlour.import_export.fork(source.id, 0, ANN)
    fork = await house.lobby.join(fork.id, user(BO), "Bo")
    begun = await house.lobby.start(fork.id, user(ANN))

    for occupant in (ANN, BO):
        assert not await house.can_undo(begun.id, user(occupant))
    back = await house.play.rollback(begun.id, 1, ADMIN)

    steps = [row for row in await house.parlour.history.active_history(back) if row.kind in PLAYED]
    before = await house.parlour.history.active_history(begun)
    assert len(steps) == len([row for row in before if row.kind in PLAYED]) - 1
    assert {row.actor_id for row in steps} == {None}


async def test_a_fork_is_played_on_exported_and_played_again_like_any_game(house: House) -> None:
    source = await over(house)
    fork = await house.parlour.import_export.fork(source.id, 0, ANN)
    fork = await house.lobby.join(fork.id, user(BO), "Bo")
    begun = await house.lobby.start(fork.id, user(ANN))
    await house.settle()
    assert {(kind, fresh) for kind, _, fresh in house.courier.take_shown()} >= {("board", True)}
    assert begun.awaited
    assert all(begun.clock(seat).runs for seat in begun.awaited)
    assert all(begun.clock(seat).begun == house.clock.now for seat in begun.awaited)

    done = await house.play_moves(begun, "leave")
    file = await house.parlour.import_export.export(done.id, None)
    again = await house.parlour.import_export.open(GUILD, CHANNEL, CY, file)

    assert done.phase is Phase.OVER
    assert await house.parlour.import_export.export(again.id, None) == file
    assert again.origin == Imported()
    rematch = await house.parlour.lobby.rematch(done.id, user(ANN))
    assert (rematch.origin, rematch.arranged) == (None, ())


async def test_too_many_open_tables_block_every_way_of_opening_one(house: House) -> None:
    source = await over(house)
    file = await house.parlour.import_export.export(source.id, None)
    for _ in range(MOST_OPEN):
        await house.gather(CY)

    for opening in (
        house.parlour.import_export.fork(source.id, 0, CY),
        house.parlour.import_export.open(GUILD, CHANNEL, CY, file),
        house.parlour.import_export.open(GUILD, CHANNEL, CY, make_deal_file(first="host")),
    ):
        with pytest.raises(Refused, match="already at 20 open tables"):
            await opening


async def test_a_deal_by_hand_opens_a_lobby_that_begins_with_it(house: House) -> None:
    table = await house.parlour.import_export.open(
        GUILD, CHANNEL, ANN, make_deal_file(first="host", ribbon_choice="blind")
    )
    assert isinstance(table.origin, CustomDeal)
    assert [(occupant.name, occupant.nobody) for occupant in table.seats] == [("Ann", False), ("Tom", True)]
    assert "ABC" not in repr(table) + repr(table.origin)
    table = await house.lobby.sit(table.id, user(ANN), "Ann", 1)
    table = await house.lobby.join(table.id, user(BO), "Bo")

    begun = await house.lobby.start(table.id, user(ANN))

    assert begun.names == ["Bo", "Ann"]
    assert msgspec.json.decode(begun.deal or "", type=RibbonDeal) == arrange_deal(DECK)
    draw = draw_of(begun)
    assert draw is not None
    assert draw.by_hand


async def test_a_deal_by_hand_is_secret_in_its_lobby_and_known_ever_after(house: House) -> None:
    table = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, make_deal_file(first="host"))

    with pytest.raises(Refused, match="hasn't begun"):
        await house.parlour.import_export.export(table.id, 0)
    assert draw_of(table) is None

    table = await house.lobby.join(table.id, user(BO), "Bo")
    begun = await house.lobby.start(table.id, user(ANN))
    done = await house.play_moves(begun, "green; orange; leave")
    file = await house.parlour.import_export.export(done.id, None)

    again = await house.parlour.import_export.open(GUILD, CHANNEL, CY, file)
    fork = await house.parlour.import_export.fork(again.id, 0, CY)

    assert b'"by_hand": true' in file
    assert again.origin == Imported(by_hand=True)
    assert await house.parlour.import_export.export(again.id, None) == file
    assert fork.by_hand
    draw = draw_of(again)
    assert draw is not None
    assert draw.by_hand


async def test_nobody_here_has_played_an_imported_game(house: House) -> None:
    file = await house.parlour.import_export.export((await over(house)).id, None)

    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert await house.parlour.tables_of(user(ANN), [Phase.OVER]) != []
    assert again.id not in [table.id for table in await house.parlour.tables_of(user(ANN), [Phase.OVER])]
    with pytest.raises(Refused, match="Only people who played here"):
        await house.parlour.lobby.rematch(again.id, user(ANN))
    fork = await fill_seats(house, await house.parlour.import_export.fork(again.id, 0, ANN))
    assert (await house.lobby.start(fork.id, user(ANN))).phase is Phase.PLAY


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

    with pytest.raises(Refused, match="finish at least 90%"):
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
