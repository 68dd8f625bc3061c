"""The words in and beside the pictures of Nim."""

from collections.abc import Sequence

from engines.nim.view import View
from engines.words import alt_text


def heading(view: View, names: Sequence[str]) -> str:
    return "The game is over" if view.outcome is not None else f"{names[view.seat]} takes"


def describe_board(view: View, names: Sequence[str]) -> str:
    heaps = ", ".join(str(stones) for stones in view.heaps)
    last = view.last
    taken = [] if last is None else [f"Last, {last.stones} were taken from heap {last.heap}."]
    return alt_text([f"Nim, turn {view.turn}: {heading(view, names)}.", f"The heaps hold {heaps}.", *taken])
