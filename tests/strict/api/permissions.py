"""Computes somebody's permissions in a channel as Discord does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.strict.api.errors import MISSING_ACCESS, MISSING_PERMISSIONS, Refusal

if TYPE_CHECKING:
    from tests.strict.api.world import StrictChannel, StrictGuild, StrictWorld

ADMINISTRATOR, MANAGE_CHANNELS, MANAGE_GUILD = 1 << 3, 1 << 4, 1 << 5
VIEW, SEND, MANAGE_MESSAGES, EMBED_LINKS, ATTACH, HISTORY = (
    1 << 10,
    1 << 11,
    1 << 13,
    1 << 14,
    1 << 15,
    1 << 16,
)
MENTION_EVERYONE = 1 << 17
USE_COMMANDS, MANAGE_THREADS, PUBLIC_THREADS = 1 << 31, 1 << 34, 1 << 35
SEND_IN_THREADS = 1 << 38
ALL = (1 << 50) - 1
EVERYONE = VIEW | SEND | EMBED_LINKS | ATTACH | HISTORY | USE_COMMANDS | PUBLIC_THREADS | SEND_IN_THREADS
BOT = VIEW | SEND | ATTACH | HISTORY | PUBLIC_THREADS | SEND_IN_THREADS
"""Permissions that the bot's invite link asks for."""


def permissions(world: StrictWorld, channel: StrictChannel, user_id: int) -> int:
    """Return what somebody may do in a channel; in a DM everything."""
    if channel.guild_id is None:
        return ALL if user_id in (*channel.recipients, world.bot.id) else 0
    guild = world.guilds[channel.guild_id]
    if user_id not in guild.members:
        return 0
    base = _base(guild, user_id)
    if base & ADMINISTRATOR:
        return ALL
    place = channel if channel.parent_id is None else world.channels.get(channel.parent_id, channel)
    allowed = _overwritten(place, guild, user_id, base)
    return allowed if allowed & VIEW else 0


def _base(guild: StrictGuild, user_id: int) -> int:
    if user_id == guild.owner_id:
        return ALL
    base = guild.roles[guild.id].permissions
    for role_id in guild.members[user_id]:
        base |= guild.roles[role_id].permissions
    return base


def _overwritten(channel: StrictChannel, guild: StrictGuild, user_id: int, base: int) -> int:
    """Apply a channel's overwrites: everyone's, then all roles', then the member's."""
    roles = set(guild.members[user_id])
    groups = (
        [one for one in channel.overwrites if one.target_id == guild.id],
        [one for one in channel.overwrites if one.is_role and one.target_id in roles],
        [one for one in channel.overwrites if not one.is_role and one.target_id == user_id],
    )
    for group in groups:
        allow = deny = 0
        for one in group:
            allow, deny = allow | one.allow, deny | one.deny
        base = base & ~deny | allow
    return base


def require_permissions(world: StrictWorld, channel: StrictChannel, *needed: int) -> None:
    """Raise Refusal: 50001 without View Channel, 50013 without another permission."""
    held = permissions(world, channel, world.bot.id)
    if not held & VIEW:
        raise Refusal(*MISSING_ACCESS)
    if any(not held & one for one in needed):
        raise Refusal(*MISSING_PERMISSIONS)
