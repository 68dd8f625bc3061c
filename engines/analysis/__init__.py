"""Looks at positions and games from outside: search, studies, puzzles, deals of the day, statistics."""
