from functools import partial

import msgspec
import pytest

from db.records import WishRow
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import DAY, PACES
from tables.core.history import EntryKind, payload_of
from tables.core.people import NameLookup, Notices
from tables.core.table import Occupant, ProposalKind, Refused, Table, Terms
from tables.play import seats
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, user

DATABASES = EITHER_DATABASE
pytestmark = pytest.mark.usefixtures("nearly")


async def look(house: House, *people: int, paces: tuple[str, ...] = ()) -> None:
    for number in people:
        await house.parlour.looking.look(GUILD, number, f"Person {number}", ["ribbon"], paces)


async def give_up(house: House, table: Table) -> Table:
    """Let Ann, who is to move, leave her seat to a computer."""
    offer = await house.parlour.vacancies.find_offer(table.id)
    await house.play.hand_over(table.id, user(ANN), user(ANN), Strength.EASY, offer)
    await house.settle()
    return await house.parlour.table(table.id)


async def vacate(house: House) -> Table:
    """Let Ann leave a game with Bo while Cy looks for one."""
    table = await house.start(ANN, BO)
    await look(house, user(CY))
    return await give_up(house, table)


async def test_a_seat_is_offered_to_those_who_look_and_the_first_plays_on(house: House) -> None:
    table = await vacate(house)

    assert table.seats[0].computer
    assert table.offered_seats == [0]
    assert (table.owing, table.computers_owing) == ((0,), [])
    assert table.clock(0).offered == house.clock.now + seats.OFFER_LASTS
    assert ("vacant", user(CY), True) in house.courier.take_shown()
    with pytest.raises(Refused, match=seats.NOT_LOOKING):
        await house.parlour.take_offered_seat(table.id, user(DEE), "Dee", 0)

    after = await house.parlour.take_offered_seat(table.id, user(CY), "Cy", 0)

    assert (after.seats[0].user_id, after.offered_seats) == (user(CY), [])
    assert await house.parlour.looking.of(GUILD, user(CY)) == []
    assert (await house.history(table))[-1] == "take_over"
    await look(house, user(DEE))
    with pytest.raises(Refused, match=seats.NOT_OFFERED):
        await house.parlour.take_offered_seat(table.id, user(DEE), "Dee", 0)


async def test_a_computer_plays_once_the_time_is_over(house: House) -> None:
    table = await vacate(house)
    house.clock.now += seats.OFFER_LASTS

    with pytest.raises(Refused, match=seats.NOT_OFFERED):
        await house.parlour.take_offered_seat(table.id, user(CY), "Cy", 0)
    await house.parlour.due.sweep()
    await house.settle()

    after = await house.parlour.table(table.id)
    assert after.offered_seats == []
    assert after.owing == (1,)


async def test_a_computer_that_waits_is_remembered_through_a_restart(house: House) -> None:
    table = await vacate(house)
    again = house.restart()
    await again.parlour.computers.resume()
    await again.settle()
    waiting = (await again.parlour.table(table.id)).owing

    again.clock.now += seats.OFFER_LASTS
    await again.parlour.due.look(table.id)
    last = again.restart()
    await last.parlour.computers.resume()
    await last.settle()

    assert waiting == (0,)
    assert (await last.parlour.table(table.id)).owing == (1,)


async def test_nobody_is_asked_who_sits_there_plays_otherwise_or_is_blocked(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(BO))
    await look(house, user(CY))
    await look(house, user(DEE), paces=("weekly",))
    await house.parlour.blocks.block(user(BO), user(CY))

    offer = await house.parlour.vacancies.find_offer(table.id)

    assert offer is None
    with pytest.raises(Refused):
        await house.parlour.take_offered_seat(table.id, user(CY), "Cy", 0)


