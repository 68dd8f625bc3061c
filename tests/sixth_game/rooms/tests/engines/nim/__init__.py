"""What the suite for all games has to know of Nim."""

LONGEST = 30
"""No game has more moves, however it is played."""
WEIGHT = 1
"""How many times longer than those of a small card game its games take: the suite plays fewer of them."""
