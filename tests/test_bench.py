"""`./dev bench`: what it is asked for is there, or it says what is; what must be reached is what was agreed."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any, cast
from urllib.error import URLError

import pytest
from prometheus_client import generate_latest

from bench import games, tournament
from bench.__main__ import NAMES, ids, main
from bench.aims import FIT_S, IDLE_KIB, P99_MS, PLAN_S, RESUME_S
from bench.peers import PingPong
from bench.referee_process import NoLog, NoMetrics
from bench.rows import Row, report
from bench.scaling import Played, row
from bench.stage import WARM, Stage, figures
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Inflight, Phase
from referee.hosting.roster import Roster
from referee.scrape import registry

pytestmark = pytest.mark.slow

AGREED = {
    "engine": (8, 16),
    "engine_view": (4, 8),
    "referee_2x256": (6, 12),
    "referee_8x64": (4, 10),
    "referee_32x16": (2.5, 5),
    "referee_1": (0.25, 0.5),
    "referee_cpu": (4, 7),
    "log_cost": (0.8, 1.0),
    "rating_2": (0.25, 0.4),
    "tournament": (0.8, 0.95),
    "celery_cpu": (0.95, 0.98),
    "bt_fit": (1, 10),
    "plan_1000": (1, 20),
    "resume": (1, 3.3),
    "idle_bot": (1, 2.2),
    "many_bots": (1, 5),
}
"""Floor and goal of every row that can fail; of the last five, of the ratio of what is allowed to what was measured."""
NO_AIM = {"tls_cost", "metrics_cost", "far_seats", "two_referees"}


def test_what_is_measured_begins_when_rounds_are_at_every_stage() -> None:
    """Each round in play has been asked so often on the average, however soon that is."""
    asked, in_play = itertools.count(step=100), 300

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            said = {"sessions": 2, "decision_seconds_count": next(asked), "rounds_in_flight": in_play}
            told = "".join(f"lastcard_{name} {value}\n" for name, value in said.items())
            self.wfile.write(told.encode())

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    begun: list[int] = []

    def told() -> float:
        begun.append(next(asked))
        return float(begun[-1])

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_port}"
        figures(Stage(0, address, [address], {}, [], [], 0, [], 0), 2, 0.01, told)
        server.shutdown()
    assert WARM * in_play < begun[0] < WARM * in_play + 1_500


@pytest.mark.parametrize("name", NAMES)
def test_a_row_that_is_not_there_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 before anything is measured, with all that there are."""
    with pytest.raises(SystemExit) as ended:
        main([name, "--only", "no_such_row"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"there is no row no_such_row; {name} has {', '.join(ids(name, every_game=False))}" in said


def test_one_row_alone_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing else is on stdout."""
    assert main(["tournament", "--only", "plan_1000", "--repeats", "1", "--json"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["plan_1000"]


def test_what_cannot_be_measured_is_said_and_the_other_rows_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the run has failed."""

    def run(_repeats: int) -> list[Row]:
        raise URLError("gone")

    monkeypatch.setattr(tournament, "run", run)
    assert main(["tournament", "--only", "tournament", "--only", "plan_1000", "--repeats", "1", "--json"]) == 1
    said = capsys.readouterr()
    assert "bench: a measurement failed: URLError: <urlopen error gone>" in said.err
    assert [row["id"] for row in json.loads(said.out)["rows"]] == ["plan_1000"]


def test_every_row_carries_the_floor_and_the_goal_that_were_agreed() -> None:
    """No row that is measured has others, lacks them or is measured beyond them; nothing is measured."""
    measured = {row: Row(row, "", 1.0, 1) for name in NAMES for row in ids(name, every_game=False)}
    assert measured.keys() == AGREED.keys() | NO_AIM
    assert {name: (row.floor, row.goal) for name, row in measured.items() if row.floor is not None} == AGREED
    assert all(measured[name].goal is None for name in NO_AIM)
    assert all(Row(name, "", 1.0, 1).floor is None for name in games.FORMATS)


def test_figures_with_a_unit_are_held_against_what_was_agreed() -> None:
    """Seconds, KiB and milliseconds: what is allowed, and what we are after."""
    limits = (FIT_S, PLAN_S, IDLE_KIB, P99_MS, RESUME_S)
    assert [(limit.most, limit.goal) for limit in limits] == [(10, 1), (1, 0.05), (100, 45), (100, 20), (10, 3)]


@pytest.mark.parametrize("name", AGREED)
def test_a_row_below_its_floor_fails_the_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One that just reaches it does not; both are printed with what they were held against."""
    floor, goal = AGREED[name]
    rows = [Row("tls_cost", "", 0.0, 1), Row(name, "", floor, 1)]
    assert report(rows, as_json=True) == 0
    assert report([*rows, Row(name, "", floor - 0.001, 1)], as_json=True) == 1
    passed, failed = (json.loads(line)["rows"] for line in capsys.readouterr().out.splitlines())
    assert failed[:2] == passed
    assert {(row["floor"], row["goal"]) for row in failed[1:]} == {(floor, goal)}


def test_what_a_second_referee_brings_is_held_against_what_two_cores_allow() -> None:
    """Where referees and bots take as much CPU a move, two cores have nothing left for a second referee."""
    one = [Played(1_000.0, 30e-6, 30e-6), Played(1_000.0, 40e-6, 20e-6)]
    two = [Played(900.0, 33e-6, 33e-6), Played(1_200.0, 40e-6, 20e-6)]
    assert [played.bound for played in one] == pytest.approx([1.0, 4 / 3])
    found = row(one, two)
    assert (found.id, found.floor, found.repeats) == ("two_referees", None, 2)
    assert (found.ratio, found.detail["of_the_bound"]) == pytest.approx((1.05, 0.9))


def test_a_referee_without_metrics_counts_answers_and_nothing_else() -> None:
    """By the same calls: what the bench leaves out is the counting."""
    counts = NoMetrics()
    for seconds in (0.1, 0.2, 0.3):
        counts.decisions.add(seconds)
        counts.commit(seconds)
    counts.appends(3)
    counts.game("uno-classic-2", "OUT")
    counts.messages["sent"] += 1
    page = generate_latest(registry(counts, Host(lambda: 0.0, Roster(), counts), "1")).decode()
    counted = [line for line in page.splitlines() if line[0] != "#" and not line.endswith((" 0.0", " 1.0"))]
    assert counted == ['lastcard_decision_seconds_bucket{le="+Inf"} 3.0', "lastcard_decision_seconds_count 3.0"]


async def test_a_referee_without_log_groups_as_one_with_it() -> None:
    """What comes in while a group is under way is the next group; what has nothing to write waits for nobody."""
    out: list[tuple[str, list[Any]]] = []

    def committed(hosted: Hosted, entry: Inflight) -> None:
        hosted.inflight = None
        out.append((hosted.id, entry.effects))

    host = cast("Host", SimpleNamespace(committed=committed))
    unlogged = NoLog(host, Roster(), commit_s=0.01)
    acts = {name: _hosted(name, b"act") for name in ("first", "second", "third")}
    plain = _hosted("plain", b"")
    for hosted in (acts["first"], acts["second"], plain):
        unlogged.mark(hosted)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert out == [("plain", ["plain"])]
    unlogged.mark(acts["third"])
    while len(out) < 4:
        assert acts["third"].inflight is None or out[1:] == [("first", ["first"]), ("second", ["second"])]
        await asyncio.sleep(0)
    assert out[-1] == ("third", ["third"])


@dataclass(eq=False)
class _Seen:
    """What a log looks at of a match."""

    id: str
    pending: bytearray
    effects: list[Any]
    phase: Phase = Phase.PLAYING
    head: str = "0-0-0"
    seq: int = 0
    leave_pending: bool = False
    inflight: Inflight | None = None


def _hosted(name: str, pending: bytes) -> Hosted:
    return cast("Hosted", _Seen(name, bytearray(pending), [name]))


def test_the_client_of_the_ping_pong_has_the_core_that_bots_have() -> None:
    """As its server has that of the referee: neither side of a ratio may wander."""
    cores = sorted(os.sched_getaffinity(0))
    peer = PingPong()
    try:
        trips_s, cpu_s = peer.measure(0.05)
        assert trips_s > 0
        assert cpu_s >= 0
        pids = [process.pid for process in (peer._served, peer._dialled)]
        assert [os.sched_getaffinity(pid or 0) for pid in pids] == [{cores[0]}, {cores[1 % len(cores)]}]
    finally:
        peer.close()
