"""Whether a move is legal, what it costs, and which moves there are: worked out from what lies open."""
