"""Puzzles from games between computers, one at a time."""
