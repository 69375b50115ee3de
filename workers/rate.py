"""Applies closed matches to their ladder: verify, enter, rate once, settle. Each step may have been done before."""

from __future__ import annotations

import json
from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ladder.elo import EloConfig
from ladder.results import BadResultError, absent, faults_by_kind
from ladder.store.counters import Counter
from ladder.store.errors import BadInputError, ConflictError, UnknownError, WrongStateError
from ladder.store.logs import logger
from ladder.store.ratings import Applied, Ladder, MatchResult
from ladder.store.rows import LOST, MatchRow, MatchState
from ladder.store.store import Store
from lastcard.secret import Secret
from workers.doorbell import Doorbell
from workers.due import Job, batches, slot
from workers.proof import UnprovenResultError
from workers.tournaments.sealing import Seals
from workers.tournaments.terms import Formats, Terms

__all__ = ["Fold", "Rater", "UnprovenResultError", "predecessor"]

_log = logger("workers.rate")


class PoisonError(Exception):
    """Applying a match kills the process that tries."""


class Fold(Protocol):
    """Replays a match from its log."""

    def __call__(self, row: MatchRow, seed: Secret, entries: Sequence[bytes]) -> str:
        """Return the result that the log leads to, as canonical JSON.

        Raises:
            UnprovenResultError: it leads nowhere.
        """
        ...


SHOWN_MS: Final = 1_000
"""So often a match is looked at that a referee has still to show."""
AGAIN_MS: Final = 60_000
"""So long all others go before a match that met a bug of ours: a look takes no more than the oldest that are due."""
GO_ON_MS: Final = 2_000
"""So often results move a tournament on that has more to play: ten seconds of play are created ahead."""
GO_ON_S: Final = 60
"""So long it is known that they did: the clocks of all workers agree within that."""
REASONS: Final[dict[type[Exception], str]] = {
    ConflictError: "conflict",
    UnprovenResultError: "unproven",
    BadResultError: "unratable",
    BadInputError: "unratable",
    PoisonError: "poison",
}
"""Why a match is parked that cannot be applied."""


class NotShownError(Exception):
    """A referee has still to show the seed and the log of this match, which may not be read from here: it stays due."""


