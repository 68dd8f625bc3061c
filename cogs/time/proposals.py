"""Joint decisions about late players, and proposals: buttons and presses."""

from msgspec.structs import replace

from cogs.core.app import App, app_of
from cogs.ui.answering import say
from cogs.ui.page import DANGER, SUCCESS, Button
from cogs.ui.press import Press, on_press
from cogs.ui.text import Interaction
from engines.game import Seat
from engines.marks import quote, quote_player
from tables.core.table import Phase, Proposal, ProposalKind, Refused, Table
from tables.core.turns import does_anybody_wait
from tables.time import lateness

MOST_SHOWN = 2
"""Late seats with buttons at once; the others follow when these are settled."""


def extra_button_rows(table: Table) -> list[list[Button]]:
    if table.paused_at is not None and not table.held:
        return [[Button("Go on", _press(table, "on"), SUCCESS)]]
    result = [_for_late(table, seat) for seat in late_seats(table)[:MOST_SHOWN]]
    if table.proposal is not None:
        key = _key_of(table.proposal)
        agree, decline = (replace(_press(table, verb), arg=key) for verb in ("agree", "decline"))
        result.append([Button("Agree", agree, SUCCESS), Button("Decline", decline)])
    if any(occupant.kept_for is not None for occupant in table.seats):
        result.append([Button("I'm back", _press(table, "back"), SUCCESS)])
    return result


def more(table: Table, user_id: int) -> list[Button]:
    """Return a player's possible proposals, behind **More**."""
    if table.paused_at is not None:
        return [] if table.held else [Button("Go on", _press(table, "on"), SUCCESS)]
    result = []
    if any(table.seats[seat].user_id != user_id for seat in table.awaited):
        result.append(Button("Nudge", _press(table, "nudge")))
    if table.proposal is None:
        result.append(Button("Pause the table", _press(table, "pause")))
        result.append(Button("Propose…", _press(table, "propose")))
    return result


def late_seats(table: Table) -> list[Seat]:
    """Return the late seats of people, if others wait for them."""
    return [
        seat
        for seat in table.awaited
        if table.clock(seat).late is not None
        and not table.clock(seat).deputy
        and does_anybody_wait(table, seat)
    ]


def _for_late(table: Table, seat: Seat) -> list[Button]:
    several = len(late_seats(table)) > 1
    who = f" ({quote_player(table.names, seat)})" if several else ""
    return [
        Button(f"Let a computer play the turn{who}", _press(table, "deputise", seat)),
        Button(f"Give the seat to a computer{who}", _press(table, "replace", seat), DANGER),
        Button(f"Wait{who}", _press(table, "wait", seat)),
    ]


def _press(table: Table, verb: str, seat: Seat | None = None) -> Press:
    return Press("late", verb, table.id, table.version, "" if seat is None else str(seat))


def _key_of(proposal: Proposal) -> str:
    """Return a proposal's subject as a button's argument."""
    return f"{proposal.kind}{'' if proposal.seat is None else proposal.seat}{proposal.to or ''}"


def _seat(table: Table, press: Press) -> Seat:
    if not 0 <= press.number < len(table.seats):
        raise Refused("This table has no such seat.")
    return press.number


async def _table_of_press(interaction: Interaction, press: Press) -> tuple[App, Table]:
    """Return a press's app and table. Raise Refused unless in progress."""
    app = app_of(interaction)
    table = await app.parlour.table(press.table)
    if table.phase is not Phase.PLAY:
        raise Refused("No game is running here.")
    return app, table


@on_press("late", "deputise")
async def deputise(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    seat = _seat(table, press)
    await app.parlour.decide(table.id, lateness.let_computer_move, user_id=interaction.user.id, seat=seat)
    await say(interaction, f"A computer plays {quote_player(table.names, seat)}'s turn.")


@on_press("late", "wait")
async def wait(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    seat = _seat(table, press)
    await app.parlour.decide(table.id, lateness.wait_longer, user_id=interaction.user.id, seat=seat)
    await say(
        interaction, f"{quote_player(table.names, seat)} has more time now. The post shows the new deadline."
    )


@on_press("late", "replace")
async def give_away(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    seat = _seat(table, press)
    after = await app.parlour.proposals.propose(table.id, interaction.user.id, ProposalKind.REPLACE, seat)
    done = after.seats[seat].computer
    await say(
        interaction,
        f"A computer has {quote_player(table.names, seat)}'s seat now."
        if done
        else "Proposed. A computer gets the seat once all the others agree.",
    )


@on_press("late", "pause")
async def pause(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    after = await app.parlour.proposals.propose(table.id, interaction.user.id, ProposalKind.PAUSE)
    await say(
        interaction,
        "The table is paused. To end the pause, press **Go on** under its last post."
        if after.paused_at is not None
        else "Proposed. The table pauses once all agree.",
    )


@on_press("late", "agree")
async def agree(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    await app.parlour.proposals.agree(table.id, interaction.user.id, press.moment)
    await say(interaction, "You agree.")


@on_press("late", "decline")
async def decline(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    await app.parlour.proposals.decline(table.id, interaction.user.id, press.moment)
    await say(interaction, "Declined. Nothing changes.")


@on_press("late", "on")
async def go_on(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    await app.parlour.pauses.resume(table.id, interaction.user.id)
    await say(interaction, "The game continues, and the clocks run again.")


@on_press("late", "back")
async def back(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    await app.parlour.decide(table.id, lateness.come_back, user_id=interaction.user.id)
    await say(interaction, "Welcome back: the seat is yours again.")


@on_press("late", "nudge")
async def nudge(interaction: Interaction, press: Press) -> None:
    app, table = await _table_of_press(interaction, press)
    nudged = await app.parlour.decide(table.id, lateness.nudge, user_id=interaction.user.id)
    names = lateness.names_of_nudge(nudged)
    await say(interaction, f"{', '.join(map(quote, names))}: a friendly reminder is on its way.")
