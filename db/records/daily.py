"""Rows of the deal of the day."""

import msgspec


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
