"""Which moves there are, and why another is none: worked out from what lies open."""
