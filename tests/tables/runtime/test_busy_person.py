"""One person presses what costs a worker, twenty times at once; a computer at another table has to move."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from engines.game import Strength
from engines.workers import Urgency, Worker, Workers
from tables.core.table import Phase, StudyKind, Table
from tables.study.reviews import Reviews
from tests.engines.cases import CASES
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user
from tests.tables.stories import Story, finish_story, keep_story

TIMES = 20
MOST_SECONDS = 1.0
"""The longest that a computer's move waits for a worker."""
PAGE = Path(__file__).parents[3] / "docs" / "running" / "security.md"
Press = Callable[[], Awaitable[Any]]


def list_presses() -> list[str]:
    """Return what the page says one can press."""
    section = PAGE.read_text("utf-8").partition("## Work that a press causes")[2]
    return re.findall(r"^\| \*\*(.+?)\*\* \|", section, re.MULTILINE)


@pytest.fixture(scope="module")
def story() -> Story:
    case = next(case for case in CASES if case.slug == "tesla")
    return next(one for number in range(99) if (one := finish_story(case, number)).choice.seats == 2)


async def own_turns(house: House, table: Table) -> list[int]:
    turns = await house.parlour.record.turns(table)
    return [turn.number for turn in turns[1:] if turn.seats[:1] == (0,)]


async def turn(house: House, _: Table) -> Press:
    table = await house.start(ANN, mode="solo")
    return lambda: house.play.moves(table.id, user(ANN))


async def hint(house: House, _: Table) -> Press:
    table, hints = await house.start(ANN, mode="solo"), house.parlour.hints

    async def press() -> None:
        advice = await hints.advice(table.id, user(ANN))
        await hints.expect_turns(table.id, user(ANN), advice[0])

    return press


async def why(house: House, table: Table) -> Press:
    return lambda: house.parlour.studies.find_missed_turns(table, 0)


async def try_again(house: House, table: Table) -> Press:
    studies, (number, *_) = house.parlour.studies, await own_turns(house, table)

    async def press() -> None:
        await studies.reviews.review(await studies.try_again(table.id, number, ANN))

    return press


async def sandbox(house: House, table: Table) -> Press:
    number, *_ = await own_turns(house, table)
    return lambda: house.parlour.studies.play_on(table.id, number - 1, ANN, all_sides=False, anew=True)


async def puzzle(house: House, _: Table) -> Press:
    return lambda: house.parlour.puzzles.open(ANN, "tesla")


async def replay(house: House, table: Table) -> Press:
    record = house.parlour.record
    turns = await record.turns(table)
    return lambda: record.views(table, turns, None)


async def file(house: House, table: Table) -> Press:
    data = await house.parlour.import_export.export(table.id, None)
    return lambda: house.parlour.import_export.open(GUILD, CHANNEL, ANN, data)


SCENES: dict[str, Callable[[House, Table], Awaitable[Press]]] = {
    "Take turn": turn,
    "Hint": hint,
    "What decided it": why,
    "Try again": try_again,
    "Sandbox": sandbox,
    "Next puzzle": puzzle,
    "Replay": replay,
    "Get a web page": replay,
    "Import": file,
}


def test_every_press_of_the_page_has_a_scene() -> None:
    assert list_presses() == list(SCENES)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return how many seconds each computer's move has waited for a worker."""
    seconds, acquire = list[float](), Workers._acquire

    async def measure(workers: Workers, urgency: Urgency) -> Worker:
        begun = perf_counter()
        worker = await acquire(workers, urgency)
        if urgency is Urgency.LONG:
            seconds.append(perf_counter() - begun)
        return worker

    monkeypatch.setattr(Workers, "_acquire", measure)
    return seconds


@pytest.mark.parametrize("pressed", SCENES)
async def test_a_computer_at_another_table_waits_a_second_at_most(
    house: House, story: Story, pressed: str, waits: list[float]
) -> None:
    press = await SCENES[pressed](house, await keep_story(house, story))
    other = await house.start(BO, ANN)
    waits.clear()

    presses = [asyncio.ensure_future(press()) for _ in range(TIMES)]
    await asyncio.sleep(0.05)
    for seat in (0, 1):
        await house.hand_over(other.id, seat, user(BO if seat == 0 else ANN), Strength.EASY)
    await asyncio.wait_for(house.parlour.computers.finish(), 60)
    await asyncio.gather(*presses, return_exceptions=True)

    assert waits
    # On a busy machine each process gets a share of a processor.
    assert max(waits) <= MOST_SECONDS * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


async def test_one_game_of_a_person_is_compared_at_a_time(
    house: House, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await keep_story(house, story), await keep_story(house, story)
    studies, go_on = house.parlour.studies, asyncio.Event()
    compared, has_begun = list[int](), asyncio.Event()

    async def loss(_: Reviews, table: Table, *_rest: object) -> float:
        compared.append(table.id)
        has_begun.set()
        await go_on.wait()
        return 0.0

    monkeypatch.setattr(Reviews, "loss", loss)
    running = asyncio.create_task(studies.find_missed_turns(first, 0))
    await has_begun.wait()

    assert studies.is_comparing(user(ANN))
    assert await studies.find_missed_turns(second, 0) is None
    go_on.set()
    assert await running == []
    assert set(compared) == {first.id}
    assert not studies.is_comparing(user(ANN))


async def test_a_cut_comparison_goes_on(house: House, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    table, studies, compared = await keep_story(house, story), house.parlour.studies, list[int]()
    compare = Reviews._loss

    async def loss(reviews: Reviews, source: Table, turn: Any, seat: int) -> float | None:
        compared.append(turn.number)
        if len(compared) == 2:
            await asyncio.Event().wait()
        return await compare(reviews, source, turn, seat)

    monkeypatch.setattr(Reviews, "_loss", loss)
    with monkeypatch.context() as patched:
        patched.setattr("tables.study.studies.WEIGHING_SECONDS", 2.0)
        await studies.find_missed_turns(table, 0)
    await studies.find_missed_turns(table, 0)

    first, cut, *others = compared
    assert first not in others
    assert cut in others


async def test_two_presses_to_start_over_open_one_sandbox(house: House, story: Story) -> None:
    table = await keep_story(house, story)
    number, *_ = await own_turns(house, table)

    def start_over() -> Awaitable[Table]:
        return house.parlour.studies.play_on(table.id, number, ANN, all_sides=True, anew=True)

    opened = await asyncio.gather(start_over(), start_over())

    newest = await house.parlour.studies.newest(user(ANN), StudyKind.SANDBOX)
    assert newest is not None
    assert newest.id in {one.id for one in opened}
    assert (await house.parlour.table(newest.id)).phase is Phase.PLAY


async def test_a_sandbox_begun_anew_ends_the_thoughts_about_the_old_one(
    house: House, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (number, *_) = (
        await keep_story(house, story),
        await own_turns(house, await keep_story(house, story)),
    )
    thinking = asyncio.Event()

    async def think(*_: object) -> Any:
        thinking.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(house.play, "choose_move", think)
    old = await house.parlour.studies.play_on(table.id, number, ANN, all_sides=False)
    await asyncio.wait_for(thinking.wait(), 10)

    new = await house.parlour.studies.play_on(table.id, number, ANN, all_sides=False, anew=True)
    await asyncio.sleep(0)

    assert old.id != new.id
    assert {one.id for one in house.parlour.computers._thoughts.values()} <= {new.id}
    assert (await house.parlour.table(new.id)).phase is Phase.PLAY
