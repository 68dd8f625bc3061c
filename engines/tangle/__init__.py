"""Tangle: roots that wander, a wasteland that turns green, and three secret conditions each."""
