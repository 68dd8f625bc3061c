"""Tangle: roots that wander, a wasteland that turns green, and three secret conditions each."""

from engines.tangle.game import GAME as GAME

"""Tangle as a game of the house: the contract, carried out by the modules beside it."""
