"""Play and comparisons without a server, as commands."""
