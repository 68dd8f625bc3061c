"""Legal moves and their costs, derived from public facts."""
