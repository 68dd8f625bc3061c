"""Opening tables: the lobby card, invitations, looking for a game."""
