"""What a player of Tangle meets, by the keys of `lessons.toml`."""

from __future__ import annotations

from engines.game import Seat
from engines.tangle import decisions
from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.view import TangleView

NEAR, DUE = 3, 2
"""A condition that lacks no more is near, an upkeep so many steps from the top is due soon."""


def met(view: TangleView, seat: Seat) -> list[str]:
    """What a seat that is to decide meets just now, the most pressing first."""
    if view.decision is None:
        return []
    found = ["start"]
    have = counts(view.tiles, view.players[seat].front, seat)
    if any(lacking(one, have) <= NEAR for one in view.conditions or ()):
        found.append("near")
    found.append(str(view.decision.__struct_config__.tag))
    if isinstance(view.decision, decisions.Placing):
        if any(owner != seat for roots in view.roots.values() for owner in roots):
            found.append("below")
        if min(view.trackers) <= DUE:
            found.append("due")
    return found
