"""Tanglewood: the choices of the largest effects, and its pictures at five seats."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from benchmarks.measure import Figure, cpu_milliseconds, pictures
from engines.game import Strength
from engines.tanglewood import GAME
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import TanglewoodPlace
from engines.tanglewood.options import TanglewoodOptions
from engines.tanglewood.pieces.components import REGIONS, TANGLES
from engines.tanglewood.view import TanglewoodView
from render.tanglewood import board, hand, preview

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
SEATS = 5
GAMES = 4
REPEATS = 20
LARGEST = ("gather", "scatter", "move_adjacent", "export")


def measure() -> Iterator[Figure]:
    views = [view for number in range(GAMES) for view in _views(number)]
    for effect in LARGEST:
        asked = [view for view in views if view.phase == "effect" and _current_effect(view) == effect]
        if asked:
            most = max(asked, key=lambda view: len(choices(view)))
            yield Figure(
                f"tanglewood: {len(choices(most))} choices of {effect} listed",
                [cpu_milliseconds(partial(choices, most)) for _ in range(REPEATS)],
                "ms CPU",
                "<= 2",
            )
    late = [view for view in views if view.round >= 6]
    yield from pictures(
        "tanglewood: the map at five seats", [partial(board, v, NAMES) for v in late], "<= 40", "<= 250"
    )
    turns = [view for view in late if view.phase == "turn"]
    looks = [partial(preview, view, NAMES, (), {"A": 1, "E": 2}) for view in turns]
    yield from pictures("tanglewood: a preview in the panel", looks)
    hands = [
        partial(hand, view, view.viewer, NAMES)
        for view in late
        if view.viewer is not None and view.held[view.viewer]
    ]
    yield from pictures("tanglewood: a hand of ballots", hands)


def _views(number: int) -> Iterator[TanglewoodView]:
    """Yield views of games between medium players who like large effects."""
    options, seed, rng = TanglewoodOptions(), b"%d" % number, Random(number)
    state = GAME.begin(SEATS, options, GAME.deal(SEATS, options, seed), seed)
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        view = GAME.view(state, seat)
        yield view
        GAME.play(state, seat, _eager(view) or GAME.choose(view, seat, rng, Strength.MEDIUM))


def _current_effect(view: TanglewoodView) -> str | None:
    return None if view.card is None else TANGLES[view.card].effect


def _eager(view: TanglewoodView) -> Any:
    """Return a placement that leads to a largest effect, if any."""
    if view.phase != "turn" or view.viewer is None or not view.circles[view.viewer]:
        return None
    for region in REGIONS:
        card = view.tangles[region]
        if card is not None and TANGLES[card].effect in LARGEST:
            return TanglewoodPlace(region, 1)
    return None
