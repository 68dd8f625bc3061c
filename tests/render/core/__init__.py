"""Tools that every picture is drawn with."""
