"""Example pictures for the documentation, from real games: ``python -m render.samples``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.moves import EndTurn, Flip
from engines.ribbon.options import Options
from engines.ribbon.view import View
from render.picture import Picture
from render.ribbon import board, hand

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
NAMES = ("Ann", "Bo", "Cy")


def versus() -> View:
    """Three computer players late in a game, as the seat to act sees it."""
    return _played(3, Options(), 1, lambda view: view.turn == 9 and view.exchanged)


def coop() -> View:
    """A full circle whose first tangles must go on this turn."""
    deal = GAME.Deal(deck=tuple("QIGEKBHMDNCAFOJPLR"), first=0)
    state = GAME.begin(2, GAME.settle(2, Options(mode="coop")), deal, b"")
    for place in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 7):
        GAME.play(state, state.seat, Flip(place))
        if place != 1:
            GAME.play(state, state.seat, EndTurn())
    return GAME.view(state, None)


def solo() -> View:
    """One player with three hands."""
    return _played(
        1, Options(difficulty="medium"), 1, lambda view: view.turn == 10 and view.phase == "arrange"
    )


def _played(seats: int, options: Options, seed: int, until: Callable[[View], bool]) -> View:
    """A game of strong computer players up to the first view that is asked for, or else its end."""
    options, rng, key = GAME.settle(seats, options), Random(seed), seed.to_bytes(2, "big")
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        view = GAME.view(state, seat)
        if until(view):
            return view
        GAME.play(state, seat, GAME.choose(view, seat, rng, Strength.STRONG))
    return GAME.view(state, None)


def pictures() -> dict[str, Picture]:
    """Every example by its file name."""
    late = versus()
    held = hand(late, late.seat, NAMES)
    assert held is not None
    public = msgspec.structs.replace(late, viewer=None)
    return {
        "ribbon-versus.png": board(public, NAMES),
        "ribbon-coop.png": board(coop(), NAMES),
        "ribbon-solo.png": board(solo(), NAMES),
        "ribbon-hand.png": held,
    }


if __name__ == "__main__":
    for name, picture in pictures().items():
        (FOLDER / name).write_bytes(picture.png)
        print(f"{name}: {len(picture.png) // 1024} KiB. {picture.alt}")
