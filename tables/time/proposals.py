"""Agreements at a table: one proposal at a time, with an end, withdrawn when obsolete.

Pauses are agreed on likewise, or an administrator decides. The last consent and its effect are one change.
"""

from functools import partial

from msgspec.structs import replace

from engines.game import Seat
from engines.marks import make_distinct
from tables.clocks.pace import DAY
from tables.core import change as changes
from tables.core import turns
from tables.core.change import DecisionContext, TableState, entry
from tables.core.history import EntryKind, payload_of
from tables.core.repository import Repository
from tables.core.table import Proposal, ProposalKind, Refused, Table
from tables.lobby.invitations import Blocks
from tables.play.decisions import NO_STEP, LastSteps, close, roll_back
from tables.play.play import Play
from tables.play.seats import require_stranger, take_over
from tables.time.lateness import give_to_computer, require_other

LONGEST = 60 * DAY


class Pauses:
    """Begins and ends pauses."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def pause(
        self,
        table_id: int,
        actor_id: int | None,
        until: float | None,
        *,
        admin: bool = False,
        why: str = "",
        reason: str = "",
    ) -> Table:
        """Pause a table, until an instant or until somebody ends it.

        An administrator's pause is held: players can't end it, and it takes over theirs. `why` is ``removed``
        if the table's server has removed the bot, and empty if people want the pause. Raise Refused if no
        game is running, it is paused already, or the end isn't ahead or is too far.
        """
        decide = changes.with_reason_entry(
            partial(pause, actor_id=actor_id, until=until, admin=admin, why=why), actor_id or 0, reason
        )
        return (await self._repository.apply(table_id, decide)).table

    async def resume(
        self, table_id: int, actor_id: int | None, *, admin: bool = False, why: str = "", reason: str = ""
    ) -> Table:
        """End a pause, by a person or (None) by time.

        Notify the players to move again. `why` is ``back`` if the bot is in the table's server again. Raise
        Refused if the table isn't paused, an administrator has paused it and this is none, or the person
        doesn't play there.
        """
        if not admin and actor_id is not None:
            await require_unheld(self._repository, await self._repository.table(table_id))
        decide = changes.with_reason_entry(
            partial(resume, actor_id=actor_id, admin=admin, why=why), actor_id or 0, reason
        )
        return (await self._repository.apply(table_id, decide)).table


async def require_unheld(repository: Repository, table: Table) -> None:
    """Raise Refused while an administrator's pause holds a table, with its author and reason."""
    if not table.held:
        return
    entries = await repository.store.entries(table.id, [EntryKind.PAUSE, EntryKind.REASON])
    begun = next(entry for entry in reversed(entries) if entry.kind == EntryKind.PAUSE)
    reason = next((payload_of(entry) for entry in entries if entry.version == begun.version + 1), "")
    by = f"<@{begun.actor_id}>" if begun.actor_id is not None and begun.actor_id > 0 else "An admin"
    why = f" Reason: {reason}" if reason else ""
    raise Refused(f"{by} paused this table. Only an admin can end the pause.{why}")


def pause(
    loaded: TableState,
    now: DecisionContext,
    *,
    actor_id: int | None,
    until: float | None,
    admin: bool = False,
    why: str = "",
) -> changes.Change:
    table = loaded.table
    changes.require_play(table)
    if table.paused_at is not None and (table.held or not admin):
        raise Refused("The table is already paused.")
    if until is not None and not now.at < until <= now.at + LONGEST:
        raise Refused("A pause can last 60 days at most. Say when it ends, like `3 days` or `2026-12-24`.")
    still = replace(
        table,
        clocks=turns.stop_clocks(table, now.rests, now.at),
        paused_at=table.paused_at or now.at,
        paused_until=until,
        held=admin,
        proposal=None,
    )
    result = entry(EntryKind.PAUSE, actor_id, payload=[until, admin, *([why] if why else [])])
    return changes.Change(still, (result,), shows=(changes.FRESH_BOARD,))


