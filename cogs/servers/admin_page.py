"""One table of a server as its administrators see it, with all their actions."""

from typing import Literal
from zlib import crc32

import discord
import msgspec

from cogs.core import time_words
from cogs.core.app import app_of, table_url
from cogs.play.tables import describe_table
from cogs.ui.interaction import Interaction
from cogs.ui.page import DANGER, PLAIN, PRIMARY, Button, Page
from cogs.ui.press import Press
from tables.clocks.pace import DAY
from tables.core.table import Imported, Phase, Table
from tables.parlour import Filters

Which = Literal["open", "finished", "closed"]
PHASES = {
    "open": (Phase.LOBBY, Phase.PLAY),
    "finished": (Phase.OVER,),
    "closed": (Phase.CLOSED, Phase.EXPIRED),
}
IDLE = {0: "Idle or not", 1: "Idle for a day", 3: "Idle for three days", 7: "Idle for a week"}


class Search(msgspec.Struct, frozen=True):
    """A search for tables: `game` is a slug, `member` a user id, `idle` days; empty for any."""

    which: str = "open"
    game: str = ""
    member: int = 0
    idle: int = 0

    @property
    def arg(self) -> str:
        return f"{self.which}.{self.game}.{self.member}.{self.idle}"

    @property
    def filters(self) -> Filters:
        return Filters(PHASES[self.which], self.game or None, self.member or None, self.idle * DAY or None)


async def table_page(interaction: Interaction, table: Table, search: Search, text: str = "") -> Page:
    """Return a table with its possible actions, below the last one's result."""
    app = app_of(interaction)
    lines = await describe_table(app, table)
    steps = await app.parlour.history.last_steps(table, 1)
    what, at = ("step", steps[0][-1].at) if steps else ("change", table.touched_at)
    lines.append(f"-# Last {what} <t:{at:.0f}:R>.")
    if why := time_words.refusal(table):
        lines.append(f"-# {why}.")
    ways = [
        Button("All tables", Press("admin", "list", 0, 1, search.arg)),
        Button("What admins did here", Press("audit", "page", table.id, 1)),
        Button("Go there", url=table_url(table)),
    ]
    done = [
        Button(label, Press("admin", "do", table.id, digest_of(table, verb), verb), style)
        for label, verb, style in _verbs(table)
    ]
    return Page([*([text] if text else []), "\n".join(lines), *([done] if done else []), ways])


def digest_of(table: Table, verb: str) -> int:
    """Return a digest of the facts that an action is about."""
    seats = [(one.name, one.user_id) for one in table.seats]
    waits = table.owing if verb == "skip" else ()
    return crc32(repr((str(table.phase), table.paused_at is None, seats, waits)).encode())


def _verbs(table: Table) -> list[tuple[str, str, discord.ButtonStyle]]:
    """Return a table's possible actions, named like their commands."""
    result: list[tuple[str, str, discord.ButtonStyle]] = []
    playing, paused, people = table.phase is Phase.PLAY, table.paused_at is not None, bool(table.people)
    if playing:
        result.append(("Resume…", "resume", PRIMARY) if paused else ("Pause…", "pause", PLAIN))
    if playing and people:
        result += [("Deadline…", "deadline", PLAIN), ("Replace…", "replace", PLAIN)]
    if playing or (table.phase is Phase.OVER and not isinstance(table.origin, Imported)):
        result.append(("Roll back…", "rollback", PLAIN))
    if playing or table.phase is Phase.LOBBY:
        result.append(("Move to…", "move", PLAIN))
    if playing and not paused and (table.awaited or set(table.owing) & set(table.offered_seats)):
        result.append(("Let a computer play this turn…", "skip", DANGER))
    if people and (playing or table.phase is Phase.LOBBY):
        result.append(("Kick…", "kick", DANGER))
    if playing or table.phase is Phase.LOBBY:
        result.append(("Close…", "close", DANGER))
    return result
