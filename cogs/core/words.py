"""Sentences that are the same for all games."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, assert_never

from cogs.core import time_words
from cogs.core.presenter import presenter
from engines.analysis.study import ExpectedTurn
from engines.game import Seat, Thinking
from engines.marks import player_name, quote, quote_player, quote_players, requote, rewrite, to_plain
from engines.registry import game, move_names
from engines.words import join_words, plural, possessive
from tables.core import table as tables
from tables.core.history import EntryKind
from tables.core.table import Phase, Table
from tables.lobby.decisions import FairDraw

MOST_CHOICES = 8
"""The moves of a turn that are named."""
EXPIRED = "Nobody joined for a week, so I closed the table."
NEVER_BEGUN = "The table is closed. Its game never began."
CALLED_OFF = "The table closed without a result."
NO_HAND = "You aren't playing here, so you have no hand. The latest post shows the board."
HAND_LATER = "Your hand is empty right now."
DMS_CLOSED = (
    "<@{user}>, I can't send you your hand, because you don't allow DMs from this server. To see "
    "your hand, press **My hand** under the board."
)
DM_REFUSED = (
    "<@{user}>, Discord refuses my DM with your hand (code {code}). To see your hand, press **My hand** "
    "under the board."
)
EARLIER = "-# See **More** for {count}."
UNTOLD = (
    "-# I removed this text, because it named someone who has erased their data. To read it "
    "without the name, press **More**, then **History** under the latest post."
)
COMPUTER_LATE = "-# The computer player is taking longer than expected. I'll try again."
CHANNEL_GONE = "This table's channel was deleted, so the game continues here."


def forwarding_line(table: Table, address: str) -> str:
    return f"**{game(table.slug).title}**, table {table.id}, has moved. [The game continues here]({address})."


def no_thread(table: Table, *, is_locked: bool) -> str:
    why = "Its thread is locked" if is_locked else "I can't make a thread for it"
    return f"**{game(table.slug).title}**, table {table.id}: {why}, so the game continues here."


def goes_on_in_thread(table: Table) -> str:
    """Return the channel message from which a table's thread is made."""
    return f"**{game(table.slug).title}**, table {table.id}, continues in this thread."


def hand(table: Table) -> str:
    return f"Your hand at **{game(table.slug).title}**, table {table.id}."


def entry(table: Table, kind: EntryKind, payload: Any, seat: int | None) -> list[str]:
    """Return the thread's lines for an entry that is no move."""
    match kind:
        case EntryKind.START:
            if table.origin is not None:
                return [origin(table.origin)]
            return ["The game begins. Good luck!\n-# The draw is fair. Anyone can check it at the end."]
        case EntryKind.HAND_OVER:
            return [_handover_line(quote(payload["name"]), payload)]
        case EntryKind.SKIP:
            who = ", ".join(quote(name) for name in payload)
            return [f"An admin let a computer play {who}'s turn."]
        case EntryKind.ROLLBACK:
            if payload == "agreed":
                return ["Everyone agreed to undo the last step. Here's the board now."]
            return ["An admin undid some steps. Here's the board now."]
        case EntryKind.CLOSE:
            if payload == "agreed":
                return ["Everyone agreed, so the game ends here without a result."]
            if payload == "left":
                return ["Nobody's left at this table, so the game ends without a result."]
            if payload == "kicked":
                return ["An admin removed the last player from the table, so the game ends without a result."]
            return ["An admin closed the table, so the game ends without a result."]
        case EntryKind.JOIN | EntryKind.LEAVE | EntryKind.KICK | EntryKind.OPTIONS:
            return []  # the lobby card has shown it
        case EntryKind.UNDO | EntryKind.REMATCH:
            return []  # nobody has to know
        case EntryKind.MOVE | EntryKind.FORCED | EntryKind.RESIGN:
            return []  # its events say it
        case EntryKind.EXPIRE | EntryKind.REOPEN:
            return []  # the lobby card has shown it
        case EntryKind.NUDGE:
            return []  # who was nudged knows
        case EntryKind.PLANNED:
            return [f"-# {quote_player(table.names, seat or 0)} planned this turn in advance."]
        case EntryKind.REASON:
            return [reason(payload)] if payload and table.deal is not None else []
        case EntryKind.MOVED:
            return [f"An admin moved the table here from <#{payload}>."]
        case _:
            return time_words.entry(kind, payload)


