"""The deal of the day without Discord."""
