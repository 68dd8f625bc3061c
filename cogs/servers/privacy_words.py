"""Sentences of `/privacy`."""

from __future__ import annotations

from collections.abc import Sequence

from tables.servers.data_export import StoredData

MOST_LINKS = 10
"""Tables that are named at most."""

TITLE = "### What is kept about you"
NOTHING = (
    "Nothing is kept about you here: you have never sat at a table or changed a setting. "
    "I don't even receive what you write in Discord.\n"
    "-# I tell nobody who has blocked you; `/privacy what:erase` deletes that too."
)
SETTINGS = "- what you have set with `/me`"
SHOWN = {
    "notes": "your notes about tables",
    "daily_plays": "deals of the day that you played",
    "daily_points": "days with points for the deal of the day",
    "daily_repeats": "days on which you played past deals, until the day ends",
    "daily_servers": "servers where your deals of the day count, or don't",
    "daily_notices": "notices about the deal of the day",
    "lessons": "first-time notes that you were told",
    "results": "results of finished games",
    "ratings": "ratings",
    "cups": "cups you take part in",
    "blocked": "people you have blocked",
    "following": "tables that you follow",
    "invitations": "invitations to tables",
    "invited": "people you have invited",
    "unwanted": "people whose invitations you don't want",
    "looking_for": "games that you look for",
    "administration": "what you have done as an administrator",
}
OTHERS = (
    "-# For each table: your id, your name there, your moves and when you made them. "
    "Not kept, as I never receive it: what people write, who is online."
)
RIGHTS = (
    "**Send me everything** sends all of it by DM, as a file. **Erase me** asks first. "
    "For anything else, ask the people who run this bot."
)
SENT = "Sent: everything kept about you is in your DMs."
HERE = "I can't send you a DM, so here it is; only you see this."
ABOVE = "Everything kept about you, as of now."
ASK = (
    "### Erase you?{tables}\n"
    "- In lobbies your seat is free again. In games a computer plays on for you, if anybody else plays "
    "there; games that only you play are closed. You drop out of cups.\n"
    "- At all tables you are called “a former player” from now on. Your id, your names, notes, settings, "
    "ratings and blocks go. The moves stay, as the games belong to others too.\n"
    "- Messages in Discord stay until somebody deletes them there. Open tables get a new post.\n\n"
    "**That can't be undone.** You may play again at any time, as somebody new."
)
ERASED = (
    "Done. Nothing here leads to you any more. I can't change old messages in Discord: ask the "
    "server's admins to delete them."
)
UNCHANGED = "Nothing changed."


def open_tables_line(links: Sequence[str]) -> str:
    r"""Return somebody's open tables in a line; empty for none.

    >>> open_tables_line(["table 4"]), open_tables_line([])
    ('\nYou sit at table 4 now.', '')
    """
    shown = list(links[:MOST_LINKS])
    if len(links) > MOST_LINKS:
        shown.append(f"{len(links) - MOST_LINKS} more")
    return (
        f"\nYou sit at {', '.join(shown[:-1])}{' and ' if shown[1:] else ''}{shown[-1]} now." if shown else ""
    )


def data_lines(found: StoredData) -> str:
    """Return a line for each kind of stored data."""
    lines = []
    if found.tables:
        going = f", {found.open} of them open" if found.open else ""
        lines.append(f"- tables where you sit, sat or did something: **{found.tables}**{going}")
    if "settings" in found.rows:
        lines.append(SETTINGS)
    lines += [f"- {told}: **{found.rows[name]}**" for name, told in SHOWN.items() if name in found.rows]
    return "\n".join(lines)
