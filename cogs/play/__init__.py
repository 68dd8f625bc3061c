"""The panel in which a seat decides, and the commands of tables."""
