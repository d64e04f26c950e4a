"""The page that every phone at the table shows."""
