"""The sentences of Tesla's Tangle, for all readers: its moves, events and boards."""
