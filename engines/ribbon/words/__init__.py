"""The sentences of Ribbon Tangle, for all readers: its moves, events and boards."""
