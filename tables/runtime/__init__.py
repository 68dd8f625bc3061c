"""What every process needs: background tasks, caches, meters, traces."""
