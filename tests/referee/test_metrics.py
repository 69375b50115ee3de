"""What a referee counts, as Prometheus reads it from another thread."""

from __future__ import annotations

import threading

from referee.hosting.host import Host
from referee.hosting.roster import Roster
from referee.hosting.sessions import Greeting, Session
from referee.metrics import LAG_KEPT_S, Metrics, RefereeCollector

SCRAPES = 300
BOTS = 400


def test_bots_may_come_and_go_while_metrics_are_read() -> None:
    """Every scrape succeeds."""
    metrics, roster = Metrics(), Roster()
    collector = RefereeCollector(metrics, Host(lambda: 0.0, roster, metrics), "1")
    greeting = Greeting("one", "1", frozenset(), 1, 1, (1, 1, 1), {}, 0)
    failures: list[RuntimeError] = []

    def scrape() -> None:
        for _ in range(SCRAPES):
            try:
                list(collector.collect())
            except RuntimeError as error:
                failures.append(error)

    scraping = threading.Thread(target=scrape)
    scraping.start()
    while scraping.is_alive():
        for number in range(BOTS):
            roster.join(Session(f"s{number}", f"b{number}@1", greeting), 0.0)
        for number in range(BOTS):
            del roster.players[f"b{number}@1"]
    scraping.join()
    assert failures == []


def test_a_stall_between_two_scrapes_is_seen_at_the_second() -> None:
    """The longest delay stays for a while, then the newest counts again."""
    metrics = Metrics()
    for at, lag in ((0.0, 0.001), (1.0, 2.5), (2.0, 0.001)):
        metrics.loop_lag(lag, at)
    assert metrics.lag_s == 2.5
    metrics.loop_lag(0.002, 1.0 + LAG_KEPT_S)
    assert metrics.lag_s == 2.5
    metrics.loop_lag(0.002, 1.1 + LAG_KEPT_S)
    assert metrics.lag_s == 0.002