def resume(
    loaded: TableState, now: DecisionContext, *, actor_id: int | None, admin: bool = False, why: str = ""
) -> changes.Change:
    table = loaded.table
    if table.paused_at is None:
        raise Refused("The table isn't paused.")
    if table.held and not admin and actor_id is not None:
        raise Refused("An admin paused this table. Only an admin can end the pause.")
    seat = None if actor_id is None else table.seat_of(actor_id)
    if actor_id is not None and seat is None and not admin:
        raise Refused(changes.PLAYERS_ONLY)
    going = replace(table, paused_at=None, paused_until=None, held=False)
    clocks, notices = list(turns.start_clocks(going, now.at)), list[changes.PostRequest]()
    for awaited in table.awaited:
        person = now.person(table.seats[awaited].user_id or 0)
        clocks[awaited], requests = turns.notify_of_duty(table, clocks[awaited], person, now.at)
        notices += requests
    running = replace(going, clocks=tuple(clocks))
    who = None if seat is None or admin else table.names[seat]
    resuming = entry(EntryKind.RESUME, actor_id, payload=[who, admin, *([why] if why else [])])
    return changes.Change(running, (resuming,), shows=(changes.FRESH_BOARD, *notices))


PROPOSAL_LASTS = DAY
"""Seconds for which others can agree."""
NOTHING = "That proposal is gone."
OTHERWISE = "There's a newer proposal. The latest post shows it."


class Proposals:
    """Proposes, agrees and declines; an agreement is carried out at once."""

    def __init__(self, repository: Repository, play: Play, blocks: Blocks) -> None:
        self._repository = repository
        self._play = play
        self._blocks = blocks

    async def propose(
        self,
        table_id: int,
        user_id: int,
        kind: ProposalKind,
        seat: Seat | None = None,
        seen: int | None = None,
    ) -> Table:
        """Propose something to the others, or agree if it is proposed already.

        `seen` is the displayed version of the table, if it has to be that. Raise Refused if the person
        doesn't play there, something else is proposed, or it is pointless.
        """
        return await self._propose(table_id, user_id, Proposal(kind, (), 0.0, seat), seen=seen)

    async def offer_seat(self, table_id: int, user_id: int, to: int, name: str) -> Table:
        """Offer one's own seat to somebody, who can take it.

        Raise Refused if the person doesn't play there, or the other can't have the seat.
        """
        about = Proposal(ProposalKind.OFFER, (), 0.0, to=to, name=name, owner=user_id)
        return await self._propose(table_id, user_id, about)

    async def ask_for_seat(self, table_id: int, user_id: int, name: str, seat: Seat) -> Table:
        """Ask the players for a computer player's seat.

        Raise Refused if the person plays there, or no computer has the seat.
        """
        return await self._propose(
            table_id, user_id, Proposal(ProposalKind.TAKE, (), 0.0, seat, user_id, name)
        )

    async def give(
        self, table_id: int, admin_id: int, owner: int, to: int, name: str, reason: str = ""
    ) -> Table:
        """Propose as an administrator to give a person's seat to another.

        Ask all but the owner. Raise Refused if that person has none, or the other can't have it.
        """
        about = Proposal(ProposalKind.GIVE, (), 0.0, to=to, name=name, owner=owner)
        return await self._propose(table_id, admin_id, about, admin=True, reason=reason)

    async def _propose(
        self,
        table_id: int,
        user_id: int,
        about: Proposal,
        *,
        admin: bool = False,
        seen: int | None = None,
        reason: str = "",
    ) -> Table:
        decide = changes.with_reason_entry(
            partial(propose, user_id=user_id, about=about, admin=admin, seen=seen), user_id, reason
        )
        people = () if about.to is None else (about.to,)
        read = partial(self._past_for, about=about)
        return (await self._repository.apply(table_id, decide, read, people=people)).table

    async def agree(self, table_id: int, user_id: int, seen: int | None = None) -> Table:
        """Agree to the proposal displayed at a version of the table.

        By default to the current one. Raise Refused if there is no such proposal, or it isn't for this person
        to say.
        """
        decide = partial(agree, user_id=user_id, seen=seen)
        return (await self._repository.apply(table_id, decide, self._past_for)).table

    async def decline(self, table_id: int, user_id: int, seen: int | None = None) -> Table:
        """Decline a proposal, or withdraw it. Raises Refused as `agree` does."""
        return (await self._repository.apply(table_id, partial(decline, user_id=user_id, seen=seen))).table

    async def _past_for(self, loaded: changes.TableState, about: Proposal | None = None) -> LastSteps | None:
        """Return the last step, if the proposal is to undo it.

        Raise Refused if the newcomer can't have one more table, or can't sit with those there.
        """
        table, known = loaded.table, loaded.table.proposal
        about = about or known
        if about is None:
            return None
        if about.kind is not ProposalKind.GIVE:  # which is an administrator's
            await require_unheld(self._repository, table)
        if about.to is not None:
            with changes.refuse_guards():
                await self._repository.store.check_guards([changes.seats_quota(table.guild_id, about.to)])
            if known is None:
                await self._blocks.require_can_meet(about.to, table.people)
        return await self._play.last_steps(loaded, 1) if about.kind is ProposalKind.UNDO else None


