"""Moves of Tanglewood by name, as people type them."""

from __future__ import annotations

from engines.tanglewood import moves
from engines.tanglewood.words.nouns import place, track_name, worker
from engines.words import Names


def choice(move: moves.Move, names: Names) -> str:
    """Return a choice as it can be typed."""
    match move:
        case moves.TanglewoodStep(track):
            return track_name(track)
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return place(region)
        case moves.TanglewoodNudge(region, which, to):
            return f"{worker(which, names)} from {region} to {to}"
        case moves.Gather(workers):
            return ", ".join(f"{worker(one.colour, names)} from {one.region}" for one in workers)
        case moves.Scatter(sent):
            return ", ".join(f"{worker(one.colour, names)} to {one.to}" for one in sent)
        case moves.Export(to, which):
            return f"{', '.join(worker(one, names) for one in which)} to {to}"
        case moves.MoveAdjacent(region, crossings):
            crossed = ", ".join(f"{worker(one.colour, names)} {one.way}" for one in crossings)
            return f"{region}: {crossed}"
        case moves.PlayBallots(regions) | moves.KeepBallots(regions):
            return " ".join(regions) or "none"
        case moves.TanglewoodDraw(track):
            return "draw" if track is None else f"draw, {track_name(track)}"
        case moves.TanglewoodPlace(region, count):
            return f"{count} in {place(region)}"
