"""Ratings, standings, registered bots and the pages that show them."""
