from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

from tests.strict.api import wire
from tests.strict.api.application import ON_MESSAGE, ON_PERSON
from tests.strict.api.components import ANYBODY, BUTTON, GALLERY, MENUS, ROLES, SELECT, TEXT, THUMBNAIL, USERS
from tests.strict.api.errors import Json
from tests.strict.api.interactions import (
    COMMAND,
    COMPLETION,
    COMPONENT,
    MODAL,
    RADIOS,
    SUBMIT,
    TYPED,
    fields_of,
)
from tests.strict.api.permissions import ADMINISTRATOR, USE_COMMANDS, permissions
from tests.strict.api.world import (
    LOADING,
    Interaction,
    Message,
    Role,
    StrictChannel,
    StrictGuild,
    StrictWorld,
    User,
)

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE = range(1, 9)
NUMBER = 10
ANSWERS_WITHIN = 30.0
T = TypeVar("T")


def walk(components: Sequence[Json]) -> Iterator[Json]:
    """Yield every component of a tree, from top to bottom."""
    for one in components:
        yield one
        yield from walk(one.get("components") or [])
        if "accessory" in one:
            yield one["accessory"]


class SeenMessage:
    """A message as somebody sees it."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.parts = list(walk(message.components))

    @property
    def text(self) -> str:
        return "\n".join(
            [*(one["content"] for one in self.parts if one["type"] == TEXT), self.message.content]
        )

    @property
    def buttons(self) -> dict[str, Json]:
        return {one["label"]: one for one in self.parts if one["type"] == BUTTON and one.get("label")}

    @property
    def menus(self) -> dict[str, Json]:
        result = {}
        for one in self.parts:
            if one["type"] in MENUS:
                verb, *_, argument = one["custom_id"].split(":")[2:]
                result[f"{verb}:{argument}" if argument else verb] = one
        return result

    def values(self, verb: str) -> list[str]:
        return [option["value"] for option in self.menus[verb]["options"]]

    @property
    def pictures(self) -> list[str]:
        entries = [item["media"] for one in self.parts if one["type"] == GALLERY for item in one["items"]]
        entries += [one["media"] for one in self.parts if one["type"] == THUMBNAIL]
        return [self.message.files[int(media["attachment_id"])].name for media in entries]


@dataclass
class InteractionAnswer:
    """The result of an interaction."""

    world: StrictWorld
    interaction: Interaction

    @property
    def message(self) -> Message:
        """Return the answer: a new message, or the one that was pressed."""
        number = self.interaction.original_id
        assert number is not None, f"the answer {self.interaction.answer} has no message"
        return self.world.channels[self.interaction.channel_id].messages[number]

    @property
    def last(self) -> Message:
        """Return the last private or public message of the answer."""
        messages = self.world.channels[self.interaction.channel_id].messages
        known = [number for number in self.interaction.messages if number in messages]
        return messages[known[-1]] if known else self.message

    @property
    def shown(self) -> SeenMessage:
        return SeenMessage(self.last)

    @property
    def text(self) -> str:
        return self.shown.text

    @property
    def is_private(self) -> bool:
        return self.last.audience is not None

    @property
    def form(self) -> Json:
        assert self.interaction.answer == MODAL, f"the answer is of type {self.interaction.answer}"
        return self.interaction.data

    @property
    def is_there(self) -> bool:
        """Return True if there is an answer that isn't thinking any more."""
        one = self.interaction
        if one.answer is None:
            return False
        messages = (
            self.world.channels[one.channel_id].messages if one.channel_id in self.world.channels else {}
        )
        original = messages.get(one.original_id or 0)
        return original is None or not original.flags & LOADING


async def until(world: StrictWorld, condition: Callable[[], T], seconds: float = 30.0, why: str = "") -> T:
    ends = world.now() + seconds
    while not (result := condition()):
        left = ends - world.now()
        assert left > 0, f"not within {seconds} s: {why or condition}"
        await world.pulse.next(min(left, 0.25))
    return result


