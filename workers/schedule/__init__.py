"""Who meets whom, when, in which order, and which matches to create next: pure."""
