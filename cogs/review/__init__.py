"""Looking back at games, notes, files."""
