"""The sentences of Tanglewood, for all readers: its moves, events and boards."""
