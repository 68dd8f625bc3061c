"""Legal moves, and the sentences that refuse others."""
