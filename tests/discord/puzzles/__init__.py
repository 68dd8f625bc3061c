"""Puzzles in Discord."""
