"""What time makes happen at tables, and what people agree on about it."""
