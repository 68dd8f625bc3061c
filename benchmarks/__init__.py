"""Benchmarks: ``make bench`` runs all of them, ``python -m benchmarks rules`` a part."""
