"""Tesla's Tangle: circuits of tiles, and markers that are cashed in when the circuits have grown."""
