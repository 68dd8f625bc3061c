"""How a database is opened, read and written."""
