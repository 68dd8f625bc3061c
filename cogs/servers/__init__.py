"""Administration, settings and privacy."""
