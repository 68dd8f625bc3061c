"""The components of Tesla's Tangle."""
