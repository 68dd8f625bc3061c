"""Effects of time at tables, and agreements about it."""
