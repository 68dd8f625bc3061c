"""All that knows what is hidden at a table. Only `engines.tangle.game` lets others ask it."""
