"""The routes of channels, messages, threads, DMs and servers that the bot uses."""

from collections.abc import Callable

from tests.strict.api import application, errors, interactions, wire
from tests.strict.api.call import Call
from tests.strict.api.errors import Json, Refusal, invalid, require, require_length, unknown
from tests.strict.api.messages import edit, send
from tests.strict.api.permissions import (
    ATTACH,
    HISTORY,
    MANAGE_CHANNELS,
    MANAGE_MESSAGES,
    MANAGE_THREADS,
    PUBLIC_THREADS,
    SEND,
    SEND_IN_THREADS,
    permissions,
    require_permissions,
)
from tests.strict.api.world import (
    ANNOUNCEMENT,
    ANNOUNCEMENT_THREAD,
    DM,
    FORUM,
    PUBLIC_THREAD,
    TEXT,
    Message,
    StrictChannel,
    StrictWorld,
)

Handler = Callable[[Call], "Json | list[Json] | None"]
ARCHIVES_AFTER = (60, 1440, 4320, 10080)
STARTER = 21
"""The message that Discord puts at the top of a message's thread."""


def _place(call: Call, *needed: int) -> StrictChannel:
    """Return the channel of a request. Raises Refusal without a permission."""
    place = call.world.channel(call.number("channel"))
    if place.guild_id is not None:
        call.world.guild(place.guild_id)
        require_permissions(call.world, place, *needed)
    return place


def _may(world: StrictWorld, place: StrictChannel, permission: int) -> bool:
    return bool(permissions(world, place, world.bot.id) & permission)


# Channels and threads


def read_channel(call: Call) -> Json:
    return wire.channel(call.world, _place(call))


def edit_channel(call: Call) -> Json:
    """Edit a thread: archive it, open it again, lock it, rename it."""
    place, body, world = _place(call), call.body, call.world
    if not place.is_thread:
        require_permissions(world, place, MANAGE_CHANNELS)
        raise invalid((), "UNSUPPORTED", "Only threads are edited here")
    manages = _may(world, place, MANAGE_THREADS)
    opens = body.get("archived") is False and set(body) <= {"archived", "auto_archive_duration"}
    owns = place.owner_id == world.bot.id and not body.get("locked")
    free = not place.locked and (owns or opens)
    if not (manages or free):
        raise Refusal(*errors.MISSING_PERMISSIONS)
    if "name" in body:
        require_length(body["name"], ("name",), 1, 100)
    if place.archived and body.get("archived") is False:
        _require_thread_room(world, place)
    elif place.archived:
        raise Refusal(*errors.THREAD_ARCHIVED)
    place.archived, place.locked = body.get("archived", place.archived), body.get("locked", place.locked)
    place.name = body.get("name", place.name)
    world.tell("THREAD_UPDATE", wire.channel(world, place), place.guild_id)
    return wire.channel(world, place)


def delete_channel(call: Call) -> Json:
    """Delete a thread, which takes Manage Threads also of whoever opened it."""
    place, world = _place(call), call.world
    require_permissions(world, place, MANAGE_THREADS if place.is_thread else MANAGE_CHANNELS)
    data = wire.channel(world, place)
    del world.channels[place.id]
    world.tell("THREAD_DELETE" if place.is_thread else "CHANNEL_DELETE", data, place.guild_id)
    return data


def _require_thread_room(world: StrictWorld, place: StrictChannel) -> None:
    """Raise Refusal: 160006 if the server has too many active threads."""
    guild_id = place.guild_id or 0
    if len(world.threads(guild_id)) >= world.guilds[guild_id].thread_limit:
        raise Refusal(*errors.NO_THREAD_ROOM)


def start_message_thread(call: Call) -> Json:
    """Make the thread of a message, which has the message's number."""
    place = _place(call, PUBLIC_THREADS, HISTORY)
    world = call.world
    if place.type not in (TEXT, ANNOUNCEMENT, FORUM):
        raise Refusal(*errors.WRONG_CHANNEL_TYPE)
    one = world.message(place, call.number("message"))
    if one.id in world.channels:
        raise Refusal(*errors.HAS_THREAD)
    require_length(call.body.get("name"), ("name",), 1, 100)
    after = call.body.get("auto_archive_duration", 1440)
    require(
        after in ARCHIVES_AFTER,
        ("auto_archive_duration",),
        errors.CHOICES,
        f"Must be one of {ARCHIVES_AFTER}.",
    )
    if place.locked:
        raise Refusal(*errors.LOCKED)
    kind = ANNOUNCEMENT_THREAD if place.type == ANNOUNCEMENT else PUBLIC_THREAD
    _require_thread_room(world, place)
    thread = world.add_thread(place, call.body["name"], kind, world.bot.id, one.id)
    thread.archives_after = call.body.get("auto_archive_duration", 1440)
    data = wire.channel(world, thread)
    world.tell("THREAD_CREATE", {**data, "newly_created": True}, place.guild_id)
    starter = Message(world.snowflake(), one.id, world.bot.id, world.now(), "", type=STARTER)
    thread.messages[starter.id] = starter
    return data


# Messages


