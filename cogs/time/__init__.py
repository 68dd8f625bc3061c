"""What people decide together about time and seats."""
