"""A person's settings, and all their tables."""
