"""The computer player: decides from its own view alone."""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.tesla.legal import marker_spots, placements
from engines.tesla.moves import EndReplay, EndTurn, Mark, Move
from engines.tesla.position import supposed
from engines.tesla.view import View


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """A legal move for a seat that owes one. Rules: Computer players."""
    position = supposed(view)
    if view.phase == "replay":
        return EndReplay()
    if view.phase == "end":
        return EndTurn()
    laid = list(placements(position.board, tuple(dict.fromkeys(position.hands[seat]))))
    if laid:
        return rng.choice(laid)
    spots = list(marker_spots(position)) if view.may_mark else []
    return Mark(*rng.choice(spots)) if spots else EndTurn()
