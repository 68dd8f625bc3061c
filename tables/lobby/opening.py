"""Who can open tables in a server, and where: its administrators' rules for everybody but them."""

from collections.abc import Collection

from db.records.servers import ServerSettings
from tables.core.table import Refused


def channels(settings: ServerSettings) -> list[int]:
    """Return the channels in which tables can be opened; empty for all."""
    return list(settings.open_in)


def require_opening(settings: ServerSettings, channel_id: int, roles: Collection[int]) -> None:
    """Raise Refused if nobody with these roles can open a table in a channel.

    >>> require_opening(ServerSettings(1, open_in=(2,), open_role_id=3), 2, [3, 4])
    """
    role = settings.open_role_id
    if role is not None and role not in roles:
        raise Refused(f"Only members of <@&{role}> can open tables here. You can join theirs.")
    allowed = channels(settings)
    if allowed and channel_id not in allowed:
        places = " or ".join(f"<#{channel}>" for channel in allowed)
        raise Refused(f"You can't open tables in this channel. Open yours in {places}.")


def require_computers(settings: ServerSettings) -> None:
    """Raise Refused if a server forbids computer players."""
    if not settings.computers:
        raise Refused("Computer players are off in this server. Invite someone with `/table invite`.")
