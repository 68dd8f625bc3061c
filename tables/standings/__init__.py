"""Results, ratings, and what is read from them."""
