"""Pictures: what a view looks like. One module or package a game, over a shared canvas."""
