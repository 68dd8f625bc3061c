"""What an action requires of a table; refusals say what to do instead."""

from collections.abc import Iterable

from engines.game import Seat
from tables.core.history import MOVES, EntryKind
from tables.core.table import Imported, Phase, Refused, Table

ALONE = MOVES | {EntryKind.UNDO, EntryKind.RESIGN, EntryKind.CLOSE}
"""Entries allowed at a table for the deal of the day, and in a study."""

PLAYERS_ONLY = "Only players at this table can do that."
NOT_PLAYING = "You don't play at this table."
NOT_SEATED = "They've left that seat."
NOT_BEGUN = "The game hasn't begun yet."


def require_player(table: Table, user_id: int, why: str = PLAYERS_ONLY) -> Seat:
    """Return a person's seat. Raise Refused with `why` for anybody else."""
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused(why)
    return seat


def require_open(table: Table) -> None:
    """Raise Refused unless the table is in its lobby or in play."""
    match table.phase:
        case Phase.OVER:
            raise Refused(f"Table {table.id} is finished. `/help` shows how to open a new one.")
        case Phase.CLOSED:
            raise Refused(f"Table {table.id} was closed. `/help` shows how to open a new one.")
        case Phase.EXPIRED:
            raise Refused(
                f"Table {table.id} was closed because nobody joined for a week. "
                "Anyone who sat there can press **Open it again** on its card."
            )


def require_lobby(table: Table) -> None:
    """Raise Refused unless the table is in its lobby."""
    require_open(table)
    if table.phase is not Phase.LOBBY:
        raise Refused("The game has already begun, so the lobby is closed.")


def require_play(table: Table) -> None:
    """Raise Refused unless a game is running."""
    require_open(table)
    if table.phase is not Phase.PLAY:
        raise Refused(f"Table {table.id} hasn't begun. The host starts it with **Start** or `/table start`.")


def require_playable(table: Table) -> None:
    """Raise Refused unless a game is running or has ended by its rules."""
    if table.phase is not Phase.OVER:
        return require_play(table)
    if isinstance(table.origin, Imported):
        raise Refused("Nobody here played this game, so there's nothing to undo.")


def require_going(table: Table) -> None:
    """Raise Refused while a table is paused."""
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        if table.held:
            raise Refused(f"An admin paused the table{until}. Only an admin can end the pause.")
        raise Refused(
            f"The table is paused{until}. Press **Go on** under its last post to end the pause for everyone."
        )


def require_alone(table: Table, kinds: Iterable[str]) -> None:
    """Raise Refused for anything but playing where people play alone."""
    if table.study is not None and not ALONE.issuperset(kinds):
        raise Refused("You can't do that here: you try this position alone, and nothing counts.")
    if table.day is not None and not ALONE.issuperset(kinds):
        raise Refused(
            "You can't do that in the deal of the day: you play it alone. `/daily play` opens yours."
        )
