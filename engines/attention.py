"""Makes the weaker computer players go wrong: they overlook some choices and misjudge the others."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Attention(NamedTuple):
    """A player's attention to its choices.

    Attributes:
        overlooked: the share of its choices that it doesn't see.
        misjudged: the most by which it overrates one, in the unit of the game's values.
    """

    overlooked: float = 0.0
    misjudged: float = 0.0


FULL = Attention()


def notice(choices: Sequence[T], attention: Attention, rng: Random) -> list[T]:
    """Return the choices that a player sees, at least one of them.

    >>> notice("abcdef", Attention(overlooked=0.5), Random(3))
    ['b', 'd', 'e']
    """
    if not attention.overlooked:
        return list(choices)
    return [one for one in choices if rng.random() >= attention.overlooked] or [rng.choice(choices)]


def pick(
    choices: Sequence[T],
    value: Callable[[T], float],
    attention: Attention,
    rng: Random,
    is_idle: Callable[[T], bool] | None = None,
) -> T:
    """Return the choice that looks best to a player.

    It takes an idle one only if there are no others; rather the best of those that it overlooked.

    >>> pick([1, 2, 3], float, FULL, Random(1)), pick([1, 2, 3], float, FULL, Random(1), lambda one: one > 1)
    (3, 1)
    """
    seen = notice(choices, attention, rng)
    looks = [value(one) + attention.misjudged * rng.random() for one in seen]
    ranked = [seen[index] for index in sorted(range(len(seen)), key=lambda index: -looks[index])]
    if is_idle is None:
        return ranked[0]
    useful = next((one for one in ranked if not is_idle(one)), None)
    if useful is None:
        useful = max((one for one in choices if not is_idle(one)), key=value, default=ranked[0])
    return useful
