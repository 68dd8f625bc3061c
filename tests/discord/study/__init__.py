"""Turns tried again and sandboxes in Discord."""
