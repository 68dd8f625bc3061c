"""Plain rows of every subject, as the database keeps them."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec


class CupRow(msgspec.Struct, frozen=True):
    """One cup: a small tournament in a channel, with its post. `options` is JSON.

    At most `most` people play, `size` at a table (None: not settled yet). A round takes `days` at most, if
    given; `round` is the current one, from 1 on, begun at `began_at`. `announced` is True once the winner is
    announced.
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
    """A player of a cup, by number, and if they have dropped out."""

    cup_id: int
    user_id: int
    name: str
    number: int
    dropped: bool = False


class CupTableRow(msgspec.Struct, frozen=True):
    """One table of a round of a cup, opened or not yet.

    `seats` is a JSON list of the people who play, null for a computer. After the game, `places` is a JSON
    list of each seat's place (empty: no result), and `seats` holds only people who stayed to the end.
    """

    cup_id: int
    round: int
    pod: int
    seats: str
    table_id: int | None = None
    places: str | None = None


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
    """A person's play of a deal of the day, at a table; user 0 is the strong computer.

    `attempt` is 0 for the one that counts, and 1 for a play for oneself. After the end (`ended_at`), `rank`
    says how good it was, higher is better, and `said` the same in words; None if given up. It `counts` if it
    was finished before its day ended.
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
    """A server's post of a day: the game, and the message once it is sent.

    `closed_at` is the time of its results. A `stale` one shows an erased person. `claimed_at` is the time at
    which a process began to send it.
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
    """An erased person's try at a deal of the day that counted.

    `mark` is a salted hash of person, day and game; both are forgotten when the day is over.
    """

    day: str
    mark: str


class DailyRepeatsRow(msgspec.Struct, frozen=True):
    """The plays for themselves that a person has begun on a day; forgotten when it is over."""

    user_id: int
    day: str
    number: int


class DailyMemberRow(msgspec.Struct, frozen=True):
    """A person's membership of a server, as last looked up."""

    guild_id: int
    user_id: int
    member: bool
    checked_at: float


class DailyPointsRow(msgspec.Struct, frozen=True):
    """A person's points of a day in a server, and the place among all who finished."""

    guild_id: int
    day: str
    user_id: int
    name: str
    place: int
    points: int


class DailyNoticeRow(msgspec.Struct, frozen=True):
    """A notice to a person about the deal of a day, due at an instant; `sent` once it is finished with."""

    user_id: int
    day: str
    guild_id: int
    due_at: float
    sent: bool = False


class PersonRow(msgspec.Struct, frozen=True):
    """The settings of one person; a person without settings has no row.

    `notices` is ``thread``, ``dm``, ``both`` or ``none``; quiet hours are minutes of the day in `zone`;
    `absences` are holidays, each with a beginning and an end; `digest_at` is the time of the
    next digest, `digested_at` the end of what the last one covered. With `daily` the bot tells the person of
    the deal of the day. With `in_words` boards are described instead of drawn, else in the `theme`. With
    `confirms` they see a typed move before it ends a turn or can't be undone. `offers` are the instants at
    which they were last sent offers of seats. With `always_called` a post mentions them even if they have
    just pressed something there.
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
    absences: tuple[tuple[float, float], ...] = ()
    hidden: bool = False
    daily: bool = False
    in_words: bool = False
    theme: str = "light"
    confirms: bool = True
    offers: tuple[float, ...] = ()
    always_called: bool = False


class SettingsEffects(msgspec.Struct, frozen=True):
    """Changes at a person's tables that are written with their settings.

    Time is checked `at` an instant at the tables of `due`, and the posts of those in `shown` are updated.
    Posts of `kinds` that wait for the person wait until `told_at`.
    """

    due: tuple[int, ...]
    shown: tuple[tuple[int, int], ...]
    kinds: tuple[str, ...]
    at: float
    told_at: float


class InvitationRow(msgspec.Struct, frozen=True):
    """An invitation to a table, with inviter and time; both None after a match of wishes."""

    table_id: int
    user_id: int
    by_id: int | None = None
    at: float | None = None


class WishRow(msgspec.Struct, frozen=True):
    """A person's wish to play a game in a server, at some paces (empty: any).

    `wants` says with whom: see `tables.lobby.looking.Want`.
    """

    guild_id: int
    user_id: int
    game: str
    name: str
    paces: tuple[str, ...]
    at: float
    wants: tuple[str, ...] = ()


class WaitRow(msgspec.Struct, frozen=True):
    """The seconds from somebody's wish for a game until enough people wanted the same."""

    guild_id: int
    game: str
    at: float
    seconds: float


