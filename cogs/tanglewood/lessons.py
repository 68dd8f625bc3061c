"""The notes that a player of Tanglewood meets, by the keys of `lessons.toml`."""

from engines.game import Seat
from engines.tanglewood.pieces.components import REGIONS
from engines.tanglewood.view import TanglewoodView


def applicable_notes(view: TanglewoodView, seat: Seat) -> list[str]:
    """Return the notes for a seat to move, the most urgent first."""
    texts = ["start"]
    if view.phase != "turn":
        texts.append(str(view.phase))
        return texts
    if view.scoring_round is not None and not view.over:
        texts.append("poll" if view.round < view.scoring_round else "poll_now")
    texts.append("place")
    if any(_shares_the_lead(view, seat, region) for region in REGIONS):
        texts.append("tie")
    return texts


def _shares_the_lead(view: TanglewoodView, seat: Seat, region: str) -> bool:
    counts = view.workers[region]
    return counts[seat] == max(counts) > 0 and counts.count(max(counts)) == 2
