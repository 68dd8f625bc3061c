"""Limits the open tables of people and servers, and words the refusals."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from db.guards import BlockedPair, NoBlocks, QuotaReached, TableQuota
from db.records.tables import Guard
from tables.core.table import Refused

MOST_OPEN = 20
"""The most open tables of one person."""
NO_SEAT = "There's no seat for you at this table."
"""The answer to somebody blocked by a player; it doesn't say why."""


def seats_quota(guild_id: int, *people: int) -> TableQuota:
    """Return the limit for people who take one more seat."""
    return TableQuota(guild_id, people, most=MOST_OPEN)


def newcomer_guards(guild_id: int, user_id: int, people: Iterable[int]) -> tuple[Guard, ...]:
    """Return what must hold for a newcomer at a table."""
    others = tuple(other for other in people if other != user_id)
    return (seats_quota(guild_id, user_id), NoBlocks(user_id, others))


def tables_quota(guild_id: int, *people: int) -> TableQuota:
    """Return the limit for one more table, at which those people sit."""
    return TableQuota(guild_id, people, opens=True, most=MOST_OPEN)


@contextmanager
def refuse_guards(user_id: int | None = None, no_place: str = NO_SEAT) -> Iterator[None]:
    """Turn a reached limit, or a block, into a refusal.

    `user_id` is the reader, if it can be another person; `no_place` answers a block.
    """
    try:
        yield
    except QuotaReached as reached:
        raise Refused(refusal(reached, user_id)) from None
    except BlockedPair:
        raise Refused(no_place) from None


def refusal(reached: QuotaReached, user_id: int | None = None) -> str:
    """Word a limit that a wish would exceed.

    >>> refusal(QuotaReached("tables of a person", 1, 7))
    "You're already at 1 open table. Finish or leave one first."
    """
    number = reached.number
    match reached.what:
        case "tables of a server":
            return f"This server allows {_open_tables(number)} at a time. Wait for one to end."
        case "imports of a person":
            return f"You've imported {number} games in the last 24 hours. Try again tomorrow."
        case "imports of a server":
            return f"This server has imported {number} games in the last 24 hours. Try again tomorrow."
        case "past deals of a person":
            return f"You've begun {number} past deals today. You can begin more tomorrow."
        case "cups of a server":
            return f"This server already runs {number} cups. Wait for one to end."
        case _ if user_id is not None and reached.user_id != user_id:
            return f"<@{reached.user_id}> is already at {_open_tables(number)}, and can't join another one."
        case _:
            return f"You're already at {_open_tables(number)}. Finish or leave one first."


def _open_tables(number: int) -> str:
    return f"{number} open {'table' if number == 1 else 'tables'}"
