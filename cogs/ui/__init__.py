"""Shared pieces of the face: pages, persistent buttons, private answers."""
