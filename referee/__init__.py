"""Authoritative games: rules, tables, sessions and the match log."""
