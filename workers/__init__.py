"""Scheduled work: what is due, planning, rating and reconciling."""
