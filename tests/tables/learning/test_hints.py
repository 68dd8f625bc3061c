from typing import Any

import msgspec
import pytest

from db.records import ServerSettings
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.core.table import Hints, Occupant, Refused, Table
from tables.learning.hints import refusal
from tests.tables.house import ANN, BO, GUILD, House, user

ROBOT = Occupant("Robot", None, Strength.STRONG)


async def standing(house: House, *occupants: Occupant, hints: Hints = Hints.USUAL, **more: Any) -> Table:
    table = await house.gather(ANN)
    return msgspec.structs.replace(table, seats=occupants, hints=hints, **more)


async def test_hints_are_usual_but_in_a_rated_game_against_others(house: House) -> None:
    server = ServerSettings(GUILD)

    assert refusal(await standing(house, ANN, ROBOT), server) is None
    assert refusal(await standing(house, ANN, BO, rated=False), server) is None
    assert refusal(await standing(house, ANN, BO, options=RibbonOptions(mode="coop")), server) is None
    assert refusal(await standing(house, ANN, BO, hints=Hints.ALLOWED), server) is None
    assert "Rated games against others" in (refusal(await standing(house, ANN, BO), server) or "")


async def test_a_table_and_a_server_may_forbid_them(house: House) -> None:
    forbidden = await standing(house, ANN, ROBOT, hints=Hints.FORBIDDEN)
    allowed = await standing(house, ANN, BO, hints=Hints.ALLOWED)

    assert "are off at this table" in (refusal(forbidden, ServerSettings(GUILD)) or "")
    assert refusal(allowed, ServerSettings(GUILD, hints=False)) == "Hints are off in this server."


async def test_a_hint_is_legal_and_counts_once_for_each_position(house: House) -> None:
    table = await house.start(ANN, mode="solo")
    hints = house.parlour.hints

    advice = await hints.advice(table.id, user(ANN))
    assert await hints.advice(table.id, user(ANN)) == advice
    assert await hints.hints_by_seat(table.id) == {0: 1}

    await house.play.move(table.id, user(ANN), advice[0].moves)
    await hints.advice(table.id, user(ANN))
    assert await house.restart().parlour.hints.hints_by_seat(table.id) == {0: 2}


async def test_a_hint_needs_a_move_to_make_and_is_not_counted_otherwise(house: House) -> None:
    table = await house.start(ANN, BO)
    (owing,) = table.owing
    other = BO if table.seats[owing].user_id == user(ANN) else ANN

    with pytest.raises(Refused, match="It isn't your turn"):
        await house.parlour.hints.advice(table.id, user(other))
    with pytest.raises(Refused, match="It isn't your turn"):
        await house.parlour.hints.advice(table.id, 999)
    assert await house.parlour.hints.hints_by_seat(table.id) == {}


async def test_hints_that_were_taken_go_with_their_table(house: House) -> None:
    table = await house.start(ANN, mode="solo")
    await house.parlour.hints.advice(table.id, user(ANN))

    await house.store.servers.erase_tables(GUILD, 10)

    assert await house.parlour.hints.hints_by_seat(table.id) == {}
