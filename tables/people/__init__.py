"""A person's own settings, and all their tables at a glance."""
