"""Time at a table, as pure functions: paces, pauses, clocks, and deadlines."""
