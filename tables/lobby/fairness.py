"""Draws that players can check: a commitment before the game, the seed after it."""

from __future__ import annotations

import secrets
from hashlib import sha256

import msgspec

from engines.draws import SEED, Draws
from tables.clocks.days import ends
from tables.core.table import Occupant, Phase, Table, encode

SEATS = 1 << 32
"""The counter of the draw of seats, which no game reaches with its own draws."""


class Draw(msgspec.Struct, frozen=True):
    """What anybody may know of a table's draw.

    `commitment` is the SHA-256 of salt and seed, in hexadecimal. `seed`, `salt` and `matches` are
    None until the game is over; `matches` says that dealing again from the seed gives the deal that
    was played. That seed and salt fit what was promised at the start is for the players to check.
    A deal that was laid `by_hand` came from no seed.
    """

    commitment: str
    seed: str | None = None
    salt: str | None = None
    matches: bool | None = None
    by_hand: bool = False


def secret() -> tuple[bytes, bytes]:
    """A new seed, and the salt that keeps its hash from being searched for."""
    return secrets.token_bytes(SEED), secrets.token_bytes(16)


def commitment(seed: bytes, salt: bytes) -> str:
    """The promise that is shown when a game starts.

    >>> commitment(b"seed", b"salt")[:16]
    '12e2aa1b6048d6be'
    """
    return sha256(salt + seed).hexdigest()


def seat_order(table: Table) -> list[Occupant]:
    """Who gets which seat when the game starts: as they sit, or drawn from the table's own seed."""
    if table.ordered or not table.game.draws_seats:
        return list(table.seats)
    return Draws(table.seed, SEATS).shuffled(table.seats)


def is_secret(table: Table, now: float) -> bool:
    """Whether what is dealt at a table is the deal of a day that others play still."""
    return table.day is not None and now < ends(table.day)


def draw_of(table: Table, now: float = 0.0) -> Draw | None:
    """The draw of a table, or None while nothing has been dealt at it.

    That of a day's deal is told when the day is over, for others play it still.
    """
    if table.deal is None:
        return None
    promise = commitment(table.seed, table.salt)
    if table.phase is Phase.PLAY or is_secret(table, now):
        return Draw(promise, by_hand=table.by_hand)
    again = encode(table.game.deal(len(table.seats), table.options, table.seed))
    matches = again == table.deal
    return Draw(promise, table.seed.hex(), table.salt.hex(), matches, by_hand=table.by_hand)
