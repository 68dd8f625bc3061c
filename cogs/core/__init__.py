"""Parts shared by all cogs: the app, lookups, the presenters of games, words."""
