"""The life of a table, with no Discord in it: lobby, seats, play, undo, computer seats, outbox."""
