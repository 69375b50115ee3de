"""Whether a ladder is what its log, its matches and its sums say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from ladder.anomaly import Anomaly
from ladder.readings.own_weights import doubts
from ladder.readings.reports import Report, report_of
from ladder.results import BadResultError, MatchResult
from ladder.shapes import night_report
from ladder.store.ladder_log import RatedMatch
from ladder.store.rows import APPLIED, MatchRow
from ladder.store.store import Store

BATCH: Final = 200


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found on one ladder."""

    format: str
    matches: int
    """Applied matches that were looked at."""
    findings: tuple[str, ...]
    """What is wrong, a sentence each."""
    report: Report | None = None
    """What the last nightly look through its results found."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, and nothing odd."""
        return not self.findings and not self.anomalies

    @property
    def anomalies(self) -> tuple[Anomaly, ...]:
        """What honest bots hardly ever do."""
        return self.report.anomalies if self.report else ()

    def shape(self) -> dict[str, Any]:
        """Return it as JSON."""
        report = None if self.report is None else night_report(self.report)
        counted = {"format": self.format, "ok": self.ok, "matches": self.matches}
        return {**counted, "findings": list(self.findings), "report": report}


def audit_ladder(store: Store, name: str) -> Audit:
    """Return what is wrong with a ladder; nothing is changed.

    Raises:
        UnknownError: there is no such ladder.
    """
    rebuilt, sums = store.ratings.rebuild(name), store.ratings.sum_check(name)
    findings = list(rebuilt.differences)
    if not sums.equal:
        findings.append(f"ratings sum to {sums.ratings} micro-points, entries to {sums.entries}")
    matches = 0
    for batch in _batches(store, name):
        sifted = store.matches.sift([applied.match for applied in batch])
        rows = {row.id: row for row in sifted.rows}
        findings += [f"match {match} cannot be read" for match in sifted.damaged]
        whole = [applied for applied in batch if applied.match not in sifted.damaged]
        findings += [found for applied in whole for found in _compare(applied, rows.get(applied.match))]
        matches += len(batch)
    findings += doubts(store, name)
    return Audit(name, matches, tuple(findings), report_of(store, name))


def _batches(store: Store, name: str) -> Iterator[list[RatedMatch]]:
    batch: list[RatedMatch] = []
    for entry in store.ratings.log(name):
        if isinstance(entry, RatedMatch):
            batch.append(entry)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


def _compare(applied: RatedMatch, row: MatchRow | None) -> Iterator[str]:
    """Yield where the ledger and the log of a ladder disagree about a match."""
    if row is None:
        yield f"match {applied.match} was applied as number {applied.seq}; the ledger does not know it"
        return
    if row.state in APPLIED and row.seq != applied.seq:
        yield f"match {row.id} is number {applied.seq} in the log and {row.seq} in the ledger"
    if row.result and sha256(row.result.encode()).hexdigest() != row.digest:
        yield f"match {row.id} has a result that its digest does not fit"
    yield from _same_result(applied, row)


def _same_result(applied: RatedMatch, row: MatchRow) -> Iterator[str]:
    if not row.result:
        yield f"match {row.id} was applied; the ledger has it as {row.state} without a result"
        return
    try:
        digest = MatchResult.of(row, applied.teams).digest
    except BadResultError as error:
        yield f"match {row.id} was applied with a result that cannot be read: {error}"
        return
    if digest != applied.digest:
        yield f"match {row.id} was applied with another result than the ledger has"
