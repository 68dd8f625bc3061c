"""Sentences about time: deadlines, lateness, pauses, proposals, holidays."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, assert_never

from engines.marks import capital, player_name, quote, quote_player, quote_players, sign
from engines.words import join_words, plural
from tables.clocks.pace import DAY, HOUR, MINUTE, PACES, length_words, pace_words
from tables.core.history import EntryKind, Timed
from tables.core.table import SUFFIX, Proposal, ProposalKind, Table, Terms
from tables.core.turns import AwaitedPerson
from tables.standings.ratings import Habits

UNSHOWN = "⚠️ I can't show the board"
CLOCK = sign("clock", "⏳")
WORDS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def moment(at: float) -> str:
    """Return an instant in the reader's time zone, with the distance.

    >>> moment(1000.0)
    '<t:1000:f> (<t:1000:R>)'
    """
    return f"<t:{at:.0f}:f> (<t:{at:.0f}:R>)"


def entry(kind: Timed, payload: Any) -> list[str]:
    match kind:
        case EntryKind.LATE:
            return [WORDS["late"][payload[1]].format(quote(payload[0]))]
        case EntryKind.DEPUTY:
            by, who = map(quote, payload)
            return [f"{by} lets a computer play {who}'s turn."]
        case EntryKind.WAIT:
            by, who, length = map(quote, payload)
            return [f"{by} gives {who} {length} more to move."]
        case EntryKind.DEADLINE:
            return [f"An admin gave {quote(payload[1])} {payload[2]} more to move."]
        case EntryKind.AWAY:
            name, until, note = payload
            return [away(name, until, note)]
        case EntryKind.PAUSE:
            until, admin, *why = payload
            if why:
                return ["I was removed from this server, so the table is paused. No clocks run."]
            return ["An admin paused the table." if admin else "Everyone agreed, so the table is paused."]
        case EntryKind.RESUME:
            who, admin, *why = payload
            if why:
                return [
                    ("I'm back in this server, and the game continues. While I was gone, all clocks stopped.")
                ]
            if who is None and not admin:
                return ["The pause is over. The clocks run again."]
            return [f"{'An admin' if admin else quote(who)} ended the pause. The clocks run again."]
        case EntryKind.PROPOSE:
            who, kind, owner, *to = payload
            by = "An admin" if who is None else quote(who)
            return [_proposes(by, kind, owner, *to)]
        case EntryKind.AGREE:
            return []  # the post shows who has agreed
        case EntryKind.DECLINE:
            who, what, owner, *to = payload
            verb = "takes the request back" if what == ProposalKind.TAKE and who in to else "declines"
            by = "The proposal has ended" if who is None else f"{quote(who)} {verb}"
            stays = WORDS["declined"][what]
            whose, whom = quote((owner or "?").removesuffix(SUFFIX)), quote((to or ["?"])[0] or "?")
            return [f"{by}, so {stays.format(owner=whose, to=whom)}."]
        case EntryKind.TAKE_OVER:
            return [_takeover_line(payload)]
        case EntryKind.BACK:
            return [f"{quote(payload)} is back and plays again."]
        case _:
            assert_never(kind)


def _takeover_line(payload: Any) -> str:
    old, new = quote(payload["old"]), quote(payload["new"])
    match payload["why"]:
        case "offered":
            return f"{old} gives the seat to {new}, who plays from now on."
        case "agreed":
            return f"Everyone agreed, so {new} takes {old}'s seat from now on."
        case "looking":
            return f"{new} takes {quote(payload['old'].removesuffix(SUFFIX))}'s seat."
        case _:
            return f"An admin gave {old}'s seat to {new}. The others agreed."


def away(name: str, until: float, note: str = "") -> str:
    said = f": {quote(note)}" if note else ""
    return f"{quote(name)} is away until <t:{until:.0f}:D>{said}."


def _proposes(who: str, kind: str, owner: str | None, to: str | None = None) -> str:
    sentence = WORDS["proposal"][kind]
    return f"{sentence.format(who=who, owner=quote(owner or '?'), to=quote(to or '?'))}."


def proposal_subject(kind: str, owner: str | None, to: str | None = None) -> str:
    return WORDS["subject"][kind].format(owner=quote(owner or "?"), to=quote(to or "?"))


def terms(kept: Terms) -> str:
    """Return a table's time rules in one line.

    >>> terms(Terms(PACES["brisk"])).partition(". ")[2]
    'If someone is late, the others decide what happens.'
    """
    if not kept.pace.kept:
        return f"{CLOCK} {capital(pace_words(kept.pace))}."
    named = kept.pace.name.capitalize() if kept.pace.name in PACES else "Custom pace"
    return (
        f"{CLOCK} {named}: {pace_words(kept.pace)}. If someone is late, {WORDS['when_late'][kept.when_late]}."
    )


def obstacle(table: Table) -> str | None:
    """Return why the board can't be shown; None if it can."""
    if table.obstacle is None:
        return None
    reason = WORDS["obstacle"][table.obstacle].format(channel=f"<#{table.channel_id}>")
    return f"{UNSHOWN}. {reason} All clocks stop until I can show it."


