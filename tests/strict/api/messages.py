"""Sends and edits messages as Discord does: refusals, kept files, nonces."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.strict.api import errors, wire
from tests.strict.api.components import Tree
from tests.strict.api.permissions import MENTION_EVERYONE, permissions
from tests.strict.api.world import (
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    File,
    Message,
    StrictChannel,
    StrictWorld,
)

MIB = 1024 * 1024
LARGEST_FILE, MOST_FILES = 10 * MIB, 10
NONCE_LIVES = 300.0
"""Seconds for which a nonce is remembered with its message."""
OLD = 3600.0
SENDABLE = COMPONENTS_V2 | 1 << 2 | 1 << 12
"""The flags that somebody may send: components, no embeds, silent."""
TYPES = {"png": "image/png", "gif": "image/gif", "txt": "text/plain", "json": "application/json"}
MENTION, ROLE_MENTION = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")


@dataclass(frozen=True)
class Upload:
    """A file of a request, by the number in its field's name: `files[0]`."""

    index: int
    name: str
    data: bytes = field(repr=False)


@dataclass
class Files:
    """The files of a message after a request, and those that components may name."""

    every: dict[int, File] = field(default_factory=dict)
    by_name: dict[str, File] = field(default_factory=dict)

    def add(self, one: File, *, named: bool) -> None:
        self.every[one.id] = one
        if named:
            self.by_name[one.name] = one


def normalise_name(name: str) -> str:
    """Return a file's name with underscores for what Discord doesn't store."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def read_files(world: StrictWorld, entries: Any, uploads: Sequence[Upload], old: dict[int, File]) -> Files:
    """Return the files that `attachments` names.

    A kept file that isn't named by its filename stays, but components can't show it.
    """
    files = Files()
    waiting = {upload.index: upload for upload in uploads}
    errors.require(
        len(waiting) <= MOST_FILES, ("attachments",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length."
    )
    for number, entry in enumerate(entries or []):
        path = ("attachments", number)
        if entry.get("description") is not None:
            errors.require_length(entry["description"], (*path, "description"), 0, 1024)
        identity = int(entry["id"])
        if identity in old:
            kept = old[identity]
            files.add(kept, named=entry.get("filename") == kept.name)
        elif identity in waiting:
            files.add(_store(world, waiting.pop(identity), entry.get("description")), named=True)
        else:
            raise errors.invalid((*path, "id"), "ATTACHMENT_NOT_FOUND", f"There is no file {identity}")
    for upload in waiting.values():
        files.add(_store(world, upload, None), named=True)
    return files


def _store(world: StrictWorld, upload: Upload, description: str | None) -> File:
    if len(upload.data) > LARGEST_FILE:
        raise errors.Refusal(*errors.TOO_LARGE)
    name = normalise_name(upload.name)
    kind = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return File(world.snowflake(), name, upload.data, kind, description)


def send(
    world: StrictWorld,
    channel: StrictChannel,
    body: errors.Json,
    uploads: Sequence[Upload] = (),
    *,
    author_id: int | None = None,
    audience: int | None = None,
) -> Message:
    """Put a message into a channel, unless its nonce is known."""
    author = author_id or world.bot.id
    earlier = _of_nonce(world, channel, author, body)
    if earlier is not None:
        return earlier
    number = world.snowflake()
    one = Message(number, channel.id, author, world.now(), audience=audience, nonce=_nonce(body))
    files = read_files(world, body.get("attachments"), uploads, {})
    one.flags = int(body.get("flags") or 0) & SENDABLE | (EPHEMERAL if audience else 0)
    one.content, one.embeds = body.get("content") or "", body.get("embeds") or []
    _fill(world, one, body, files)
    channel.messages[number] = one
    if one.nonce is not None and body.get("enforce_nonce"):
        channel.nonces[author, one.nonce] = (world.now(), number)
    if audience is None:
        world.tell("MESSAGE_CREATE", wire.message(world, one), channel.guild_id)
    return one


def _nonce(body: errors.Json) -> str | None:
    nonce = body.get("nonce")
    if nonce is None:
        return None
    errors.require(
        len(str(nonce)) <= 25, ("nonce",), "NONCE_TYPE_TOO_LONG", "Nonce must be at most 25 characters long."
    )
    return str(nonce)


def _of_nonce(world: StrictWorld, channel: StrictChannel, author: int, body: errors.Json) -> Message | None:
    """Return the message of the same nonce from the last minutes."""
    nonce = _nonce(body)
    if nonce is None or not body.get("enforce_nonce"):
        return None
    sent, number = channel.nonces.get((author, nonce), (0.0, 0))
    return channel.messages.get(number) if world.now() - sent < NONCE_LIVES else None


def edit(
    world: StrictWorld,
    one: Message,
    body: errors.Json,
    uploads: Sequence[Upload] = (),
    *,
    drops: bool = False,
) -> Message:
    """Edit a message.

    Without `attachments` the files that components show are dropped with the old components. If it
    `drops`, as the answer to a press does, all files are.
    """
    if world.refuses_old_edits and world.now() - one.created > OLD:
        raise errors.Refusal(*errors.OLD_EDITS)
    files = _files_of_edit(world, one, body, uploads, drops=drops)
    flags = _flags_of_edit(one, body)
    changed = Message(**{**vars(one), "flags": flags})
    changed.content = body["content"] or "" if "content" in body else one.content
    changed.embeds = body["embeds"] or [] if "embeds" in body else one.embeds
    _fill(world, changed, body, files)
    changed.edited, changed.edits = world.now(), one.edits + 1
    vars(one).update(vars(changed))
    place = world.channels[one.channel_id]
    if one.audience is None:
        world.tell("MESSAGE_UPDATE", wire.message(world, one), place.guild_id)
    return one


def _files_of_edit(
    world: StrictWorld, one: Message, body: errors.Json, uploads: Sequence[Upload], *, drops: bool
) -> Files:
    entries = body.get("attachments")
    files = read_files(world, entries, uploads, one.files)
    if entries is None and not drops:
        replaces = "components" in body
        for number, kept in one.files.items():
            if not (replaces and number in one.shown):
                files.add(kept, named=False)
    return files


def _flags_of_edit(one: Message, body: errors.Json) -> int:
    """Return the flags after an edit; V2 and ephemeral can't be removed."""
    if body.get("flags") is None:
        return one.flags & ~LOADING
    asked = int(body["flags"])
    kept = not one.flags & COMPONENTS_V2 or asked & COMPONENTS_V2
    message = "The components v2 flag can't be removed from a message"
    errors.require(kept, ("flags",), "MESSAGE_COMPONENTS_V2_FLAG_REMOVED", message)
    return one.flags & EPHEMERAL | asked & SENDABLE


