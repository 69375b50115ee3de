"""What a ladder and a planner compute: a rating update, a fit of 500,000 games, the plan of a field of 1,000 bots."""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import numpy as np

from bench.aims import FIT_S, PLAN_S
from bench.rows import Row, paired
from ladder.bradley_terry import Outcomes, fit
from ladder.results import MatchResult
from ladder.store import Store, local
from ladder.store.call import Call
from ladder.store.ladder_log import Ladder
from ladder.store.ratings import _words
from ladder.store.scripts import script
from workers.engine import terms
from workers.schedule.window import Cursor, Window, choose
from workers.tournaments.draw import drawn
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.summary import summarise

BOTS: Final = 1_000
GAMES: Final = 500_000
UPDATES: Final = 300
"""Rating updates, and empty scripts, of one repeat."""
FIELD: Final = tuple(f"bot-{number:04}@1" for number in range(BOTS))
LADDER: Final = Ladder("uno-classic-2", "0" * 16, 2)


def rating(repeats: int) -> Row:
    """Compare a match of one meeting applied to a ladder with a script that does nothing, each a round trip.

    Both over one connection, packed ahead, so that the client's own work does not hide what the server does; of each
    repeat the median round trip. `called_ratio` is of the same two as redis-py calls them, its own work included.
    """
    ours, empty, called, called_empty = [], [], [], []
    with TemporaryDirectory(prefix="lastcard-bench-") as folder:
        server = local.start(Path(folder), fsync=local.Fsync.EVERYSEC)
        with server, Store.open(server.url, role="bench", allow_volatile=True) as store:
            store.ratings.enter(LADDER, dict.fromkeys(FIELD[:20]))
            parts = ("cfg", "seen", "rating", "games", "log", "stat", "void")
            keys = tuple(store.keys.ladder(LADDER.format, part) for part in parts)
            sha = cast("bytes", store.link.read("SCRIPT", "LOAD", "return 1"))
            client: Any = store.link._redis
            connection = client.connection_pool.get_connection()
            sent, rate = partial(_sent, connection), script("rate").sha
            nothing = connection.pack_command("EVALSHA", sha, 0)
            for repeat in range(repeats + 1):  # the first one warms up
                numbers = range(repeat * UPDATES, (repeat + 1) * UPDATES)
                calls = [Call(script("rate"), keys, _words(_result(number))) for number in numbers]
                ours.append(_trip(sent, [(connection.pack_command(*call.words()),) for call in calls]))
                empty.append(_trip(sent, [(nothing,)] * UPDATES))
                again = [_words(_result(number + (repeats + 1) * UPDATES)) for number in numbers]
                called.append(_trip(client.evalsha, [(rate, len(keys), *keys, *words) for words in again]))
                called_empty.append(_trip(client.evalsha, [(sha, 0)] * UPDATES))
    detail = {
        "update_us": 1e6 * statistics.median(ours[1:]),
        "empty_script_us": 1e6 * statistics.median(empty[1:]),
        "called_ratio": paired(called_empty[1:], called[1:]),
    }
    what = "2-seat rating update v EVALSHA of an empty script, unpipelined"
    return Row("rating_2", what, paired(empty[1:], ours[1:]), repeats, detail)


def _trip(ask: Callable[..., object], questions: Sequence[tuple[object, ...]]) -> float:
    """Return the median seconds of a question and its answer."""
    seconds = []
    for words in questions:
        began = time.perf_counter()
        ask(*words)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def _sent(connection: Any, packed: object) -> None:  # noqa: ANN401 - redis-py's
    """Send a command that is packed already, and read what comes back."""
    connection.send_packed_command(packed)
    connection.read_response()


def _result(number: int) -> MatchResult:
    one, other = FIELD[number % 20], FIELD[(number % 20 + 1 + number // 20 % 19) % 20]
    order = ((1, 2), (2, 1)) if number % 3 else ((1, 2), (1, 2))
    return MatchResult(
        match=f"bench.1.1.{number}",
        format=LADDER.format,
        ruleset=LADDER.ruleset,
        entrants=(one, other),
        teams=(0, 1),
        ranks=(order,),
        points=(20, 10),
        rounds=(2, 2),
        faults=(0, 0),
    )


def bt_fit(repeats: int) -> Row:
    """Fit 1,000 bots with 500,000 games in meetings of two, with their intervals."""
    chance = np.random.default_rng(1)
    meetings = np.arange(GAMES // 2)
    one = chance.integers(0, BOTS, len(meetings))
    other = (one + chance.integers(1, BOTS, len(meetings))) % BOTS
    strength = chance.normal(0, 0.3, BOTS)
    score = chance.binomial(2, 1 / (1 + np.exp(strength[other] - strength[one]))).astype(float)
    games = np.full(len(meetings), 2.0)
    taken = [
        _seconds(lambda: fit(Outcomes.from_arrays(FIELD, meetings, one, other, score, games), clustered=True))
        for _ in range(repeats)
    ]
    what = f"{BOTS:,} bots x {GAMES:,} games with intervals: {FIT_S.most:g} s over the time that it takes"
    seconds = statistics.median(taken)
    return Row("bt_fit", what, FIT_S.most / seconds, repeats, {"seconds": seconds, "shortest_s": min(taken)})


def planning(repeats: int) -> Row:
    """Plan a round robin of 1,000 bots at two seats and at four, up to the first matches that are created."""
    taken = {name: [_seconds(partial(_plan, name)) for _ in range(repeats)] for name in ("two", "four")}
    medians = {f"{name}_seats_ms": 1e3 * statistics.median(seconds) for name, seconds in taken.items()}
    schedule = drawn(TournamentSpec("bench", "uno-classic-2", all=True), terms("uno-classic-2"), FIELD)
    detail = medians | {
        "matches": len(schedule),
        "matches_s": 20_000 / _seconds(lambda: list(map(schedule.__getitem__, range(20_000)))),
    }
    what = f"plan of {BOTS:,} bots and its first matches: {PLAN_S.most:g} s over the time that it takes (two seats)"
    return Row("plan_1000", what, 1e3 * PLAN_S.most / medians["two_seats_ms"], repeats, detail)


def _plan(seats: str) -> None:
    name = {"two": "uno-classic-2", "four": "uno-classic-4"}[seats]
    spec, found = TournamentSpec("bench", name, all=True), terms(name)
    schedule = drawn(spec, found, FIELD)
    summarise(spec, schedule, 1000.0)
    choose(schedule, Cursor(), Window(dict.fromkeys(FIELD, 64), 4096, 1000.0, found.seats).room({}))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


ROWS: Final = {"rating_2": rating, "bt_fit": bt_fit, "plan_1000": planning}


def run(repeats: int, only: Sequence[str] | None) -> list[Row]:
    """Measure and return the rows."""
    rows = []
    for name, measured in ROWS.items():
        if not only or name in only:
            sys.stderr.write(f"{name}\n")
            rows.append(measured(repeats))
    return rows
