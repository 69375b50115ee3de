"""Pages, JSON and CSV over HTTP: for reading only, without a token, without JavaScript, without outside requests."""
