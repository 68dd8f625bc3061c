"""Long lists on the event loop: others have their turn in between."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from cogs.play.questions import name_moves
from engines.engine import Engine
from tables.runtime.background import SLICE, iterate_in_slices
from tests.tables.house import ANN, BO, House, user

LONG = 1288
"""The most moves that a seat of Tesla's Tangle had at once."""


async def turns_of_others(work: Awaitable[Any]) -> int:
    """Count the turns of another task until some work is done."""
    working, turns = asyncio.ensure_future(work), 0
    while not working.done():
        turns += 1
        await asyncio.sleep(0)
    return turns


async def test_a_slice_loses_nothing_and_keeps_the_order() -> None:
    assert [item async for item in iterate_in_slices(range(3 * SLICE + 1))] == list(range(3 * SLICE + 1))


async def test_others_have_their_turn_while_a_long_list_of_moves_is_made(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.start(ANN, BO)
    mover = user(ANN) if 0 in table.owing else user(BO)
    monkeypatch.setattr(Engine, "moves", lambda *_: iter(range(LONG)))

    assert await turns_of_others(house.play.moves(table.id, mover)) > LONG / SLICE
    assert await house.play.moves(table.id, mover) == list(range(LONG))


async def test_others_have_their_turn_while_a_long_list_is_named() -> None:
    assert await turns_of_others(name_moves(range(LONG), str)) > LONG / SLICE
