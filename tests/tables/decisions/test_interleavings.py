"""Decisions on an older table that a newer one must refuse: each case that a search has found."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from db.records import ServerSettings
from engines.game import Strength
from tables.clocks.pace import DAY
from tables.core.change import MOST_OPEN, DecisionContext, TableState
from tables.core.table import CustomDeal, Occupant, Phase, ProposalKind, Refused, Table, WhenLate
from tables.lobby import decisions as lobby_decisions
from tables.lobby.decisions import StartContext, add_computer
from tests.conftest import EVERY_DATABASE
from tests.tables.house import ADMIN, ANN, BO, CY, DEE, GUILD, House, user

DATABASES = EVERY_DATABASE
pytestmark = pytest.mark.usefixtures("nearly")


async def test_a_sweep_keeps_no_newer_table_with_an_older_position(house: House, elsewhere: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    await elsewhere.move(table, ANN, "flip 1")
    house.clock.now += 2 * DAY

    await house.parlour.due.sweep()

    loaded = await house.parlour._repository.load(table.id)
    assert loaded.position is not None
    assert loaded.position.state == await house.state(table)
    assert (await house.move(table, BO, "flip 2"))[0].seat == 1


async def test_an_agreed_undo_is_done_once_whoever_looks_in_that_moment(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    table = await house.play_moves(table, "flip 1; flip 2; pass")
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.UNDO)
    house.clock.now += 1

    await asyncio.gather(
        house.parlour.proposals.agree(table.id, user(BO)),
        *(house.parlour.due.look(table.id) for _ in range(3)),
    )
    await house.parlour.due.sweep()

    assert (await house.history(table)).count("rollback") == 1
    assert (await house.history(table))[-2:] == ["agree", "rollback"]


async def test_a_move_that_waits_meanwhile_is_not_taken_back_for_an_agreed_step(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    table = await house.play_moves(table, "flip 1")
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.UNDO)
    (move,) = (await house.play.moves(table.id, user(BO)))[:1]

    agreed, moved = await asyncio.gather(
        house.parlour.proposals.agree(table.id, user(BO)),
        house.play.move(table.id, user(BO), [move]),
        return_exceptions=True,
    )

    assert isinstance(agreed, Table)
    assert isinstance(moved, Refused), "it is Ann's turn again"
    assert (await house.parlour.table(table.id)).owing == (0,)


async def test_moving_before_the_last_consent_keeps_the_seat(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    house.clock.now += 8 * DAY
    await house.parlour.due.look(table.id)
    await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.REPLACE, 0)
    (move,) = (await house.play.moves(table.id, user(ANN)))[:1]

    moved, agreed = await asyncio.gather(
        house.play.move(table.id, user(ANN), [move]),
        house.parlour.proposals.agree(table.id, user(CY)),
        return_exceptions=True,
    )

    assert not isinstance(moved, BaseException)
    assert isinstance(agreed, Refused)
    assert (await house.parlour.table(table.id)).seat_of(user(ANN)) == 0


async def test_a_seat_that_its_owner_has_left_is_given_to_nobody(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    await house.parlour.proposals.offer_seat(table.id, user(ANN), user(DEE), "Dee")

    await house.play.hand_over(table.id, user(ANN), user(ANN), Strength.MEDIUM)

    with pytest.raises(Refused, match="That proposal is gone"):
        await house.parlour.proposals.agree(table.id, user(DEE))
    with pytest.raises(Refused, match="Only players at this table"):
        await house.parlour.proposals.give(table.id, ADMIN, user(ANN), user(DEE), "Dee")


async def test_an_agree_that_crosses_a_decline_proposes_nothing(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    proposed = await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.PAUSE)
    await house.parlour.proposals.decline(table.id, user(BO), proposed.version)

    with pytest.raises(Refused, match="That proposal is gone"):
        await house.parlour.proposals.agree(table.id, user(CY), proposed.version)

    assert (await house.parlour.table(table.id)).proposal is None


async def test_an_agree_to_an_older_proposal_is_none_to_a_newer_one_about_the_same(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    proposed = await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.PAUSE)
    await house.parlour.proposals.decline(table.id, user(BO))
    again = await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.PAUSE)

    with pytest.raises(Refused, match="There's a newer proposal"):
        await house.parlour.proposals.agree(table.id, user(CY), proposed.version)
    with pytest.raises(Refused, match="There's a newer proposal"):
        await house.parlour.proposals.decline(table.id, user(CY), proposed.version)

    standing = (await house.parlour.proposals.agree(table.id, user(CY), again.version)).proposal
    assert standing is not None
    assert standing.agreed == (user(BO), user(CY))


async def test_a_rollback_and_a_skip_that_were_asked_about_before_a_move_are_refused(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    asked = await house.play_moves(table, "flip 1")
    await house.play_moves(asked, "flip 2")

    with pytest.raises(Refused, match="has changed"):
        await house.play.rollback(table.id, 1, ADMIN, asked.version)
    with pytest.raises(Refused, match="has changed"):
        await house.play.skip(table.id, ADMIN, asked.version)

    assert (await house.history(table))[-1] == "move"


async def test_a_kick_takes_whom_it_meant_and_nobody_who_has_the_seat_by_then(house: House) -> None:
    table = await house.gather(ANN, BO, CY)
    await house.decide(table.id, lobby_decisions.leave, user_id=user(BO))

    with pytest.raises(Refused, match="They've left that seat"):
        await house.parlour.kick(table.id, user(BO), ADMIN)

    assert (await house.parlour.table(table.id)).people == [user(ANN), user(CY)]


async def test_a_move_just_in_time_keeps_the_seat(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily", when_late=WhenLate.FORFEIT)
    house.clock.now += 3 * DAY
    (move,) = (await house.play.moves(table.id, user(ANN)))[:1]

    await asyncio.gather(house.play.move(table.id, user(ANN), [move]), house.parlour.due.sweep())

    table = await house.parlour.table(table.id)
    assert table.phase is Phase.PLAY
    assert table.owing == (1,)
    assert "resign" not in await house.history(table)


async def test_two_changes_of_settings_at_once_are_both_kept(house: House, elsewhere: House) -> None:
    await asyncio.gather(
        house.store.change_guild(GUILD, lambda row: replace(row, most_tables=7)),
        elsewhere.store.change_guild(GUILD, lambda row: replace(row, most_each=3)),
    )

    settings = await house.store.guild(GUILD)
    assert settings is not None
    assert (settings.most_tables, settings.most_each) == (7, 3)


async def test_settings_that_are_refused_stay_as_they_were(house: House) -> None:
    def refused(row: ServerSettings) -> ServerSettings:
        raise Refused("No.")

    with pytest.raises(Refused, match="No"):
        await house.store.change_guild(GUILD, refused)

    assert await house.store.guild(GUILD) is None


@pytest.mark.parametrize("way", ["join", "sit"])
async def test_nobody_sits_down_at_one_table_more_than_they_may(house: House, way: str) -> None:
    for number in range(MOST_OPEN):
        await house.gather(Occupant(f"Host {number}", 5000 + number), BO)
    table = await house.gather(ANN) if way == "join" else await fork_lobby(house)
    wish: Any = (user(BO), "Bo") if way == "join" else (user(BO), "Bo", 1)

    with pytest.raises(Refused, match=f"already at {MOST_OPEN} open tables"):
        await getattr(house.lobby, way)(table.id, *wish)

    assert user(BO) not in (await house.parlour.table(table.id)).people


async def fork_lobby(house: House) -> Table:
    """Return a lobby with fixed seats."""
    table = await house.start(ANN, CY, mode="coop")
    finished = await house.play.resign(table.id, user(ANN))
    assert finished.phase is Phase.OVER
    return await house.parlour.import_export.fork(table.id, 0, ANN)


async def test_where_all_names_of_computers_are_taken_another_is_found(house: House) -> None:
    names = ("Ada", "Ivo", "Mia", "Otto", "Zoe")
    lobby = await house.gather(ANN)
    seats = (replace(ANN, name="Ada"), *(Occupant(name) for name in names[1:]))
    table = replace(lobby, origin=CustomDeal("", names), seats=seats)

    change = add_computer(
        TableState(table, None),
        DecisionContext(0.0),
        StartContext(ServerSettings(GUILD)),
        user_id=user(ANN),
        strength=Strength.EASY,
    )

    assert [occupant.name for occupant in change.table.seats] == ["Ada", "Ada 2", "Mia", "Otto", "Zoe"]
