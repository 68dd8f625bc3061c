"""Played games: records, notes, and files."""
