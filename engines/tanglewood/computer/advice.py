"""Advice of the strong computer player: its best choices, and estimates of a seat's prospects."""

from random import Random
from typing import Any

from engines.game import ADVISED, Advice, Game, Seat
from engines.tanglewood import moves
from engines.tanglewood.computer.ahead import best, standing
from engines.tanglewood.computer.choosing import choose_kept_ballots
from engines.tanglewood.computer.winning import winning_move
from engines.tanglewood.moves import Move
from engines.tanglewood.view import TanglewoodView


def advice(
    view: TanglewoodView, seat: Seat, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any]
) -> list[Advice]:
    """Return winning moves first, then the best choices some turns on. Of ballots to keep, one."""
    if view.phase == "keep":
        return [Advice((choose_kept_ballots(view, seat),))]
    won = winning_move(view, seat, rng, rules)
    entries = [choice.candidate for choice in best(view, seat, rng, rules)]
    if won is not None:
        entries = [won, *(move for move in entries if move != won)]
    return [Advice((move,)) for move in _by_region(entries)[:ADVISED]]


def _by_region(entries: list[Move]) -> list[Move]:
    """Keep only the first placement in each region, whatever the number of markers."""
    kinds: dict[object, Move] = {}
    for move in entries:
        kinds.setdefault(move.region if isinstance(move, moves.TanglewoodPlace) else move, move)
    return list(kinds.values())


def estimate(view: TanglewoodView, seat: Seat) -> float | None:
    """Estimate a seat's votes, won and expected, with its other assets. None if it has left."""
    return None if seat in view.out else standing(view, seat)