def propose(
    loaded: changes.TableState,
    now: changes.DecisionContext,
    past: LastSteps | None,
    *,
    user_id: int,
    about: Proposal,
    admin: bool = False,
    seen: int | None = None,
) -> changes.Change:
    """Make a proposal, or agree to it.

    Carry it out if nobody else is asked. `past` reaches back to the last step that can be undone.
    """
    table = loaded.table
    changes.require_play(table)
    if seen is not None and seen != table.version:
        raise Refused(
            "Something has changed at the table. Look at the last step, then make your proposal again."
        )
    about = complete_proposal(table, about, past)
    _require_sense(table, about, user_id, past)
    if not admin:
        changes.require_voter(table, about, user_id)
    if table.proposal is not None:
        known = table.proposal
        if (known.kind, known.seat, known.to) != (about.kind, about.seat, about.to):
            raise Refused("This table already has a proposal. Decide that first.")
        if admin:
            raise Refused("That's already proposed. I've asked the others.")
        return agree(loaded, now, past, user_id=user_id)
    fresh = replace(about, until=now.at + PROPOSAL_LASTS, made_at=table.version + 1)
    return _with_answer(loaded, now, past, fresh, EntryKind.PROPOSE, user_id, agrees=not admin)


def complete_proposal(table: Table, about: Proposal, past: LastSteps | None) -> Proposal:
    """Complete a proposal with its seat, owner and last actor."""
    if about.to is not None and about.to not in table.people:
        about = replace(about, name=make_distinct(about.name, table.names))
    match about.kind:
        case ProposalKind.OFFER | ProposalKind.GIVE:
            return replace(about, seat=None if about.owner is None else table.seat_of(about.owner))
        case ProposalKind.UNDO:
            mover = None if past is None else past.steps[-1][0].seat
            return replace(about, name="" if mover is None else table.names[mover])
        case _:
            seat = about.seat
            known = seat is not None and seat < len(table.seats)
            return replace(about, owner=table.seats[seat or 0].user_id if known else None)


def _require_sense(table: Table, about: Proposal, user_id: int, past: LastSteps | None) -> None:
    seat = about.seat
    match about.kind:
        case ProposalKind.REPLACE:
            require_other(table, user_id, seat if seat is not None else -1)
            _require_late(table, seat)
        case ProposalKind.PAUSE:
            if table.paused_at is not None:
                raise Refused("The table is already paused.")
        case ProposalKind.UNDO:
            changes.require_going(table)
            if past is None:
                raise Refused(NO_STEP)
        case ProposalKind.OFFER | ProposalKind.GIVE:
            if seat is None:
                raise Refused(changes.PLAYERS_ONLY)
            require_stranger(table, about.to or 0, about.name)
        case ProposalKind.TAKE:
            if seat is None or seat >= len(table.seats) or not table.seats[seat].computer:
                raise Refused("There's no computer player there.")
            if table.seats[seat].kept_for not in (None, about.to):
                raise Refused("A computer is keeping that seat for a player who can come back.")
            require_stranger(table, about.to or 0, about.name)
        case ProposalKind.END:
            pass


def _require_late(table: Table, seat: Seat | None) -> None:
    if seat is None or seat not in table.awaited or table.clock(seat).late is None:
        raise Refused("That player isn't late any more.")


def agree(
    loaded: changes.TableState,
    now: changes.DecisionContext,
    past: LastSteps | None,
    *,
    user_id: int,
    seen: int | None = None,
) -> changes.Change:
    """Agree to a proposal; the last consent carries it out.

    `seen` is the version of the question: anything proposed since is something else.
    """
    table = loaded.table
    proposal = _current_proposal(table, seen)
    changes.require_play(table)
    _require_sense(table, proposal, user_id, past)
    changes.require_voter(table, proposal, user_id)
    if user_id in proposal.agreed:
        raise Refused("You've already agreed. I've asked the others.")
    return _with_answer(loaded, now, past, proposal, EntryKind.AGREE, user_id, agrees=True)


