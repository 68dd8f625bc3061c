"""The combined effects of the enchantments in front of a seat."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from engines.tangle.pieces.card_language import (
    AnyHook,
    Cheaper,
    CountName,
    CountsAs,
    EventName,
    FreeUpkeep,
    Gain,
    Grip,
    Leap,
    MeadowCap,
    Off,
    Priced,
    Slow,
    TrackName,
    When,
)
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
    free: dict[TrackName, int]
    counted: dict[CountName, int]
    gains: dict[EventName, tuple[tuple[CardId, Gain], ...]]
    offs: dict[Priced, tuple[tuple[Amount, int | None], ...]]

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
    free: dict[TrackName, int] = {}
    counted: dict[CountName, int] = {}
    gains: dict[EventName, tuple[tuple[CardId, Gain], ...]] = {}
    offs: dict[Priced, tuple[tuple[Amount, int | None], ...]] = {}
    for card, hook in hooks:
        match hook:
            case FreeUpkeep(track, count):
                free[track] = free.get(track, 0) + count
            case CountsAs(what, amount):
                counted[what] = counted.get(what, 0) + amount
            case When(event, gain):
                gains[event] = (*gains.get(event, ()), (card, gain))
            case Cheaper(what, off, times) if off != Off():
                offs[what] = (*offs.get(what, ()), (of(W=off.W, E=off.E, N=off.N, M=off.M), times))
            case _:
                pass
    ongoing = [hook for _, hook in hooks]
    return Powers(
        grip=_sum(ongoing, Grip),
        step=sum(hook.amount for hook in ongoing if isinstance(hook, Cheaper)),
        reach=_sum(ongoing, Leap),
        slow=_sum(ongoing, Slow),
        meadow_room=_sum(ongoing, MeadowCap),
        free=free,
        counted=counted,
        gains=gains,
        offs=offs,
    )


def _sum(hooks: Sequence[AnyHook], kind: type[Grip | Leap | Slow | MeadowCap]) -> int:
    return sum(hook.amount for hook in hooks if isinstance(hook, kind))
