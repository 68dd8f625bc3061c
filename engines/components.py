"""Each game's component data: ours or a file's, read strictly and compared with ours.

The data are constants of a game's modules, so another file is chosen before these are loaded, once in a
process. Only `bot.py simulate` and `bot.py components` do so, in worker processes of their own.

Each game says in `engines/<game>/pieces/known.py: KNOWN` what is sure about its components.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib.resources import files
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from engines.marks import decode_file

T = TypeVar("T", bound=msgspec.Struct)

_CHOSEN: dict[str, bytes] = {}


def our_data(slug: str) -> bytes:
    return files(f"engines.{slug}.pieces").joinpath(f"{slug}.toml").read_bytes()


def load_components(slug: str, kind: type[T]) -> T:
    chosen = _CHOSEN.get(slug)
    if chosen is not None:
        return msgspec.json.decode(chosen, type=kind)
    return msgspec.toml.decode(our_data(slug), type=kind)


def choose_data(slug: str, data: bytes | None) -> None:
    """Let this process play with the data, as JSON; None means ours.

    Raise RuntimeError if the game is already loaded with other data.
    """
    if _CHOSEN.get(slug) == data:
        return
    if f"engines.{slug}" in sys.modules:
        raise RuntimeError(f"{slug} is already loaded with other data in this process")
    if data is None:
        del _CHOSEN[slug]
    else:
        _CHOSEN[slug] = data


Data = dict[str, Any]
"""Component data as plain dictionaries and lists."""
K = TypeVar("K", bound=msgspec.Struct)

KINDS: Mapping[object, str] = {int: "a whole number", str: "a text", bool: "true or false", float: "a number"}
ORIGIN = "origin"
"""The key that says where numbers come from; allowed everywhere, as nothing depends on it."""


class CannotLeaveOut(Exception):
    """A game needs this component; the text is a sentence."""


class KnownComponents(msgspec.Struct, frozen=True):
    """A game's knowledge about its components.

    Attributes:
        kind: the type of the whole data file.
        labels: for each list of items, by its path like ``board.space``, the name of an item.
        errors: yields what makes data unplayable: counts, and names of things that don't exist.
        doubts: yields what contradicts the rulebook, though one can play with it.
        parts: returns what can be named to leave it out, for options as plain data and a number of seats.
        leave_out: changes the data so that the named part is missing, or raises `CannotLeaveOut`.
        signed: the keys of numbers that may be negative.
        choices: returns the values to compare of options that are lists, for a number of seats.
        reason_to_keep: returns why nothing with such a name can be left out, or None.
        describe: turns an item into what a comparison shows of it; by default all its fields.
    """

    kind: type[msgspec.Struct]
    labels: Mapping[str, Callable[[Data], str]]
    errors: Callable[[Any], Iterator[str]]
    doubts: Callable[[Any], Iterator[str]]
    parts: Callable[[Data, Data, int], Sequence[str]]
    leave_out: Callable[[Data, Data, int, str], None]
    signed: frozenset[str] = frozenset()
    choices: Callable[[Data, int], Mapping[str, Sequence[Any]]] = lambda _data, _seats: {}
    reason_to_keep: Callable[[str], str | None] = lambda _name: None
    describe: Callable[[str, Data], Data] = lambda _path, item: item


class ReadComponents(msgspec.Struct, frozen=True):
    """A file that was read: its data, or the reasons why nothing can be played with it."""

    data: Data | None
    errors: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def read_components(known: KnownComponents, text: bytes, ours: bytes) -> ReadComponents:
    """Read and check a data file. `ours` shows which other keys are allowed."""
    try:
        raw = tomllib.loads(decode_file(text))
    except UnicodeDecodeError as error:
        return ReadComponents(None, (f"The file isn't UTF-8 text: byte {error.start} is wrong.",))
    except tomllib.TOMLDecodeError as error:
        return ReadComponents(None, (f"The file isn't valid TOML: {error}.",))
    except RecursionError:
        return ReadComponents(None, ("The file is nested too deeply.",))
    except ValueError:  # a number of more digits than Python reads
        return ReadComponents(None, ("The file has a number that is too long.",))
    errors = list(find_errors(raw, known.kind, tomllib.loads(ours.decode()), Place(known)))
    if not errors:
        try:
            components = msgspec.convert(raw, known.kind, str_keys=True)
        except msgspec.ValidationError as error:
            errors.append(f"{error}.")
        else:
            data: Data = msgspec.json.decode(msgspec.json.encode(components))
            errors = [*_find_twice(known, data), *known.errors(components)]
            if not errors:
                return ReadComponents(data, (), tuple(known.doubts(components)))
    return ReadComponents(None, tuple(errors))


class Place:
    """A place in a data file: its path, and its name for people."""

    def __init__(self, known: KnownComponents, path: str = "", name: str = "") -> None:
        self.known, self.path, self.name = known, path, name

    def key(self, key: str) -> Place:
        name = f"{self.name}, {key}" if self.name else key
        return Place(self.known, f"{self.path}.{key}".lstrip("."), name)

    def item(self, value: object, number: int) -> Place:
        return Place(self.known, self.path, label_of(self.known, self.path, value) or f"{self.name} {number}")

    def says(self, text: str) -> str:
        name = self.name or "the file"
        return f"{name[0].upper()}{name[1:]}: {text}"


def label_of(known: KnownComponents, path: str, item: object) -> str | None:
    label = known.labels.get(path)
    if label is None or not isinstance(item, dict):
        return None
    try:
        return label(item)
    except (KeyError, TypeError, ValueError):
        return None


def find_errors(value: object, kind: Any, ours: object, place: Place) -> Iterator[str]:
    """Yield every wrong type and unknown key, each with its place."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        kind = _member(value, arguments)
        if kind is None:
            yield from _wrong_member(value, arguments, place)
            return
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from _find_in_struct(value, kind, ours, place)
    elif origin is tuple and isinstance(value, list):
        yield from _find_in_list(value, arguments, ours, place)
    elif origin is dict and isinstance(value, dict):
        for key, one in value.items():
            kinds = arguments[0]
            try:
                msgspec.convert(key, kinds, strict=False)
            except msgspec.ValidationError:
                yield place.says(f"there's no key “{key}”; it must be {_describe_kind(kinds)}.")
            below = ours.get(key, next(iter(ours.values()), None)) if isinstance(ours, dict) else None
            yield from find_errors(one, arguments[1], below, place.key(key))
    elif (
        kind is int
        and isinstance(value, int)
        and value < 0
        and place.path.rsplit(".", 1)[-1] not in place.known.signed
    ):
        yield place.says(f"must be 0 or more, not {value}.")
    elif kind is not Any:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            yield place.says(f"must be {_describe_kind(kind)}, not {show(value)}.")


