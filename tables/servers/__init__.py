"""Whole servers: administration, moving, erasure, shards."""
