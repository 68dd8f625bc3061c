"""The typed rows that go into the store and come out of it.

Those that hold secrets of a game say in their `repr` only which row they are, for it may end in a log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec


class TableRow(msgspec.Struct, frozen=True):
    """One table. `options`, `owing`, `deal`, `outcome`, `clocks`, `proposal` and `origin` are JSON.

    Times are seconds since 1970; `due_at` is when time makes something happen at the table next.
    """

    id: int
    guild_id: int
    channel_id: int
    thread_id: int | None
    game: str
    options: str
    phase: str
    host_id: int
    version: int
    beat: int
    owing: str
    computer_due: bool
    seed: str
    salt: str
    deal: str | None
    outcome: str | None
    created_at: float
    touched_at: float
    pace: str = "none"
    when_late: str = "others"
    starts_full: bool = False
    clocks: str = "[]"
    paused_at: float | None = None
    paused_until: float | None = None
    proposal: str | None = None
    due_at: float | None = None
    origin: str | None = None
    private: bool = False
    rated: bool = True
    ordered: bool = False
    hints: str = "usual"
    held: bool = False
    thinking: str = "usual"
    obstacle: str | None = None
    ticks: int = 0

    def __repr__(self) -> str:
        return f"TableRow(id={self.id}, game={self.game!r}, phase={self.phase!r}, version={self.version})"


class SeatRow(msgspec.Struct, frozen=True):
    """Who sits on a seat: a person (`user_id`), or a computer (`strength`), perhaps for one who was there."""

    seat: int
    user_id: int | None
    name: str
    strength: str | None
    kept_for: int | None = None


class ActionRow(msgspec.Struct, frozen=True):
    """One entry of a table's history: the state of `version` was made from the state of `base`.

    `beat` is that in which a step was made; None for other entries, and for steps from before it was kept.
    """

    version: int
    base: int
    kind: str
    seat: int | None
    actor_id: int | None
    payload: str | None
    events: str
    reveals: bool
    at: float
    beat: int | None = None

    def __repr__(self) -> str:
        return f"ActionRow(version={self.version}, base={self.base}, kind={self.kind!r}, seat={self.seat})"


class TraceRow(msgspec.Struct, frozen=True):
    """An entry of a history without what happened in it."""

    version: int
    base: int
    kind: str
    seat: int | None
    at: float
    beat: int | None
    actor_id: int | None = None


class GapRow(msgspec.Struct, frozen=True):
    """A time in which the bot was away: from the servers of a shard, of so many; of one, from all."""

    begin: float
    end: float
    shard: int = 0
    count: int = 1


class OutboxRow(msgspec.Struct, frozen=True):
    """Something that is still to be shown: `kind` to `target`, at least as new as `version`.

    `fresh` asks for a new message instead of an edit of the last one.
    """

    table_id: int
    kind: str
    target: int
    version: int
    fresh: bool
    attempts: int
    due_at: float


class PostRow(msgspec.Struct, frozen=True):
    """The last message shown for a kind and target; `memo` is the sender's own note about it."""

    table_id: int
    kind: str
    target: int
    channel_id: int
    message_id: int
    version: int
    memo: str


class DraftRow(msgspec.Struct, frozen=True):
    """What a seat has drafted (`payload`, JSON) in the moment `version` of its table."""

    table_id: int
    seat: int
    version: int
    payload: str

    def __repr__(self) -> str:
        return f"DraftRow(table_id={self.table_id}, seat={self.seat}, version={self.version})"


