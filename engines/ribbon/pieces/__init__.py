"""What the game is made of."""
