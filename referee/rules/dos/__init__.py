"""DOS (seed 000): preset `dos`, 2-4 seats."""
