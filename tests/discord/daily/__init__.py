"""The deal of the day in Discord."""
