"""A table during its game: moves, computer seats, seats that change hands."""
