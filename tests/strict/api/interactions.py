"""Answers to presses, commands and forms, and what their tokens may do afterwards."""

from typing import Any

from tests.strict.api import errors, wire
from tests.strict.api.call import Call
from tests.strict.api.errors import Json, Refusal, require, require_length, unknown
from tests.strict.api.messages import edit, send
from tests.strict.api.world import EPHEMERAL, LOADING, Interaction, Message, StrictWorld

COMMAND, COMPONENT, COMPLETION, SUBMIT = 2, 3, 4, 5
MESSAGE, THINKING, LATER, UPDATE, CHOICES_ANSWER, MODAL = 4, 5, 6, 7, 8, 9
ALLOWED = {
    COMMAND: (MESSAGE, THINKING, MODAL),
    COMPONENT: (MESSAGE, THINKING, LATER, UPDATE, MODAL),
    COMPLETION: (CHOICES_ANSWER,),
    SUBMIT: (MESSAGE, THINKING, LATER, UPDATE),
}


def _of(call: Call) -> Interaction:
    """Return the interaction of a callback. Raises Refusal: 10062 if unknown or late, 40060 if answered."""
    one = call.world.interactions.get(call.parts["token"])
    if one is None or one.id != call.number("interaction"):
        raise unknown("interaction")
    if one.answer is not None:
        raise Refusal(*errors.ANSWERED)
    if call.world.now() - one.created > call.world.answer_within:
        raise unknown("interaction")
    return one


def answer(call: Call) -> Json | None:
    """Take the first answer to an interaction."""
    one = _of(call)
    kind, data = call.body.get("type"), call.body.get("data") or {}
    allowed = ALLOWED[one.type]
    if one.type == SUBMIT and one.message_id is None:
        allowed = (MESSAGE, THINKING)
    require(kind in allowed, ("type",), errors.CHOICES, f"Value must be one of {allowed}.")
    try:
        _carry_out(call, one, kind, data)
    except Refusal as refusal:
        told = refusal.body.get("errors")
        if told is not None:
            refusal.body["errors"] = {"data": told}
        raise
    one.answer = kind
    return _callback(call.world, one) if call.query.get("with_response") in ("1", "true") else None


def _carry_out(call: Call, one: Interaction, kind: int, data: Json) -> None:
    world = call.world
    if kind in (MESSAGE, THINKING):
        body = data if kind == MESSAGE else {"flags": data.get("flags"), "content": "…"}
        sent = _send(call, one, body, private=bool(int(data.get("flags") or 0) & EPHEMERAL))
        if kind == THINKING:
            sent.content, sent.flags = "", sent.flags | LOADING
        one.original_id = sent.id
    elif kind in (LATER, UPDATE):
        one.original_id = one.message_id
        if kind == UPDATE:
            pressed = world.message(world.channel(one.channel_id), one.message_id or 0, hidden=True)
            edit(world, pressed, data, call.uploads, drops=True)
    elif kind == CHOICES_ANSWER:
        one.data = _check_choices(data)
    else:
        one.data = _check_modal(data)


def _send(call: Call, one: Interaction, body: Json, *, private: bool) -> Message:
    world = call.world
    channel = world.channel(one.channel_id)
    sent = send(world, channel, body, call.uploads, audience=one.user_id if private else None)
    sent.interaction = {
        "id": str(one.id),
        "type": one.type,
        "user": wire.user(world.users[one.user_id]),
        "authorizing_integration_owners": {},
    }
    one.messages.append(sent.id)
    return sent


def _callback(world: StrictWorld, one: Interaction) -> Json:
    """Return what `with_response` asks for."""
    entries: Json = {"id": str(one.id), "type": one.type, "channel_id": str(one.channel_id)}
    if one.guild_id is not None:
        entries["guild_id"] = str(one.guild_id)
    resource: Json = {"type": one.answer}
    if one.original_id is not None:
        original = world.message(world.channel(one.channel_id), one.original_id, hidden=True)
        entries["response_message_id"] = str(original.id)
        entries["response_message_loading"] = bool(original.flags & LOADING)
        entries["response_message_ephemeral"] = bool(original.flags & EPHEMERAL)
        if one.answer in (MESSAGE, UPDATE):
            resource["message"] = wire.message(world, original)
    return {"interaction": entries, "resource": resource}


def _check_choices(data: Json) -> Json:
    choices = data.get("choices")
    fits = isinstance(choices, list) and len(choices) <= 25
    require(fits, ("choices",), errors.LENGTH, "Must be 25 or fewer in length.")
    for number, choice in enumerate(data["choices"]):
        require_length(choice.get("name"), ("choices", number, "name"), 1, 100)
    return data


