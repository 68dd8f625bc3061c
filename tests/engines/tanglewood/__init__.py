"""The rules of the game, tested; and what the suite for all games has to know of it."""

LONGEST = 1000
"""No game has more moves, however it is played."""
WEIGHT = 8
"""How many times longer than those of a small card game its games take: the suite plays fewer of them."""
