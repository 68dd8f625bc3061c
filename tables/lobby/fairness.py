"""Draws that players can check: a commitment before the game, the seed after it."""

import secrets
from hashlib import sha256

import msgspec

from engines.draws import SEED_SIZE, Draws
from tables.clocks.days import ends
from tables.core.table import Forked, Occupant, Phase, Table, encode

SEATS = 1 << 32
"""The counter of the draw of seats, beyond those of any game."""


class FairDraw(msgspec.Struct, frozen=True):
    """What anybody can know of a table's draw.

    `commitment` is the SHA-256 of salt and seed, in hexadecimal. `seed`, `salt` and `matches` are None until
    the game is over; `matches` says that dealing again from the seed gives the deal that was played. Players
    check themselves that seed and salt fit the promise. A deal made `by_hand` has no seed.
    """

    commitment: str
    seed: str | None = None
    salt: str | None = None
    matches: bool | None = None
    by_hand: bool = False


def secret() -> tuple[bytes, bytes]:
    """Draw a seed, and the salt that protects its hash from a search."""
    return secrets.token_bytes(SEED_SIZE), secrets.token_bytes(16)


def commitment(seed: bytes, salt: bytes) -> str:
    """Return the promise posted when a game starts.

    >>> commitment(b"seed", b"salt")[:16]
    '12e2aa1b6048d6be'
    """
    return sha256(salt + seed).hexdigest()


def seat_order(table: Table) -> list[Occupant]:
    """Return the occupants by seat. As they sit, or drawn from the table's seed."""
    if table.ordered or not table.game.draws_seats:
        return list(table.seats)
    return Draws(table.seed, SEATS).shuffle(table.seats)


def is_secret(table: Table, now: float) -> bool:
    """Return True if others still play the same deal of the day."""
    return table.day is not None and now < ends(table.day)


def has_seed(table: Table) -> bool:
    """Return True if the deal came from the table's own seed."""
    return not table.by_hand and not isinstance(table.origin, Forked)


def draw_of(table: Table, now: float = 0.0) -> FairDraw | None:
    """Return a table's draw; None without a deal of its own.

    A deal of the day stays secret until the day is over, since others play it.
    """
    if table.deal is None or table.study is not None:
        return None
    promise = commitment(table.seed, table.salt)
    if table.phase is Phase.PLAY or is_secret(table, now):
        return FairDraw(promise, by_hand=table.by_hand)
    again = encode(table.game.deal(len(table.seats), table.options, table.seed))
    matches = again == table.deal
    return FairDraw(promise, table.seed.hex(), table.salt.hex(), matches, by_hand=table.by_hand)
