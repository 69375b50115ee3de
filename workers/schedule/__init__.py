"""Who meets whom, when, in which order: pure functions of a public seed."""
