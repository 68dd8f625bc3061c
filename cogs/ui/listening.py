"""Interactions of people who listen: those who asked for boards in words.

Their answers have no signs, which a screen reader would spell out. This is noted once, when an interaction
begins, so that making or sending a page needs no lookup.
"""

from collections.abc import Awaitable, Callable

from cogs.ui.interaction import Interaction

IN_WORDS = "in words"
"""The key of the note in an interaction's extras."""
Hears = Callable[[Interaction], Awaitable[bool]]
_asked: list[Hears] = []


def register_text_check(hears: Hears) -> Hears:
    _asked.append(hears)
    return hears


async def note_text_wish(interaction: Interaction) -> None:
    """Note on a new interaction if its answers should be text."""
    interaction.extras[IN_WORDS] = any([await hears(interaction) for hears in _asked])


def wants_text(interaction: Interaction) -> bool:
    """Return True if the answers of an interaction should be text."""
    return bool(interaction.extras.get(IN_WORDS))