def refusal(table: Table) -> str:
    """Return the code of a board's refusal, for administrators; else nothing."""
    if not table.refusal:
        return ""
    what = "code" if table.refusal >= 1000 else "status"
    return f"Discord refuses the board with {what} {table.refusal}"


def clocks(table: Table, waited: Sequence[AwaitedPerson]) -> list[str]:
    """Return the time lines under a post: deadlines, late seats, absences."""
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        ends = " Only an admin can end the pause." if table.held else ""
        return [f"⏸️ The table is paused{until}. No clocks run, and nobody can move.{ends}"]
    due, others = dict[int, tuple[float, list[str]]](), []
    for one in waited:
        who = quote_player(table.names, one.seat)
        if one.late is not None:
            others.append(f"⏰ **{who}'s time ran out** <t:{one.late:.0f}:R>.")
        elif one.away is not None and not table.pace.one_sitting:
            others.append(f"-# 🌴 {away(player_name(table.names, one.seat), one.away)}")
        elif one.until is not None and table.pace.kept:
            due.setdefault(int(one.until // MINUTE), (one.until, []))[1].append(f"{who}'s")
    lines = [
        f"{join_words(people)} {'moves are' if len(people) > 1 else 'move is'} due <t:{until:.0f}:R>"
        for until, people in due.values()
    ]
    return [*others, *([f"-# {CLOCK} {', '.join(lines)}"] if lines else [])]


def own(waited: AwaitedPerson, table: Table) -> str | None:
    """Return a person's own deadline; None if there is no clock."""
    if not table.pace.kept:
        return None
    if waited.late is not None:
        return f"-# ⏰ You're late: your time ran out <t:{waited.late:.0f}:R>. You can still move."
    if waited.until is None:
        return None
    return f"-# {CLOCK} Your move is due <t:{waited.until:.0f}:R>."


def proposal(table: Table, standing: Proposal, missing: Sequence[int], story: str) -> str:
    """Return a proposal, its supporters, and the people asked. `story` may name the proposal already."""
    people = (occupant.user_id for occupant in table.seats)
    names = dict(zip(people, quote_players(table.names), strict=True))
    if standing.to is not None:
        names[standing.to] = quote(standing.name)
    owner = None if standing.seat is None else player_name(table.names, standing.seat)
    agreed = ", ".join(names.get(user, "?") for user in standing.agreed) or "an admin"
    asked = ", ".join(f"<@{user}>" for user in missing)
    what = f"**Proposed: {proposal_subject(standing.kind, owner, standing.name)}.** "
    if _proposes("", standing.kind, owner, standing.name) in story:
        what = ""
    supporters = "" if not what and len(standing.agreed) <= 1 else f"In favour: {agreed}. "
    return f"🤝 {what}{supporters}{asked}, do you agree?\n-# You can answer until <t:{standing.until:.0f}:f>."


def habits(known: Habits, now: float) -> str:
    """Return how somebody plays; readers see hours in their time zone.

    >>> from tables.standings.ratings import Habits
    >>> habits(Habits(48, 47, 10_800.0, (18, 23)), 0.0)
    'finishes 47 of 48 games · usually answers in 3 hours · mostly plays <t:64800:t>–<t:82800:t>'
    >>> habits(Habits(5, 5, None, None), 0.0)
    'finishes 5 of 5 games'
    """
    parts = [f"finishes {known.finished} of {known.games} games"]
    if known.answer is not None:
        parts.append(f"usually answers in {turn_length(known.answer)}")
    if known.hours is not None:
        first, last = (now // DAY * DAY + HOUR * hour for hour in known.hours)
        parts.append(f"mostly plays <t:{first:.0f}:t>–<t:{last:.0f}:t>")
    return " · ".join(parts)


def turn_length(seconds: float) -> str:
    return length_words(seconds) if seconds >= MINUTE else plural(round(seconds), "second")
