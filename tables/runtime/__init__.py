"""What a process needs to run, whatever it runs: tasks in the background, a cache, meters, traces."""
