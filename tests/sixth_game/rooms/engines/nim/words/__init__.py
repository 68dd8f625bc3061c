"""The sentences of Nim, for all readers: events and boards."""
