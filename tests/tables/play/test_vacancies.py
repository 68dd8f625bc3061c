"""Seats that are given up: offered to people who look for a game, before a computer plays on."""

from functools import partial

import msgspec
import pytest

from db.records import WishRow
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import DAY, PACES
from tables.core.people import NameLookup, Notices
from tables.core.table import Occupant, ProposalKind, Refused, Table, Terms
from tables.play.seats import (
    MOST_ASKED,
    NOT_LOOKING,
    NOT_OFFERED,
    OFFER_LASTS,
    OFFERED_A_DAY,
    PLAYED_THERE,
    with_offer,
)
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, user

DATABASES = EITHER_DATABASE
ADMIN = 99


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


async def test_a_seat_is_offered_to_those_who_look_and_its_computer_waits(house: House) -> None:
    table = await vacate(house)

    assert table.seats[0].computer
    assert table.offered_seats == [0]
    assert (table.owing, table.computers_owing) == ((0,), [])
    assert table.clock(0).offered == house.clock.now + OFFER_LASTS
    assert ("vacant", user(CY), True) in house.courier.take_shown()


async def test_who_takes_it_plays_on_and_no_longer_looks(house: House) -> None:
    table = await vacate(house)

    after = await house.parlour.take_offered_seat(table.id, user(CY), "Cy", 0)

    assert (after.seats[0].user_id, after.offered_seats) == (user(CY), [])
    assert await house.parlour.looking.of(GUILD, user(CY)) == []
    assert (await house.history(table))[-1] == "take_over"


async def test_only_the_first_gets_it(house: House) -> None:
    table = await vacate(house)
    await house.parlour.take_offered_seat(table.id, user(CY), "Cy", 0)
    await look(house, user(DEE))

    with pytest.raises(Refused, match=NOT_OFFERED):
        await house.parlour.take_offered_seat(table.id, user(DEE), "Dee", 0)


async def test_a_computer_plays_once_the_time_is_over(house: House) -> None:
    table = await vacate(house)
    house.clock.now += OFFER_LASTS

    with pytest.raises(Refused, match=NOT_OFFERED):
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

    again.clock.now += OFFER_LASTS
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


async def test_those_who_wait_longest_are_asked(house: House) -> None:
    table = await house.start(ANN, BO)
    for number in range(200, 200 + MOST_ASKED + 1):
        house.clock.now += 1
        wish = WishRow(GUILD, number, "ribbon", f"Person {number}", (), house.clock.now, ())
        await house.store.relations.wish(GUILD, number, [wish])

    offer = await house.parlour.vacancies.find_offer(table.id)

    assert offer is not None
    assert offer.people == tuple(range(200, 200 + MOST_ASKED))


async def test_who_does_not_look_for_such_a_game_cannot_take_it(house: House) -> None:
    table = await vacate(house)

    with pytest.raises(Refused, match=NOT_LOOKING):
        await house.parlour.take_offered_seat(table.id, user(DEE), "Dee", 0)


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


async def test_a_seat_whose_player_an_admin_removes_is_offered_too(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY))

    await house.parlour.kick(table.id, user(ANN), ADMIN)

    assert (await house.parlour.table(table.id)).offered_seats == [0]


async def test_who_has_had_a_seat_gets_no_other(house: House) -> None:
    table = await vacate(house)
    await look(house, user(ANN))

    with pytest.raises(Refused, match=PLAYED_THERE):
        await house.parlour.take_offered_seat(table.id, user(ANN), "Ann", 0)
    await house.play.hand_over(table.id, user(BO), ADMIN, Strength.EASY)
    assert await house.parlour.vacancies.find_offer(table.id) is None


async def test_the_last_person_leaves_nothing_to_offer(house: House) -> None:
    table = await house.start(ANN, mode="solo")
    await look(house, user(CY))

    assert await house.parlour.vacancies.find_offer(table.id) is None


async def test_who_wants_no_notices_is_not_asked(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY))
    await house.parlour.personal_settings.change(
        user(CY), lambda person: msgspec.structs.replace(person, notices=Notices.NONE)
    )

    assert await house.parlour.vacancies.find_offer(table.id) is None


async def test_nobody_is_offered_seats_again_and_again_by_any_process(house: House, elsewhere: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY))

    for one in (house, elsewhere, house):
        assert await elsewhere.parlour.vacancies.find_offer(table.id) is not None
        await one.parlour.personal_settings.change(user(CY), partial(with_offer, now=house.clock.now))
        elsewhere.parlour.people.invalidate()
        house.parlour.people.invalidate()

    assert await house.parlour.vacancies.find_offer(table.id) is None
    assert await elsewhere.parlour.vacancies.find_offer(table.id) is None
    house.clock.now += DAY
    assert await house.parlour.vacancies.find_offer(table.id) is not None


async def test_an_offer_that_is_only_found_counts_for_nobody(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY))

    for _ in range(OFFERED_A_DAY + 1):
        assert await house.parlour.vacancies.find_offer(table.id) is not None


async def test_who_has_left_the_server_is_not_offered_a_seat_and_no_longer_looks(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY), user(DEE))
    house.parlour.looking.name_of = all_but(CY)

    offer = await house.parlour.vacancies.find_offer(table.id)

    assert offer is not None
    assert offer.people == (user(DEE),)
    assert await house.parlour.looking.of(GUILD, user(CY)) == []


async def test_who_has_left_the_server_is_matched_with_nobody(house: House) -> None:
    await look(house, user(CY))
    house.parlour.looking.name_of = all_but(CY)

    match = await house.parlour.looking.look(GUILD, user(DEE), "Dee", ["ribbon"], ())

    assert match is None
    assert await house.parlour.looking.of(GUILD, user(CY)) == []


async def test_an_offer_ends_with_the_last_person_who_can_be_told(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY), user(DEE))
    table = await give_up(house, table)

    await house.parlour.vacancies.withdraw(table.id, user(CY))
    still = (await house.parlour.table(table.id)).offered_seats
    await house.parlour.vacancies.withdraw(table.id, user(DEE))
    await house.settle()

    after = await house.parlour.table(table.id)
    assert (still, after.offered_seats) == ([0], [])
    assert after.owing == (1,)


def all_but(gone: Occupant) -> NameLookup:
    """Return a lookup of names that doesn't find one person."""

    async def find_name(_guild_id: int, user_id: int, known: str) -> str | None:
        return None if user_id == user(gone) else known

    return find_name


async def test_a_refused_kick_uses_up_no_offer(house: House) -> None:
    table = await house.start(ANN, BO)
    await look(house, user(CY))

    for _ in range(OFFERED_A_DAY + 1):
        with pytest.raises(Refused):
            await house.parlour.kick(table.id, user(DEE), ADMIN)

    assert await house.parlour.vacancies.find_offer(table.id) is not None


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
