"""Whose consent a proposal needs, who has yet to give it, and whether it still makes sense."""

from __future__ import annotations

from collections.abc import Sequence

from tables.core.history import PLAYED, EntryKind, Told
from tables.core.table import Phase, Proposal, ProposalKind, Table

MOVED_ON = PLAYED | {EntryKind.UNDO, EntryKind.ROLLBACK}
"""What makes another step the last one."""


def concerned(table: Table, proposal: Proposal) -> list[int]:
    """Whose consent something needs.

    A pause, an end and a step taken back need that of all people who play. A seat that goes to a computer,
    or by an administrator to somebody else, needs that of all but its owner, and of who is to have it; a seat
    that its owner offers, that of the two alone.
    """
    owner = None if proposal.seat is None else table.seats[proposal.seat].user_id
    comes = [] if proposal.to is None else [proposal.to]
    match proposal.kind:
        case ProposalKind.OFFER:
            return [*([] if owner is None else [owner]), *comes]
        case ProposalKind.REPLACE | ProposalKind.GIVE:
            return [*(user_id for user_id in table.people if user_id != owner), *comes]
        case ProposalKind.PAUSE | ProposalKind.UNDO | ProposalKind.END | ProposalKind.TAKE:
            return [*table.people, *comes]


def missing(table: Table) -> list[int]:
    """Who has yet to agree to what is proposed."""
    proposal = table.proposal
    if proposal is None:
        return []
    return [user for user in concerned(table, proposal) if user not in proposal.agreed]


def agreed(table: Table) -> bool:
    """Whether all have agreed to what is proposed, and it has yet to be done."""
    return table.phase is Phase.PLAY and table.proposal is not None and not missing(table)


def moot(table: Table, rows: Sequence[Told]) -> bool:
    """Whether what is proposed has lost its sense by what has just been written.

    Nobody is late on that seat any more, the seat has another owner, who was to have it sits at the table, or
    another step is the last one.
    """
    proposal = table.proposal
    if table.phase is not Phase.PLAY or proposal is None:
        return proposal is not None
    seat = proposal.seat
    match proposal.kind:
        case ProposalKind.REPLACE:
            return seat is None or seat not in table.awaited or table.clock(seat).late is None
        case ProposalKind.UNDO:
            return any(row.kind in MOVED_ON for row in rows)
        case ProposalKind.OFFER | ProposalKind.GIVE | ProposalKind.TAKE:
            gone = seat is None or table.seats[seat].user_id != proposal.owner
            return gone or proposal.to in table.people
        case ProposalKind.PAUSE | ProposalKind.END:
            return False
