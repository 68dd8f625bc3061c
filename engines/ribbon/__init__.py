"""Ribbon Tangle: three ribbons through a circle of twelve cards, and whoever tangles the own one is out."""

from __future__ import annotations

from engines.ribbon.game import Ribbon

GAME = Ribbon()

__all__ = ["GAME", "Ribbon"]
