"""Copies the public fields of any game's state or view."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, get_origin

import msgspec


def fields_of(value: msgspec.Struct, public: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the fields of `public`, which the value's type extends, by name. Copy lists and dicts."""
    names, values, changing = _fields(public)
    result = dict(zip(names, values(value), strict=True))
    for name in changing:
        result[name] = result[name].copy()
    return result


@cache
def _fields(public: type[msgspec.Struct]) -> tuple[tuple[str, ...], Callable[[Any], Any], tuple[str, ...]]:
    fields = msgspec.structs.fields(public)
    names = tuple(field.name for field in fields)
    changing = (field.name for field in fields if hasattr(get_origin(field.type) or field.type, "copy"))
    return names, attrgetter(*names), tuple(changing)
