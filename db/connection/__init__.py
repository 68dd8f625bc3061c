"""Opens a database, reads it and writes it."""
