"""Consent to proposals: who has to agree, who hasn't yet, and when a proposal is obsolete."""

from collections.abc import Sequence

from tables.core.history import PLAYED, EntryKind, EntryLike
from tables.core.requirements import PLAYERS_ONLY
from tables.core.table import Phase, Proposal, ProposalKind, Refused, Table

MOVED_ON = PLAYED | {EntryKind.UNDO, EntryKind.ROLLBACK}
"""Entries that make another step the last one."""


def voters(table: Table, proposal: Proposal) -> list[int]:
    """Return the people who have to agree to a proposal.

    A pause, an end and an undo need everybody who plays. Handing a seat to a computer, or by an
    administrator to another person, needs everybody but its owner, and the newcomer; a seat that its owner
    offers, those two.
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


def require_voter(table: Table, proposal: Proposal, user_id: int) -> None:
    """Raise Refused, saying why, unless a person is asked."""
    if user_id in voters(table, proposal):
        return
    if table.seat_of(user_id) is None:
        raise Refused(PLAYERS_ONLY)
    if proposal.seat is None or table.seats[proposal.seat].user_id != user_id:
        raise Refused("Only the players I asked can do that.")
    late = proposal.kind is ProposalKind.REPLACE
    ends = "Make your move, and the proposal is over." if late else "It's yours until all of them agree."
    raise Refused(f"It's about your own seat, so only the others decide. {ends}")


def pending_voters(table: Table) -> list[int]:
    """Return the people who haven't agreed to the current proposal yet."""
    proposal = table.proposal
    if proposal is None:
        return []
    return [user for user in voters(table, proposal) if user not in proposal.agreed]


def is_agreed(table: Table) -> bool:
    """Return True if everybody has agreed to a waiting proposal."""
    return table.phase is Phase.PLAY and table.proposal is not None and not pending_voters(table)


def is_obsolete(table: Table, rows: Sequence[EntryLike]) -> bool:
    """Return True if new entries make a proposal pointless.

    Then nobody is late on that seat, it has another owner, the newcomer sits at the table, or another step
    is the last one.
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
