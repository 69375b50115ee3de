"""Ratings computed anew from the log of a ladder, and compared with those that are served."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ladder.store.ladder_log import Entered, LogEntry
from ladder.store.replay import Replay, differences


@dataclass(frozen=True, slots=True)
class Rebuild:
    """What a rebuild found."""

    equal: bool
    """Every number is the same, bit for bit."""
    differences: tuple[str, ...]
    """What is not, a sentence each."""
    seq: int
    """Number of the last match replayed, void ones included."""
    matches: int = 0
    """Matches that count."""


@dataclass(frozen=True, slots=True)
class Served:
    """The numbers of a ladder at one moment."""

    rating: Mapping[str, int]
    """Micro-points by bot."""
    seq: int
    """Matches applied."""
    entries: int
    """Sum of all entry ratings."""
    last: str
    """Id of the newest entry of the log."""
    seen: int
    """Matches that are known as applied."""
    stat: Mapping[str, str]
    """Bot to `meetings wins ties losses points rounds faults`."""


Page = Sequence[LogEntry]
Seen = Callable[[Sequence[str]], Mapping[str, str | None]]
"""What is served as `seq:digest` of these matches."""


def rebuild(served: Served, log: Iterable[Page], seen: Seen, init: int) -> Rebuild:
    """Replays the log and compares: changes, ratings, experience, counts, and which matches were applied."""
    replay = Replay(init)
    found: list[str] = []
    for page in log:
        for entry in page:
            if not isinstance(entry, Entered) and entry.match in replay.matches:
                found.append(f"match {entry.match} is in the log twice")
            found += differences(entry, replay.add(entry))
        logged = {entry.match: f"{entry.seq}:{entry.digest}" for entry in page if not isinstance(entry, Entered)}
        found += _compare("digest", seen(list(logged)), logged)
    numbers = {"matches": served.seq, "entries": served.entries, "digests": served.seen}
    computed = {"matches": replay.seq, "entries": replay.entries, "digests": len(replay.matches)}
    found += [
        *_compare("rating", served.rating, replay.rating),
        *_compare("number", numbers, computed),
        *_compare("counts", served.stat, replay.stats()),
    ]
    if sum(replay.rating.values()) != replay.entries:
        found.append(f"ratings sum to {sum(replay.rating.values())}, entries to {replay.entries}")
    return Rebuild(not found, tuple(found), replay.seq, replay.counted)


def _compare(what: str, served: Mapping[str, object], computed: Mapping[str, object]) -> Iterator[str]:
    for key in sorted(served.keys() | computed.keys()):
        if served.get(key) != computed.get(key):
            yield f"{what} of {key}: {served.get(key)} served, {computed.get(key)} computed"
