"""The typed rows of the store.

Rows with a game's secrets show only which row they are in their `repr`, since that can end in a log.
"""
