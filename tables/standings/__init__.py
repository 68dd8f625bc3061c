"""Results and ratings, and what they say."""
