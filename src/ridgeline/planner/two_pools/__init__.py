"""Two pools: prompts read by one, tokens made by another; which layouts, and how many replicas of each."""
