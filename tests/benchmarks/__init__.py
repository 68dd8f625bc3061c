"""Benchmarks: ``make bench`` runs all of them, ``python -m tests.benchmarks rules`` a part."""
