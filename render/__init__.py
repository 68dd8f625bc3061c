"""Pictures of views. One module or package a game, over a shared canvas."""
