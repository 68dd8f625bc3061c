"""The rules of every game: pure and deterministic, with no Discord, SQL, Pillow, clock or global randomness."""
