"""Public messages of tables, and the notices beside them."""
