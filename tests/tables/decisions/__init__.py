"""Decisions about tables, in whatever order people, time and administrators bring them about."""
