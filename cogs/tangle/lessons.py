"""The notes that a player of Tangle meets, by the keys of `lessons.toml`."""

from cogs.tangle.draft import pushes
from engines.game import Seat
from engines.tangle import decisions
from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.pieces.components import TRACKS
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
        texts += _upkeep_notes(view)
    return texts


def _upkeep_notes(view: TangleView) -> list[str]:
    """Return the notes about markers that are out and near trackers."""
    pairs = list(zip(view.trackers, view.markers, strict=True))
    notes = ["waiting"] if any(marker is not None and not steps for steps, marker in pairs) else []
    notes += ["due"] if any(marker is not None for _, marker in pairs) else []
    near = (marker is None and steps <= DUE for steps, marker in pairs)
    return notes + [f"soon_{track}" for track, is_near in zip(TRACKS, near, strict=True) if is_near]
