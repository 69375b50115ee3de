"""House bot `search`: what it knows, what it imagines, how the imagined rounds are played, and what comes of it."""

from referee.bots.search.bot import Search
from referee.bots.search.budget import Budget

__all__ = ["Budget", "Search"]
