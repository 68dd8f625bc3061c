"""The bot's face in Discord: commands, buttons, menus, panels and messages."""
