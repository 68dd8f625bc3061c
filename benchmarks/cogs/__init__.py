"""Benchmarks of presses and messages, through the simulated Discord."""
