"""The standings of every ladder, computed again only when its log has grown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final

from ladder.corrections import house_table_for
from ladder.errors import UnknownNameError
from ladder.names import nearest
from ladder.standings import Order, Standing, standard_error, standings
from ladder.store.errors import UnknownError
from ladder.store.unread import UnreadRows

if TYPE_CHECKING:
    from ladder.readings.weighing import Weighing
    from ladder.store.fits import Fits
    from ladder.store.ratings import Ratings

LONGEST_S: Final = 2.0
"""A bot may enter without a match: so long its row may be missing."""


@dataclass(frozen=True, slots=True)
class LuckWeights:
    """Weights by which luck is taken out of the games of a ladder."""

    lc_version: str
    from_seq: int
    """Number of the first match that they are used on."""
    rounds: int
    """That they were fitted on."""
    house: str = ""
    """Whose house games they regard; empty: none."""
    own: bool = False
    """Whether the ladder fitted them on its own rounds; else a release brought them."""


@dataclass(frozen=True, slots=True)
class Board:
    """The standings of one format at one moment."""

    format: str
    ruleset: str
    seq: int
    """How far in the log of the ladder this is; matches that were declared void keep their numbers."""
    standings: tuple[Standing, ...]
    """Best first."""
    errors: Mapping[str, float] = field(default_factory=dict)
    """By bot, the standard error of its rating in Elo; infinite before its first round."""
    fitted_ms: int = 0
    """When the fit was computed; 0: there is none yet, and all ratings are live."""
    matches: int = 0
    """Matches that count."""
    low: bool = False
    """Points count against whom they go to: fewer are better."""
    weights: tuple[LuckWeights, ...] = ()
    """By which luck is taken out where workers compute it, the earliest first; empty: luck stays in its games."""
    lc_versions: tuple[str, ...] = ()
    """Of the weights by which luck was taken out of these ratings, the earliest first; empty: it was not."""
    house_rounds: int = 0
    """Games on which it was measured what the house usually scores; 0: nobody knows, and it plays none here."""

    @property
    def corrected(self) -> bool:
        """Whether luck was taken out of ratings that are shown; else it is in all of them, whatever weights hold."""
        return any(row.luck is not None for row in self.standings)


LowOf = Callable[[str], bool | None]
"""Whether points of a format count against whom they go to; None: nobody here knows the format."""


def untold(_: str) -> None:
    """Know no format."""


class Boards:
    """Reads ladders; may be used by several threads."""

    def __init__(
        self,
        ratings: Ratings,
        fits: Fits | None = None,
        clock: Callable[[], float] = time.monotonic,
        low_of: LowOf = untold,
        weighing: Weighing | None = None,
    ) -> None:
        """Without `fits` all ratings are live; without `weighing` nobody says by what luck is taken out."""
        self._weighing = weighing
        self._ratings = ratings
        self._fits = fits
        self._clock = clock
        self._low_of = low_of
        self.unread = UnreadRows("ladder", also=(UnknownError,))
        self._known: dict[str, tuple[float, Board]] = {}
        self._lock = Lock()

    def formats(self) -> tuple[str, ...]:
        """Return the formats that have a ladder, by name."""
        return tuple(sorted(self._ratings.formats()))

    def every(self) -> tuple[Board, ...]:
        """Return all boards that can be read, by format."""
        rulesets = sorted(self._ratings.formats().items())
        return tuple(self.unread.passing((name, partial(self._board, name, ruleset)) for name, ruleset in rulesets))

    def get(self, name: str) -> Board:
        """Return the board of a format.

        Raises:
            UnknownNameError: there is no ladder of this format.
            DamagedError: it cannot be read.
        """
        rulesets = self._ratings.formats()
        if name not in rulesets:
            raise unknown_format(name, rulesets, played=self._low_of(name) is not None)
        return self.unread.one(name, partial(self._board, name, rulesets[name]))

    def _board(self, name: str, ruleset: str) -> Board:
        with self._lock:
            seq = self._ratings.seq(name)
            read_at, known = self._known.get(name, (0.0, None))
            if known and known.seq == seq and self._clock() - read_at < LONGEST_S:
                return known
            seats, tallies = self._ratings.ladder(name).seats, self._ratings.tallies(name)
            fit = self._fits.get(name) if self._fits else None
            rows = fit.rows if fit else {}
            errors = {tally.bot: standard_error(tally, rows.get(tally.bot), seats) for tally in tallies}
            table = standings(tallies, rows, order=Order.LOWER, seats=seats)
            fitted_ms, matches = fit.at_ms if fit else 0, self._ratings.counted(name)
            since = (fit.since if fit else None) or {}
            low, weights = bool(self._low_of(name)), self._weights(name, ruleset, since)
            counts = name, ruleset, seq, table, errors, fitted_ms, matches, low
            board = Board(*counts, weights, tuple(since), _house_rounds(ruleset))
            self._known[name] = (self._clock(), board)
            return board

    def _weights(self, name: str, ruleset: str, since: Mapping[str, int]) -> tuple[LuckWeights, ...]:
        timeline = self._weighing.timeline(name, ruleset) if self._weighing else None
        if timeline is None:
            return ()
        shipped = [one for one in (*reversed(timeline.earlier), timeline.shipped) if one.version in since]
        every = [(since[one.version], one, False) for one in shipped] or [(1, timeline.shipped, False)]
        every += [(change.from_seq, change.correction, change.upto_seq > 0) for change in timeline.changes]
        return tuple(
            LuckWeights(found.version, first, found.rounds, found.house.house if found.house else "", own)
            for first, found, own in every
        )


def _house_rounds(ruleset: str) -> int:
    table = house_table_for(ruleset)
    return table.rounds if table is not None else 0


def unknown_format(name: str, names: Iterable[str], *, played: bool = False) -> UnknownNameError:
    """Return the error for a format that has no ladder; `played`: it is one that can be played here."""
    near = nearest(name, names)
    there = f"there are, for example, those of {', '.join(near)}; " if near else ""
    sentence = f"there is no ladder of format {name!r}; {there}the first rated match of a format opens its ladder"
    if played:
        there = f"; ladders there are, for example: {', '.join(near)}" if near else ""
        sentence = f"{name} can be played here, but has no result yet: its first rated match opens its ladder{there}"
    return UnknownNameError("UNKNOWN_FORMAT", sentence, field="format", value=name, allowed=near)
