"""Puzzles: one at a time, with a rating of one's own."""
