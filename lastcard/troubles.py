"""What a bot's own code raised, told to `lastcard bot check`, which started it: the library plays on in its place."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lastcard.status import LOG

__all__ = ["TROUBLES", "tell_troubles"]

TROUBLES: Final = "LASTCARD_CHECK_TROUBLES"
"""Names the file into which a bot on the library writes what its own code raised, a line each."""
LONGEST: Final = 300


class Report(logging.Filter):
    """Passes on what the library logs, and writes into a file what the bot's own code raised."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def filter(self, record: logging.LogRecord) -> bool:
        """Note an error; the log is left as it is."""
        match record.args:
            case (int(), str(doing), Exception() as error):
                words = " ".join(str(error).split())
                line = f"its {doing.partition('(')[0]} raised {type(error).__name__}: {words}"[:LONGEST]
                with self._file.open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(f"{line}\n")
            case _:
                pass
        return True


def tell_troubles(environment: Mapping[str, str]) -> None:
    """Write down what the bot's code raises from now on, where the environment asks for it."""
    if file := environment.get(TROUBLES):
        LOG.addFilter(Report(Path(file)))
