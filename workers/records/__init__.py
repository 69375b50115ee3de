"""Games of matches that are over: exported, proved, shown."""
