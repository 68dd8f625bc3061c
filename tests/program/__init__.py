"""Tests of the bot's start, and of its other commands."""
