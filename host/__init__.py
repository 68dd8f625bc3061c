"""The programs around the bot: its start, its commands, practice mode, settings, logs, measurements."""
