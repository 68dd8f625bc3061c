LONGEST = 30
"""No game has more moves, however it is played."""
WEIGHT = 1
"""The length of its games relative to those of a small card game: the suite plays fewer of long ones."""