async def test_those_who_wait_longest_are_asked(house: House, duel: Table) -> None:
    for number in range(200, 200 + seats.MOST_ASKED + 1):
        house.clock.now += 1
        wish = WishRow(GUILD, number, "ribbon", f"Person {number}", (), house.clock.now, ())
        await house.store.relations.wish(GUILD, number, [wish])

    offer = await house.parlour.vacancies.find_offer(duel.id)

    assert offer is not None
    assert offer.people == tuple(range(200, 200 + seats.MOST_ASKED))


@pytest.mark.parametrize(
    "terms", [Terms(PACES["daily"], private=True), Terms(PACES["live"])], ids=["private", "in one sitting"]
)
async def test_some_tables_offer_no_seat(house: House, terms: Terms) -> None:
    options = RibbonOptions(first="host")
    table = await house.lobby.create(GUILD, CHANNEL, ANN, "ribbon", options, (BO,), terms=terms)
    await house.lobby.start(table.id, user(ANN))
    await look(house, user(CY))

    after = await give_up(house, table)

    assert after.offered_seats == []


async def test_a_seat_whose_player_an_admin_removes_is_offered_too(house: House, duel: Table) -> None:
    await look(house, user(CY))

    await house.parlour.kick(duel.id, user(ANN), ADMIN)

    assert (await house.parlour.table(duel.id)).offered_seats == [0]


async def test_who_has_had_a_seat_gets_no_other(house: House) -> None:
    table = await vacate(house)
    await look(house, user(ANN))

    with pytest.raises(Refused, match=seats.PLAYED_THERE):
        await house.parlour.take_offered_seat(table.id, user(ANN), "Ann", 0)
    await house.play.hand_over(table.id, user(BO), ADMIN, Strength.EASY)
    assert await house.parlour.vacancies.find_offer(table.id) is None


async def test_the_last_person_leaves_nothing_to_offer(house: House) -> None:
    table = await house.start(ANN, mode="solo")
    await look(house, user(CY))

    assert await house.parlour.vacancies.find_offer(table.id) is None


async def test_nobody_is_offered_seats_again_and_again_by_any_process(house: House, elsewhere: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY))

    for one in (house, elsewhere, house):
        assert await elsewhere.parlour.vacancies.find_offer(table.id) is not None
        await one.parlour.personal_settings.change(user(CY), partial(seats.with_offer, now=house.clock.now))
        elsewhere.parlour.people.invalidate()
        house.parlour.people.invalidate()

    assert await house.parlour.vacancies.find_offer(table.id) is None
    assert await elsewhere.parlour.vacancies.find_offer(table.id) is None
    house.clock.now += DAY
    assert await house.parlour.vacancies.find_offer(table.id) is not None


async def test_only_real_offers_count_and_who_wants_no_notices_gets_none(house: House, duel: Table) -> None:
    await look(house, user(CY))

    for _ in range(seats.OFFERED_A_DAY + 1):
        assert await house.parlour.vacancies.find_offer(duel.id) is not None
    for _ in range(seats.OFFERED_A_DAY + 1):
        with pytest.raises(Refused):
            await house.parlour.kick(duel.id, user(DEE), ADMIN)
    assert await house.parlour.vacancies.find_offer(duel.id) is not None

    await house.parlour.personal_settings.change(
        user(CY), lambda person: msgspec.structs.replace(person, notices=Notices.NONE)
    )

    assert await house.parlour.vacancies.find_offer(duel.id) is None


async def test_who_has_left_the_server_gets_no_seat_and_no_match(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY), user(DEE))
    house.parlour.looking.name_of = all_but(CY)

    offer = await house.parlour.vacancies.find_offer(table.id)

    assert offer is not None
    assert offer.people == (user(DEE),)
    assert await house.parlour.looking.of(GUILD, user(CY)) == []

    await look(house, user(CY))

    match = await house.parlour.looking.look(GUILD, user(DEE), "Dee", ["ribbon"], ())

    assert match is None
    assert await house.parlour.looking.of(GUILD, user(CY)) == []


