"""A game as one page of HTML: every turn with its picture, its lines and the board in words."""
