"""Late players, proposals, and seats that change hands."""

from collections.abc import Sequence
from contextlib import suppress

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from cogs.core.app import App, app_of, name_of, table_link
from cogs.core.lookup import OpenTable, table_here
from cogs.ui.form import reply, suggest_choices
from cogs.ui.page import DANGER, PRIMARY, SUCCESS, Button, Page
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction, to_label
from engines.game import Seat
from engines.marks import quote, quote_player
from engines.words import join_words
from tables.core import change, turns
from tables.core.table import Phase, ProposalKind, Refused, Table
from tables.lobby.invitations import TableLists
from tables.time import lateness

MOST_SHOWN = 2
"""Late seats with buttons at once; the others follow when these are settled."""


def extra_button_rows(table: Table) -> list[list[Button]]:
    if table.paused_at is not None and not table.held:
        return [[Button("Go on", _press(table, "on"), SUCCESS)]]
    late, result = late_seats(table), list[list[Button]]()
    for seat in late[:MOST_SHOWN]:
        who = f" ({quote_player(table.names, seat)})" if len(late) > 1 else ""
        computer = Button(f"Give the seat to a computer{who}", _press(table, "replace", seat), DANGER)
        deputy = Button(f"Let a computer play the turn{who}", _press(table, "deputise", seat))
        result.append([deputy, computer, Button(f"Wait{who}", _press(table, "wait", seat))])
    if table.proposal is not None:
        about = table.proposal
        key = f"{about.kind}{'' if about.seat is None else about.seat}{about.to or ''}"
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
        and turns.does_anybody_wait(table, seat)
    ]


def _press(table: Table, verb: str, seat: Seat | None = None) -> Press:
    return Press("late", verb, table.id, table.version, "" if seat is None else str(seat))


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
    await say(interaction, "You've agreed.")


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
    await say(interaction, f"I'm sending {join_words(map(quote, names))} a friendly reminder.")


PROPOSALS = {
    ProposalKind.UNDO: ("Undo the last step", "I'll undo the last step once all agree."),
    ProposalKind.END: ("End without a result", "The game ends once all agree."),
}
HEAD = "**What do you propose?** I'll ask everyone at the table. Nothing happens until all agree."
OFFER = "-# `/table offer member:` hands your seat to someone else."


def require_person(member: discord.Member | discord.User, user_id: int) -> None:
    """Raise Refused for a bot, and for the person who asks."""
    if member.bot:
        raise Refused("Bots can't play here. Choose a person.")
    if member.id == user_id:
        raise Refused("That's you. Choose someone else.")


def require_playing(table: Table) -> Table:
    if table.phase is not Phase.PLAY:
        raise Refused("No game is running here.")
    return table


