"""Rows of cups."""

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
