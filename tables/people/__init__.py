"""What a person sets for themselves, and all their tables at a glance."""
