import pytest

from engines.game import Strength
from tables.clocks.pace import DAY, read_pace
from tables.core.history import EntryKind, payload_of
from tables.core.table import Phase, ProposalKind, Refused, Table
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CY, DEE, House, user


@pytest.fixture(autouse=True)
def deck(deal_next: Dealt) -> None:
    """Deal games that are not lost at once."""
    deal_next(NEARLY)


@pytest.fixture
async def table(house: House) -> Table:
    lobby = await house.gather(ANN, BO, mode="coop", first="host")
    await house.lobby.add_computer(lobby.id, user(ANN), Strength.MEDIUM)
    await house.lobby.start(lobby.id, user(ANN))
    return await house.play_moves(lobby, "flip 1")


async def last(house: House, table: Table, kind: EntryKind) -> object:
    rows = [row for row in await house.store.actions(table.id) if row.kind == kind]
    return payload_of(rows[-1])


async def test_an_offered_seat_goes_to_who_takes_it_with_hand_and_history(house: House, table: Table) -> None:
    offered = await house.parlour.proposals.offer_seat(table.id, user(BO), user(CY), "Cy")
    assert offered.proposal is not None
    assert offered.seats[1].user_id == user(BO)
    house.courier.take_shown()

    taken = await house.parlour.proposals.agree(table.id, user(CY))
    await house.settle()

    assert taken.proposal is None
    assert taken.seats[1].user_id == user(CY)
    assert ("hand", user(CY), False) in house.courier.take_shown()
    assert await last(house, table, EntryKind.TAKE_OVER) == {
        "old": "Bo",
        "new": "Cy",
        "why": "offered",
        "left": user(BO),
        "came": user(CY),
    }
    with pytest.raises(Refused, match="don't play"):
        await house.move(table, BO, "flip 2")
    await house.move(table, CY, "flip 2")


async def test_a_newcomer_to_a_seat_has_at_least_two_increments(house: House) -> None:
    lobby = await house.gather(ANN, BO, mode="coop", first="host")
    await house.lobby.set_terms(lobby.id, user(ANN), pace=read_pace("daily"))
    table = await house.lobby.start(lobby.id, user(ANN))
    house.clock.now += 1.9 * DAY

    await house.parlour.proposals.offer_seat(table.id, user(ANN), user(CY), "Cy")
    table = await house.parlour.proposals.agree(table.id, user(CY))

    (waited,) = await house.parlour.waited_people(table)
    assert waited.left == pytest.approx(2 * DAY)


async def test_a_computers_seat_needs_the_consent_of_all_people(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.ask_for_seat(table.id, user(CY), "Cy", 2)
    asked = await agreement.agree(table.id, user(ANN))
    assert asked.seats[2].computer

    taken = await agreement.agree(table.id, user(BO))

    assert taken.seats[2].user_id == user(CY)
    assert taken.names == ["Ann", "Bo", "Cy"]


async def test_an_administrator_gives_a_seat_away_when_the_others_and_the_newcomer_agree(
    house: House, table: Table
) -> None:
    agreement = house.parlour.proposals
    await agreement.give(table.id, ADMIN, user(table.seats[1]), user(CY), "Cy")
    for answer in (agreement.agree, agreement.decline):
        with pytest.raises(Refused, match="It's about your own seat, so only the others decide"):
            await answer(table.id, user(BO))
    with pytest.raises(Refused, match="players at this table"):
        await agreement.agree(table.id, 99)
    await agreement.agree(table.id, user(ANN))

    taken = await agreement.agree(table.id, user(CY))
    await house.settle()

    assert taken.seats[1].user_id == user(CY)
    assert ("replaced", user(BO), True) in house.courier.take_shown()


async def test_nobody_takes_a_seat_at_their_own_table(house: House, table: Table) -> None:
    agreement = house.parlour.proposals

    with pytest.raises(Refused, match="Ann is already at this table"):
        await agreement.ask_for_seat(table.id, user(ANN), "Ann", 2)
    with pytest.raises(Refused, match="Ann is already at this table"):
        await agreement.offer_seat(table.id, user(BO), user(ANN), "Ann")
    with pytest.raises(Refused, match="There's no computer player there"):
        await agreement.ask_for_seat(table.id, user(CY), "Cy", 0)
    with pytest.raises(Refused, match="players at this table"):
        await agreement.offer_seat(table.id, user(CY), user(DEE), "Dee")
    assert (await house.parlour.table(table.id)).proposal is None


async def test_two_proposals_at_once_are_one_too_many(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.propose(table.id, user(ANN), ProposalKind.END)

    with pytest.raises(Refused, match="This table already has a proposal"):
        await agreement.propose(table.id, user(BO), ProposalKind.UNDO)
    with pytest.raises(Refused, match="This table already has a proposal"):
        await agreement.offer_seat(table.id, user(BO), user(CY), "Cy")


async def test_consent_of_somebody_who_has_left_is_refused_and_not_needed(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.ask_for_seat(table.id, user(CY), "Cy", 2)
    await house.hand_over(table.id, 1, user(BO), Strength.MEDIUM)

    with pytest.raises(Refused, match="players at this table"):
        await agreement.agree(table.id, user(BO))
    taken = await agreement.agree(table.id, user(ANN))

    assert taken.seats[2].user_id == user(CY)


async def test_a_step_that_has_shown_something_is_taken_back_by_consent(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.propose(table.id, user(ANN), ProposalKind.UNDO)

    back = await agreement.agree(table.id, user(BO))

    assert back.owing == (0,)
    assert await last(house, table, EntryKind.ROLLBACK) == "agreed"


async def test_a_proposal_to_undo_is_withdrawn_by_the_next_step(house: House, table: Table) -> None:
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.UNDO)

    await house.move(table, BO, "flip 2")

    assert (await house.parlour.table(table.id)).proposal is None
    with pytest.raises(Refused, match="That proposal is gone"):
        await house.parlour.proposals.agree(table.id, user(BO))


async def test_an_offer_is_withdrawn_when_the_seat_has_another_owner(house: House, table: Table) -> None:
    await house.parlour.proposals.offer_seat(table.id, user(BO), user(CY), "Cy")

    await house.hand_over(table.id, 1, ADMIN, Strength.MEDIUM)

    assert (await house.parlour.table(table.id)).proposal is None


async def test_a_game_ends_without_a_result_when_all_agree(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.propose(table.id, user(BO), ProposalKind.END)
    still = await house.parlour.table(table.id)

    ended = await agreement.agree(table.id, user(ANN))

    assert (still.phase, ended.phase, ended.outcome) == (Phase.PLAY, Phase.CLOSED, None)
    assert ended.proposal is None
    assert await last(house, table, EntryKind.CLOSE) == "agreed"


async def test_only_the_asked_person_can_decline(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.offer_seat(table.id, user(BO), user(CY), "Cy")

    with pytest.raises(Refused, match="the players I asked"):
        await agreement.decline(table.id, user(ANN))
    declined = await agreement.decline(table.id, user(CY))

    assert declined.proposal is None
    assert await last(house, table, EntryKind.DECLINE) == ["Cy", "offer", "Bo", "Cy"]


async def test_a_proposal_ends_after_a_day(house: House, table: Table) -> None:
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.END)

    house.clock.now += DAY + 1
    await house.parlour.resume()
    await house.settle()

    assert (await house.parlour.table(table.id)).proposal is None
    assert await last(house, table, EntryKind.DECLINE) == [None, "end", None, None]
