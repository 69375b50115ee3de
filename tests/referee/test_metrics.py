"""What a referee counts, as Prometheus reads it from another thread."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ladder.store import Store
from referee.hosting.host import Host
from referee.hosting.roster import Roster
from referee.hosting.sessions import Greeting, Session
from referee.metrics import LAG_KEPT_S, Metrics
from referee.scrape import RefereeCollector
from tests.exporter.conventions import check_lint, check_names, scrape
from tests.live.house import plan
from tests.live.peer import Peer
from tests.live.test_faults import FAST, Quick
from tests.trunk.test_far_seat import two_houses

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


async def scrapes_of_a_match(store: Store, folder: Path) -> list[str]:
    """Return what two referees tell after a match between them, with faults, and one that was forfeited."""
    async with two_houses(store, folder, absent_s=0.5) as homes, Peer.open(homes[1], "liar", formats=[FAST]) as liar:
        liar.answer = lambda turn: [len(turn.decision.option_act) + 7]
        quick = await homes[0].join("quick", Quick())
        await homes[1].token("idler")
        absent = store.registry.version("idler", "1")
        await homes[0].plan(
            plan("s.1.1.0", liar.bot, quick, format_name=FAST), plan("s.1.2.0", absent, quick, format_name=FAST)
        )
        for match in ("s.1.1.0", "s.1.2.0"):
            await homes[0].ended(match)
        return [await scrape(home.running.metrics) for home in homes]


def labelled(scrapes: Iterable[str]) -> set[str]:
    """Return the families of ours that have a sample with a label, those of histograms aside."""
    families = [family for text in scrapes for family in text_string_to_metric_families(text)]
    return {
        family.name.removeprefix("lastcard_")
        for family in families
        if family.name.startswith("lastcard_") and any(set(sample.labels) - {"le"} for sample in family.samples)
    }


@pytest.mark.slow
async def test_names_follow_the_conventions(store: Store, tmp_path: Path) -> None:
    """Those of the ladder's exporter, with all the labels that there are, and every family with labels has some."""
    scrapes = await scrapes_of_a_match(store, tmp_path)
    for text in scrapes:
        check_names(text, {"code", "direction", "ending", "format", "kind", "le", "role", "version"})
    assert labelled(scrapes) == {
        "build_info", "faults", "forfeits", "games", "given_back_seconds", "replies", "stream_messages", "trunk_bytes",
        "trunk_messages",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.needs("promtool")
async def test_promtool_has_no_findings(store: Store, tmp_path: Path) -> None:
    """The official linter is content with both."""
    for text in await scrapes_of_a_match(store, tmp_path):
        await check_lint(text)
