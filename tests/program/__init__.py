"""What starts the bot, and its other commands."""
