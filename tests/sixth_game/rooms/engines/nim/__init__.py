"""Nim: heaps of stones, and who takes the last one wins."""

from __future__ import annotations

from engines.nim.game import Nim

GAME = Nim()

__all__ = ["GAME", "Nim"]
