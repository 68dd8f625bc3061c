from typing import Any

import msgspec
import pytest

from db.records import ServerSettings
from engines.game import Strength
from engines.registry import game
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import DAY, NONE
from tables.core.table import NO_SERVER, Hints, LessonDeal, Occupant, Phase, Refused, Table, Terms, encode
from tables.learning import ChosenLesson, refusal
from tests.conftest import EITHER_DATABASE
from tests.db.rows import everything
from tests.tables.house import ANN, BO, GUILD, House, user

ROBOT = Occupant("Robot", None, Strength.STRONG)


async def standing(house: House, *occupants: Occupant, hints: Hints = Hints.USUAL, **more: Any) -> Table:
    table = await house.gather(ANN)
    return msgspec.structs.replace(table, seats=occupants, hints=hints, **more)


async def test_hints_are_usual_but_in_rated_games_against_others_and_may_be_forbidden(house: House) -> None:
    server = ServerSettings(GUILD)

    assert refusal(await standing(house, ANN, ROBOT), server) is None
    assert refusal(await standing(house, ANN, BO, rated=False), server) is None
    assert refusal(await standing(house, ANN, BO, options=RibbonOptions(mode="coop")), server) is None
    assert refusal(await standing(house, ANN, BO, hints=Hints.ALLOWED), server) is None
    assert "Rated games against others" in (refusal(await standing(house, ANN, BO), server) or "")

    forbidden = await standing(house, ANN, ROBOT, hints=Hints.FORBIDDEN)
    allowed = await standing(house, ANN, BO, hints=Hints.ALLOWED)

    assert "are off at this table" in (refusal(forbidden, ServerSettings(GUILD)) or "")
    assert refusal(allowed, ServerSettings(GUILD, hints=False)) == "Hints are off in this server."


async def test_a_hint_counts_once_for_each_position_and_goes_with_its_table(house: House) -> None:
    table = await house.start(ANN, mode="solo")
    hints = house.parlour.hints

    advice = await hints.advice(table.id, user(ANN))
    assert await hints.advice(table.id, user(ANN)) == advice
    assert await hints.hints_by_seat(table.id) == {0: 1}

    await house.play.move(table.id, user(ANN), advice[0].moves)
    await hints.advice(table.id, user(ANN))
    assert await house.restart().parlour.hints.hints_by_seat(table.id) == {0: 2}

    await house.store.servers.erase_tables(GUILD, 10)

    assert await house.parlour.hints.hints_by_seat(table.id) == {}


async def test_a_hint_needs_a_move_to_make_and_is_not_counted_otherwise(house: House, duel: Table) -> None:
    (owing,) = duel.owing
    other = BO if duel.seats[owing].user_id == user(ANN) else ANN

    with pytest.raises(Refused, match="It isn't your turn"):
        await house.parlour.hints.advice(duel.id, user(other))
    with pytest.raises(Refused, match="It isn't your turn"):
        await house.parlour.hints.advice(duel.id, 999)
    assert await house.parlour.hints.hints_by_seat(duel.id) == {}


DATABASES = EITHER_DATABASE


async def begin_lesson(house: House) -> Table:
    rules = game("ribbon")
    options = rules.settle(2, rules.Options(mode="versus"))
    origin = LessonDeal(encode(rules.deal(2, options, bytes(32))), (ANN.name, ""))
    terms = Terms(NONE, private=True, rated=False)
    create = house.lobby.create
    table = await create(NO_SERVER, NO_SERVER, ANN, "ribbon", options, terms=terms, origin=origin)
    await house.lobby.add_computer(table.id, user(ANN), Strength.EASY)
    table = await house.lobby.start(table.id, user(ANN))
    await house.settle()
    return table


async def test_nothing_of_it_is_posted_listed_due_or_left_of_the_erased(house: House, database: str) -> None:
    table = await begin_lesson(house)

    assert table.is_alone
    assert house.courier.take_shown() == []
    assert await house.waiting(table) == []
    assert await house.parlour.tables_of(user(ANN)) == []
    house.clock.now += 400 * DAY
    await house.parlour.resume()
    await house.settle()
    after = await house.parlour.table(table.id)
    assert (after.phase, after.people, after.due_at) == (Phase.PLAY, [user(ANN)], None)

    await house.parlour.eraser.erase(user(ANN))
    await house.settle()

    left = [
        str(row)
        for rows in (await everything(database)).values()
        for row in rows
        if str(user(ANN)) in str(row) or f"'{ANN.name}'" in str(row)
    ]
    assert left == []


async def test_its_person_alone_finds_it_and_reads_two_notes_at_most_at_once(house: House) -> None:
    table = await begin_lesson(house)
    lessons = house.parlour.lessons

    result = await lessons.running_lesson(user(ANN), "ribbon")

    assert result is not None
    assert result.id == table.id
    assert await lessons.running_lesson(user(ANN), "tesla") is None
    assert await lessons.running_lesson(user(BO), "ribbon") is None

    keys = ["start", "flip", "theirs"]
    lessons, in_file = house.parlour.lessons, ["flip", "theirs", "start"]

    chosen = [await lessons.next_lesson(user(ANN), table, in_file, lambda: keys) for _ in range(3)]
    later = await lessons.next_lesson(user(ANN), table, in_file, lambda: ["flip"])

    assert chosen == [
        ChosenLesson("start", is_new=True),
        ChosenLesson("flip", is_new=True),
        ChosenLesson("flip", is_new=False),
    ]
    assert later == chosen[-1]


async def test_an_ended_lesson_begins_again_at_the_same_table_unless_its_deal_changed(house: House) -> None:
    table = await begin_lesson(house)
    lessons = house.parlour.lessons
    assert isinstance(table.origin, LessonDeal)
    chosen = await lessons.next_lesson(user(ANN), table, ["flip"], lambda: ["flip"])
    await house.play.resign(table.id, user(ANN))
    await house.settle()

    assert await lessons.begin_again(user(ANN), "ribbon", "another deal") is None
    again = await lessons.begin_again(user(ANN), "ribbon", table.origin.deal)

    assert chosen == ChosenLesson("flip", is_new=True)
    assert again is not None
    assert (again.id, again.phase, again.deal) == (table.id, Phase.PLAY, table.deal)
    assert await lessons.lessons_read(user(ANN), again) == set()
    assert await lessons.next_lesson(user(ANN), again, ["flip"], lambda: ["flip"]) == chosen
