"""What the people at a table agree on: one proposal at a time, with an end, withdrawn when it is moot."""

from __future__ import annotations

from msgspec.structs import replace

from engines.game import Seat
from tables.clocks.pace import DAY
from tables.consent import agreed
from tables.history import EntryKind
from tables.lateness import Lateness, require_other
from tables.model import Matter, Proposal, Refused, Table
from tables.pauses import Pauses
from tables.repository import Loaded, Repository, require_play

STANDS_FOR = DAY
"""So long the others may agree."""


class Agreement:
    """Proposes, agrees and declines; what all agree on is done at once."""

    def __init__(self, repository: Repository, lateness: Lateness, pauses: Pauses) -> None:
        self._repository = repository
        self._lateness = lateness
        self._pauses = pauses

    async def propose(self, table_id: int, user_id: int, matter: Matter, seat: Seat | None = None) -> Table:
        """Propose something to the others, or agree where it is proposed already.

        Raises:
            Refused: for who doesn't play there, while something else is proposed, or when it is moot.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table = loaded.table
            require_play(table)
            _require_concerned(table, user_id, matter, seat)
            standing = table.proposal
            if standing is not None and (standing.matter, standing.seat) != (matter, seat):
                raise Refused("Something else is proposed at this table; that has to be decided first.")
            if standing is not None and user_id in standing.agreed:
                raise Refused("You have agreed to that already; the others are asked.")
            if standing is None:
                standing = Proposal(matter, (), self._repository.clock() + STANDS_FOR, seat)
                kind = EntryKind.PROPOSE
            else:
                kind = EntryKind.AGREE
            standing = replace(standing, agreed=(*standing.agreed, user_id))
            table = await self._written(loaded, standing, kind, user_id)
        return await self.carry_out(table)

    async def agree(self, table_id: int, user_id: int) -> Table:
        """Agree to what is proposed. Raises Refused when nothing is, or it isn't this person's to say."""
        table = await self._repository.table(table_id)
        if table.proposal is None:
            raise Refused("Nothing is proposed at this table any more.")
        return await self.propose(table_id, user_id, table.proposal.matter, table.proposal.seat)

    async def decline(self, table_id: int, user_id: int) -> Table:
        """Decline what is proposed, or withdraw it. Raises Refused as `agree` does."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            standing = loaded.table.proposal
            if standing is None:
                raise Refused("Nothing is proposed at this table any more.")
            _require_concerned(loaded.table, user_id, standing.matter, standing.seat)
            return await self._written(loaded, None, EntryKind.DECLINE, user_id)

    async def _written(
        self, loaded: Loaded, proposal: Proposal | None, kind: EntryKind, user_id: int | None
    ) -> Table:
        table = loaded.table
        about = proposal or table.proposal
        names = [] if user_id is None else [table.names[table.seat_of(user_id) or 0]]
        owner = None if about is None or about.seat is None else table.names[about.seat]
        payload = [names[0] if names else None, None if about is None else about.matter, owner]
        entry = self._repository.entry(loaded, kind, user_id, payload=payload)
        fresh = kind is EntryKind.PROPOSE
        return await self._repository.commit(
            loaded, replace(table, proposal=proposal), [entry], loaded.position, [("board", 0, fresh)]
        )

    async def carry_out(self, table: Table) -> Table:
        """Do what all have agreed on; a table at which there is nothing of the kind stays as it is."""
        proposal = table.proposal
        if proposal is None or not agreed(table):
            return table
        if proposal.matter is Matter.PAUSE:
            return await self._pauses.pause(table.id, proposal.agreed[0], None)
        return await self._lateness.replace(table.id, proposal.seat or 0, "agreed", proposal.agreed[-1])


def _require_concerned(table: Table, user_id: int, matter: Matter, seat: Seat | None) -> None:
    if table.seat_of(user_id) is None:
        raise Refused("That is for those who play at this table.")
    if matter is Matter.REPLACE and seat is not None:
        require_other(table, user_id, seat)
        if seat not in table.awaited or table.clock(seat).late is None:
            raise Refused("Nobody is late there any more.")
    if matter is Matter.PAUSE and table.paused_at is not None:
        raise Refused("The table is paused already.")
