"""Rows of servers: their settings, outages and administrators' actions."""

import msgspec


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
