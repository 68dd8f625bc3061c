"""Opening a table, its card, invitations, looking for a game."""
