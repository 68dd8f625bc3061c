"""What is about whole servers: administration, moving, erasure, shards."""
