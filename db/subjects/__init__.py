"""The store by subject."""
