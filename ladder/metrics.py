"""What the ladder process tells Prometheus: names, help and labels of every family, and the families of one reading.

Labels are closed sets, or formats; a bot is named on one gauge only, and there the best of a format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ladder.readings.census import Census
from lastcard.names import ABSENCE

TOP: Final = 200
"""Bots of one format that the rating gauge shows."""
MOST_RATINGS: Final = 3_600
"""Ratings that it shows in all: `TOP` of more formats than are built in; then the longest tables are cut."""

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Declared:
    """A counter that workers may keep in the store."""

    help: str
    labels: Labels = ()
    zeros: tuple[Labels, ...] = ()
    """Values of the labels that are shown as 0 before the first event, so that its rise is seen."""


_TASKS: Final = ("tick", "plan", "rate", "renew", "fit", "inspect", "luck", "house", "archive", "reconcile", "canary")
_FAULTS: Final = ("late", "illegal", "malformed", ABSENCE)
_ALARMS: Final = ("archive", "conflict", "deal", "luck", "name_taken", "poison", "unproven", "unratable", "unsupported")
WORKER_COUNTERS: Final[dict[str, Declared]] = {
    "tasks_total": Declared(
        "Tasks of the workers that ended.", ("task", "outcome"), tuple(product(_TASKS, ("ok", "failed")))
    ),
    "ticks_total": Declared("Due slots that were acted on.", ("job",), (("tick",),)),
    "planned_matches_total": Declared("Matches written to the ledger.", zeros=((),)),
    "rated_matches_total": Declared("Matches that workers applied to a ladder.", ("format",)),
    "rated_meetings_total": Declared("Meetings that workers applied to a ladder.", ("format",)),
    "rated_games_total": Declared("Games that workers applied to a ladder.", ("format",)),
    "renewed_ladders_total": Declared("Ladders computed anew without void matches.", ("format",)),
    "fitted_ladders_total": Declared("Fits of all games of a ladder.", ("format",)),
    "refitted_ladders_total": Declared("Changes of the weights by which luck is taken out of a ladder.", ("format",)),
    "lucky_matches_total": Declared("Matches whose luck workers computed.", zeros=((),)),
    "housed_matches_total": Declared("Matches on whose cards the house played.", zeros=((),)),
    "archived_matches_total": Declared("Matches whose logs workers archived.", zeros=((),)),
    "trimmed_matches_total": Declared("Matches whose logs are in the archive alone.", zeros=((),)),
    "rated_faults_total": Declared(
        "Faults in matches that were settled.", ("kind",), tuple((kind,) for kind in _FAULTS)
    ),
    "reconciled_total": Declared(
        "What the reconciler had to put right.",
        ("what",),
        (("orphans",), ("unrated",), ("stranded",), ("swept",), ("unsupported",)),
    ),
    "alarms_total": Declared(
        "What an operator has to look at.",
        ("kind",),
        tuple((kind,) for kind in _ALARMS),
    ),
}
"""Counters by name; they are shown as `lastcard_<name>`."""


@dataclass(frozen=True, slots=True)
class LadderReading:
    """One ladder at one moment."""

    matches: int
    meetings: int
    games: int
    bots: int
    sum_error_elo: float
    """Sum of ratings minus sum of entry ratings; anything but 0 is damage."""
    anomalies: int
    """Findings of the last nightly look through its results."""
    ratings: tuple[tuple[str, float], ...]
    """`name@n` and live Elo, best first."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one look into the store saw."""

    ping_s: float
    census: Census
    ladders: Mapping[str, LadderReading] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    """By state, matches that became void or parked since this process looks."""
    counters: Mapping[tuple[str, Labels], int] = field(default_factory=dict)
    """By name and label values, in the order of `WORKER_COUNTERS`."""
    queues: Mapping[str, int] | None = None
    """Tasks waiting by queue; None: the broker does not answer."""
    damaged: Mapping[str, int] = field(default_factory=dict)
    """By kind, entries of the ledger that cannot be read."""


def build_family(version: str) -> Metric:
    """Return the family that says what runs here."""
    family = GaugeMetricFamily("lastcard_build_info", "Version of this process.", labels=["version", "role"])
    family.add_metric([version, "ladder"], 1)
    return family


