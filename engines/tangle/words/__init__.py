"""The sentences of Tangle, for all readers: its moves, events and boards."""