class StrictPerson:
    """A member of a server, or the other side of a DM."""

    def __init__(self, world: StrictWorld, user: User) -> None:
        self.world = world
        self.user = user
        self.has_installed = False
        """True if they added the application, so that its commands work anywhere."""

    @property
    def id(self) -> int:
        return self.user.id

    # What they do

    async def slash(self, place: StrictChannel, command: str, /, **options: Any) -> InteractionAnswer:
        """Type a command in a place, as `ribbon new`."""
        return await self._wait_for_answer(self.begin_slash(place, command, **options))

    def begin_slash(self, place: StrictChannel, command: str, /, **options: Any) -> InteractionAnswer:
        data = self._command(command, options)
        known = self.world.commands[int(data["id"])]
        assert self.can_use(place, known), f"Discord doesn't offer /{command} there"
        return self._send(COMMAND, place, {"data": data})

    async def menu(
        self, place: StrictChannel, name: str, target: "Message | StrictPerson"
    ) -> InteractionAnswer:
        """Choose a menu of a message or of a person."""
        kind = ON_MESSAGE if isinstance(target, Message) else ON_PERSON
        known = next(
            one for one in self.world.commands.values() if (one["type"], one["name"]) == (kind, name)
        )
        assert self.can_use(place, known), f"Discord doesn't offer {name} there"
        if isinstance(target, Message):
            resolved = {"messages": {str(target.id): wire.message(self.world, target)}}
        else:
            resolved = self._resolve(USERS, [str(target.id)])
        data = {"id": known["id"], "name": name, "type": kind, "target_id": str(target.id)}
        return await self._wait_for_answer(
            self._send(COMMAND, place, {"data": {**data, "resolved": resolved}})
        )

    def can_use(self, place: StrictChannel, command: Json) -> bool:
        data = wire.interaction(
            self.world, self._interaction(COMMAND, place, {}), installed=self.has_installed
        )
        contexts = command.get("contexts")
        installs = command.get("integration_types") or [0]
        owners = data["authorizing_integration_owners"]
        if contexts is not None and data["context"] not in contexts:
            return False
        if not any(str(kind) in owners and (kind == 0 or self.has_installed) for kind in installs):
            return False
        if place.guild_id is None:
            return True
        held = permissions(self.world, place, self.id)
        needed = int(command.get("default_member_permissions") or 0)
        return bool(held & ADMINISTRATOR) or (bool(held & USE_COMMANDS) and held & needed == needed)

    async def types(
        self, place: StrictChannel, command: str, option: str, text: str, /, **options: Any
    ) -> list[Json]:
        """Type into an option of a command. Return the lines that are offered."""
        data = self._command(command, {**options, option: text}, focused=option)
        answer = await self._wait_for_answer(self._send(COMPLETION, place, {"data": data}))
        return list(answer.interaction.data["choices"])

    async def click(self, message: Message, label: str = "", *, custom_id: str = "") -> InteractionAnswer:
        return await self._wait_for_answer(self.begin_click(message, label, custom_id=custom_id))

    def begin_click(self, message: Message, label: str = "", *, custom_id: str = "") -> InteractionAnswer:
        """Press a button, and don't wait for the answer."""
        shown = SeenMessage(message)
        entries = [
            one
            for one in shown.parts
            if one["type"] == BUTTON
            and (one.get("label") == label if label else one.get("custom_id") == custom_id)
        ]
        assert entries, f"no button {label or custom_id!r} among {list(shown.buttons)}:\n{shown.text}"
        assert not entries[0]["disabled"], f"the button {label or custom_id!r} can't be pressed"
        return self._press(message, entries[0], {})

    async def select(self, message: Message, verb: str, values: Sequence[str]) -> InteractionAnswer:
        """Choose values in a menu, or the ids of people, roles, channels."""
        shown = SeenMessage(message)
        assert verb in shown.menus, f"no menu {verb!r} among {list(shown.menus)}:\n{shown.text}"
        menu = shown.menus[verb]
        assert menu["min_values"] <= len(values) <= menu["max_values"], f"{len(values)} lines can't be chosen"
        if menu["type"] == SELECT:
            offered = [option["value"] for option in menu["options"]]
            assert set(values) <= set(offered), f"{values} aren't among {offered}"
        data: Json = {"values": list(values)}
        if menu["type"] != SELECT:
            data["resolved"] = self._resolve(menu["type"], values)
        return await self._wait_for_answer(self._press(message, menu, data))

    async def submit(self, answer: InteractionAnswer, **filled: Any) -> InteractionAnswer:
        """Send a form with some new texts and choices."""
        form, typed, resolved = answer.form, dict(filled), Json()
        rows = []
        for row in form["components"]:
            fields = [self._fill_field(field, typed) for field in fields_of(row)]
            for field in fields:
                if field["type"] in MENUS and field["type"] != SELECT and field["values"]:
                    for key, known in self._resolve(field["type"], field["values"]).items():
                        resolved.setdefault(key, {}).update(known)
            inside = {"component": fields[0]} if "component" in row else {"components": fields}
            rows.append({"type": 18 if "component" in row else 1, "id": 1, **inside})
        assert not typed, f"the form has no {list(typed)}"
        data = {"custom_id": form["custom_id"], "components": rows, "resolved": resolved}
        payload: Json = {"data": data}
        place = self.world.channels[answer.interaction.channel_id]
        message_id = answer.interaction.message_id
        if message_id is not None:
            payload["message"] = wire.message(self.world, place.messages[message_id])
        return await self._wait_for_answer(self._send(SUBMIT, place, payload, message_id))

    # How Discord writes it

    @staticmethod
    def _fill_field(field: Json, filled: dict[str, Any]) -> Json:
        kind, name = field["type"], field["custom_id"]
        known = {"type": kind, "custom_id": name, "id": 2}
        if kind == TYPED:
            text = filled.pop(name, field.get("value") or "")
            assert len(text) <= (field.get("max_length") or 4000), f"{text!r} is too long"
            assert text or not field.get("required", True), f"{name} is required"
            return {**known, "value": text}
        offered = [option["value"] for option in field.get("options") or []]
        chosen = [option["value"] for option in field.get("options") or [] if option.get("default")]
        chosen += [str(one["id"]) for one in field.get("default_values") or []]
        chosen = filled.pop(name, chosen)
        chosen = [chosen] if isinstance(chosen, str) else chosen
        assert set(chosen) <= set(offered) or not offered, f"{chosen} aren't among {offered}"
        low = field.get("min_values", 1) if field.get("required", True) else 0
        assert low <= len(chosen) <= (field.get("max_values") or len(offered)), f"{len(chosen)} of {name}"
        return {**known, "value": (chosen or [None])[0]} if kind == RADIOS else {**known, "values": chosen}

    def _press(self, message: Message, component: Json, more: Json) -> InteractionAnswer:
        place = self.world.channels[message.channel_id]
        assert place.messages.get(message.id) is message, "the message is gone"
        assert message.audience in (None, self.id), "they don't see that message"
        custom_id = component.get("custom_id")
        assert custom_id, "that button leads somewhere"
        data = {"component_type": component["type"], "custom_id": custom_id, "id": component["id"], **more}
        payload = {"data": data, "message": wire.message(self.world, message)}
        return self._send(COMPONENT, place, payload, message.id)

    def _send(
        self, kind: int, place: StrictChannel, payload: Json, message_id: int | None = None
    ) -> InteractionAnswer:
        world = self.world
        one = self._interaction(kind, place, payload, message_id)
        world.interactions[one.token] = one
        world.tell(
            "INTERACTION_CREATE", wire.interaction(world, one, installed=self.has_installed), place.guild_id
        )
        return InteractionAnswer(world, one)

    def _interaction(
        self, kind: int, place: StrictChannel, payload: Json, message_id: int | None = None
    ) -> Interaction:
        number, token = self.world.snowflake(), uuid4().hex * 2
        now = self.world.now()
        return Interaction(number, token, kind, self.id, place.id, place.guild_id, now, payload, message_id)

    async def _wait_for_answer(self, answer: InteractionAnswer) -> InteractionAnswer:
        one = answer.interaction
        what = one.payload["data"].get("custom_id") or one.payload["data"].get("name")
        await until(self.world, lambda: answer.is_there, ANSWERS_WITHIN, f"the answer to {what}")
        return answer

    def _command(self, command: str, options: Mapping[str, Any], focused: str = "") -> Json:
        """Return the data of a command. Fails if Discord knows no such command or option."""
        first, *rest = command.split()
        known = next((one for one in self.world.commands.values() if one["name"] == first), None)
        assert known is not None, f"there is no command /{first}"
        names, level = list[Json](), known
        for name in rest:
            level = next(one for one in level.get("options") or [] if one["name"] == name)
            names.append(level)
        data: Json = {"id": known["id"], "name": first, "type": 1, "resolved": {}}
        typed = [
            self._option(level, name, value, data["resolved"], focused) for name, value in options.items()
        ]
        for one in level.get("options") or []:
            if not focused and one.get("required"):
                assert one["name"] in options, f"/{command} needs {one['name']}"
        for one in reversed(names):
            typed = [{"name": one["name"], "type": one["type"], "options": typed}]
        return {**data, "options": typed}

    def _option(self, command: Json, name: str, value: Any, resolved: Json, focused: str) -> Json:
        known = next((one for one in command.get("options") or [] if one["name"] == name), None)
        assert known is not None, f"/{command['name']} has no option {name}"
        kind = known["type"]
        if name == focused:
            return {"name": name, "type": kind, "value": value, "focused": True}
        choices = [choice["value"] for choice in known.get("choices") or []]
        assert not choices or value in choices, f"{value!r} isn't among {choices}"
        if kind in (USER, CHANNEL, ROLE):
            menu = {USER: USERS, ROLE: ROLES}[kind]
            for key, result in self._resolve(menu, [str(value)]).items():
                resolved.setdefault(key, {}).update(result)
            value = str(value)
        return {"name": name, "type": kind, "value": value}

    def _resolve(self, kind: int, values: Sequence[str]) -> Json:
        world = self.world
        numbers = [int(value) for value in values] if kind != SELECT else []
        if kind in (USERS, ANYBODY):
            people = {str(one): wire.user(world.users[one]) for one in numbers}
            guild = next((g for g in world.guilds.values() if self.id in g.members), None)
            members = {
                str(one): {**wire.member(world, guild, one), "permissions": "0"}
                for one in numbers
                if guild is not None and one in guild.members
            }
            for member in members.values():
                member.pop("user", None)
            return {"users": people, "members": members}
        if kind == ROLES:
            roles = {role.id: guild for guild in world.guilds.values() for role in guild.roles.values()}
            return {"roles": {str(one): wire.role(roles[one], one) for one in numbers}}
        return {}


