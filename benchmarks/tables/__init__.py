"""Tables, and the database beneath them."""