@dataclass(frozen=True, slots=True)
class Rater:
    """The use case behind the task `rate`."""

    store: Store
    formats: Formats
    fold: Fold
    doorbell: Doorbell
    luck: bool = True
    """Whether luck is to be computed of what is settled here."""

    def rate(self, matches: Sequence[str], now_ms: int) -> int:
        """Apply those of these matches that are closed; returns how many were.

        One whose deals others still play waits for the last of them, whose end, however it ends, wakes all.
        One that cannot be applied is parked with an alarm and holds up nobody else; one that cannot be read waits.

        Raises:
            ExceptionGroup: what nobody foresaw, after all others were applied.
        """
        rows = self._sift(matches, now_ms)
        closed = [row for row in rows if row.state is MatchState.CLOSED]
        seals = Seals(self.store, self.formats)
        looked_at = 0
        failures: list[Exception] = []
        for row in (*closed, *(row for row in rows if row.state in LOST)):
            try:
                if not seals.broken(row):
                    continue
                looked_at += row.state is MatchState.CLOSED
                self._decide(row, now_ms)
            except NotShownError:
                looked_at -= 1
                self.store.matches.put_off(row.id, now_ms + SHOWN_MS)
            except WrongStateError as error:
                _log.info("match was declared void meanwhile", match=row.id, error=str(error))
            except tuple(REASONS) as error:
                self._spoil(row, error, now_ms)
            except ConnectionError:
                raise
            except Exception as error:  # noqa: BLE001 - a bug of ours stops one match, and is raised below
                self.store.matches.put_off(row.id, now_ms + AGAIN_MS)
                failures.append(error)
        self._wake(seals.woken, matches)
        self._go_on(closed, now_ms)
        if failures:
            raise ExceptionGroup(f"{len(failures)} of {len(closed)} matches were not applied", failures)
        return looked_at

    def isolate(self, matches: Sequence[str], now_ms: int) -> None:
        """Deal with matches of which one kills whoever applies it: each alone, and one alone is parked."""
        if len(matches) > 1:
            for match in matches:
                self.doorbell.ring(Job("rate", ((match,),)))
        else:
            for row in self._sift(matches, now_ms):
                if row.state in LOST:
                    self._put_away(row, now_ms)
                else:
                    self._spoil(row, PoisonError(f"{row.id} kills its process"), now_ms)

    def _sift(self, matches: Sequence[str], now_ms: int) -> list[MatchRow]:
        """Return the rows of these matches; those that cannot be read stand behind all others that are due."""
        sifted = self.store.matches.sift(matches)
        for match in sifted.damaged:
            self.store.matches.put_off(match, now_ms + AGAIN_MS)
        return sifted.rows

    def _decide(self, row: MatchRow, now_ms: int) -> None:
        """Apply a closed match, unless an operator's order reached its host too late and still stands.

        One that is lost rang for the others that have its deals, and to be put away where it is void.
        """
        if row.state in LOST:
            self._put_away(row, now_ms)
        elif row.stop is None:
            self._apply(row)
        else:
            self.store.matches.annul(row.id, row.stop.reason, now_ms)

    def _put_away(self, row: MatchRow, now_ms: int) -> None:
        """See to a match that does not count: what is parked may be put back, and stays where it is."""
        if row.state is not MatchState.VOID:
            self.store.seals.forget(row.id)
        elif not self.store.shelf.put_away(row, now_ms):
            self.store.matches.put_off(row.id, now_ms + AGAIN_MS)

    def _apply(self, row: MatchRow) -> None:
        self._verify(row)
        terms, whole = self.formats(row.format), _whole(row)
        seq = self._rate(row, terms) if row.rated and whole else 0
        if self.store.matches.settle(row.id, seq=seq, luck=self.luck and whole and terms.correctable):
            self.store.counters.add(_faults(row))

    def _verify(self, row: MatchRow) -> None:
        """Check that the log leads to the stored result: a match that nobody can replay is not rated."""
        seed = self.store.matches.seed(row.id)
        if seed is None and not row.shown:
            raise NotShownError(row.id)
        entries = [entry for _, _, entry in self.store.matches.log(row.id)]
        if seed is None or self.fold(row, seed, entries) != row.result:
            raise UnprovenResultError(f"the log of {row.id} does not lead to its result")

    def _rate(self, row: MatchRow, terms: Terms) -> int:
        ladder = Ladder(row.format, row.ruleset, terms.seats, self._elo(row.format) or terms.elo)
        self.store.ratings.enter(ladder, {bot: predecessor(bot) for bot in row.entrants})
        result = MatchResult.of(row, terms.teams)
        applied = self.store.ratings.apply(result)
        if isinstance(applied, Applied):
            self.store.counters.add(_rated(row, result))
        return applied.seq

    def _elo(self, ladder_format: str) -> EloConfig | None:
        """Return how fast ratings move on a ladder that has begun: what it began with holds for ever."""
        try:
            return self.store.ratings.ladder(ladder_format).elo
        except UnknownError:
            return None

    def _spoil(self, row: MatchRow, error: Exception, now_ms: int) -> None:
        reason = REASONS[type(error)]
        self.store.matches.spoil(row.id, reason, now_ms)
        _log.error("match cannot be rated", match=row.id, reason=reason, error=str(error))

    def _wake(self, woken: Sequence[str], here: Sequence[str]) -> None:
        """Ring for what is due from now on, but for what is at hand here."""
        for batch in batches([match for match in woken if match not in here]):
            self.doorbell.ring(Job("rate", (batch,)))

    def _go_on(self, rows: Iterable[MatchRow], now_ms: int) -> None:
        """Ask what is due in the tournaments that these results move on: now and then, and at once after the last."""
        for name in sorted({row.tournament for row in rows if row.tournament} - self.store.tournaments.unread.names):
            moment = str(slot(now_ms, GO_ON_MS))
            if self.store.ticks.tick(f"go-on-{name}", moment, GO_ON_S) or not self.store.tournaments.has_open(name):
                self.doorbell.ring(Job("plan", (name,)))


def predecessor(bot: str) -> str | None:
    """Return the version before this one, whose rating it starts from."""
    name, _, number = bot.partition("@")
    return f"{name}@{int(number) - 1}" if int(number) > 1 else None


def _rated(row: MatchRow, result: MatchResult) -> dict[Counter, int]:
    labels = {"format": row.format}
    return {
        Counter("rated_matches_total", labels): 1,
        Counter("rated_meetings_total", labels): len(result.ranks),
        Counter("rated_games_total", labels): sum(map(len, result.ranks)),
    }


def _whole(row: MatchRow) -> bool:
    """Return whether everybody came: a match without somebody counts in its tournament and is not rated."""
    return not absent(json.loads(row.result))


def _faults(row: MatchRow) -> dict[Counter, int]:
    """Return the faults of a match by kind."""
    kinds: Tally[str] = Tally()
    for by_kind in faults_by_kind(json.loads(row.result)):
        kinds.update(by_kind)
    return {Counter("rated_faults_total", {"kind": kind}): count for kind, count in kinds.items() if count}
