"""What the people at a table agree on: one proposal at a time, with an end, withdrawn when it is moot."""

from __future__ import annotations

from msgspec.structs import replace

from engines.game import Seat
from tables.blocks import Blocks
from tables.clocks.pace import DAY
from tables.consent import agreed, concerned
from tables.history import EntryKind
from tables.lateness import Lateness, require_other
from tables.lobby import require_room
from tables.model import Matter, Proposal, Refused, Table
from tables.pauses import Pauses
from tables.play import Play
from tables.repository import Loaded, Repository, require_going, require_play
from tables.seating import Seating, require_stranger

STANDS_FOR = DAY
"""So long the others may agree."""
NOTHING = "Nothing is proposed at this table any more."


class Agreement:
    """Proposes, agrees and declines; what all agree on is done at once.

    No call is made under a table's lock.
    """

    def __init__(
        self,
        repository: Repository,
        play: Play,
        lateness: Lateness,
        pauses: Pauses,
        seating: Seating,
        blocks: Blocks,
    ) -> None:
        self._repository = repository
        self._blocks = blocks
        self._play = play
        self._lateness = lateness
        self._pauses = pauses
        self._seating = seating

    async def propose(self, table_id: int, user_id: int, matter: Matter, seat: Seat | None = None) -> Table:
        """Propose something to the others, or agree where it is proposed already.

        Raises:
            Refused: for who doesn't play there, while something else is proposed, or when it is moot.
        """
        table = await self._repository.table(table_id)
        owner = None if seat is None or seat >= len(table.seats) else table.seats[seat].user_id
        mover = await self._play.last_mover(table_id) if matter is Matter.UNDO else None
        name = "" if mover is None else table.names[mover]
        return await self._propose(table_id, user_id, Proposal(matter, (), 0.0, seat, name=name, owner=owner))

    async def offer(self, table_id: int, user_id: int, to: int, name: str) -> Table:
        """Offer one's own seat to somebody, who may take it.

        Raises:
            Refused: for who doesn't play there, and for who can't have the seat.
        """
        seat = (await self._repository.table(table_id)).seat_of(user_id)
        about = Proposal(Matter.OFFER, (), 0.0, seat, to, name, user_id)
        return await self._propose(table_id, user_id, about)

    async def take(self, table_id: int, user_id: int, name: str, seat: Seat) -> Table:
        """Ask those who play for the seat of a computer player.

        Raises:
            Refused: for who plays there, and for a seat that no computer has.
        """
        return await self._propose(table_id, user_id, Proposal(Matter.TAKE, (), 0.0, seat, user_id, name))

    async def give(self, table_id: int, admin_id: int, seat: Seat, to: int, name: str) -> Table:
        """Propose as an administrator that somebody else has a seat; all but its owner are asked.

        Raises:
            Refused: when the seat is a computer's, or the person can't have it.
        """
        table = await self._repository.table(table_id)
        about = Proposal(Matter.GIVE, (), 0.0, seat, to, name, table.seats[seat].user_id)
        return await self._propose(table_id, admin_id, about, admin=True)

    async def _propose(self, table_id: int, user_id: int, about: Proposal, *, admin: bool = False) -> Table:
        if about.to is not None:
            guild_id = (await self._repository.table(table_id)).guild_id
            await require_room(self._repository, guild_id, about.to)
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, standing = loaded.table, loaded.table.proposal
            require_play(table)
            await self._require_sense(table, about, user_id)
            if about.to is not None and standing is None:
                await self._blocks.require_meets(about.to, table.people)
            if not admin and user_id not in concerned(table, about):
                raise Refused("That is for those who play at this table.")
            if standing is not None and not _same(standing, about):
                raise Refused("Something else is proposed at this table; that has to be decided first.")
            if standing is not None and (admin or user_id in standing.agreed):
                raise Refused("You have agreed to that already; the others are asked.")
            kind = EntryKind.PROPOSE if standing is None else EntryKind.AGREE
            standing = standing or replace(about, until=self._repository.clock() + STANDS_FOR)
            standing = replace(standing, agreed=(*standing.agreed, *([] if admin else [user_id])))
            table = await self._written(loaded, standing, kind, user_id)
        return await self.carry_out(table)

    async def _require_sense(self, table: Table, about: Proposal, user_id: int) -> None:
        """Raises Refused for what can't be proposed now."""
        seat = about.seat
        match about.matter:
            case Matter.REPLACE:
                require_other(table, user_id, seat if seat is not None else -1)
                if seat not in table.awaited or table.clock(seat).late is None:
                    raise Refused("Nobody is late there any more.")
            case Matter.PAUSE:
                if table.paused_at is not None:
                    raise Refused("The table is paused already.")
            case Matter.UNDO:
                require_going(table)
                if await self._play.last_mover(table.id) is None:
                    raise Refused("There is no step to take back.")
            case Matter.OFFER | Matter.GIVE:
                if seat is None or table.seats[seat].computer:
                    raise Refused("That is for those who play at this table.")
                require_stranger(table, about.to or 0, about.name)
            case Matter.TAKE:
                if seat is None or not table.seats[seat].computer:
                    raise Refused("No computer player sits there.")
                if table.seats[seat].kept_for not in (None, about.to):
                    raise Refused("That seat is kept for somebody who may come back to it.")
                require_stranger(table, about.to or 0, about.name)
            case Matter.END:
                pass

    async def agree(self, table_id: int, user_id: int) -> Table:
        """Agree to what is proposed. Raises Refused when nothing is, or it isn't this person's to say."""
        table = await self._repository.table(table_id)
        if table.proposal is None:
            raise Refused(NOTHING)
        return await self._propose(table_id, user_id, replace(table.proposal, agreed=()))

    async def decline(self, table_id: int, user_id: int) -> Table:
        """Decline what is proposed, or withdraw it. Raises Refused as `agree` does."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            standing = loaded.table.proposal
            if standing is None:
                raise Refused(NOTHING)
            if user_id not in concerned(loaded.table, standing):
                at_table = loaded.table.seat_of(user_id) is not None
                raise Refused(f"That is for those who {'are asked' if at_table else 'play at this table'}.")
            return await self._written(loaded, None, EntryKind.DECLINE, user_id)

    async def _written(
        self, loaded: Loaded, proposal: Proposal | None, kind: EntryKind, user_id: int
    ) -> Table:
        table = loaded.table
        entry = self._repository.entry(
            loaded, kind, user_id, payload=told(table, proposal or table.proposal, user_id)
        )
        fresh = kind in (EntryKind.PROPOSE, EntryKind.DECLINE)
        return await self._repository.commit(
            loaded, replace(table, proposal=proposal), [entry], loaded.position, [("board", 0, fresh)]
        )

    async def carry_out(self, table: Table) -> Table:
        """Do what all have agreed on; a table at which there is nothing of the kind stays as it is."""
        proposal = table.proposal
        if proposal is None or not agreed(table):
            return table
        first, last, seat = proposal.agreed[0], proposal.agreed[-1], proposal.seat or 0
        match proposal.matter:
            case Matter.PAUSE:
                return await self._pauses.pause(table.id, first, None)
            case Matter.UNDO:
                return await self._play.rollback(table.id, 1, first, why="agreed")
            case Matter.END:
                return await self._play.close(table.id, first, why="agreed")
            case Matter.REPLACE:
                return await self._lateness.replace(table.id, seat, "agreed", last)
            case Matter.OFFER | Matter.GIVE | Matter.TAKE:
                why = {Matter.OFFER: "offered", Matter.GIVE: "admin"}.get(proposal.matter, "agreed")
                return await self._seating.give(table.id, seat, proposal.to or 0, proposal.name, why, last)


def told(table: Table, proposal: Proposal | None, user_id: int | None) -> list[str | None]:
    """What an entry about a proposal tells: by whom, about what, whose seat, and who is to have it."""
    if proposal is None:
        return [None, None, None, None]
    seat = None if user_id is None else table.seat_of(user_id)
    comes = proposal.name if user_id is not None and user_id == proposal.to else None
    by = comes if seat is None else table.names[seat]
    owner = None if proposal.seat is None else table.names[proposal.seat]
    return [by, proposal.matter, owner, proposal.name or None]


def _same(standing: Proposal, about: Proposal) -> bool:
    return (standing.matter, standing.seat, standing.to) == (about.matter, about.seat, about.to)