class GuildRow(msgspec.Struct, frozen=True):
    """Settings of one server: who may administer tables, where they live, the clocks of new ones.

    `forbidden_paces` is a JSON list of names. The notice board is a message in a channel.
    `asked_role_id` is the role that may be asked for players, `asked_at` when it was last. At most
    `most_tables` tables may be open at once, and a person may sit at `most_each` of them. Tables are
    opened in the channels of `open_in` (a JSON list of ids; empty: in all), by members of the role
    `open_role_id` (None: by everybody), with computer players only where `computers` allows them,
    and with hints only where `hints` does. `removed_at` is when the server removed the bot, where it has.

    With `daily` the deal of the day is posted in a channel at an hour of the `zone`; it is of one of the
    `daily_games` (a JSON list of slugs; empty: of any).
    """

    guild_id: int
    admin_role_id: int | None = None
    place: str = "threads"
    pace: str = "daily"
    forbidden_paces: str = "[]"
    when_late: str = "others"
    board_channel_id: int | None = None
    board_message_id: int | None = None
    asked_role_id: int | None = None
    asked_at: float | None = None
    most_tables: int | None = None
    most_each: int | None = None
    rated: bool = True
    rate_computers: bool = False
    removed_at: float | None = None
    open_in: str = "[]"
    open_role_id: int | None = None
    computers: bool = True
    hints: bool = True
    daily: bool = False
    daily_channel_id: int | None = None
    daily_hour: int = 9
    daily_games: str = "[]"
    zone: str = "UTC"


class PersonRow(msgspec.Struct, frozen=True):
    """How one person wants to be called and when not; who has set nothing has no row.

    `notices` is ``thread``, ``dm``, ``both`` or ``none``; quiet hours are minutes of the day in `zone`;
    `absences` is a JSON list of holidays, each from an instant until another; `digest_at` is when the next
    digest is due, `digested_at` until when the last one has told. With `daily` the deal of the day is
    told. With `in_words` boards are described instead of drawn.
    """

    user_id: int
    notices: str = "thread"
    reminders: bool = True
    hands: bool = True
    zone: str = "UTC"
    quiet_begins: int | None = None
    quiet_ends: int | None = None
    digest_hour: int | None = None
    digest_at: float | None = None
    digested_at: float | None = None
    away_note: str = ""
    absences: str = "[]"
    hidden: bool = False
    daily: bool = False
    in_words: bool = False


class Retimed(msgspec.Struct, frozen=True):
    """What follows at a person's tables from what they have set, written with it.

    Time is looked at again `at` this instant at the tables of `due`, and the posts of those in `shown`
    are brought up to date. What of `kinds` waits until the person may be written to, waits until `told_at`.
    """

    due: tuple[int, ...]
    shown: tuple[tuple[int, int], ...]
    kinds: tuple[str, ...]
    at: float
    told_at: float


class TurnRow(msgspec.Struct, frozen=True):
    """A table that is being played, as who sits there looks for a turn. `owing` and `clocks` are JSON."""

    id: int
    guild_id: int
    game: str
    version: int
    owing: str
    clocks: str
    pace: str
    paused_at: float | None
    seat: int


class NoteRow(msgspec.Struct, frozen=True):
    """What a person has written down for themselves about a table."""

    table_id: int
    user_id: int
    text: str

    def __repr__(self) -> str:
        return f"NoteRow(table_id={self.table_id}, user_id={self.user_id})"


class InvitationRow(msgspec.Struct, frozen=True):
    """That a person is invited to a table: by whom and when; None where they looked for a game themselves."""

    table_id: int
    user_id: int
    by_id: int | None = None
    at: float | None = None


class WishRow(msgspec.Struct, frozen=True):
    """That a person would play a game in a server, at some paces (a JSON list of names; empty: any)."""

    guild_id: int
    user_id: int
    game: str
    name: str
    paces: str
    at: float


class CupRow(msgspec.Struct, frozen=True):
    """One cup: a small tournament in a channel, whose post is the message. `options` is JSON.

    At most `most` take part, `size` at a table (None: not settled yet). A round takes `days` at most, where
    that is given; the one that is played is `round`, from 1 on, and began at `began_at`. `announced` is
    whether everybody has been told who won.
    """

    id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    game: str
    options: str
    most: int
    size: int | None
    pace: str
    days: int | None
    phase: str
    round: int
    began_at: float | None
    host_id: int
    created_at: float
    announced: bool = False


