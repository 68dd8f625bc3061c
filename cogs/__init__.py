"""What people see in Discord: commands, buttons, menus, panels and messages."""
