"""A position as plain text, for tests, logs and stored games."""

from __future__ import annotations

from engines.ribbon.pieces import circle as circles
from engines.ribbon.pieces.circle import RibbonTangle
from engines.ribbon.view import RibbonView


def readable(view: RibbonView) -> str:
    """Write all that the view says of the position, and nothing else."""
    lines = [
        f"{view.mode}, turn {view.turn}, {_phase(view)}",
        f"circle {circles.spell(view.circle)}{_beneath(view)}",
        f"tangles {_labels(view.tangles)}",
        *(_hand(view, index) for index in range(len(view.hands))),
    ]
    if view.standing:
        lines.append(f"standing {_labels(view.standing)}")
    if view.full_turns or view.begun:
        lines.append(f"full-circle turns {view.full_turns}, position begun {view.begun}")
    if view.aside:
        lines.append(f"aside {circles.spell(view.aside)}")
    if view.unseen:
        lines.append(f"unseen {''.join(view.unseen)}")
    return "\n".join(lines)


def _phase(view: RibbonView) -> str:
    if not view.over:
        return f"{view.phase} owed by {', '.join(f'seat {seat}' for seat in view.owes)}"
    if view.outcome is None:
        return "called off"
    places = ", ".join("-" if place is None else str(place) for place in view.outcome.places)
    by = f" by {_labels(view.lost_by)}" if view.lost_by else ""
    return f"over: {view.outcome.how}{by}, places {places}"


def _beneath(view: RibbonView) -> str:
    return f" over {circles.spell(view.beneath)}" if any(view.beneath) else ""


def _labels(tangles: tuple[RibbonTangle, ...]) -> str:
    return " ".join(tangle.label for tangle in tangles) or "none"


def _hand(view: RibbonView, index: int) -> str:
    cards = circles.spell(view.hands[index]) or "no cards"
    shown = f" (shown {''.join(view.shown[index])})" if view.shown[index] else ""
    if view.mode == "solo":
        use = " in use" if index == view.hand_in_use else ""
        return f"hand {index + 1}: {cards}{shown}{use}"
    ribbon = view.ribbons[index]
    out = ", out" if index in view.out else ""
    return f"seat {index}{f' {ribbon}' if ribbon else ''}{out}: {cards}{shown}"
