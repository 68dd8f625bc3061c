"""A position of Nim in plain text."""

from __future__ import annotations

from engines.nim.view import View


def readable(view: View) -> str:
    """Return one line for the turn, one for each heap."""
    head = "over" if view.outcome is not None else f"seat {view.seat} to take"
    return "\n".join([f"turn {view.turn}, {head}", *("o" * stones or "-" for stones in view.heaps)])
