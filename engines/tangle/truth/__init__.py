"""The modules that know hidden information. Only `engines.tangle.game` gives access to them."""
