"""The bot's face in Discord: commands, buttons, menus, panels and messages."""

VERSION = "0.1.0"
"""The program's version, as in pyproject.toml and CHANGELOG.md."""
