"""Reviewing games, notes, files."""
