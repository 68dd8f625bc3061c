"""Whose consent a proposal needs, who has yet to give it, and whether it still makes sense."""

from __future__ import annotations

from engines.game import Seat
from tables.model import Matter, Phase, Table


def concerned(table: Table, matter: Matter, seat: Seat | None) -> list[int]:
    """Whose consent something needs: all people's, but of who it is about."""
    owner = None if matter is Matter.PAUSE or seat is None else table.seats[seat].user_id
    return [user_id for user_id in table.people if user_id != owner]


def missing(table: Table) -> list[int]:
    """Who has yet to agree to what is proposed."""
    proposal = table.proposal
    if proposal is None:
        return []
    return [user for user in concerned(table, proposal.matter, proposal.seat) if user not in proposal.agreed]


def agreed(table: Table) -> bool:
    """Whether all have agreed to what is proposed, and it has yet to be done."""
    return table.phase is Phase.PLAY and table.proposal is not None and not missing(table)


def moot(table: Table) -> bool:
    """Whether what is proposed has lost its sense: nobody is late on that seat any more."""
    proposal = table.proposal
    if table.phase is not Phase.PLAY or proposal is None:
        return proposal is not None
    if proposal.seat is None:
        return False
    return proposal.seat not in table.awaited or table.clock(proposal.seat).late is None