class StudyRow(msgspec.Struct, frozen=True):
    """A private table on which a person tries a position, and the table that the position comes from.

    `source_id` is 0 for a puzzle.
    """

    table_id: int
    user_id: int
    kind: str
    source_id: int
    begun_at: float


class PuzzleTryRow(msgspec.Struct, frozen=True):
    """A person's first try at a puzzle of a game, on a day: with success or not, with a hint or not.

    `solved_on` is the day on which they solved it, at whichever try; None if they haven't.
    """

    user_id: int
    game: str
    puzzle: str
    day: str
    solved: bool
    hinted: bool = False
    solved_on: str | None = None


class PuzzleHintRow(msgspec.Struct, frozen=True):
    """A hint that a person has taken at a puzzle that they haven't tried yet."""

    user_id: int
    game: str
    puzzle: str


class PuzzlePlayerRow(msgspec.Struct, frozen=True):
    """A person's rating in the puzzles of a game, and how many they have tried and solved."""

    user_id: int
    game: str
    mu: float
    sigma: float
    tried: int = 0
    solved: int = 0


class PuzzleLevelRow(msgspec.Struct, frozen=True):
    """A puzzle's level as people's first tries have moved it."""

    game: str
    puzzle: str
    mu: float
    sigma: float
    tried: int = 0
    solved: int = 0


class ResultRow(msgspec.Struct, frozen=True):
    """A person's result at a finished table where they sat from the beginning.

    `kind` is ``versus``, ``coop`` or ``solo``; `options` (JSON) are the game's. `place` counts among all
    `seats`, None in a team and alone; a person who has not `stayed` is last. `won` is a team's, `score` the
    game's. Their `turns` took `seconds` together. `counts`: for the ratings, or among the best results.
    `before` and `after` are displayed ratings, of a versus game that counts.
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


class ComputerGameRow(msgspec.Struct, frozen=True):
    """A person's place in a finished game against computers of one strength, among all `seats`."""

    place: int
    seats: int
    strength: str


class RatingRow(msgspec.Struct, frozen=True):
    """A person's skill at a game in a server: OpenSkill's `mu` and `sigma`.

    `rating` is the displayed number; `recent` holds it before the last games and after each.
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
    recent: tuple[int, ...] = ()


class RankedRow(msgspec.Struct, frozen=True):
    """A line of a leaderboard; `rank` counts visible people only."""

    rank: int
    user_id: int
    name: str
    sigma: float
    rating: int
    games: int
    wins: int
    recent: tuple[int, ...]


class BestRow(msgspec.Struct, frozen=True):
    """A person's best with the same options, alone or in a team."""

    options: str
    user_id: int
    name: str
    games: int
    wins: int
    score: int | None


class DailySum(msgspec.Struct, frozen=True):
    """A person's points in a server: the sum, the days, and the first places."""

    user_id: int
    name: str
    points: int
    days: int
    firsts: int


class TallyRow(msgspec.Struct, frozen=True):
    """Number of games of a kind that ended alike for a person, and their time to move.

    `score` is the highest of them, if the game keeps one.
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
    """A person's record against another: games finished ahead of them, and behind them."""

    user_id: int
    name: str
    games: int
    won: int
    lost: int


class OutageRow(msgspec.Struct, frozen=True):
    """An outage: the bot was away from the servers of one of `count` shards; of a count of one, from all."""

    begin: float
    end: float
    shard: int = 0
    count: int = 1


