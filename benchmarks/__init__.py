"""What is measured, and how: ``make bench`` runs all of it, ``python -m benchmarks rules`` a part."""
