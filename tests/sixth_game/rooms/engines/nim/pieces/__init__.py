"""The parts of the game."""
