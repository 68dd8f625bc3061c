"""A table during its game: moves, computers, seats that change hands."""