def _check_modal(data: Json) -> Json:
    """Return a form. Raises Refusal for one that Discord doesn't take."""
    require_length(data.get("title"), ("title",), 1, 45)
    require_length(data.get("custom_id"), ("custom_id",), 1, 100)
    rows = data.get("components") or []
    require(1 <= len(rows) <= 5, ("components",), errors.LENGTH, "Must be between 1 and 5 in length.")
    names = set()
    for number, row in enumerate(rows):
        path = ("components", number)
        if row["type"] == 18:
            require_length(row.get("label"), (*path, "label"), 1, 45)
            if row.get("description") is not None:
                require_length(row["description"], (*path, "description"), 1, 100)
        for field in fields_of(row):
            if row["type"] == 1:
                require_length(field.get("label"), (*path, "components", 0, "label"), 1, 45)
            _check_field(field, (*path, "component"))
            message = "Component custom id cannot be duplicated"
            fresh = field["custom_id"] not in names
            require(fresh, (*path, "component", "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
            names.add(field["custom_id"])
    return data


def fields_of(row: Json) -> list[Json]:
    """Return the fields of a row or a label of a form."""
    return [row["component"]] if "component" in row else list(row.get("components") or [])


def _check_field(field: Json, path: tuple[Any, ...]) -> None:
    require_length(field.get("custom_id"), (*path, "custom_id"), 1, 100)
    if field["type"] != TYPED:
        return _check_choice(field, path)
    if field.get("placeholder") is not None:
        require_length(field["placeholder"], (*path, "placeholder"), 0, 100)
    most = field.get("max_length") or 4000
    require(1 <= most <= 4000, (*path, "max_length"), "NUMBER_TYPE_MAX", "Must be between 1 and 4000")
    if field.get("value") is not None:
        require_length(field["value"], (*path, "value"), 0, most)


TYPED, SELECT, RADIOS, BOXES = 4, 3, 21, 22
LINES = {SELECT: (1, 25), RADIOS: (2, 10), BOXES: (1, 10)}
"""The fewest and most lines of each kind of choice in a form."""


def _check_choice(field: Json, path: tuple[Any, ...]) -> None:
    """Check a choice; radio buttons and boxes have no emoji."""
    kind = field["type"]
    fewest, most = LINES.get(kind, (0, 0))
    options, defaults = field.get("options") or [], len(field.get("default_values") or [])
    if kind in LINES:
        message = f"Must be between {fewest} and {most} in length."
        require(fewest <= len(options) <= most, (*path, "options"), errors.LENGTH, message)
        for number, option in enumerate(options):
            for name in ("label", "value"):
                require_length(option.get(name), (*path, "options", number, name), 1, 100)
            if option.get("description") is not None:
                require_length(option["description"], (*path, "options", number, "description"), 1, 100)
            plain = kind == SELECT or "emoji" not in option
            require(plain, (*path, "options", number), "BASE_TYPE_UNKNOWN", "Unknown field: emoji")
        values = {option["value"] for option in options}
        message = "The specified option value is already used"
        fresh = len(values) == len(options)
        require(fresh, (*path, "options"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
        defaults = sum(bool(option.get("default")) for option in options)
    low = field.get("min_values", 1)
    high = 1 if kind == RADIOS else field.get("max_values", len(options) if kind == BOXES else 1)
    fits = 0 <= low <= max(1, high) and 1 <= high <= (len(options) if kind in LINES else 25)
    require(fits, (*path, "max_values"), "NUMBER_TYPE_MAX", "The bounds don't fit the options")
    message = "required must be false if min_values is 0"
    require(low or not field.get("required", True), (*path, "required"), "REQUIRED_WITHOUT_VALUES", message)
    message = f"At most {high} may be default"
    require(defaults <= high, path, "SELECT_COMPONENT_TOO_MANY_DEFAULTS", message)


# What a token may do after the first answer


def _of_token(call: Call) -> Interaction:
    """Return the interaction of a webhook. Raises Refusal: 10015 if unknown, 50027 after 15 minutes."""
    one = call.world.interactions.get(call.parts["token"])
    if one is None or call.number("application") != call.world.application_id or one.answer is None:
        raise unknown("Webhook")
    if call.world.now() - one.created > call.world.edit_within:
        raise Refusal(*errors.BAD_TOKEN)
    return one


def follow_up(call: Call) -> Json:
    """Send one more message, or fill an answer that is still thinking."""
    one = _of_token(call)
    world = call.world
    place = world.channel(one.channel_id)
    original = None if one.original_id is None else place.messages.get(one.original_id)
    if original is not None and original.flags & LOADING:
        return wire.message(world, edit(world, original, call.body, call.uploads))
    private = bool(int(call.body.get("flags") or 0) & EPHEMERAL)
    return wire.message(world, _send(call, one, call.body, private=private))


def edit_message(call: Call) -> Json:
    """Edit a message that the token has sent or belongs to. Raises Refusal: 10008."""
    one = _of_token(call)
    messages = call.world.channel(one.channel_id).messages
    if call.parts["message"] == "@original":
        number = one.original_id
    else:
        number = call.number("message")
        number = number if number in (*one.messages, one.message_id) else None
    if number is None or number not in messages:
        raise unknown("Message")
    return wire.message(call.world, edit(call.world, messages[number], call.body, call.uploads))
