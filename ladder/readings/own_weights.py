"""The weights that a ladder fitted on its own rounds: what they were fitted on, and whether that gives them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ladder.corrections import correction_for, earlier
from ladder.store.ladder_log import RatedMatch, Voided
from ladder.store.store import Store

if TYPE_CHECKING:
    from ladder.luck import Correction
    from ladder.refit import Played
    from ladder.results import MatchResult
    from ladder.timeline import Change

SAME: Final = 2e-6
"""Two weights are one if they differ by less: they are kept to six decimals, and another numpy may round the last."""


def evidence(store: Store, results: Sequence[MatchResult]) -> list[Played]:
    """Return matches with what is known of their luck."""
    from ladder.refit import Played  # numpy, for those who fit

    matches = [result.match for result in results]
    gifts, scores = store.gifts.find(matches), store.house.find(matches)
    return [
        Played(result, gifts[match].terms, gifts[match].games, scores.get(match)) if match in gifts else Played(result)
        for match, result in zip(matches, results, strict=True)
    ]


def doubts(store: Store, ladder_format: str) -> Iterator[str]:
    """Yield which weights of a ladder do not follow from the matches that they were fitted on.

    One of those that was declared void since is missing now: such weights cannot be fitted again, and are not judged.
    """
    ladder = store.ratings.ladder(ladder_format)
    shipped = correction_for(ladder.ruleset)
    versions = () if shipped is None else (shipped, *earlier(ladder.ruleset))
    changes = [change for change in store.weights.of(ladder_format) if change.upto_seq]
    if not versions or not changes:
        return
    entries = list(store.ratings.log(ladder_format))
    for change in changes:
        before = [entry for entry in entries if entry.seq <= change.upto_seq]
        if any(isinstance(entry, Voided) for entry in before):
            continue
        results = [entry.result(ladder) for entry in before if isinstance(entry, RatedMatch)]
        if change.from_seq <= change.upto_seq or len(results) != change.matches:
            yield f"{_named(change)} were fitted on {change.matches} matches, of which the log has {len(results)}"
            continue
        played = evidence(store, results)
        if not any(_again(one, played, change) for one in versions):
            yield f"{_named(change)} do not follow from the {change.matches} matches that they were fitted on"


def _named(change: Change) -> str:
    return f"weights {change.correction.version} from number {change.from_seq} on"


def _again(shipped: Correction, played: Sequence[Played], change: Change) -> bool:
    """Return whether these matches give these weights."""
    from ladder.refit import refit

    kept = change.correction
    found = refit(shipped, played, kept.house, 0)  # house games that did not join change nothing
    if found is None or found.correction.terms != kept.terms:
        return False
    return all(abs(found.correction.beta[term] - weight) < SAME for term, weight in kept.beta.items())