class ServerSettings(msgspec.Struct, frozen=True):
    """Settings of one server: administrators, places of tables, clocks of new ones.

    The notice board is a message in a channel. `asked_role_id` is the role that can be asked for players,
    `asked_at` the last time. At most `most_tables` tables are open at once, and a person sits at `most_each`
    of them. Tables are opened in the channels of `open_in` (empty: in all), by members of the role
    `open_role_id` (None: by everybody), with computer players only if `computers` allows them, and with hints
    only if `hints` does. `removed_at` is the time at which the server removed the bot.

    With `daily` the deal of the day is posted in a channel at an hour of the `zone`; it is one of the
    `daily_games` (empty: of any). With `daily_puzzle` its post offers a puzzle, too. Pictures in posts are in
    the `theme`.
    """

    guild_id: int
    admin_role_id: int | None = None
    place: str = "threads"
    pace: str = "daily"
    forbidden_paces: tuple[str, ...] = ()
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
    open_in: tuple[int, ...] = ()
    open_role_id: int | None = None
    computers: bool = True
    hints: bool = True
    daily: bool = False
    daily_channel_id: int | None = None
    daily_hour: int = 9
    daily_games: tuple[str, ...] = ()
    daily_puzzle: bool = False
    zone: str = "UTC"
    theme: str = "light"


class AuditRow(msgspec.Struct, frozen=True):
    """One administrator's action; `detail` is JSON."""

    guild_id: int
    table_id: int | None
    actor_id: int
    action: str
    detail: str
    at: float


LARGEST_NUMBER = 2**31 - 1
"""The largest number of a table or a cup; PostgreSQL wouldn't even look for a larger one."""


class TableRow(msgspec.Struct, frozen=True):
    """One table. `options`, `owing`, `deal`, `outcome`, `clocks`, `proposal` and `origin` are JSON.

    Times are seconds since 1970; `due_at` is the next instant at which time changes the table.
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
    finishers: int = 0
    plans: str = "[]"
    standing: str = "[]"

    def __repr__(self) -> str:
        return f"TableRow(id={self.id}, game={self.game!r}, phase={self.phase!r}, version={self.version})"


class SeatRow(msgspec.Struct, frozen=True):
    """The occupant of a seat: a person (`user_id`) or a computer (`strength`), perhaps for a person."""

    seat: int
    user_id: int | None
    name: str
    strength: str | None
    kept_for: int | None = None


class ActionRow(msgspec.Struct, frozen=True):
    """One entry of a table's history: the state of `version` was made from the state of `base`.

    `beat` is the beat of a step; None in other entries and old steps.
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


class EntryHeader(msgspec.Struct, frozen=True):
    """An entry of a history without its content."""

    version: int
    base: int
    kind: str
    seat: int | None
    at: float
    beat: int | None
    actor_id: int | None = None


class OutboxRow(msgspec.Struct, frozen=True):
    """Something still to be posted: `kind` to `target`, at least as new as `version`.

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
    """A seat's draft (`payload`, JSON) in the moment `version` of its table."""

    table_id: int
    seat: int
    version: int
    payload: str

    def __repr__(self) -> str:
        return f"DraftRow(table_id={self.table_id}, seat={self.seat}, version={self.version})"


class TurnRow(msgspec.Struct, frozen=True):
    """A running table, for a person who looks for their turn. `owing` and `clocks` are JSON."""

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
    """A person's private note about a table."""

    table_id: int
    user_id: int
    text: str

    def __repr__(self) -> str:
        return f"NoteRow(table_id={self.table_id}, user_id={self.user_id})"


class Guard(Protocol):
    """A condition that must hold when a change is written; see `db.access`.

    >>> from db.access import CupQuota
    >>> CupQuota(guild_id=7, phases=("play",), most=10).locks()
    (7,)
    """

    def locks(self) -> Sequence[int]:
        """Return the servers and people that it is about. Their locks make it exclusive."""

    def check(self, connection: Any) -> None:
        """Raise an error if it doesn't hold."""


class TableWrite(msgspec.Struct, frozen=True):
    """One or more steps of one table, written whole or not at all.

    `seen` is the version before the first step; the last action's version becomes the table's. `columns` are
    new values for the table's row. `snapshot` is the state after the last step, `earlier` are states after
    earlier ones, by version. `seats`, if given, replaces every seat. `outbox` holds (kind, target, fresh,
    due_at). Without actions the table keeps its version: only time has passed. `told` is the notice to other
    processes, if any. `recounts`: the game ends, or goes on after its end, so its results are worked out.
    `opens` is another table opened in the same transaction; its number becomes the payload of the last
    action. `guards` are checked in the transaction; if one fails, nothing is written. `ticks` are the
    changes by time that were seen; None doesn't check them.
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
        return self.actions[-1].version if self.actions else self.seen

    def __repr__(self) -> str:
        return f"TableWrite(table_id={self.table_id}, seen={self.seen}, version={self.version})"
