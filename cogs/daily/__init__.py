"""The deal of the day in Discord: `/daily`, the day's post, its results, and the calendar."""
