"""A server's settings: what `/admin config` changes, and how it tells them."""

from __future__ import annotations

import json
from typing import Literal, get_args

from msgspec.structs import replace

from cogs import terms, time_words
from db.records import GuildRow
from tables.clocks.pace import CUSTOM, DEFAULT, PACES, read_pace, told_pace
from tables.lobby import MOST_OPEN, allowed
from tables.model import Refused, WhenLate

PaceKind = Literal["none", "live", "brisk", "daily", "relaxed", "weekly", "custom"]
"""What may be forbidden: a named pace, or all that are written by hand."""


def with_paces(
    settings: GuildRow, pace: str | None = None, forbid: PaceKind | None = None, allow: PaceKind | None = None
) -> GuildRow:
    """The settings with another default pace, one more that is forbidden, one more that is allowed.

    Raises:
        Refused: when the pace can't be read, or the default would be a forbidden one.
    """
    if forbid is not None and forbid == allow:
        raise Refused("A pace can't be forbidden and allowed at once; leave one of the two out.")
    forbidden = {*json.loads(settings.forbidden_paces), forbid}
    kept = [kind for kind in get_args(PaceKind) if kind in forbidden and kind != allow]
    chosen = settings.pace if pace is None else terms.pace_of(pace).name
    changed = replace(settings, pace=chosen, forbidden_paces=json.dumps(kept))
    if allowed(changed, read_pace(chosen)):
        return changed
    if pace is None:
        raise Refused(
            f"The pace {chosen} is the one that new tables have here, so it can't be forbidden. "
            f"Name another first, like `/admin config pace:{_other(changed)}`."
        )
    raise Refused(
        f"The pace {chosen} is forbidden here. Allow it at the same time: "
        f"`/admin config pace:{chosen} allow_pace:{chosen if chosen in PACES else CUSTOM}`."
    )


def _other(settings: GuildRow) -> str:
    """A pace that is allowed, as an example."""
    return next((name for name, pace in PACES.items() if allowed(settings, pace)), DEFAULT)


def with_limits(
    settings: GuildRow,
    ask_role: int | None,
    most_tables: int | None,
    most_each: int | None,
    rated: bool | None,
    rate_computers: bool | None,
) -> GuildRow:
    """The settings with another role to ask for players, other limits (0: none), other rules for ratings."""
    return replace(
        settings,
        asked_role_id=settings.asked_role_id if ask_role is None else ask_role or None,
        most_tables=settings.most_tables if most_tables is None else most_tables or None,
        most_each=settings.most_each if most_each is None else most_each or None,
        rated=settings.rated if rated is None else rated,
        rate_computers=settings.rate_computers if rate_computers is None else rate_computers,
    )


def told(settings: GuildRow) -> list[str]:
    """A server's settings in plain lines."""
    who = f"<@&{settings.admin_role_id}>" if settings.admin_role_id else "nobody besides Manage Server"
    where = "threads of their own" if settings.place == "threads" else "the channel itself"
    pace, forbidden = read_pace(settings.pace), json.loads(settings.forbidden_paces)
    board = settings.board_channel_id
    return [
        f"`/admin` is open to: {who}.",
        f"New tables live in {where}.",
        f"Their pace, if nobody says otherwise: **{pace.name}** ({told_pace(pace)}).",
        f"Forbidden paces: {', '.join(forbidden) or 'none of them'}.",
        f"When somebody is late: {time_words.WHEN_LATE[WhenLate(settings.when_late)]}.",
        f"**Ask around** on a lobby card asks: {_asked(settings)}.",
        f"Open tables at once: {settings.most_tables or 'any number'}; "
        f"of one person: {settings.most_each or MOST_OPEN}.",
        f"New tables count for the ratings: {'yes' if settings.rated else 'no'}; "
        f"with computer players: {'yes' if settings.rate_computers else 'no'}.",
        f"Notice board: {'none; `/admin board` makes one' if board is None else f'<#{board}>'}.",
    ]


def _asked(settings: GuildRow) -> str:
    role = settings.asked_role_id
    return "nobody; `ask_role:` names a role" if role is None else f"<@&{role}>"


def noted(settings: GuildRow) -> str:
    """A server's settings as they are written down with who changed them."""
    return (
        f"role {settings.admin_role_id}, {settings.place}, pace {settings.pace}, "
        f"forbidden {settings.forbidden_paces}, late {settings.when_late}, asks {settings.asked_role_id}, "
        f"tables {settings.most_tables}, each {settings.most_each}, "
        f"rated {settings.rated}, with computers {settings.rate_computers}"
    )
