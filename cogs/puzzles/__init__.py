"""Puzzles from real games, one at a time."""