async def test_an_offer_ends_with_the_last_person_who_can_be_told(house: House, duel: Table) -> None:
    await look(house, user(CY), user(DEE))
    duel = await give_up(house, duel)

    await house.parlour.vacancies.withdraw(duel.id, user(CY))
    still = (await house.parlour.table(duel.id)).offered_seats
    await house.parlour.vacancies.withdraw(duel.id, user(DEE))
    await house.settle()

    after = await house.parlour.table(duel.id)
    assert (still, after.offered_seats) == ([0], [])
    assert after.owing == (1,)


def all_but(gone: Occupant) -> NameLookup:
    """Return a lookup of names that doesn't find one person."""

    async def find_name(_guild_id: int, user_id: int, known: str) -> str | None:
        return None if user_id == user(gone) else known

    return find_name


async def test_an_admin_can_let_the_computer_play_at_once(house: House) -> None:
    table = await vacate(house)

    await house.play.skip(table.id, ADMIN)
    await house.settle()

    after = await house.parlour.table(table.id)
    assert (after.offered_seats, after.owing) == ([], (1,))


async def test_what_others_have_proposed_goes_on(house: House) -> None:
    table = await house.start(ANN, BO, CY)
    await look(house, user(DEE))
    table = await give_up(house, table)
    await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.END)

    after = await house.parlour.take_offered_seat(table.id, user(DEE), "Dee", 0)

    assert after.proposal is not None
    assert after.proposal.kind is ProposalKind.END


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
    with pytest.raises(Refused, match="aren't playing"):
        await house.move(table, BO, "flip 2")
    await house.move(table, CY, "flip 2")


async def test_a_newcomer_to_a_seat_has_at_least_two_increments(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    house.clock.now += 1.9 * DAY

    await house.parlour.proposals.offer_seat(table.id, user(ANN), user(CY), "Cy")
    table = await house.parlour.proposals.agree(table.id, user(CY))

    (waited,) = await house.parlour.waited_people(table)
    assert waited.left == pytest.approx(2 * DAY)


async def test_an_administrator_gives_a_seat_away_if_all_others_agree(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.give(table.id, ADMIN, user(table.seats[1]), user(CY), "Cy")
    for answer in (agreement.agree, agreement.decline):
        with pytest.raises(Refused, match="The proposal is about your own seat, so only the others decide"):
            await answer(table.id, user(BO))
    with pytest.raises(Refused, match="players at this table"):
        await agreement.agree(table.id, 99)
    await agreement.agree(table.id, user(ANN))

    taken = await agreement.agree(table.id, user(CY))
    await house.settle()

    assert taken.seats[1].user_id == user(CY)
    assert ("replaced", user(BO), True) in house.courier.take_shown()


async def test_consent_of_somebody_who_has_left_is_refused_and_not_needed(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.ask_for_seat(table.id, user(CY), "Cy", 2)
    await house.hand_over(table.id, 1, user(BO), Strength.MEDIUM)

    with pytest.raises(Refused, match="players at this table"):
        await agreement.agree(table.id, user(BO))
    taken = await agreement.agree(table.id, user(ANN))

    assert taken.seats[2].user_id == user(CY)


async def test_a_proposal_to_undo_is_withdrawn_by_the_next_step(house: House, table: Table) -> None:
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.UNDO)

    await house.move(table, BO, "flip 2")

    assert (await house.parlour.table(table.id)).proposal is None
    with pytest.raises(Refused, match="That proposal is gone"):
        await house.parlour.proposals.agree(table.id, user(BO))


async def test_only_the_asked_person_can_decline(house: House, table: Table) -> None:
    agreement = house.parlour.proposals
    await agreement.offer_seat(table.id, user(BO), user(CY), "Cy")

    with pytest.raises(Refused, match="the players I asked"):
        await agreement.decline(table.id, user(ANN))
    declined = await agreement.decline(table.id, user(CY))

    assert declined.proposal is None
    assert await last(house, table, EntryKind.DECLINE) == ["Cy", "offer", "Bo", "Cy"]