def plan_obstacle(table: Table, seat: int, why: str) -> str:
    """Return the line about a turn sent ahead that others have changed."""
    line = why.replace("**", "").rstrip(".:") or "The board has changed"
    return f"-# {line}, so I didn't play {possessive(table.names, seat)} plan."


def reason(text: str) -> str:
    return f"↳ Reason: {quote(text)}"


def counting(table: Table, rate_computers: bool) -> str:
    """Return the lobby card's line about ratings, also with computer players."""
    if not table.rated:
        return "\n🎈 This game is for fun and doesn't count for the ratings."
    if any(occupant.computer for occupant in table.seats) and not rate_computers:
        return "\n🎈 This game doesn't count for the ratings, because a computer plays."
    return "\n🏅 This game counts for the ratings." if table.room > 1 else ""


def hints_taken(table: Table, taken: dict[int, int]) -> str | None:
    counts = [
        f"{quote_player(table.names, seat)} took {plural(number, 'hint')}"
        for seat, number in sorted(taken.items())
    ]
    return f"-# 💡 {join_words(counts)}." if counts else None


def hints(table: Table) -> str:
    """Return the lobby card's line about hints; empty if as usual."""
    if table.hints is tables.Hints.USUAL:
        return ""
    may = "You can ask the computer for" if table.hints is tables.Hints.ALLOWED else "This table has no"
    return f"\n💡 {may} hints."


def thinking(table: Table) -> str:
    """Return the lobby card's line about thinking time; empty if as usual."""
    is_quick = table.thinking is Thinking.QUICK and table.game.thinks_quickly
    return "\n🤖 Strong computers move quickly and play a bit weaker." if is_quick else ""


def deal_origin(known: tables.Origin) -> str:
    match known:
        case tables.LessonDeal():
            return "📖 A game to learn: you can undo every step, and notes explain what's new."
        case tables.CustomDeal():
            return "🃏 Someone set up this deal by hand, so nobody can change the options or seats."
        case tables.Forked(table=number, turn=turn):
            return (
                f"🔀 This game continues from {_moment(turn, number)}. It doesn't count for the ratings. "
                "Nobody can change the options or seats."
            )
        case tables.Imported() | tables.DailyDeal() | tables.Study():
            return origin(known)
        case _:
            assert_never(known)


def origin(known: tables.Origin) -> str:
    match known:
        case tables.LessonDeal():
            return (
                "Your lesson begins. Your panel explains everything new. **Undo** takes back your last "
                "step, even after you've sent it. Press it again to go back further. The game doesn't count "
                "for the ratings."
            )
        case tables.CustomDeal():
            return "The game begins with a deal that was set up by hand. Good luck!"
        case tables.Imported(by_hand=by_hand):
            laid = " Its deal was set up by hand." if by_hand else ""
            return f"People played this game elsewhere. I have it from a file.{laid}"
        case tables.Forked(table=number, turn=turn):
            return f"This game continues from {_moment(turn, number)}. Good luck!"
        case tables.DailyDeal(day=day):
            return f"This is the deal of {day}. You have one try. Good luck!"
        case tables.Study(kind=tables.StudyKind.SANDBOX, turn=turn, table=number):
            return f"Your sandbox begins at {_moment(turn, number)}. Nothing counts."
        case tables.Study(kind=tables.StudyKind.PUZZLE):
            return "You're trying a puzzle."
        case tables.Study(turn=turn, table=number):
            return f"You play {_moment(turn, number)} again. Nothing counts."
        case _:
            assert_never(known)


def _moment(turn: int, table: int) -> str:
    """Name a moment of another table.

    >>> _moment(0, 7), _moment(3, 7)
    ('the deal of table 7', 'turn 3 of table 7')
    """
    return f"turn {turn} of table {table}" if turn else f"the deal of table {table}"


def _handover_line(who: str, payload: Any) -> str:
    heir = (
        "People looking for a game can take the seat"
        if payload.get("offered")
        else "A computer player takes the seat"
    )
    if payload["own"]:
        return f"{who} leaves. {heir}."
    match payload.get("why"):
        case "late":
            return f"{who} was late too often. A computer is playing until {who} is back."
        case "agreed":
            return f"The others gave {who}'s seat to a computer until {who} is back."
        case _:
            return f"An admin removed {who} from the table. {heir}."


def seat_on_offer(table: Table, seat: Seat) -> str:
    who, until = quote(player_name(table.names, seat).removesuffix(tables.SUFFIX)), table.clock(seat).offered
    begins = "" if table.paused_at is not None else f" The computer plays <t:{until:.0f}:R>."
    return f"🪑 People looking for a game can take {who}'s seat with `/table take`.{begins}"


