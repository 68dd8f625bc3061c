"""The computer players: the strong one knows the nimbers, the weak one takes what it likes."""

from functools import reduce
from operator import xor
from random import Random

from engines.game import Strength
from engines.nim.moves import Take
from engines.nim.pieces.board import takes
from engines.nim.view import View


def choose(view: View, rng: Random, strength: Strength) -> Take:
    """Choose a legal move; the strong player makes heaps cancel out."""
    moves = list(takes(view))
    good = [move for move in moves if _nimber(view, move) == 0] if strength is Strength.STRONG else []
    return rng.choice(good or moves)


def _nimber(view: View, move: Take) -> int:
    heaps = [
        stones - move.stones * (number == move.heap) for number, stones in enumerate(view.heaps, start=1)
    ]
    last_loses = view.options.last == "loses" and max(heaps) <= 1
    return reduce(xor, heaps) ^ last_loses
