"""Draws that players can check, and secrets that are nowhere before the end."""

import json
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import text

from tables.lobby.decisions import commitment, draw_of, secret
from tests.db.rows import connect, everything
from tests.tables.house import ADMIN, ANN, BO, House


def test_secrets_are_long_and_never_the_same() -> None:
    drawn = [secret() for _ in range(20)]

    assert {(len(seed), len(salt)) for seed, salt in drawn} == {(32, 16)}
    assert len({seed for seed, _ in drawn}) == len({salt for _, salt in drawn}) == 20


def test_a_commitment_is_a_hash_that_anybody_can_compute() -> None:
    assert commitment(b"seed", b"salt") == sha256(b"saltseed").hexdigest()


async def test_nothing_is_drawn_before_the_start(house: House) -> None:
    assert draw_of(await house.gather(ANN)) is None


async def test_during_the_game_the_promise_is_known_and_nothing_else(house: House) -> None:
    table = await house.start(ANN, BO)

    draw = draw_of(table)

    assert draw is not None
    assert draw.commitment == commitment(table.seed, table.salt)
    assert (draw.seed, draw.salt, draw.matches) == (None, None, None)


async def test_after_the_game_everybody_can_check_that_the_promise_was_kept(house: House) -> None:
    table = await house.start(ANN, BO)
    promised = draw_of(table)
    await house.play_moves(table, "green; orange; leave")

    draw = draw_of(await house.restart().parlour.table(table.id))

    assert promised is not None
    assert draw is not None
    assert draw.seed is not None
    assert draw.salt is not None
    assert sha256(bytes.fromhex(draw.salt + draw.seed)).hexdigest() == promised.commitment
    assert draw.commitment == promised.commitment
    assert draw.matches


async def test_the_draw_of_a_closed_table_is_opened_too(house: House) -> None:
    table = await house.start(ANN, BO)

    draw = draw_of(await house.play.close(table.id, ADMIN))

    assert draw is not None
    assert draw.matches


async def overwrite(database: str, **values: str) -> None:
    """Change columns of every table behind the parlour's back."""
    names = ", ".join(f"{name} = :{name}" for name in values)
    async with connect(database) as connection:
        await connection.execute(text(f"UPDATE tables SET {names}"), values)


async def test_a_deal_that_was_tampered_with_is_found_out(database: str, house: House) -> None:
    table = await house.start(ANN, BO)
    table = await house.play.close(table.id, ADMIN)
    assert table.deal is not None
    deal = json.loads(table.deal)
    deal["deck"][0], deal["deck"][1] = deal["deck"][1], deal["deck"][0]

    await overwrite(database, deal=json.dumps(deal, separators=(",", ":")))

    draw = draw_of(await house.restart().parlour.table(table.id))
    assert draw is not None
    assert draw.matches is False


@pytest.mark.parametrize("column", ["seed", "salt"])
async def test_another_seed_or_salt_does_not_keep_the_promise(
    database: str, house: House, column: str
) -> None:
    table = await house.start(ANN, BO)
    promised = draw_of(table)
    await house.play.close(table.id, ADMIN)

    await overwrite(database, **{column: "00" * 16})

    draw = draw_of(await house.restart().parlour.table(table.id))
    assert promised is not None
    assert draw is not None
    assert draw.commitment != promised.commitment


async def test_no_message_and_no_wish_for_one_holds_a_secret(database: str, house: House) -> None:
    table = await house.start(ANN, BO)
    await house.play_moves(table, "green; orange; flip 8; flip 9")
    await house.settle()
    await house.parlour.refresh(table.id, "board", fresh=True)
    rows = await everything(database)
    shown: list[Any] = [row for row, _ in house.courier.shown]

    assert table.deal is not None
    assert shown
    assert rows["posts"]
    assert {type(value) for row in rows["outbox"] for value in row} <= {int, str, bool, float}
    for secret_text in (table.seed.hex(), table.salt.hex(), table.deal):
        assert secret_text not in repr((rows["outbox"], rows["posts"], rows["audit"], rows["drafts"], shown))
