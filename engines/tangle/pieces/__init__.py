"""The components of Tangle."""
