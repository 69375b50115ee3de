"""Fixtures of the tests of the command line."""

from tests.cli.sprt_runs import sprt_folder
from tests.found_commands import commands_found_once

__all__ = ["commands_found_once", "sprt_folder"]
