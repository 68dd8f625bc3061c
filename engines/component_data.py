"""Gives each game its component data: ours or, in a simulation's process, a file's.

The data are constants of a game's modules, so another file is chosen before these are loaded, once in a
process. Only `bot.py simulate` and `bot.py components` do so, in worker processes of their own.
"""

import sys
from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

_CHOSEN: dict[str, bytes] = {}


def our_data(slug: str) -> bytes:
    """Return the text of our own data file."""
    return files(f"engines.{slug}.pieces").joinpath(f"{slug}.toml").read_bytes()


def load_components(slug: str, kind: type[T]) -> T:
    """Decode the data that this process uses."""
    chosen = _CHOSEN.get(slug)
    if chosen is not None:
        return msgspec.json.decode(chosen, type=kind)
    return msgspec.toml.decode(our_data(slug), type=kind)


def choose_data(slug: str, data: bytes | None) -> None:
    """Let this process play with the data, as JSON; None means ours.

    Raises:
        RuntimeError: if the game is already loaded with other data.
    """
    if _CHOSEN.get(slug) == data:
        return
    if f"engines.{slug}" in sys.modules:
        raise RuntimeError(f"{slug} is already loaded with other data in this process")
    if data is None:
        del _CHOSEN[slug]
    else:
        _CHOSEN[slug] = data
