"""Seats of bots that dialled one referee, at matches that another one hosts (docs/decisions/022-trunk.md)."""