def list_messages(call: Call) -> list[Json]:
    """Return messages, the newest first. There are none without the permission to read the history."""
    place = _place(call)
    if place.guild_id is not None and not _may(call.world, place, HISTORY):
        return []
    limit = int(call.query.get("limit", 50))
    require(1 <= limit <= 100, ("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
    messages = place.public
    if "before" in call.query:
        messages = [one for one in messages if one.id < int(call.query["before"])]
    if "after" in call.query:
        messages = [one for one in messages if one.id > int(call.query["after"])][:limit]
    return [wire.message(call.world, one) for one in reversed(messages[-limit:])]


def read_message(call: Call) -> Json:
    place = _place(call, HISTORY)
    return wire.message(call.world, call.world.message(place, call.number("message")))


def send_message(call: Call) -> Json:
    place = _place(call)
    _require_sending(call, place)
    sent = send(call.world, place, call.body, call.uploads)
    if place.archived:
        place.archived = False
        call.world.tell("THREAD_UPDATE", wire.channel(call.world, place), place.guild_id)
    return wire.message(call.world, sent)


def _require_sending(call: Call, place: StrictChannel) -> None:
    """Raise Refusal if the bot may not send that there."""
    world = call.world
    if place.type == DM:
        refusal = world.users[place.recipients[0]].dm_refusal
        if refusal is not None:
            raise Refusal(*refusal)
        return
    require_permissions(world, place, SEND_IN_THREADS if place.is_thread else SEND)
    if call.uploads:
        require_permissions(world, place, ATTACH)
    _require_unlocked(world, place)
    if place.type == FORUM:
        raise Refusal(*errors.WRONG_CHANNEL_TYPE)


def _require_unlocked(world: StrictWorld, place: StrictChannel) -> None:
    """Raise Refusal: 50013 for a locked thread without Manage Threads."""
    if place.is_thread and place.locked and not _may(world, place, MANAGE_THREADS):
        raise Refusal(*errors.MISSING_PERMISSIONS)


def edit_message(call: Call) -> Json:
    place = _place(call)
    one = call.world.message(place, call.number("message"))
    if one.author_id != call.world.bot.id:
        raise Refusal(*errors.NOT_THE_AUTHOR)
    _require_unlocked(call.world, place)
    if place.archived:
        raise Refusal(*errors.THREAD_ARCHIVED)
    return wire.message(call.world, edit(call.world, one, call.body, call.uploads))


def delete_message(call: Call) -> None:
    place, world = _place(call), call.world
    one = world.message(place, call.number("message"))
    if one.author_id != world.bot.id:
        require_permissions(world, place, MANAGE_MESSAGES)
    del place.messages[one.id]
    data = {"id": str(one.id), "channel_id": str(place.id)}
    world.tell("MESSAGE_DELETE", data, place.guild_id)


# DMs and servers


def open_dm(call: Call) -> Json:
    """Return the DM with a user, even if they take no messages."""
    number = int(call.body["recipient_id"])
    if number not in call.world.users:
        raise Refusal(400, 50033, "Invalid Recipient(s)")
    if call.world.users[number].bot:
        raise Refusal(*errors.DMS_CLOSED)
    return wire.channel(call.world, call.world.dm(number))


def read_guild(call: Call) -> Json:
    return wire.guild(call.world, call.world.guild(call.number("guild")))


def list_channels(call: Call) -> list[Json]:
    """Return the channels of a server, without its threads."""
    guild = call.world.guild(call.number("guild"))
    return [wire.channel(call.world, one) for one in call.world.channels_of(guild.id)]


def read_member(call: Call) -> Json:
    guild = call.world.guild(call.number("guild"))
    if call.number("user") not in guild.members:
        raise unknown("Member")
    return wire.member(call.world, guild, call.number("user"))


def active_threads(call: Call) -> Json:
    world = call.world
    guild = world.guild(call.number("guild"))
    seen = [one for one in world.threads(guild.id) if permissions(world, one, world.bot.id)]
    return {"threads": [wire.channel(world, one) for one in seen], "members": []}


COMMANDS = "/applications/{application}/commands"
EMOJIS = "/applications/{application}/emojis"
MESSAGES = "/channels/{channel}/messages"
WEBHOOK = "/webhooks/{application}/{token}"
ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/users/@me", application.me),
    ("GET", "/applications/@me", application.application),
    ("GET", "/oauth2/applications/@me", application.application),
    ("GET", "/gateway/bot", application.gateway),
    ("GET", COMMANDS, application.list_commands),
    ("PUT", COMMANDS, application.put_commands),
    ("GET", "/applications/{application}/guilds/{guild}/commands", lambda _call: []),
    (
        "GET",
        "/applications/{application}/guilds/{guild}/commands/{command}/permissions",
        application.command_permissions,
    ),
    ("GET", EMOJIS, application.list_emojis),
    ("POST", EMOJIS, application.create_emoji),
    ("POST", "/users/@me/channels", open_dm),
    ("GET", "/channels/{channel}", read_channel),
    ("PATCH", "/channels/{channel}", edit_channel),
    ("DELETE", "/channels/{channel}", delete_channel),
    ("POST", f"{MESSAGES}/{{message}}/threads", start_message_thread),
    ("GET", MESSAGES, list_messages),
    ("POST", MESSAGES, send_message),
    ("GET", f"{MESSAGES}/{{message}}", read_message),
    ("PATCH", f"{MESSAGES}/{{message}}", edit_message),
    ("DELETE", f"{MESSAGES}/{{message}}", delete_message),
    ("GET", "/guilds/{guild}", read_guild),
    ("GET", "/guilds/{guild}/channels", list_channels),
    ("GET", "/guilds/{guild}/members/{user}", read_member),
    ("GET", "/guilds/{guild}/threads/active", active_threads),
    ("POST", "/interactions/{interaction}/{token}/callback", interactions.answer),
    ("POST", WEBHOOK, interactions.follow_up),
    ("PATCH", f"{WEBHOOK}/messages/{{message}}", interactions.edit_message),
]
