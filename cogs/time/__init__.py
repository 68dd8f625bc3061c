"""Joint decisions about time and seats."""
