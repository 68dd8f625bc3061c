"""Tanglewood: campaigning animals, nine regions of a forest, and Tangles to carry out."""
