"""The application itself: login, the gateway's address, commands, emoji."""

import base64
import re
from typing import Any

from tests.strict.api import errors, wire
from tests.strict.api.call import Call
from tests.strict.api.world import PNG, Emoji, StrictWorld

DAY = 86_400.0
COMMANDS_A_DAY, MOST_COMMANDS, LONGEST_COMMAND = 200, 100, 8000
MOST_EMOJI, LARGEST_EMOJI = 2000, 256 * 1024
EMOJI_NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
SLASH, ON_PERSON, ON_MESSAGE, ENTRY_POINT = 1, 2, 3, 4
"""The types of a typed command, of menus, and of the command that opens an application's Activity."""
MENUS_OF_A_KIND, LONGEST_MENU = 15, 32


def me(call: Call) -> errors.Json:
    return wire.user(call.world.bot)


def application(call: Call) -> errors.Json:
    return wire.application(call.world)


def gateway(call: Call) -> errors.Json:
    world = call.world
    return {
        "url": call.parts["gateway"],
        "shards": 1,
        "session_start_limit": {
            "total": 1000,
            "remaining": world.sessions_left,
            "reset_after": int((world.sessions_reset_at - world.now()) * 1000),
            "max_concurrency": 1,
        },
    }


# Commands


def _require_own(call: Call) -> None:
    if call.number("application") != call.world.application_id:
        raise errors.Refusal(403, 20012, "You are not authorized to perform this action on this application")


def list_commands(call: Call) -> list[errors.Json]:
    _require_own(call)
    return list(call.world.commands.values())


def put_commands(call: Call) -> list[errors.Json]:
    """Replace all commands; new names count towards the daily limit."""
    _require_own(call)
    world = call.world
    wanted: list[errors.Json] = call.body
    errors.require(
        len(wanted) <= MOST_COMMANDS, (), "BASE_TYPE_MAX_LENGTH", f"Must be {MOST_COMMANDS} or fewer."
    )
    for number, command in enumerate(wanted):
        _check_command(command, (number,))
    for kind in (ON_PERSON, ON_MESSAGE):
        count = sum(_slot(command)[0] == kind for command in wanted)
        message = f"Must be {MENUS_OF_A_KIND} or fewer."
        errors.require(count <= MENUS_OF_A_KIND, (), "BASE_TYPE_MAX_LENGTH", message)
    kept = any(_slot(command)[0] == ENTRY_POINT for command in wanted)
    if any(_slot(command)[0] == ENTRY_POINT for command in world.commands.values()) and not kept:
        raise errors.Refusal(*errors.NO_ENTRY_POINT)
    numbers = {_slot(command): number for number, command in world.commands.items()}
    new = sum(_slot(command) not in numbers for command in wanted)
    recent = [at for at in world.commands_made if world.now() - at < DAY]
    if len(recent) + new > COMMANDS_A_DAY:
        raise errors.Refusal(*errors.TOO_MANY_COMMANDS)
    world.commands_made = recent + [world.now()] * new
    made: dict[int, errors.Json] = {}
    for command in wanted:
        number = numbers.get(_slot(command)) or world.snowflake()
        made[number] = {
            "type": 1,
            "description": "",
            **command,
            "id": str(number),
            "application_id": str(world.application_id),
            "version": str(world.snowflake()),
        }
    world.commands = made
    return list(made.values())


def _slot(command: errors.Json) -> tuple[int, str]:
    """Return a command's type and name, unique together."""
    return command.get("type", SLASH), command["name"]


