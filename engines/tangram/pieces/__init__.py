"""The components of Tangram City."""
