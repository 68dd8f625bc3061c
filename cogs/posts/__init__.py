"""Public messages of tables, and the notices that go with them."""
