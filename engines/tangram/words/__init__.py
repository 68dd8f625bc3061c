"""The sentences of Tangram City, for all readers: its moves, events and boards."""
