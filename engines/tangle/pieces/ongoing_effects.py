"""What the enchantments that lie in front of a seat do as long as they lie there, all taken together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from engines.tangle.pieces.amounts import NOTHING, Amount, of, plus
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
from engines.tangle.pieces.components import CARDS, CardId

Thing = Literal["earth", "meadow", "grow", "cast"]
"""What cards make cheaper by resources."""


class Powers(msgspec.Struct, frozen=True):
    """The lasting effects of some enchantments; two copies work twice. Rules: Enchantments.

    Attributes:
        grip: so much more is paid to the seat for its roots below.
        step: so much less it pays to each opponent.
        reach: so many tiles its clean earth may jump for nothing.
        slow: so many steps less it moves the trackers.
        meadow_room: so many cubes more its meadows hold.
        free: for each track the items that need no payment.
        counted: what is added to its numbers when conditions are checked.
        gains: what it gains at each event, with the card that says so.
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
        """How much less the unit number `nth`, from 0, of an action costs."""
        found = NOTHING
        for off, times in self.offs.get(thing, ()):
            if times is None or nth < times:
                found = plus(found, off)
        return found


@lru_cache(maxsize=20_000)
def powers(front: tuple[CardId, ...]) -> Powers:
    """What these enchantments do together."""
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
