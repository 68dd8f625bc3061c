"""The components of Ribbon Tangle."""
