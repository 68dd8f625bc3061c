"""Time at a table, as pure functions: paces, what stands still, clocks, and what is due when."""
