"""Benchmarks of the rules and the computer players."""
