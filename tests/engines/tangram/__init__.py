"""The rules of the game, tested; and what the suite for all games has to know of it."""

LONGEST = 3000
"""No game has more moves, however it is played."""
WEIGHT = 8
"""The length of its games relative to those of a small card game: the suite plays fewer of long ones."""
