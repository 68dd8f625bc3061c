"""The drawing tools of all pictures."""