class CupPlayerRow(msgspec.Struct, frozen=True):
    """Who takes part in a cup, in the order of their numbers, and whether they have dropped out of it."""

    cup_id: int
    user_id: int
    name: str
    number: int
    dropped: bool = False


class CupTableRow(msgspec.Struct, frozen=True):
    """One table of a round of a cup, opened or not yet.

    `seats` is a JSON list of the people who are to sit there, null for a computer. Once the game has ended,
    `places` is a JSON list of what place each seat has come to (empty: it had no result), and `seats` holds
    only those people who had theirs to the end.
    """

    cup_id: int
    round: int
    pod: int
    seats: str
    table_id: int | None = None
    places: str | None = None


class ResultRow(msgspec.Struct, frozen=True):
    """What happened to one person at a finished table where they sat when it began.

    `kind` is ``versus``, ``coop`` or ``solo``; `options` (JSON) are those that were played. `place` is that
    among all `seats`, None in a team and alone; who has not `stayed` is placed last. `won` is a team's,
    `score` as the game keeps one. `turns` of theirs took so many `seconds` together. `counts`: for the
    ratings, or among the best results. `before` and `after` are the ratings as they are shown, of a versus
    game that counts.
    """

    table_id: int
    user_id: int
    guild_id: int
    game: str
    kind: str
    options: str
    name: str
    seats: int
    stayed: bool
    counts: bool
    place: int | None
    won: bool | None
    score: int | None
    turns: int
    seconds: float
    ended_at: float
    before: int | None = None
    after: int | None = None


class RatingRow(msgspec.Struct, frozen=True):
    """How good one person is at a game among those of a server: OpenSkill's `mu` and `sigma`.

    `rating` is what is shown of them; `recent` is a JSON list of it before the last games and after each.
    """

    guild_id: int
    game: str
    user_id: int
    name: str
    mu: float
    sigma: float
    rating: int
    games: int = 0
    wins: int = 0
    recent: str = "[]"


class RankedRow(msgspec.Struct, frozen=True):
    """A line of a leaderboard; `rank` counts only those who are shown."""

    rank: int
    user_id: int
    name: str
    sigma: float
    rating: int
    games: int
    wins: int
    recent: str


class BestRow(msgspec.Struct, frozen=True):
    """What one person has achieved with the same options alone or in a team."""

    options: str
    user_id: int
    name: str
    games: int
    wins: int
    score: int | None


class TallyRow(msgspec.Struct, frozen=True):
    """How many games of a sort have ended alike for one person, and how long their turns in them took.

    `score` is the highest of them, as far as the game keeps one.
    """

    game: str
    kind: str
    counts: bool
    place: int | None
    won: bool | None
    games: int
    score: int | None
    turns: int
    seconds: float


class OpponentRow(msgspec.Struct, frozen=True):
    """How one person did against another: in how many games they came before them, or after them."""

    user_id: int
    name: str
    games: int
    won: int
    lost: int


class DailyDealRow(msgspec.Struct, frozen=True):
    """The deal of a day (like ``2026-11-23``) in a game: its level's name, seats, options (JSON), secrets."""

    day: str
    game: str
    level: str
    seats: int
    options: str
    seed: str
    salt: str

    def __repr__(self) -> str:
        return f"DailyDealRow(day={self.day!r}, game={self.game!r})"


class DailyPlayRow(msgspec.Struct, frozen=True):
    """One person's play of a deal of the day, at a table; of the user 0, that of the strong computer.

    `attempt` is 0 for the one that counts, and 1 for what is played for oneself. Once it has ended
    (`ended_at`), `rank` says how good it was, higher is better, and `said` the same in words; None where it
    was given up. It `counts` if it was finished before its day ended.
    """

    user_id: int
    day: str
    game: str
    attempt: int
    table_id: int
    name: str
    begun_at: float
    ended_at: float | None = None
    rank: int | None = None
    said: str = ""
    moves: int = 0
    seconds: float = 0.0
    signs: str = ""
    counts: bool = False


