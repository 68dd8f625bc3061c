"""Positions that a person tries alone: a turn once more, or a sandbox."""
