"""Copies of a whole database, and its move to another."""