class DailyPostRow(msgspec.Struct, frozen=True):
    """The post of a day in a server: what is dealt there, and where it stands once it was sent.

    `closed_at` is when its results came. One that is `stale` shows somebody who was erased since.
    `claimed_at` is when a process began to send it.
    """

    guild_id: int
    day: str
    game: str
    channel_id: int
    message_id: int | None = None
    closed_at: float | None = None
    stale: bool = False
    claimed_at: float | None = None


class DailyTryRow(msgspec.Struct, frozen=True):
    """A try at a deal of the day that counted, of somebody who was erased since.

    `mark` is a hash of person, day and game with a salt; both are forgotten when the day is over.
    """

    day: str
    mark: str


class DailyRepeatsRow(msgspec.Struct, frozen=True):
    """The plays that a person has begun for themselves on a day; forgotten when it is over."""

    user_id: int
    day: str
    number: int


class DailyMemberRow(msgspec.Struct, frozen=True):
    """Whether a person was a member of a server when that was looked up last."""

    guild_id: int
    user_id: int
    member: bool
    checked_at: float


class DailyPointsRow(msgspec.Struct, frozen=True):
    """What a person has won on a day in a server: the place among all who finished, and its points."""

    guild_id: int
    day: str
    user_id: int
    name: str
    place: int
    points: int


class DailyNoticeRow(msgspec.Struct, frozen=True):
    """That a person is told of the deal of a day, from an instant on; `sent` once that is done with."""

    user_id: int
    day: str
    guild_id: int
    due_at: float
    sent: bool = False


class AuditRow(msgspec.Struct, frozen=True):
    """One administrator's action; `detail` is JSON, in rows of old versions a few plain words."""

    guild_id: int
    table_id: int | None
    actor_id: int
    action: str
    detail: str
    at: float


class Guard(Protocol):
    """Something that must hold where a change is written; see `db.guards`."""

    def locks(self) -> Sequence[int]:
        """Return the numbers of servers and people it is about; who holds their locks decides alone."""

    def check(self, connection: Any) -> None:
        """Raise an error if it doesn't hold."""


class Change(msgspec.Struct, frozen=True):
    """One or more steps of one table, written whole or not at all.

    `seen` is the version that the first step was made from; the last action's version becomes the
    table's. `columns` are new values for the table's row. `snapshot` is the state after the last
    step, `earlier` are states after earlier ones, by version. `seats`, when given, replaces every seat.
    `outbox` holds (kind, target, fresh, due_at). Without actions the table keeps its version: time has
    passed, and nothing that counts has happened. `told` is what other
    processes are told of it, if anything. `recounts`: its game has ended by it, or goes on after its
    end, so that what follows from its result is to be worked out. `opens` is another table that is opened
    in the same transaction; its number becomes the payload of the last action. `guards` are counted in the
    transaction; if one is reached, nothing is written. `ticks` are the changes by time that were seen; None
    doesn't ask.
    """

    table_id: int
    seen: int
    columns: dict[str, Any]
    actions: tuple[ActionRow, ...]
    snapshot: bytes | None = None
    seats: tuple[SeatRow, ...] | None = None
    outbox: tuple[tuple[str, int, bool, float], ...] = ()
    earlier: tuple[tuple[int, bytes], ...] = ()
    recounts: bool = False
    told: str = ""
    opens: tuple[TableRow, tuple[SeatRow, ...]] | None = None
    guards: tuple[Guard, ...] = ()
    ticks: int | None = None

    @property
    def version(self) -> int:
        """The table's version when the change is written."""
        return self.actions[-1].version if self.actions else self.seen

    def __repr__(self) -> str:
        return f"Change(table_id={self.table_id}, seen={self.seen}, version={self.version})"
