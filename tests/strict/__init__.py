"""A strict Discord on loopback for the real `python bot.py`; `facts.toml` lists what it enforces."""