def _find_in_list(value: list[Any], arguments: Sequence[Any], ours: object, place: Place) -> Iterator[str]:
    any_length = len(arguments) == 2 and arguments[1] is Ellipsis
    if not any_length and len(value) != len(arguments):
        yield place.says(f"must have {len(arguments)} parts, not {len(value)}.")
        return
    example: Any = None
    if isinstance(ours, list) and ours:
        tables = [item for item in ours if isinstance(item, dict)]
        example = {key: one for table in tables for key, one in table.items()} if tables else ours[0]
    for number, one in enumerate(value, start=1):
        kind = arguments[0] if any_length else arguments[number - 1]
        yield from find_errors(one, kind, example, place.item(one, number))


def _find_in_struct(value: object, kind: type[msgspec.Struct], ours: object, place: Place) -> Iterator[str]:
    if not isinstance(value, dict):
        yield place.says(f"must be a table of keys, not {show(value)}.")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    config = kind.__struct_config__
    allowed = {*fields, ORIGIN, *(ours if isinstance(ours, dict) else ())}
    if config.forbid_unknown_fields:
        allowed = set(fields)
    if config.tag_field is not None:
        allowed.add(config.tag_field)
    for key in value:
        if key not in allowed:
            near = get_close_matches(key, allowed, 1)
            also = f" Did you mean “{near[0]}”?" if near else ""
            yield place.says(f"there's no key “{key}”.{also}")
    for name, field in fields.items():
        if name in value:
            below = ours.get(name) if isinstance(ours, dict) else None
            yield from find_errors(value[name], field.type, below, place.key(name))
        elif field.required:
            yield place.says(f"the key “{name}” is missing.")


def _member(value: object, members: Sequence[Any]) -> Any:
    """Return the member of a union that a value is meant for."""
    for member in members:
        if isinstance(member, type) and issubclass(member, msgspec.Struct):
            config = member.__struct_config__
            if isinstance(value, dict) and value.get(str(config.tag_field)) == config.tag:
                return member
        else:
            try:
                msgspec.convert(value, member)
            except msgspec.ValidationError:
                continue
            return member
    return None


def _wrong_member(value: object, members: Sequence[Any], place: Place) -> Iterator[str]:
    configs = [one.__struct_config__ for one in members if hasattr(one, "__struct_config__")]
    tag = next((config.tag_field for config in configs), None)
    if tag is None or not isinstance(value, dict):
        yield place.says(f"can't be {show(value)}.")
        return
    if tag not in value:
        yield place.says(f"the key “{tag}” is missing.")
        return
    known = ", ".join(str(config.tag) for config in configs)
    yield place.says(f"{tag} must be one of {known}, not {show(value[tag])}.")


