"""The trained networks and their cards."""
