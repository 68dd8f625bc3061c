"""Nim: heaps of stones, and who takes the last one wins."""

from engines.nim.game import Nim

GAME = Nim()

__all__ = ["GAME", "Nim"]