def _check_command(command: errors.Json, path: tuple[str | int, ...]) -> None:
    name = str(command.get("name", ""))
    if command.get("type") in (ON_PERSON, ON_MESSAGE):
        errors.require_length(name, (*path, "name"), 1, LONGEST_MENU)
        is_bare = not (command.get("description") or command.get("options"))
        message = "Context menu commands cannot have description or options"
        return errors.require(is_bare, path, "APPLICATION_COMMAND_CONTEXT_MENU_INVALID", message)
    fits = COMMAND_NAME.fullmatch(name) and name == name.lower()
    errors.require(fits, (*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    least = 1 if command.get("type", SLASH) == SLASH else 0
    errors.require_length(command.get("description"), (*path, "description"), least, 100)
    size = _size(command)
    message = f"The command has {size} of {LONGEST_COMMAND} characters"
    errors.require(size <= LONGEST_COMMAND, path, "APPLICATION_COMMAND_TOO_LARGE", message)
    _check_options(command.get("options") or [], path)


def _size(part: errors.Json) -> int:
    """Count the characters of all names, descriptions and values."""
    own = len(part["name"]) + len(part.get("description") or "")
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in part.get("choices") or [])
    return own + sum(_size(option) for option in part.get("options") or [])


def _check_options(options: list[errors.Json], path: tuple[str | int, ...]) -> None:
    errors.require(
        len(options) <= 25, (*path, "options"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."
    )
    for number, option in enumerate(options):
        where = (*path, "options", number)
        errors.require_length(option.get("description"), (*where, "description"), 1, 100)
        fits = COMMAND_NAME.fullmatch(option["name"]) and option["name"] == option["name"].lower()
        errors.require(fits, (*where, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
        _check_choices(option, where)
        _check_options(option.get("options") or [], where)


def _check_choices(option: errors.Json, path: tuple[str | int, ...]) -> None:
    choices = option.get("choices") or []
    errors.require(
        len(choices) <= 25, (*path, "choices"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."
    )
    for number, choice in enumerate(choices):
        errors.require_length(choice["name"], (*path, "choices", number, "name"), 1, 100)


def command_permissions(call: Call) -> errors.Json:
    """Return the people whom a server has allowed a command. Raises Refusal: 10066 if nobody."""
    _require_own(call)
    guild = call.world.guild(call.number("guild"))
    command = call.number("command")
    allowed = call.world.command_permissions.get(command)
    if allowed is None:
        raise errors.unknown("application command permissions")
    own = {"id": str(command), "guild_id": str(guild.id), "application_id": str(call.world.application_id)}
    return {**own, "permissions": allowed}


# Emoji


def _emoji(world: StrictWorld, one: Emoji) -> errors.Json:
    return {
        "id": str(one.id),
        "name": one.name,
        "roles": [],
        "user": wire.user(world.bot),
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }


def list_emojis(call: Call) -> errors.Json:
    _require_own(call)
    return {"items": [_emoji(call.world, one) for one in call.world.emojis.values()]}


def create_emoji(call: Call) -> errors.Json:
    _require_own(call)
    world, name = call.world, str(call.body.get("name", ""))
    code = "STRING_TYPE_REGEX" if 2 <= len(name) <= 32 else "BASE_TYPE_BAD_LENGTH"
    errors.require(
        EMOJI_NAME.fullmatch(name),
        ("name",),
        code,
        "Must be between 2 and 32 letters, digits and underscores",
    )
    taken = any(one.name == name for one in world.emojis.values())
    errors.require(not taken, ("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "Emoji name already taken")
    _check_image(call.body.get("image"))
    if len(world.emojis) >= MOST_EMOJI:
        raise errors.Refusal(*errors.TOO_MANY_EMOJI)
    one = Emoji(world.snowflake(), name)
    world.emojis[one.id] = one
    return _emoji(world, one)


def _check_image(image: Any) -> None:
    head, _, encoded = str(image).partition(";base64,")
    data = base64.b64decode(encoded)
    path = ("image",)
    message = "File cannot be larger than 256.0 kb."
    errors.require(len(data) <= LARGEST_EMOJI, path, "BINARY_TYPE_MAX_SIZE", message)
    is_image = head in ("data:image/png", "data:image/gif", "data:image/jpeg", "data:image/webp")
    if not is_image or (head == "data:image/png" and not data.startswith(PNG)):
        raise errors.invalid(path, "IMAGE_INVALID", "Invalid image data")
