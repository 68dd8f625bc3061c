"""Hints and first-time notes."""
