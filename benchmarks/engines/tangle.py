"""Tangle: its pictures at four seats late in a game, and the computer player's placements."""

from collections.abc import Iterator
from functools import partial
from random import Random

from benchmarks.measure import Figure, cpu_milliseconds, pictures
from engines.game import Strength
from engines.tangle import GAME
from engines.tangle.legal.moves import choices
from engines.tangle.moves import TanglePlace
from engines.tangle.options import TangleOptions
from engines.tangle.view import TangleView
from render.tangle import board, focus, hand

NAMES = ("Ann", "Bo", "Cy", "Dee")
SEATS = 4
LATE = 12


def measure() -> Iterator[Figure]:
    views = [view for view in _views() if view.round >= LATE]
    yield from pictures(
        "tangle: the land at four seats", [partial(board, view, NAMES) for view in views], "<= 40", "<= 300"
    )
    held = [partial(hand, view, view.viewer or 0, NAMES) for view in views]
    yield from pictures("tangle: a hand with its conditions", held)
    looks = [partial(focus, view, NAMES, tuple(view.tiles)[:12], ()) for view in views]
    yield from pictures("tangle: a part of the land in the panel", looks)
    placing = [view for view in views if any(isinstance(move, TanglePlace) for move in choices(view))]
    yield Figure(
        "tangle: every placement listed",
        [cpu_milliseconds(partial(choices, view)) for view in placing],
        "ms CPU",
    )
    yield Figure(
        "tangle: a strong computer's placement",
        [
            cpu_milliseconds(partial(GAME.choose, v, v.viewer or 0, Random(1), Strength.STRONG))
            for v in placing
        ],
        "ms CPU",
        "<= 2,000 at most",
    )


def _views() -> Iterator[TangleView]:
    """Yield the view of the seat to act, decision by decision."""
    options, rng = TangleOptions(), Random(1)
    state = GAME.begin(SEATS, options, GAME.deal(SEATS, options, b"bench"), b"bench")
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        view = GAME.view(state, seat)
        yield view
        GAME.play(state, seat, GAME.choose(view, seat, rng, Strength.MEDIUM))
