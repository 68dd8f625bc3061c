"""A position as plain text, for tests, logs and stored games."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engines.game import Seat
from engines.tangle.pieces.board import TangleTile
from engines.tangle.pieces.components import TRACKS
from engines.tangle.view import TangleView


def readable(view: TangleView) -> str:
    """Write all that the view says of the position, and nothing else."""
    marks = zip(TRACKS, view.trackers, view.markers, strict=True)
    lines = [
        f"round {view.round}, turn {view.turn}, {_phase(view)}",
        f"reserve {view.reserve}, changes {view.changes}, extra {view.extra}, offered {view.offered}",
        f"tiles {_words(f'{area} {_tile(tile)}' for area, tile in sorted(view.tiles.items()))}",
        f"roots {_words(f'{code} {_digits(roots)}' for code, roots in sorted(view.roots.items()))}",
        f"resources {_words(f'{code} {_digits(lying)}' for code, lying in view.resources.items())}",
        *(_seat(view, seat) for seat in range(view.seats)),
        f"seeds {_words(view.seeds)}, pile {view.pile}, row {_words(view.row)}",
        f"discards {_words(view.discards) or 'none'}",
        f"tracks {_words(f'{track} {left} {_marker(marker)}' for track, left, marker in marks)}",
    ]
    if view.hand is not None:
        lines.append(f"hand {_words(view.hand) or 'none'}, conditions {_words(view.conditions or ())}")
    return "\n".join(lines)


def _words(words: Iterable[object]) -> str:
    return " ".join(map(str, words))


def _digits(numbers: Iterable[int]) -> str:
    return "".join(map(str, numbers))


def _marker(seat: Seat | None) -> str:
    return "home" if seat is None else f"before {seat}"


def _tile(tile: TangleTile) -> str:
    """Write a tile like ``0earth+bush`` or ``1meadow3`` or ``0tree^1``."""
    seed = "" if tile.seed is None else f"+{tile.seed}"
    roots = f"^{tile.roots}" if tile.roots else ""
    return f"{tile.owner}{tile.kind}{seed}{tile.cubes or ''}{roots}"


def _phase(view: TangleView) -> str:
    if view.outcome is not None:
        return f"over: {view.outcome.how}, places {_words(view.outcome.places)}"
    asked = msgspec.json.encode(view.decision).decode()
    return f"seat {view.seat}, {asked} owed by {' and '.join(f'seat {seat}' for seat in view.owing)}"


def _seat(view: TangleView, seat: Seat) -> str:
    player = view.players[seat]
    sleeper = f", a root sleeps on {player.sleeper}" if player.sleeper else ""
    out = ", out" if seat in view.out else ""
    hand = f": {_words(view.hands[seat])}" if view.hands is not None else ""
    secrets = f", conditions {_words(view.secrets[seat])}" if view.secrets is not None else ""
    return (
        f"seat {seat}{out}: stash {_words(player.stash)}, seeds {_words(player.seeds)}, "
        f"tiles {_words(player.tiles)}, roots {player.roots}{sleeper}, "
        f"front {_words(player.front) or 'none'}, {player.held} cards{hand}{secrets}"
    )
