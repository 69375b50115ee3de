"""The games: pure, deterministic, driven from outside. Nothing here knows a clock, a network or a file."""
