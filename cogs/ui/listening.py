"""For whom an answer is meant to be heard: somebody who has asked for boards in words.

What they are sent has no signs in it, which a screen reader would spell out. Whether it is so is noted once,
when an interaction begins, for whoever makes or sends a page is not to wait for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cogs.ui.interaction import Interaction

IN_WORDS = "in words"
"""Under this name it is noted among the extras of an interaction."""
Hears = Callable[[Interaction], Awaitable[bool]]
_asked: list[Hears] = []


def asks_whether(hears: Hears) -> Hears:
    """Have a function say whether the person who began an interaction wants to hear the answers."""
    _asked.append(hears)
    return hears


async def note_listener(interaction: Interaction) -> None:
    """Note of an interaction that has just begun whether its answers are to be heard."""
    interaction.extras[IN_WORDS] = any([await hears(interaction) for hears in _asked])


def listens(interaction: Interaction) -> bool:
    """Whether the answers of an interaction are to be heard."""
    return bool(interaction.extras.get(IN_WORDS))