def families(reading: Reading | None) -> Iterator[Metric]:
    """Yield the families of a reading; None: the store did not answer, and nothing else is known."""
    yield _gauge("lastcard_store_up", "1 if the store answered.", 0 if reading is None else 1)
    if reading is None:
        return
    yield _gauge("lastcard_store_ping_seconds", "Seconds that the store took to answer.", reading.ping_s)
    yield from _of_matches(reading.census)
    yield from _of_others(reading.census)
    yield _gauge("lastcard_broker_up", "1 if the broker answered.", 0 if reading.queues is None else 1)
    yield _by("lastcard_queue_tasks", "Tasks that wait for a worker.", "queue", reading.queues or {})
    yield _lost(reading.lost)
    yield _by("lastcard_damaged_entries", "Entries of the ledger that cannot be read.", "kind", reading.damaged)
    yield from _of_ladders(reading.ladders)
    yield from _of_workers(reading.counters)


def _of_matches(census: Census) -> Iterator[Metric]:
    yield _by("lastcard_matches", "Matches in the ledger.", "state", census.matches)
    yield _gauge("lastcard_ready_matches", "Matches that wait for a referee.", census.ready)
    yield _gauge("lastcard_ready_oldest_seconds", "Seconds that the oldest of them waits.", census.ready_oldest_s)
    yield _gauge("lastcard_due_matches", "Closed matches that wait for a worker.", census.due)
    yield _gauge("lastcard_due_oldest_seconds", "Seconds that the oldest of them waits.", census.due_oldest_s)


def _of_others(census: Census) -> Iterator[Metric]:
    yield _by("lastcard_tournaments", "Tournaments.", "state", census.tournaments)
    yield _gauge("lastcard_bots", "Registered bots.", census.bots)
    yield _gauge("lastcard_bots_online", "Bots that are connected.", census.online)
    yield _gauge("lastcard_referees", "Referees alive.", census.referees)


def _lost(lost: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily("lastcard_lost_matches", "Matches that became void or parked.", labels=["state"])
    for state, count in lost.items():
        family.add_metric([state], count)
    return family


def _of_ladders(ladders: Mapping[str, LadderReading]) -> Iterator[Metric]:
    counts = {name: (ladder.matches, ladder.meetings, ladder.games) for name, ladder in ladders.items()}
    for index, unit in enumerate(("matches", "meetings", "games")):
        family = CounterMetricFamily(f"lastcard_ladder_{unit}", f"Rated {unit} in a ladder's log.", labels=["format"])
        for name, of_ladder in counts.items():
            family.add_metric([name], of_ladder[index])
        yield family
    bots = {name: ladder.bots for name, ladder in ladders.items()}
    yield _by("lastcard_ladder_bots", "Versions of bots in a ladder.", "format", bots)
    errors = {name: ladder.sum_error_elo for name, ladder in ladders.items()}
    help_text = "Sum of a ladder's ratings minus sum of its entry ratings, in Elo; always 0."
    yield _by("lastcard_ladder_sum_error_elo", help_text, "format", errors)
    odd = {name: ladder.anomalies for name, ladder in ladders.items()}
    help_text = "Findings of the last nightly look through a ladder's results: what honest bots hardly ever do."
    yield _by("lastcard_ladder_anomalies", help_text, "format", odd)
    yield _ratings(ladders)


def _ratings(ladders: Mapping[str, LadderReading]) -> Metric:
    family = GaugeMetricFamily(
        "lastcard_rating_elo",
        f"Live Elo of the best of each format: {TOP}, or fewer where that would be more than {MOST_RATINGS} in all.",
        labels=["format", "bot"],
    )
    share = _share([len(ladder.ratings) for ladder in ladders.values()])
    for name, ladder in ladders.items():
        for bot, elo in ladder.ratings[:share]:
            family.add_metric([name, bot], elo)
    return family


def _share(sizes: Iterable[int]) -> int:
    """Return how many ratings of a format are shown, where formats have so many: what some do not need others get."""
    room, left = MOST_RATINGS, sorted(min(size, TOP) for size in sizes)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room // len(left) if left else TOP


def _of_workers(counters: Mapping[tuple[str, Labels], int]) -> Iterator[Metric]:
    for name, declared in WORKER_COUNTERS.items():
        family = CounterMetricFamily(f"lastcard_{name.removesuffix('_total')}", declared.help, labels=declared.labels)
        known = {values: value for (counter, values), value in counters.items() if counter == name}
        for values, value in (dict.fromkeys(declared.zeros, 0) | known).items():
            family.add_metric(values, value)
        yield family


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, value=value)


def _by(name: str, help_text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
