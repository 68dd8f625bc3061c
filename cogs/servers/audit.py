"""`/admin audit`: the log of administrators' actions, in sentences, page by page."""

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of
from cogs.core.lookup import require_admin
from cogs.servers.admin_list import AUDIT, ways
from cogs.ui.form import reply
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.text import Interaction
from engines.marks import quote
from tables.clocks.pace import length_words
from tables.servers import erasure as former
from tables.servers.audit import AuditEntry, Details

NOTHING = "Nothing here yet."
FURTHER = "That's all."


def line(entry: AuditEntry) -> str:
    """Return an entry of the log in a line: when, who, what.

    >>> line(AuditEntry("kick", 7, 1, 5.0, Details(person=2)))
    '<t:5:R> <@1> removed <@2> from table 7.'
    """
    why = f" Reason: {quote(entry.details.reason)}" if entry.details.reason else ""
    return f"<t:{entry.at:.0f}:R> {_person(entry.actor_id)} {_action_text(entry)}.{why}"


def _action_text(entry: AuditEntry) -> str:
    known, table = entry.details, f"table {entry.table_id}"
    who = "someone" if known.person is None else _person(known.person)
    match entry.action:
        case "close":
            return f"closed {table}"
        case "kick":
            return f"removed {who} from {table}"
        case "replace":
            by = "someone else" if known.by is None else _person(known.by)
            return f"asked {table} to let {by} take {who}'s seat"
        case "skip":
            whose = "the turn" if known.person is None else f"{who}'s turn"
            return f"let a computer play {whose} at {table}"
        case "rollback":
            steps = "" if known.steps is None else f" {known.steps} {'step' if known.steps == 1 else 'steps'}"
            return f"rolled back{steps} at {table}"
        case "pause":
            return f"paused {table}{'' if known.until is None else f' until <t:{known.until:.0f}:f>'}"
        case "resume":
            return f"ended the pause of {table}"
        case "deadline":
            more = "more time" if known.seconds is None else f"{length_words(known.seconds)} more"
            return f"gave {who} {more} at {table}"
        case "move":
            return f"moved {table} to {_place(known)}"
        case "board":
            if known.channel:
                return f"put the notice board up in {_place(known)}"
            gave_up = "gave up the notice board because its channel was deleted"
            return "removed the notice board" if known.what in ("", "off") else gave_up
        case "daily":
            return f"reported that the deal of the day {known.what}"
        case "cup":
            did = f"took {who} out of" if known.what == "dropped" else known.what or "changed"
            return f"{did} cup {known.cup}"
        case "config":
            settings = "a setting" if len(known.changes) == 1 else "the settings"
            changes = f". {'; '.join(known.changes)}" if known.changes else known.what and f": {known.what}"
            return f"changed {settings}{changes.rstrip('.')}"
        case other:
            at = "" if entry.table_id is None else f" at {table}"
            return f"did this{at}: {other} {known.what}".rstrip()


def _person(user_id: int) -> str:
    """Return a person as a mention; an erased one has no id.

    >>> _person(7), _person(0)
    ('<@7>', 'a former player')
    """
    return f"<@{user_id}>" if user_id > 0 else former.NAME


def _place(known: Details) -> str:
    return "another channel" if known.channel is None else f"<#{known.channel}>"


def heading(table_id: int | None, actor_id: int | None, page: int) -> str:
    at = "" if table_id is None else f" at table {table_id}"
    by = "" if actor_id is None else f" by <@{actor_id}>"
    return f"### Admin actions{at}{by}\n-# The newest first · page {page}"


def lines(entries: Sequence[AuditEntry], page: int) -> str:
    return "\n".join(f"- {line(entry)}" for entry in entries) or (NOTHING if page == 1 else FURTHER)


LAST = 10_000
"""The largest page number of the log."""


class AuditLog(commands.GroupCog):
    """The part of the `/admin` commands that shows the log."""

    @app_commands.command(description="See what admins did here, newest first")
    @app_commands.describe(
        table="Only at this table", by="Only by this person", page="Which page (ten lines each)"
    )
    async def audit(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, 2**31 - 1] | None = None,
        by: discord.User | None = None,
        page: app_commands.Range[int, 1, LAST] = 1,
    ) -> None:
        await show(interaction, table, None if by is None else by.id, page)


async def show(interaction: Interaction, table_id: int | None, actor_id: int | None, page: int) -> None:
    await reply(interaction, await _page(interaction, table_id, actor_id, page), edit=True)


async def _page(interaction: Interaction, table_id: int | None, actor_id: int | None, number: int) -> Page:
    audit = app_of(interaction).parlour.audit
    entries, more = await audit.page(await require_admin(interaction), table_id, actor_id, number)

    def press(page: int) -> Press:
        return Press("audit", "page", table_id or 0, page, "" if actor_id is None else str(actor_id))

    row = [
        Button("Previous page", press(max(1, number - 1)), disabled=number <= 1),
        Button("Next page", press(number + 1), disabled=not more or number >= LAST),
    ]
    if table_id is not None:
        row.append(Button(f"Table {table_id}", Press("admin", "table", table_id)))
    return Page([ways(AUDIT), heading(table_id, actor_id, number), lines(entries, number), row])


@on_press("audit", "page")
async def on_page(interaction: Interaction, press: Press) -> None:
    actor_id = press.number if press.arg else None
    await show(interaction, press.table or None, actor_id, min(max(press.moment, 1), LAST))