def _fill(world: StrictWorld, one: Message, body: errors.Json, files: Files) -> None:
    """Check the contents of a message, and put them into it."""
    v2 = bool(one.flags & COMPONENTS_V2)
    for name in ("content", "embeds", "sticker_ids", "poll"):
        legacy = {"content": one.content, "embeds": one.embeds}.get(name, body.get(name))
        message = f"The {name!r} field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        errors.require(not (v2 and legacy), (name,), code, message)
    errors.require(
        len(one.content) <= 2000, ("content",), "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length."
    )
    if "components" in body:
        tree = Tree(world, one.channel_id, files.by_name)
        one.components = tree.check(body["components"] or [], v2=v2)
        one.shown = tree.shown
    elif one.shown - set(files.every):
        world.surprises.append(f"the message {one.id} shows files that were dropped")
    one.files = files.every
    if not (one.components or one.content or one.embeds or (one.files and not v2)):
        raise errors.Refusal(*errors.EMPTY_MESSAGE)
    if "allowed_mentions" in body:
        one.role_pings = _role_pings(world, body["allowed_mentions"] or {}, one)
    one.pings = _pings(body, one) if "allowed_mentions" in body or not one.pings else one.pings


def _pings(body: errors.Json, one: Message) -> set[int]:
    """Return the users whom a message names and may ping."""
    wish = body.get("allowed_mentions")
    named = {int(number) for number in MENTION.findall(one.content + repr(one.components))}
    if wish is None:
        return named
    users, kinds = wish.get("users") or [], wish.get("parse") or []
    message = 'parse:["users"] and users: [ids...] are mutually exclusive.'
    mixed = bool(users) and "users" in kinds
    errors.require(not mixed, ("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
    errors.require(
        len(users) <= 100, ("allowed_mentions", "users"), "BASE_TYPE_BAD_LENGTH", "Must be 100 or fewer."
    )
    return named if "users" in kinds else named & {int(number) for number in users}


def _role_pings(world: StrictWorld, wish: errors.Json, one: Message) -> set[int]:
    """Return the roles that a message pings, of those it names."""
    place = world.channels[one.channel_id]
    if place.guild_id is None:
        return set()
    named = {int(number) for number in ROLE_MENTION.findall(one.content + repr(one.components))}
    if "roles" not in (wish.get("parse") or []):
        named &= {int(number) for number in wish.get("roles") or []}
    may_ping_all = permissions(world, place, one.author_id) & MENTION_EVERYONE
    roles = world.guilds[place.guild_id].roles
    return {number for number in named & set(roles) if may_ping_all or roles[number].mentionable}
