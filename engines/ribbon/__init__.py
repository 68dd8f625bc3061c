"""Ribbon Tangle: three ribbons through a circle of twelve cards, and you are out if you tangle your own."""

from engines.ribbon.game import GAME, Ribbon

__all__ = ["GAME", "Ribbon"]
