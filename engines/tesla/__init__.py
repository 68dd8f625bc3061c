"""Tesla's Tangle: circuits of tiles, and markers that are cashed in when the circuits have grown."""

from __future__ import annotations

from engines.tesla.game import Tesla

GAME = Tesla()

__all__ = ["GAME", "Tesla"]
