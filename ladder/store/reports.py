"""What a nightly look through the results of a ladder found: written by workers, read by whoever asks."""

from dataclasses import dataclass
from functools import partial
from typing import cast

from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.replies import WrongKindError
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows


@dataclass(frozen=True, slots=True)
class NightReport:
    """One look; it replaces the one before."""

    generation: int
    """Of the ladder whose games were looked at."""
    seq: int
    """Number of the last match among them."""
    at_ms: int
    text: str
    """JSON: what was found (`ladder/readings/reports.py`)."""


class NightReports:
    """Of all ladders of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("report", "it is written again in the next night")

    def put(self, ladder_format: str, report: NightReport) -> bool:
        """Keeps a report. False: a later one is there, or the ladder was computed anew meanwhile."""
        keys = (self._keys.ladder(ladder_format, "report"), self._keys.ladder(ladder_format, "cfg"))
        args = (report.generation, report.seq, report.at_ms, report.text)
        return self._link.run(Call(script("report"), keys, args)) == b"OK"

    def get(self, ladder_format: str) -> NightReport | None:
        """The report of a ladder; None: there is none yet, none that can be read, or only one of an older generation.

        That one may tell of matches that do not count any more.
        """
        fields = ("generation", "seq", "at_ms", "text")
        kept, served = self._link.read_each(
            [
                ["HMGET", self._keys.ladder(ladder_format, "report"), *fields],
                ["HGET", self._keys.ladder(ladder_format, "cfg"), "generation"],
            ]
        )
        found = self.unread.passing([(ladder_format, partial(_report, kept))])
        report = found[0] if found else None
        generation = int(served) if isinstance(served, bytes) and served.isdigit() else 0
        return report if report is not None and report.generation == generation else None


def _report(reply: object) -> NightReport | None:
    if isinstance(reply, WrongKindError):
        raise reply
    generation, seq, at_ms, text = cast("list[bytes | None]", reply)
    if text is None:
        return None
    return NightReport(int(generation or b"0"), int(seq or b"0"), int(at_ms or b"0"), text.decode())
