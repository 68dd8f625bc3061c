"""What the strong computer player tells a person: its best choices, and how well a seat stands."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.game import ADVISED, Advice, Game, Seat
from engines.tanglewood import moves
from engines.tanglewood.computer.ahead import best
from engines.tanglewood.computer.choosing import kept
from engines.tanglewood.computer.evaluation import gauge, price_of_ballots
from engines.tanglewood.moves import Move
from engines.tanglewood.view import View


def advice(view: View, seat: Seat, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any]) -> list[Advice]:
    """The choices that come to most some turns later; of the ballots to keep the one choice."""
    if view.phase == "keep":
        return [Advice((kept(view, seat),))]
    found = [choice.candidate for choice in best(view, seat, rng, rules)]
    return [Advice((move,)) for move in _by_region(found)[:ADVISED]]


def _by_region(found: list[Move]) -> list[Move]:
    """Of the placements in the same region only the first, whatever the number of markers."""
    kinds: dict[object, Move] = {}
    for move in found:
        kinds.setdefault(move.region if isinstance(move, moves.Place) else move, move)
    return list(kinds.values())


def estimate(view: View, seat: Seat) -> float | None:
    """The votes that a seat has and may expect, its ballots with them. Who has left has none."""
    if seat in view.out:
        return None
    won = float(view.votes[seat])
    if view.over:
        return won
    return won + gauge(view, seat).expected(view.workers) + price_of_ballots(0, view.held[seat])