async def computers(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    table_lists = app_of(interaction).parlour.table_lists
    try:
        offers = await _offers(interaction)
        table = await _table_to_take_at(interaction, interaction.namespace.table, offers, table_lists)
    except Refused:
        return []
    named = {
        seat + 1: to_label(f"{seat + 1} · {quote_player(table.names, seat)}")
        for seat, occupant in enumerate(table.seats)
        if occupant.computer
    }
    return suggest_choices(named, current)


class Seats(commands.GroupCog):
    """The part of the `/table` commands by which seats change hands."""

    @app_commands.command(description="Give your seat to someone who plays in your place")
    @app_commands.describe(member="Who takes your seat (I'll ask them)")
    async def offer(self, interaction: Interaction, member: discord.Member, table: OpenTable = None) -> None:
        require_person(member, interaction.user.id)
        target = require_playing(await table_here(interaction, table))
        parlour = app_of(interaction).parlour
        await parlour.proposals.offer_seat(target.id, interaction.user.id, member.id, name_of(member))
        asked = f"I'm asking {quote(name_of(member))} in the table's post."
        await say(interaction, f"{asked} The seat stays yours until all agree.")

    @app_commands.command(description="Ask for the seat of a computer player")
    @app_commands.describe(seat="Which computer player's seat. Leave it out for the first one")
    @app_commands.autocomplete(seat=computers)
    async def take(
        self,
        interaction: Interaction,
        seat: app_commands.Range[int, 1, 10] | None = None,
        table: OpenTable = None,
    ) -> None:
        offers = await _offers(interaction)
        target = require_playing(await _table_to_take_at(interaction, table, offers))
        if target.seat_of(interaction.user.id) is not None:
            raise Refused(f"You already have a seat at table {target.id}.")
        is_offered = target.id in [offer.id for offer in offers]
        at = _computer(target, seat, is_offered=is_offered)
        parlour, name = app_of(interaction).parlour, name_of(interaction.user)
        if at in target.offered_seats:
            after = await parlour.take_offered_seat(target.id, interaction.user.id, name, at)
            return await say(interaction, f"The seat is yours. {table_link(after)}")
        after = await parlour.proposals.ask_for_seat(target.id, interaction.user.id, name, at)
        if after.seat_of(interaction.user.id) is not None:
            return await say(interaction, f"The seat is yours. {table_link(target)}")
        await say(interaction, f"I've asked the people at table {target.id}. {table_link(target)}")


async def _table_to_take_at(
    interaction: Interaction, number: int | None, offers: Sequence[Table], lists: TableLists | None = None
) -> Table:
    """Return the table at which somebody takes a seat.

    Without a number, their only offer comes first, except where they could ask for a computer's seat.
    """
    if number is not None or len(offers) != 1:
        return await table_here(interaction, number, lists=lists)
    try:
        table = await table_here(interaction, None, (Phase.PLAY,), lists)
    except Refused:
        return offers[0]
    has_seat = table.seat_of(interaction.user.id) is not None
    return offers[0] if has_seat or not _computers_at(table) else table


async def _offers(interaction: Interaction) -> list[Table]:
    """Return this server's tables with a seat for the caller."""
    parlour, user_id = app_of(interaction).parlour, interaction.user.id
    offers = []
    for table in await parlour.table_lists.tables_in(interaction.guild_id or 0, (Phase.PLAY,)):
        if table.offered_seats and not table.private:
            with suppress(Refused):
                await parlour.vacancies.require_looking(table, user_id)
                offers.append(table)
    return offers


def _computers_at(table: Table) -> list[Seat]:
    """Return the seats of computers, those on offer last."""
    seats = [seat for seat, one in enumerate(table.seats) if one.computer and one.kept_for is None]
    return sorted(seats, key=lambda seat: seat in table.offered_seats)


def _computer(table: Table, number: int | None, *, is_offered: bool) -> Seat:
    if number is not None:
        if number > len(table.seats) or not table.seats[number - 1].computer:
            raise Refused("There's no computer player there.")
        return number - 1
    seats = _computers_at(table)
    if not seats:
        raise Refused("This table has no computer players.")
    return seats[-1 if is_offered else 0]


@on_press("late", "take")
async def on_take(interaction: Interaction, press: Press) -> None:
    parlour, user = app_of(interaction).parlour, interaction.user
    table = await parlour.take_offered_seat(press.table, user.id, name_of(user), press.number)
    text = f"The seat is yours, and your search for {table.game.title} has ended. {table_link(table)}"
    turn = Button("Take turn", Press("table", "turn", table.id, table.version, "taken"), PRIMARY)
    is_due = table.seat_of(user.id) in table.awaited
    await reply(interaction, Page([text, [turn]] if is_due else [text]), edit=True)


@on_press("late", "propose")
async def propose(interaction: Interaction, press: Press) -> None:
    table = require_playing(await app_of(interaction).parlour.table(press.table))
    change.require_player(table, interaction.user.id)
    row = [
        Button(label, Press("late", "matter", table.id, table.version, kind.value))
        for kind, (label, _) in PROPOSALS.items()
    ]
    await reply(interaction, Page([HEAD, row, OFFER]))


@on_press("late", "matter")
async def on_proposal(interaction: Interaction, press: Press) -> None:
    kind = next((one for one in PROPOSALS if one.value == press.arg), None)
    if kind is None:
        raise Refused("You can't propose that here.")
    parlour = app_of(interaction).parlour
    table = require_playing(await parlour.table(press.table))
    seen = press.moment if kind is ProposalKind.UNDO else None
    after = await parlour.proposals.propose(table.id, interaction.user.id, kind, seen=seen)
    done = after.proposal is None
    await say(interaction, "Done." if done else f"Proposed. {PROPOSALS[kind][1]}")


def seat_at(table: Table, user_id: int) -> Seat:
    return change.require_player(table, user_id, f"<@{user_id}> isn't at table {table.id}.")


async def propose_replacement(
    interaction: Interaction, table: Table, user_id: int, by: discord.Member, reason: str = ""
) -> str:
    """Propose as an administrator that somebody takes over a player's seat.

    Return the result in a sentence. Raise Refused for ineligible people.
    """
    require_person(by, user_id)
    seat = seat_at(require_playing(table), user_id)
    parlour = app_of(interaction).parlour
    admin, name = interaction.user.id, name_of(by)
    after = await parlour.proposals.give(table.id, admin, user_id, by.id, name, reason)
    if after.seat_of(by.id) is not None:
        return f"{quote(name)} takes the seat of {quote_player(table.names, seat)}."
    return f"I've asked {quote(name)} and the others at table {table.id}."
