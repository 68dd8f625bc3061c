"""Readers of posts: every sentence of a turn is read back and compared with the game."""
