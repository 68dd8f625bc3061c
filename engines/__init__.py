"""The rules of every game: pure and deterministic; no Discord, SQL, Pillow, clock or global randomness."""
