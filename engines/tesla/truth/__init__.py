"""The modules that know hidden information; pictures and the Discord code may not import them."""
