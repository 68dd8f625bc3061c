"""The rules and the computer players."""
