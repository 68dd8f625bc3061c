"""Converts our values to and from database rows.

Plain values stay as they are; enums become their names, bytes hex, and structs JSON.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from tables.clocks.pace import Pace, read_pace

T = TypeVar("T", bound=msgspec.Struct)
Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]
UNCONVERTED_TYPES = (bool, int, float, str)


def read(kind: type[T], row: msgspec.Struct, **others: Any) -> T:
    """Build a value from a row with the same field names. `others` are given apart."""
    values = dict(others)
    for name, codec in _codecs(kind).items():
        if name not in others:
            value = getattr(row, name)
            values[name] = value if codec is None or value is None else codec[0](value)
    return kind(**values)


def to_row_values(value: msgspec.Struct, *but: str) -> dict[str, Any]:
    """Return a value's fields as row values, without `but` some."""
    values: dict[str, Any] = {}
    for name, codec in _codecs(type(value)).items():
        if name not in but:
            field = getattr(value, name)
            values[name] = field if codec is None or field is None else codec[1](field)
    return values


@cache
def _codecs(kind: type[msgspec.Struct]) -> dict[str, Codec | None]:
    """Return the conversion of each field. None if it is stored as it is."""
    return {field.name: _codec(field.type) for field in msgspec.structs.fields(kind)}


def _codec(kind: Any) -> Codec | None:
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    one, *others = (each for each in kinds if each is not NoneType)
    if others:
        return msgspec.json.Decoder(kind).decode, _encode
    if one in UNCONVERTED_TYPES:
        return None
    if one is Pace:
        return read_pace, attrgetter("name")
    if one is bytes:
        return bytes.fromhex, bytes.hex
    if isinstance(one, type) and issubclass(one, Enum):
        return one, attrgetter("value")
    return msgspec.json.Decoder(one).decode, _encode


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()
