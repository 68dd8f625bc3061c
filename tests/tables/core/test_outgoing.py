import pytest

from engines.game import Strength
from tables.core.table import Occupant, Table
from tests.engines.ribbon.games import CLEAN, NEARLY, THREE
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CY, House, user

Wish = tuple[str, int, bool]
FRESH_BOARD: Wish = ("board", 0, True)
EDITED_BOARD: Wish = ("board", 0, False)
CARD: Wish = ("lobby", 0, False)


def hand(occupant: Occupant) -> Wish:
    return ("hand", user(occupant), False)


async def take_shown(house: House) -> list[Wish]:
    """Return what was shown since the last look, once everything is."""
    await house.settle()
    return house.courier.take_shown()


async def test_a_start_shows_the_card_the_board_and_every_secret_hand(house: House) -> None:
    table = await house.gather(ANN, BO)
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)

    table = await house.lobby.start(table.id, user(ANN))

    # Before ribbons are chosen blindly, nobody has looked at a hand yet.
    assert await house.waiting(table) == [FRESH_BOARD, CARD]


async def test_hands_are_sent_to_people_once_they_may_look_at_them(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.gather(ANN, BO, first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    table = await house.lobby.start(table.id, user(ANN))
    await house.play_moves(table, "green")
    await house.settle()
    house.courier.shown.clear()

    await house.play_moves(table, "orange")

    assert await take_shown(house) == [FRESH_BOARD, hand(ANN), hand(BO)]


@pytest.fixture
async def team(house: House, deal_next: Dealt) -> Table:
    deal_next(NEARLY)
    table = await house.start(ANN, BO, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2")
    await take_shown(house)
    return table


async def test_a_new_turn_asks_for_a_fresh_post(house: House, team: Table) -> None:
    await house.play_moves(team, "pass")

    assert await take_shown(house) == [FRESH_BOARD]


async def test_steps_inside_a_turn_show_nothing(house: House, team: Table) -> None:
    await house.move(team, BO, "swap 1; exchange 2 P")
    await house.play.undo(team.id, user(BO))

    assert await take_shown(house) == []
    assert await house.waiting(team) == []


async def test_a_changed_hand_is_shown_to_its_owner_alone(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.start(ANN, BO, CY)
    await house.play_moves(table, "green; orange; flip 8; flip 9")
    await take_shown(house)

    await house.play_moves(table, "exchange 9 L")

    assert await take_shown(house) == [hand(BO)]


async def test_the_end_is_told_in_a_fresh_post_and_on_the_card(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    table = await house.start(ANN, BO, mode="coop")

    await house.play.resign(table.id, user(BO))

    assert await take_shown(house) == [FRESH_BOARD, CARD]


async def test_a_game_that_is_called_off_is_told_too(house: House) -> None:
    table = await house.start(ANN, BO)

    await house.play.resign(table.id, user(BO))

    assert (await take_shown(house))[:2] == [FRESH_BOARD, CARD]


@pytest.fixture
async def vote(house: House, deal_next: Dealt) -> Table:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 12))
    table = await house.play_moves(table, f"green; orange; flip 1; {pairs}; pass; tie")
    await take_shown(house)
    return table


async def test_a_fresh_post_mentions_new_duties(house: House, deal_next: Dealt) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 12))
    table = await house.play_moves(table, f"green; orange; flip 1; {pairs}; pass")
    await take_shown(house)

    table = await house.play_moves(table, "tie")

    assert len(table.owing) == 2
    assert FRESH_BOARD in await take_shown(house)


async def test_an_answer_while_others_are_waited_for_edits_the_post(house: House, vote: Table) -> None:
    table = await house.play_moves(vote, "yes")

    assert len(table.owing) == 1
    assert EDITED_BOARD in await take_shown(house)


async def test_the_last_answer_brings_the_turn_back_in_a_fresh_post(house: House, vote: Table) -> None:
    table = await house.play_moves(vote, "yes; no")

    assert table.owing != vote.owing
    assert FRESH_BOARD in await take_shown(house)


async def test_a_rollback_is_told_in_a_fresh_post(house: House, team: Table) -> None:
    await house.move(team, BO, "swap 1")

    await house.play.rollback(team.id, 1, ADMIN)

    assert await take_shown(house) == [FRESH_BOARD]


async def test_a_seat_handed_over_is_told_in_a_fresh_post_and_on_the_card(house: House, team: Table) -> None:
    await house.hand_over(team.id, 0, ADMIN, Strength.MEDIUM)

    assert await take_shown(house) == [FRESH_BOARD, CARD, ("replaced", user(ANN), True)]


async def test_a_closed_table_is_told_in_a_fresh_post_and_on_the_card(house: House, team: Table) -> None:
    await house.play.close(team.id, ADMIN)

    assert await take_shown(house) == [FRESH_BOARD, CARD]
