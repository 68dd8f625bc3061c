"""Tesla's Tangle: circuits of tiles, and markers that are cashed in when the circuits have grown."""

from engines.tesla.game import GAME, Tesla

__all__ = ["GAME", "Tesla"]
