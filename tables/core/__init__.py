"""What a table is; how it is loaded, decided about and written."""
