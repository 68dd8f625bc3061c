"""A table before its game: opening, joining, invitations, the start."""
