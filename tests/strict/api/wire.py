"""Writes users, servers, channels, messages and interactions as Discord's JSON."""

from tests.strict.api.errors import Json
from tests.strict.api.permissions import permissions
from tests.strict.api.world import (
    DM,
    FORUM,
    HAS_THREAD,
    File,
    Interaction,
    Message,
    StrictChannel,
    StrictGuild,
    StrictWorld,
    User,
)

CDN = "https://cdn.discordapp.com/attachments"
MEDIA = "https://media.discordapp.net/attachments"


def user(one: User) -> Json:
    return {
        "id": str(one.id),
        "username": one.name,
        "discriminator": "0",
        "global_name": None if one.bot else one.display,
        "avatar": None,
        "bot": one.bot,
        "public_flags": 0,
        "flags": 0,
    }


def application(world: StrictWorld) -> Json:
    return {
        "id": str(world.application_id),
        "name": world.bot.display,
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": user(world.operator),
        "bot": user(world.bot),
        "team": None,
        "approximate_guild_count": len(world.guilds),
        "integration_types_config": {"0": {}},
    }


def member(world: StrictWorld, guild: StrictGuild, user_id: int) -> Json:
    return {
        "user": user(world.users[user_id]),
        "nick": None,
        "avatar": None,
        "roles": [str(role_id) for role_id in guild.members[user_id]],
        "joined_at": world.stamp(world.now()),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
    }


def channel(world: StrictWorld, one: StrictChannel) -> Json:
    """Return a channel, a thread or a DM."""
    data: Json = {"id": str(one.id), "type": one.type, "flags": 0}
    last = max(one.messages, default=None)
    data["last_message_id"] = None if last is None else str(last)
    if one.type == DM:
        return {**data, "recipients": [user(world.users[number]) for number in one.recipients]}
    data |= {"guild_id": str(one.guild_id), "name": one.name, "rate_limit_per_user": 0}
    data["parent_id"] = None if one.parent_id is None else str(one.parent_id)
    if one.is_thread:
        return {**data, **_thread(world, one)}
    overwrites = [
        {"id": str(o.target_id), "type": int(not o.is_role), "allow": str(o.allow), "deny": str(o.deny)}
        for o in one.overwrites
    ]
    data |= {"position": 0, "permission_overwrites": overwrites, "nsfw": False, "topic": None}
    if one.type == FORUM:
        data |= {"available_tags": [], "default_reaction_emoji": None}
    return {**data, "bitrate": 64000, "user_limit": 0, "rtc_region": None}


def _thread(world: StrictWorld, one: StrictChannel) -> Json:
    return {
        "owner_id": str(one.owner_id),
        "message_count": len(one.messages),
        "member_count": 1,
        "total_message_sent": len(one.messages),
        "thread_metadata": {
            "archived": one.archived,
            "auto_archive_duration": one.archives_after,
            "archive_timestamp": world.stamp(one.created),
            "locked": one.locked,
            "create_timestamp": world.stamp(one.created),
        },
    }


def role(guild: StrictGuild, role_id: int) -> Json:
    one = guild.roles[role_id]
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": one.mentionable,
        "flags": 0,
    }


def guild(world: StrictWorld, one: StrictGuild) -> Json:
    """Return a server without its channels and members."""
    return {
        "id": str(one.id),
        "name": one.name,
        "owner_id": str(one.owner_id),
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "preferred_locale": "en-US",
        "system_channel_id": None if one.system_channel_id is None else str(one.system_channel_id),
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "vanity_url_code": None,
        "application_id": None,
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [role(one, number) for number in sorted(one.roles)],
        "premium_progress_bar_enabled": False,
    }


