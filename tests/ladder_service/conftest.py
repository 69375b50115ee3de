"""A house that has played, a ladder process over it, and commands that are found once."""

from tests.fixtures_ladder import empty_ladder, house, ladder, ladder_settings, showcase, shown
from tests.found_commands import commands_found_once
from tests.ladder_service.typed import run

__all__ = ["commands_found_once", "empty_ladder", "house", "ladder", "ladder_settings", "run", "showcase", "shown"]
