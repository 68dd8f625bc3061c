"""Rows of people: their settings, and whom they look for to play with."""

import msgspec


class PersonRow(msgspec.Struct, frozen=True):
    """The settings of one person; a person without settings has no row.

    `notices` is ``thread``, ``dm``, ``both`` or ``none``; quiet hours are minutes of the day in `zone`;
    `absences` are holidays, each with a beginning and an end; `digest_at` is the time of the
    next digest, `digested_at` the end of what the last one covered. With `daily` the bot tells the person of
    the deal of the day. With `in_words` boards are described instead of drawn, else in the `theme`. With
    `confirms` they see a typed move before it ends a turn or can't be undone. `offers` are the instants at
    which they were last sent offers of seats.
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

    `wants` says with whom: see `tables.lobby.matching.Want`.
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
