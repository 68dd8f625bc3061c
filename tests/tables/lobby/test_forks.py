import msgspec
import pytest
from msgspec import Raw

from engines.game import Strength
from engines.ribbon.truth.state import RibbonDeal
from tables.core.change import MOST_OPEN
from tables.core.history import PLAYED
from tables.core.table import CustomDeal, Forked, Imported, Phase, Refused, Table, encode
from tables.lobby import decisions as lobby_decisions
from tables.lobby.decisions import draw_of
from tables.review.format import Chair, DealFile, write
from tests.engines.cases import CASES, GameCase
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, arrange_deal, user
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
    with pytest.raises(Refused, match="only when it's over"):
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
        await house.decide(fork.id, lobby_decisions.change_options, user_id=user(CY), options=fork.options)
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
