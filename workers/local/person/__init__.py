"""A person at the table: what is shown, what may be typed, and what it means."""

from workers.local.person.bot import Person

__all__ = ["Person"]
