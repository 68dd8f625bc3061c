"""Autocomplete's suggestions while somebody types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from discord import app_commands

from engines.marks import to_plain

MOST, LONGEST = 25, 100
"""Lines that Discord shows, and the characters of each."""
V = TypeVar("V", str, int)


def suggest_choices(named: Mapping[V, str], typed: str) -> list[app_commands.Choice[V]]:
    """Return the values whose names contain the typed text, under these names."""
    wanted = typed.strip().lower()
    labels = {value: to_plain(name) for value, name in named.items()}
    pairs = [(value, label) for value, label in labels.items() if wanted in label.lower()]
    return [app_commands.Choice(name=name[:LONGEST], value=value) for value, name in pairs[:MOST]]
