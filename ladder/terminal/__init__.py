"""Commands of the ladder, and how tables look on a terminal."""