def _current_proposal(table: Table, seen: int | None) -> Proposal:
    """Return the proposal if it was there at a displayed version. Raise Refused otherwise."""
    if table.proposal is None:
        raise Refused(NOTHING)
    if seen is not None and table.proposal.made_at > seen:
        raise Refused(OTHERWISE)
    return table.proposal


def _with_answer(
    loaded: changes.TableState,
    now: changes.DecisionContext,
    past: LastSteps | None,
    proposal: Proposal,
    kind: EntryKind,
    user_id: int,
    *,
    agrees: bool,
) -> changes.Change:
    """Return a proposal with one more answer, carried out once all have agreed."""
    proposal = replace(proposal, agreed=(*proposal.agreed, *([user_id] if agrees else [])))
    table = replace(loaded.table, proposal=proposal)
    said = changes.Change(
        table=table,
        entries=(changes.entry(kind, user_id, payload=entry_payload(table, proposal, user_id)),),
        shows=(changes.FRESH_BOARD if kind is EntryKind.PROPOSE else changes.BOARD,),
    )
    return changes.merge_changes([said, carry_out(changes.after_change(loaded, said), now, past)]) or said


def decline(
    loaded: changes.TableState, now: changes.DecisionContext, *, user_id: int, seen: int | None = None
) -> changes.Change:
    """Decline a proposal, or withdraw it; `seen` is as in `agree`."""
    table = loaded.table
    changes.require_voter(table, _current_proposal(table, seen), user_id)
    return withdraw(table, user_id)


def lapse(loaded: changes.TableState, now: changes.DecisionContext) -> changes.Change | None:
    proposal = loaded.table.proposal
    if proposal is None or proposal.until > now.at or changes.is_agreed(loaded.table):
        return None
    return withdraw(loaded.table, None)


def withdraw(table: Table, user_id: int | None) -> changes.Change:
    return changes.Change(
        table=replace(table, proposal=None),
        entries=(
            changes.entry(EntryKind.DECLINE, user_id, payload=entry_payload(table, table.proposal, user_id)),
        ),
        shows=(changes.FRESH_BOARD,),
    )


def carry_out(
    loaded: changes.TableState, now: changes.DecisionContext, past: LastSteps | None
) -> changes.Change | None:
    """Carry out an agreement; None if there is none. Raise Refused if it is impossible now."""
    proposal = loaded.table.proposal
    if proposal is None or not changes.is_agreed(loaded.table):
        return None
    first, last, seat = proposal.agreed[0], proposal.agreed[-1], proposal.seat or 0
    match proposal.kind:
        case ProposalKind.PAUSE:
            return pause(loaded, now, actor_id=first, until=None)
        case ProposalKind.UNDO:
            return _end_proposal(roll_back(loaded, now, past, actor_id=first, why="agreed"))
        case ProposalKind.END:
            return _end_proposal(close(loaded, now, actor_id=first, why="agreed"))
        case ProposalKind.REPLACE:
            _require_late(loaded.table, proposal.seat)
            return give_to_computer(loaded, now, seat=seat, why="agreed", actor_id=last)
        case ProposalKind.OFFER | ProposalKind.GIVE | ProposalKind.TAKE:
            why = {ProposalKind.OFFER: "offered", ProposalKind.GIVE: "admin"}.get(proposal.kind, "agreed")
            return take_over(
                loaded, now, seat=seat, user_id=proposal.to or 0, name=proposal.name, why=why, actor_id=last
            )


def _end_proposal(change: changes.Change) -> changes.Change:
    return replace(change, table=replace(change.table, proposal=None))


def entry_payload(table: Table, proposal: Proposal | None, user_id: int | None) -> list[str | None]:
    """Return the payload of an entry about a proposal. By whom, what, whose seat, for whom."""
    if proposal is None:
        return [None, None, None, None]
    seat = None if user_id is None else table.seat_of(user_id)
    comes = proposal.name if user_id is not None and user_id == proposal.to else None
    by = comes if seat is None else table.names[seat]
    owner = None if proposal.seat is None else table.names[proposal.seat]
    return [by, proposal.kind, owner, proposal.name or None]