def _describe_kind(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if get_origin(kind) is tuple:
        return "a list"
    if get_origin(kind) is dict:
        return "a table of keys"
    return KINDS.get(kind, "something else")


def show(value: object) -> str:
    """Write a value for people.

    >>> show("low"), show([1, 2]), show(True), show({"M": 2}), show([]), show("Gain 1 vote.")
    ('low', '1, 2', 'yes', 'M 2', 'nothing', '“Gain 1 vote.”')
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{key} {show(one)}" for key, one in value.items()) or "nothing"
        case list() | tuple():
            return ", ".join(map(_show_inner, value)) or "nothing"
        case None:
            return "nothing"
        case _:
            text = str(value) or "nothing"
            text = text if len(text) <= 90 else f"{text[:89]}…"
            return text if text[-1].isalnum() else f"“{text}”"


def _show_inner(value: object) -> str:
    """Write a part of a list: pairs in short, tables in brackets.

    >>> _show_inner([0, 3]), _show_inner({"n": 1})
    ('0-3', '(n 1)')
    """
    if isinstance(value, list | tuple):
        return "-".join(map(str, value))
    return f"({show(value)})" if isinstance(value, dict) else show(value)


def _find_twice(known: KnownComponents, data: Data) -> Iterator[str]:
    for path in known.labels:
        found: Any = data
        for key in path.split("."):
            found = found[key]
        names = [label_of(known, path, item) for item in list(found)]
        for name in dict.fromkeys(names):
            if name is not None and names.count(name) > 1:
                yield f"{name} appears {names.count(name)} times."


def describe_changes(known: KnownComponents, ours: Data, theirs: Data) -> list[str]:
    return list(_differences(known, "", "", ours, theirs))


def _differences(known: KnownComponents, path: str, name: str, ours: Any, theirs: Any) -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict) and path not in known.labels:
        for key in dict.fromkeys((*ours, *theirs)):
            if key == ORIGIN:
                continue
            below = f"{path}.{key}".lstrip(".")
            shown = f"{name}, {key}" if name else key.replace("_", " ")
            yield from _differences(known, below, shown, ours.get(key), theirs.get(key))
    elif (
        isinstance(ours, list)
        and isinstance(theirs, list)
        and len(ours) == len(theirs)
        and path not in known.labels
    ):
        for number, (one, two) in enumerate(zip(ours, theirs, strict=True), start=1):
            yield from _differences(known, f"{path}.{number}", f"{name} {number}", one, two)
    elif path in known.labels:
        yield from _item_differences(known, path, ours, theirs)
    elif ours != theirs:
        yield f"{name[0].upper()}{name[1:]} is {show(theirs)} instead of {show(ours)}."


def _item_differences(
    known: KnownComponents, path: str, ours: list[Data], theirs: list[Data]
) -> Iterator[str]:
    label = known.labels[path]
    before, after = ({label(item): item for item in items} for items in (ours, theirs))
    for name, item in after.items():
        if name not in before:
            yield f"{name} is new."
            continue
        yield from _field_differences(
            f"{name}:", known.describe(path, before[name]), known.describe(path, item)
        )
    yield from (f"{name} is missing." for name in before if name not in after)
    common = [name for name in before if name in after]
    if common != [name for name in after if name in before]:
        yield f"The order of {re.sub(r'.*[.]', '', path).replace('_', ' ')}s has changed."


def _field_differences(name: str, was: Any, now: Any) -> Iterator[str]:
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*was, *now)):
            yield from _field_differences(f"{name} {key.replace('_', ' ')}", was.get(key), now.get(key))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, (one, two) in enumerate(zip(was, now, strict=True), start=1):
            yield from _field_differences(f"{name} {number}", one, two)
    elif was != now:
        yield f"{name} is {show(now)} instead of {show(was)}."


def without(known: KnownComponents, data: Data, options: Data, seats: int, names: Sequence[str]) -> Data:
    """Return the data without some components, by the names that statistics use.

    Raise CannotLeaveOut for an unknown name, and for what the game needs.
    """
    result: Data = msgspec.json.decode(msgspec.json.encode(data))
    for typed in names:
        parts = known.parts(result, options, seats)
        short = typed.rsplit("·", 1)[-1].strip()
        last = short.rsplit(" ", 1)[-1]
        found = next((one for one in (short, last) if one in parts), None)
        reason = known.reason_to_keep(last) if found is None else None
        if reason is not None:
            raise CannotLeaveOut(reason)
        if found is None:
            near = get_close_matches(short, parts, 3, 0.5)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"Choose from {', '.join(parts[:12])} …"
            raise CannotLeaveOut(f"There's no “{typed}” here. {hint}")
        known.leave_out(result, options, seats, found)
    return result
