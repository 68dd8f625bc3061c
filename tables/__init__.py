"""The life of a table without Discord: lobby, seats, play, undo, computers, outbox."""
