"""Play in this process, without a server."""
