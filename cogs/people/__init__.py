"""What a person sets, and all their tables."""