def rematch(table: Table, host: int, others: Sequence[int]) -> str:
    who = quote_player(table.names, table.seat_of(host) or 0)
    called = " ".join(f"<@{user}>" for user in others)
    return f"{called}, {who} wants to play again at table {table.id}. Leave your seat if you can't play."


def verdict(table: Table, draw: FairDraw | None) -> str:
    if table.study is not None:
        return f"{origin(table.study)} There's no deal to check here."
    if draw is None:
        return "This table has no deal yet."
    if isinstance(table.origin, tables.Forked):
        return f"{origin(table.origin)} Both tables have the same deal. Check the deal at the other table."
    if draw.by_hand:
        return "This table's deal was set up by hand, so there's no seed to check."
    if draw.seed is None and table.day is not None:
        return (
            "I set this deal before anyone played it. "
            "The code below proves it. It's the SHA-256 of a secret salt and seed:\n"
            f"`{draw.commitment}`\nI'll show the salt and the seed when the day is over. "
            "Check the deal again then."
        )
    if draw.seed is None:
        return (
            "I set the deal before the first move. "
            "The code below proves it. It's the SHA-256 of a secret salt and seed:\n"
            f"`{draw.commitment}`\nI'll show the salt and the seed when the game ends. "
            "Check the deal again then."
        )
    text = (
        f"Code `{draw.commitment}`\nSalt `{draw.salt}`\nSeed `{draw.seed}`\n"
        "The code is the SHA-256 of the salt and the seed, joined as bytes.\n"
    )
    if isinstance(table.origin, tables.Imported):
        text += "All three are from this game's file.\n"
    if draw.matches:
        return text + "**It matches:** if I deal from this seed, I get exactly this table's deal."
    return text + "**It doesn't match:** this table's deal didn't come from this seed."


def status(table: Table) -> str:
    who = join_words(quote_players(table.players)) or "nobody"
    where = "(only you see it)" if table.is_alone else f"in <#{table.thread_id or table.channel_id}>"
    match table.phase:
        case Phase.LOBBY:
            state = f"{table.taken} of {table.room} seats taken"
        case Phase.PLAY:
            owing = join_words([quote_player(table.names, seat) for seat in table.owing])
            state = f"waiting for {owing}"
            state += "" if table.obstacle is None else f" · {time_words.UNSHOWN}"
        case Phase.OVER:
            state = "finished"
        case Phase.CLOSED:
            state = "closed"
        case Phase.EXPIRED:
            state = "closed: nobody joined"
    return f"**Table {table.id}** {where}: {game(table.slug).title} with {who} · {state}"


def name_choices(table: Table, choices: Sequence[tuple[Any, Any]]) -> list[str]:
    """Name the first moves of a turn."""
    name, view_to_name = move_names(table.slug).move_name, presenter(table).view_to_name
    named = [
        name(move, view_to_name(view, choices[0][1]), table.names) for move, view in choices[:MOST_CHOICES]
    ]
    return named if len(choices) <= MOST_CHOICES else [*named, "…"]


def name_expected(table: Table, expected: ExpectedTurn) -> str:
    """Name a seat's expected moves; empty for none. "move a root from LA to M and cast a card"."""
    named = name_choices(table, expected.choices)
    if (
        named
        and expected.unseen is not None
        and (blurred := move_names(table.slug).unseen_name(expected.unseen))
    ):
        named.append(blurred)
    return join_words(named)


_MARKS = re.compile(
    r"\\(?P<escaped>[^a-zA-Z0-9\s])"
    r"|<t:(?P<instant>-?\d+)(?::[tTdDfFR])?>"
    r"|(?P<mark>\*\*|__|~~|`|^-# |^#{1,3} )",
    re.MULTILINE,
)


def plain(text: str) -> str:
    """Return a text without Markdown and signs, with instants in UTC.

    >>> from engines.marks import quote
    >>> plain(f"**{quote('Ann__B')}** flips 4; until <t:0:f>.")
    'Ann__B flips 4; until 1 Jan 1970, 00:00 UTC.'
    """
    return to_plain(rewrite(text, lambda ours: _MARKS.sub(_plain, ours), requote))


def _plain(match: re.Match[str]) -> str:
    if match["instant"] is not None:
        return instant(float(match["instant"]))
    return match["escaped"] or ""


def instant(at: float) -> str:
    """Return an instant in UTC, to the minute.

    >>> instant(60.0)
    '1 Jan 1970, 00:01 UTC'
    """
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"
