"""Legal moves, and the reasons for refusals, derived from public facts."""