class Owner:
    """The owner of a server: makes channels, changes permissions, archives, locks and deletes."""

    def __init__(self, world: StrictWorld) -> None:
        self.world = world

    def _notify_change(self, place: StrictChannel) -> None:
        event = "THREAD_UPDATE" if place.is_thread else "CHANNEL_UPDATE"
        self.world.tell(event, wire.channel(self.world, place), place.guild_id)

    def archive(self, thread: StrictChannel) -> None:
        thread.archived = True
        self._notify_change(thread)

    def lock(self, place: StrictChannel) -> None:
        place.locked = True
        self._notify_change(place)

    def notify_change(self, place: StrictChannel) -> None:
        self._notify_change(place)

    def change_role(self, guild: StrictGuild, role: Role, *, mentionable: bool) -> None:
        role.mentionable = mentionable
        data = {"guild_id": str(guild.id), "role": wire.role(guild, role.id)}
        self.world.tell("GUILD_ROLE_UPDATE", data, guild.id)

    def turn_on_activities(self) -> None:
        """Let Discord add the Entry Point command, as the developer portal does."""
        number, made = self.world.snowflake(), str(self.world.snowflake())
        about = {"type": 4, "name": "launch", "description": "", "handler": 2}
        given = {"id": str(number), "application_id": str(self.world.application_id), "version": made}
        self.world.commands[number] = {**about, **given}

    def delete(self, place: StrictChannel) -> None:
        world = self.world
        for thread in [one for one in world.channels.values() if one.parent_id == place.id]:
            del world.channels[thread.id]
        del world.channels[place.id]
        event = "THREAD_DELETE" if place.is_thread else "CHANNEL_DELETE"
        world.tell(event, wire.channel(world, place), place.guild_id)

    def delete_message(self, message: Message) -> None:
        place = self.world.channels[message.channel_id]
        del place.messages[message.id]
        data = {"id": str(message.id), "channel_id": str(place.id), "guild_id": str(place.guild_id)}
        self.world.tell("MESSAGE_DELETE", data, place.guild_id)

    def invite_bot(self, guild: StrictGuild) -> None:
        guild.has_bot = True
        self.world.tell("GUILD_CREATE", wire.guild_create(self.world, guild), guild.id)
