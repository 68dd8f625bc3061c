"""The deal of the day: one deal for everybody, played alone, once."""
