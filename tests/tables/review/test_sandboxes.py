"""Sandboxes of every seat after every turn, and two presses of one person at once."""

import asyncio
from random import Random

import pytest

from engines.game import Strength
from engines.registry import SLUGS, game
from tables.clocks.pace import NONE
from tables.core.table import Hints, Phase, Refused, Table
from tables.study.positions import NOTHING_LEFT
from tables.study.studies import OUT
from tests.often import often
from tests.tables.house import ANN, BO, CHANNEL, CY, GUILD, House, user

pytestmark = pytest.mark.slow
TURNS = often(6, 40)
"""The turns after which sandboxes are opened, at most."""


async def sandboxes_of_every_seat(house: House, table: Table) -> list[str]:
    """Open a sandbox of each seat after each turn; return refusals."""
    refusals, turns = list[str](), len(await house.parlour.record.turns(table))
    for number in range(turns)[:: max(1, turns // TURNS)]:
        for occupant in table.seats:
            try:
                opened = await house.parlour.studies.play_on(table.id, number, occupant, all_sides=True)
                assert opened.study is not None
            except Refused as reason:
                refusals.append(str(reason))
    return refusals


@pytest.mark.parametrize("slug", SLUGS)
async def test_each_seat_after_each_turn_opens_a_sandbox_or_reads_why_not(house: House, slug: str) -> None:
    rules, luck = game(slug), Random(4)
    people = (ANN, BO, CY)[: max(2, rules.seats[0])]
    options = rules.Options(mode="versus") if slug == "ribbon" else rules.Options()
    opened = await house.lobby.create(GUILD, CHANNEL, people[0], slug, options, people[1:])
    await house.lobby.set_terms(opened.id, user(ANN), pace=NONE, rated=False, hints=Hints.ALLOWED)
    table = await house.lobby.start(opened.id, user(ANN))
    for step in range(often(30, 400)):
        table = await house.parlour.table(table.id)
        if table.phase is not Phase.PLAY:
            break
        seat = table.owing[0]
        view = (await house.play.perspective(table.id, user(table.seats[seat]))).view
        await house.play.move(
            table.id, user(table.seats[seat]), [rules.choose(view, seat, luck, Strength.EASY)]
        )
        if step % 10 == 9:
            table = await house.parlour.table(table.id)
            assert {*await sandboxes_of_every_seat(house, table)} <= {OUT, NOTHING_LEFT}
    table = await house.parlour.table(table.id)
    while table.phase is Phase.PLAY:
        await house.play.resign(table.id, user(table.seats[table.owing[0]]))
        await house.settle()
        table = await house.parlour.table(table.id)
        assert {*await sandboxes_of_every_seat(house, table)} <= {OUT, NOTHING_LEFT}

    assert {*await sandboxes_of_every_seat(house, table)} <= {NOTHING_LEFT}


async def test_two_presses_of_a_puzzle_at_once_open_the_newest(house: House) -> None:
    puzzles = house.parlour.puzzles
    first = await puzzles.open(ANN, "ribbon")

    opened = await asyncio.gather(*(puzzles.open_again(first, ANN) for _ in range(3)))

    newest = max(table.id for table in opened)
    assert (await house.parlour.table(newest)).study is not None
    assert await puzzles.open(ANN) == await house.parlour.table(newest)
