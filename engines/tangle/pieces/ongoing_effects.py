"""The combined effects of the enchantments in front of a seat."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from engines.tangle.pieces import card_language
from engines.tangle.pieces.components import CARDS, NOTHING, Amount, CardId, of, plus

Thing = Literal["earth", "meadow", "grow", "cast"]
"""The things that cards make cheaper by resources."""


class Powers(msgspec.Struct, frozen=True):
    """The lasting effects of some enchantments; two copies work twice. Rules: Enchantments.

    Attributes:
        grip: the surcharge that the seat gets for its roots below.
        step: the discount on its tolls to each opponent.
        reach: the tiles that its clean earth may jump for nothing.
        slow: the steps that its trackers are spared.
        meadow_room: the extra cubes that its meadows hold.
        free: for each track the items that need no payment.
        counted: the bonus to its numbers when conditions are checked.
        gains: its gains at each event, with the card that says so.
        offs: each discount on a thing with the number of units of an action that it works for.
    """

    grip: int
    step: int
    reach: int
    slow: int
    meadow_room: int
    free: dict[card_language.TrackName, int]
    counted: dict[card_language.CountName, int]
    gains: dict[card_language.EventName, tuple[tuple[CardId, card_language.Gain], ...]]
    offs: dict[card_language.Priced, tuple[tuple[Amount, int | None], ...]]

    def discount(self, thing: Thing, nth: int) -> Amount:
        """Return the discount on the unit number `nth`, from 0, of an action."""
        result = NOTHING
        for off, times in self.offs.get(thing, ()):
            if times is None or nth < times:
                result = plus(result, off)
        return result


@lru_cache(maxsize=20_000)
def powers(front: tuple[CardId, ...]) -> Powers:
    hooks = [(card, hook) for card in front for hook in CARDS[card].hooks]
    free: dict[card_language.TrackName, int] = {}
    counted: dict[card_language.CountName, int] = {}
    gains: dict[card_language.EventName, tuple[tuple[CardId, card_language.Gain], ...]] = {}
    offs: dict[card_language.Priced, tuple[tuple[Amount, int | None], ...]] = {}
    for card, hook in hooks:
        match hook:
            case card_language.FreeUpkeep(track, count):
                free[track] = free.get(track, 0) + count
            case card_language.CountsAs(what, amount):
                counted[what] = counted.get(what, 0) + amount
            case card_language.When(event, gain):
                gains[event] = (*gains.get(event, ()), (card, gain))
            case card_language.Cheaper(what, off, times) if off != card_language.Off():
                offs[what] = (*offs.get(what, ()), (of(W=off.W, E=off.E, N=off.N, M=off.M), times))
            case _:
                pass
    ongoing = [hook for _, hook in hooks]
    return Powers(
        grip=_sum(ongoing, card_language.Grip),
        step=sum(hook.amount for hook in ongoing if isinstance(hook, card_language.Cheaper)),
        reach=_sum(ongoing, card_language.Leap),
        slow=_sum(ongoing, card_language.Slow),
        meadow_room=_sum(ongoing, card_language.MeadowCap),
        free=free,
        counted=counted,
        gains=gains,
        offs=offs,
    )


def _sum(
    hooks: Sequence[card_language.AnyHook],
    kind: type[card_language.Grip | card_language.Leap | card_language.Slow | card_language.MeadowCap],
) -> int:
    return sum(hook.amount for hook in hooks if isinstance(hook, kind))
