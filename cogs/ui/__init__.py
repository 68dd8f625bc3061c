"""Shared parts of the interface: pages, persistent buttons, private answers."""
