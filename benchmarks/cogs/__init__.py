"""What people press and see, through the simulated Discord."""
