from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from cogs.posts.notices import KINDS
from engines.game import Strength
from tables.clocks.pace import HOUR
from tables.core.history import payload_of
from tables.core.table import BoardObstacle, Phase, Refused, Table
from tables.time import lateness
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, House, user

pytestmark = pytest.mark.usefixtures("nearly")


async def test_a_computer_takes_over_a_seat_and_after_the_host_the_next_person_is_host(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")
    state = await house.state(table)

    table = await house.hand_over(table.id, 1, ADMIN, Strength.MEDIUM)

    seat = table.seats[1]
    assert (seat.name, seat.user_id, seat.strength) == ("Bo (computer)", None, Strength.MEDIUM)
    assert (table.host_id, table.people) == (user(ANN), [user(ANN), user(CY)])
    assert await house.state(table) == state
    assert await house.restart().parlour.table(table.id) == table
    with pytest.raises(Refused, match="You aren't playing at this table"):
        await house.move(table, BO, "flip 1")
    table = await house.hand_over(table.id, 0, user(ANN), Strength.MEDIUM)
    assert table.host_id == user(CY)


@pytest.mark.parametrize(("actor", "own"), [(user(BO), True), (ADMIN, False)], ids=["oneself", "an admin"])
async def test_it_is_written_whose_seat_it_was_and_whose_wish(house: House, actor: int, own: bool) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")

    table = await house.hand_over(table.id, 1, actor, Strength.MEDIUM)

    row = await house.store.action(table.id, table.version)
    assert row is not None
    assert (row.kind, row.seat, row.actor_id) == ("hand_over", 1, actor)
    assert payload_of(row) == {"name": "Bo", "own": own}


async def test_a_computer_that_takes_over_a_turn_makes_the_move(house: House, table: Table) -> None:
    await house.hand_over(table.id, 0, user(ANN), Strength.STRONG)
    await house.settle()

    table = await house.parlour.table(table.id)
    assert table.owing == (1,)
    assert (await house.history(table))[-2:] == ["hand_over", "move"]


async def test_a_game_goes_on_to_its_end_when_every_person_has_left_it(house: House, duel: Table) -> None:
    for seat in (0, 1):
        await house.hand_over(duel.id, seat, ADMIN, Strength.MEDIUM)
    await house.settle()

    duel = await house.parlour.table(duel.id)

    assert duel.phase is Phase.OVER
    assert duel.people == []


async def test_a_computers_seat_is_neither_handed_over_nor_skipped(house: House, table: Table) -> None:
    await house.hand_over(table.id, 1, ADMIN, Strength.MEDIUM)

    with pytest.raises(Refused, match="That player has left the seat"):
        await house.play.hand_over(table.id, user(BO), ADMIN, Strength.MEDIUM)

    await house.hand_over(table.id, 0, ADMIN, Strength.MEDIUM)

    with pytest.raises(Refused, match="Nobody has to move"):
        await house.play.skip(table.id, ADMIN)


async def test_a_skip_moves_for_the_player_to_move(house: House, table: Table) -> None:
    steps = await house.play.skip(table.id, ADMIN)

    table = await house.parlour.table(table.id)
    assert [step.seat for step in steps] == [0]
    assert table.owing == (1,)
    assert not any(occupant.computer for occupant in table.seats)
    rows = await house.store.actions(table.id, after=1)
    assert [(row.kind, row.actor_id) for row in rows] == [("skip", ADMIN), ("move", ADMIN)]
    assert payload_of(rows[0]) == ["Ann"]


async def test_a_skip_ends_the_whole_turn_and_no_more(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2")

    steps = await house.play.skip(table.id, ADMIN)

    after = await house.parlour.table(table.id)
    assert {step.seat for step in steps} == {1}
    assert after.beat > table.beat
    assert after.owing in {(0,), ()}


async def test_computers_go_on_after_a_skip(house: House) -> None:
    table = await house.gather(ANN, mode="coop", first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    table = await house.lobby.start(table.id, user(ANN))

    await house.play.skip(table.id, ADMIN)
    await house.settle()

    rows = await house.store.actions(table.id)
    assert 1 in {row.seat for row in rows}


async def test_a_closed_game_has_no_result_and_waits_for_nobody(house: House, table: Table) -> None:
    await house.play_moves(table, "flip 1")

    table = await house.play.close(table.id, ADMIN)

    assert (table.phase, table.outcome, table.owing) == (Phase.CLOSED, None, ())
    assert await house.restart().parlour.table(table.id) == table
    with pytest.raises(Refused, match="was closed"):
        await house.play.close(table.id, ADMIN)


async def test_hidden_things_stay_hidden_in_a_closed_game(house: House, duel: Table) -> None:
    await house.play_moves(duel, "green; orange")

    await house.play.close(duel.id, ADMIN)

    view = (await house.play.perspective(duel.id, None)).view
    assert {card for hand in view.hands for card in hand} == {None}


async def test_a_lobby_can_be_closed_too(house: House, lobby: Table) -> None:
    lobby = await house.play.close(lobby.id, ADMIN)
    await house.settle()

    assert lobby.phase is Phase.CLOSED
    assert house.courier.take_shown() == [("lobby", 0, False), ("closed", user(ANN), True)]


@pytest.mark.parametrize("wish", ["hand_over", "skip", "rollback", "resign", "undo"])
async def test_nothing_of_this_is_done_at_a_lobby(house: House, wish: str) -> None:
    table = await house.gather(ANN, BO)
    wishes = {"hand_over": (1, ADMIN, Strength.MEDIUM), "rollback": (1, ADMIN)}

    with pytest.raises(Refused, match="hasn't begun"):
        await getattr(house.play, wish)(table.id, *wishes.get(wish, (user(ANN),)))


Deed = Callable[[House, Table], Awaitable[object]]
DEEDS: dict[str, Deed] = {
    "kick": lambda house, table: house.parlour.kick(table.id, user(ANN), ADMIN),
    "replace": lambda house, table: house.play.hand_over(table.id, user(ANN), ADMIN, Strength.EASY),
    "close": lambda house, table: house.play.close(table.id, ADMIN),
    "skip": lambda house, table: house.play.skip(table.id, ADMIN),
    "roll back": lambda house, table: house.play.rollback(table.id, 1, ADMIN),
    "pause": lambda house, table: house.parlour.pauses.pause(table.id, ADMIN, None),
    "move": lambda house, table: house.parlour.moving.move(table.id, ADMIN, CHANNEL + 1),
    "give time": lambda house, table: house.parlour.decide(
        table.id, lateness.extend_time, actor_id=ADMIN, user_id=user(ANN), seconds=HOUR
    ),
    "let the board be refused": lambda house, table: house.parlour.obstacles.block(
        table.id, BoardObstacle.NO_PERMISSION
    ),
}

TOLD = {
    "kick": [user(ANN)],
    "replace": [user(ANN)],
    "let the board be refused": [user(ANN), user(BO), user(CY)],
}
"""Recipients of a message of their own; the board tells everybody the rest."""


@pytest.mark.databases(EITHER_DATABASE)
@pytest.mark.parametrize("deed", DEEDS)
async def test_a_deed_sends_one_message_to_each_person_it_is_about(house: House, deed: str) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")
    table = await house.play_moves(table, "flip 4")
    await house.settle()
    house.courier.shown.clear()

    await DEEDS[deed](house, table)
    await house.settle()

    sent = Counter(row.target for row, _ in house.courier.shown if row.kind in KINDS)
    assert sent == Counter(TOLD.get(deed, ()))
