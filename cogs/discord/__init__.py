"""Discord itself: the gateway, its rate limits, emoji, threads."""
