"""Benchmarks of tables, and of the database beneath them."""
