"""Backs up a whole database, and moves it to another."""
