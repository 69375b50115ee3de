"""A house that has played, and a ladder process over it."""

from tests.fixtures_ladder import empty_ladder, house, ladder, ladder_settings, showcase, shown

__all__ = ["empty_ladder", "house", "ladder", "ladder_settings", "showcase", "shown"]
