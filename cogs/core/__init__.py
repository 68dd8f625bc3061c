"""What every cog works with: the app, lookups, the presenters of games, words."""
