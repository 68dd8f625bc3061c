"""Several processes on one database: the shards of each, and their messages to each other."""