def guild_create(world: StrictWorld, one: StrictGuild) -> Json:
    """Return GUILD_CREATE; without the members intent, the bot is its only member."""
    seen = [
        place for place in world.threads(one.id) if permissions(world, place, world.bot.id)
    ]  # Discord names no thread that the bot can't see.
    return {
        **guild(world, one),
        "joined_at": world.stamp(world.now()),
        "large": False,
        "unavailable": False,
        "member_count": len(one.members),
        "members": [member(world, one, world.bot.id)],
        "channels": [channel(world, place) for place in world.channels_of(one.id)],
        "threads": [channel(world, thread) for thread in seen],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def file_url(channel_id: int, one: File, base: str = CDN) -> str:
    return f"{base}/{channel_id}/{one.id}/{one.name}?ex=70000000&is=6fffffff&hm={'0' * 64}&"


def attachment(channel_id: int, one: File) -> Json:
    data: Json = {
        "id": str(one.id),
        "filename": one.name,
        "size": len(one.data),
        "url": file_url(channel_id, one),
        "proxy_url": file_url(channel_id, one, MEDIA),
        "content_type": one.content_type,
    }
    if one.description is not None:
        data["description"] = one.description
    if one.size is not None:
        data["width"], data["height"] = one.size
    return data


def media(channel_id: int, one: File) -> Json:
    """Return a media item that shows a file of its message."""
    width, height = one.size or (None, None)
    return {
        "id": str(one.id),
        "attachment_id": str(one.id),
        "url": file_url(channel_id, one),
        "proxy_url": file_url(channel_id, one, MEDIA),
        "content_type": one.content_type,
        "width": width,
        "height": height,
        "placeholder": None,
        "placeholder_version": 1,
        "loading_state": 2,
        "flags": 0,
    }


def message(world: StrictWorld, one: Message) -> Json:
    """Return a message; files that its components show aren't among its attachments."""
    place = world.channels[one.channel_id]
    listed = [number for number in one.files if number not in one.shown]
    data: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel_id),
        "author": user(world.users[one.author_id]),
        "content": one.content,
        "timestamp": world.stamp(one.created),
        "edited_timestamp": None if one.edited is None else world.stamp(one.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(world.users[number]) for number in sorted(one.pings) if number in world.users],
        "mention_roles": [],
        "attachments": [attachment(one.channel_id, one.files[number]) for number in listed],
        "embeds": one.embeds,
        "components": one.components,
        "pinned": False,
        "type": one.type,
        "flags": one.flags,
    }
    if one.nonce is not None:
        data["nonce"] = one.nonce
    if place.guild_id is not None:
        data["guild_id"] = str(place.guild_id)
    if one.id in world.channels:
        data["thread"] = channel(world, world.channels[one.id])
        data["flags"] |= HAS_THREAD
    if one.interaction is not None:
        data |= {"interaction_metadata": one.interaction, "webhook_id": str(world.application_id)}
        data["application_id"] = str(world.application_id)
    return data


def owners(guild_id: int | None, user_id: int, *, has_bot: bool, in_bot_dm: bool, installed: bool) -> Json:
    """Return whose installations of the application an interaction comes from."""
    result: Json = {}
    if guild_id is not None and has_bot:
        result["0"] = str(guild_id)
    elif in_bot_dm:
        result["0"] = "0"
    if installed or not result:
        result["1"] = str(user_id)
    return result


def interaction(world: StrictWorld, one: Interaction, *, installed: bool) -> Json:
    place = world.channels[one.channel_id]
    person = world.users[one.user_id]
    server = None if one.guild_id is None else world.guilds[one.guild_id]
    in_bot_dm = place.type == DM and place.recipients == (one.user_id,)
    has_bot = server is not None and server.has_bot
    allowed = str(permissions(world, place, one.user_id))
    data: Json = {
        "id": str(one.id),
        "application_id": str(world.application_id),
        "type": one.type,
        "token": one.token,
        "version": 1,
        "channel_id": str(place.id),
        "channel": {**channel(world, place), "permissions": allowed},
        "app_permissions": str(permissions(world, place, world.bot.id) if has_bot or in_bot_dm else 0),
        "locale": "en-US",
        "entitlements": [],
        "attachment_size_limit": 10 * 1024 * 1024,
        "context": 0 if server is not None else 1 if in_bot_dm else 2,
        "authorizing_integration_owners": owners(
            one.guild_id, one.user_id, has_bot=has_bot, in_bot_dm=in_bot_dm, installed=installed
        ),
        **one.payload,
    }
    if server is None:
        return {**data, "user": user(person)}
    data |= {"guild_id": str(server.id), "guild_locale": "en-US"}
    data["guild"] = {"id": str(server.id), "locale": "en-US", "features": []}
    data["member"] = {**member(world, server, person.id), "permissions": allowed}
    return data
