"""Turns tried again and sandboxes, just for the person who asks."""
