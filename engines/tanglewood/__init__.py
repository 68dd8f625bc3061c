"""Tanglewood: campaigning animals, nine regions of a forest, and Tangles to carry out."""

from engines.tanglewood.game import GAME as GAME

"""Tanglewood as a game of the house: the contract, carried out by the modules beside it."""
