"""Several processes on one database: what each holds, and what they tell each other."""
