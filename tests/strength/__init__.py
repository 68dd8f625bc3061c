"""The strength of the computer players, and the players to measure them against."""
