"""The components of Tanglewood."""
