"""Who may ask, how often, and what a caller is told."""
