"""The notes that a player of Tangle meets, by the keys of `lessons.toml`."""

from cogs.tangle.draft import pushes
from engines.game import Seat
from engines.tangle import decisions
from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.view import TangleView
from engines.tangle.words.previews import DUE

NEAR = 3
"""Missing items of a condition that is near."""


def applicable_notes(view: TangleView, seat: Seat) -> list[str]:
    """Return a deciding seat's notes, the most urgent first."""
    if view.decision is None:
        return []
    texts = ["start"]
    have = counts(view.tiles, view.players[seat].front, seat)
    if any(lacking(one, have) <= NEAR for one in view.conditions or ()):
        texts.append("near")
    texts.append(str(view.decision.__struct_config__.tag))
    if pushes(view):
        texts.append("steps")
    if isinstance(view.decision, decisions.Placing):
        if any(owner != seat for roots in view.roots.values() for owner in roots):
            texts.append("below")
        if min(view.trackers) <= DUE:
            texts.append("due" if min(view.trackers) else "waiting")
    return texts
