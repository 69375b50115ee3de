"""What Prometheus gets from a real ladder process over a real store."""

from __future__ import annotations

from collections import Counter as Counted
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from ladder.metrics import MOST_RATINGS, TOP, WORKER_COUNTERS
from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.ladder_log import Ladder
from ladder.store.local import LocalStore
from referee import formats
from tests.exporter.conventions import check_lint, check_names, scrape
from tests.ladder_house import FORMAT, RULESET, House
from tests.ladder_running import Reached, Running, running_ladder
from tests.store.scenes import parked
from workers.broker import sender
from workers.doorbell import CeleryDoorbell
from workers.due import Job
from workers.settings import WorkerSettings

pytestmark = pytest.mark.slow

BUDGET = 5_000
"""Series of one process."""


async def scraped(running: Reached, accept: str = "text/plain") -> str:
    """Return what one scrape gets."""
    return await scrape(running.addresses.metrics, accept)


def samples(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the values of a scrape by name and label values, labels by name."""
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_scrape_tells_what_is_in_the_store(ladder: Running, house: House) -> None:
    """Matches by state, queues, ladders, bots and ratings are those of the store."""
    found = samples(await scraped(ladder))
    expected: dict[tuple[str, tuple[str, ...]], float] = {
        ("lastcard_store_up", ()): 1,
        ("lastcard_matches", ("rated",)): 11,
        ("lastcard_matches", ("ready",)): 1,
        ("lastcard_matches", ("void",)): 0,
        ("lastcard_ready_matches", ()): 1,
        ("lastcard_due_matches", ()): 0,
        ("lastcard_bots", ()): 4,
        ("lastcard_tournaments", ("running",)): 1,
        ("lastcard_tournaments", ("cancelled",)): 0,
        ("lastcard_ladder_matches_total", (FORMAT,)): 11,
        ("lastcard_ladder_meetings_total", (FORMAT,)): 55,
        ("lastcard_ladder_games_total", (FORMAT,)): 110,
        ("lastcard_ladder_bots", (FORMAT,)): 4,
        ("lastcard_ladder_sum_error_elo", (FORMAT,)): 0,
        ("lastcard_ladder_anomalies", (FORMAT,)): 0,
    }
    assert {key: found.get(key) for key in expected} == expected
    rated = {tally.bot: tally.micro / 1_000_000 for tally in house.store.ratings.tallies(FORMAT)}
    assert {bot: found["lastcard_rating_elo", (bot, FORMAT)] for bot in rated} == rated
    assert found["lastcard_ready_oldest_seconds", ()] > 0


async def test_the_next_scrape_sees_the_next_match(ladder: Running, house: House) -> None:
    """Nothing is remembered for too long."""
    before = samples(await scraped(ladder))
    house.play(house.match("ladder.uno-classic-2.1.1", ["careful@1", "random@1"]))
    after = samples(await scraped(ladder))
    key = ("lastcard_ladder_matches_total", (FORMAT,))
    rating = ("lastcard_rating_elo", ("careful@1", FORMAT))
    assert after[key] == before[key] + 1
    assert after[rating] != before[rating]


async def test_counters_of_the_workers_are_shown_if_declared(ladder: Running, house: House) -> None:
    """A declared counter appears with its labels; another one, or one with other labels, does not."""
    house.store.counters.add(
        {
            Counter("tasks_total", {"task": "rate", "outcome": "ok"}): 3,
            Counter("tasks_total", {"task": "rate"}): 5,
            Counter("whatever_total", {"x": "y"}): 7,
        }
    )
    text = await scraped(ladder)
    assert 'lastcard_tasks_total{outcome="ok",task="rate"} 3.0' in text
    assert "whatever" not in text
    assert " 5.0" not in "".join(line for line in text.splitlines() if "tasks_total" in line)


async def test_a_match_that_is_lost_is_counted_once(ladder: Running, house: House) -> None:
    """Void and parked matches count from the moment that somebody looks, for alerts on a rise."""
    await scraped(ladder)
    plan = house.match("ladder.uno-classic-2.1.1", ["careful@1", "random@1"])
    parked(house.store, plan.id, "three referees died with it", house.tick())
    found = [samples(await scraped(ladder)) for _ in range(2)]
    house.store.matches.void("spring-cup.12.1.1", "rain", "olga", house.tick())
    found += [samples(await scraped(ladder)) for _ in range(2)]
    assert [one["lastcard_lost_matches_total", ("parked",)] for one in found] == [1, 1, 1, 1]
    assert [one["lastcard_lost_matches_total", ("void",)] for one in found] == [0, 0, 1, 1]


async def test_every_declared_counter_has_its_family_from_the_start(empty_ladder: Running) -> None:
    """Alerts on a rate need the series before its first event, where there is only one."""
    text = await scraped(empty_ladder)
    found = samples(text)
    for name, declared in WORKER_COUNTERS.items():
        assert f"# HELP lastcard_{name} {declared.help}" in text
        order = sorted(range(len(declared.labels)), key=lambda index: declared.labels[index])
        for values in declared.zeros:
            assert found[f"lastcard_{name}", tuple(values[index] for index in order)] == 0


async def test_names_follow_the_conventions(shown: Reached) -> None:
    """One prefix, base units, counters end in `_total`, every family has help, labels are of a closed list."""
    await shown.http.get("/")
    check_names(
        await scraped(shown),
        {
            "bot", "code", "format", "job", "kind", "le", "method", "outcome", "queue", "role", "route", "state",
            "status", "task", "version", "what",
        },
    )  # fmt: skip


@pytest.mark.needs("promtool")
async def test_promtool_has_no_findings(shown: Reached) -> None:
    """The official linter is content."""
    await shown.http.get("/")
    await check_lint(await scraped(shown))


async def test_openmetrics_is_spoken_where_it_is_wanted(shown: Reached) -> None:
    """A newer Prometheus gets the newer format."""
    text = await scraped(shown, "application/openmetrics-text; version=1.0.0")
    assert text.endswith("# EOF\n")


async def test_five_thousand_bots_stay_within_the_budget(store: Store, ladder_settings: LadderSettings) -> None:
    """Whoever registers bots by the thousand costs a fixed number of series."""
    for slice_ in range(10):
        versions = [f"bot-{number:05d}@1" for number in range(slice_ * 500, slice_ * 500 + 500)]
        store.ratings.enter(Ladder(FORMAT, RULESET, 2), dict.fromkeys(versions))
    async with running_ladder(ladder_settings) as running:
        for path in ("/", "/ladders", f"/ladders/{FORMAT}", *(f"/bots/bot-{number:05d}" for number in range(50))):
            await running.http.get(path)
        found = samples(await scraped(running))
    assert len([key for key in found if key[0] == "lastcard_rating_elo"]) == TOP
    assert len(found) <= BUDGET
    assert found["lastcard_ladder_bots", (FORMAT,)] == 5000


async def test_many_ladders_share_the_budget(store: Store, ladder_settings: LadderSettings) -> None:
    """The rating gauge is bounded over all formats together: long tables are cut alike, short ones are not."""
    for number in range(30):
        versions = [f"bot-{bot:03d}@1" for bot in range(10 if number % 3 == 0 else 190)]
        store.ratings.enter(Ladder(f"format-{number}", RULESET, 2), dict.fromkeys(versions))
    async with running_ladder(ladder_settings) as running:
        found = samples(await scraped(running))
    shown = Counted(key[1][1] for key in found if key[0] == "lastcard_rating_elo")
    assert shown == {f"format-{number}": 10 if number % 3 == 0 else 175 for number in range(30)}
    assert sum(shown.values()) == MOST_RATINGS
    assert len(found) <= BUDGET


def test_every_built_in_format_may_show_its_best() -> None:
    """Sharing begins with formats of one's own."""
    assert len(formats.names()) * TOP <= MOST_RATINGS


async def test_hostile_addresses_make_no_series(ladder: Running) -> None:
    """Labels are routes and methods that exist, whatever is asked for."""
    for number in range(30):
        await ladder.http.get(f"/nope-{number}")
        await ladder.http.request(f"X{number}", "/")
    routes = {key[1][0] for key in samples(await scraped(ladder)) if key[0] == "lastcard_http_requests_total"}
    assert routes == {"other"}


async def test_queues_of_the_broker_are_counted(
    store: Store, store_server: LocalStore, ladder_settings: LadderSettings
) -> None:
    """Tasks that wait in Celery's queue, in a hurry or not, are a gauge; the broker is another database."""
    broker = f"{store_server.url.removesuffix('/0')}/9"
    if store_server.url.startswith("unix:"):
        broker = f"{store_server.url}?db=9"
    async with running_ladder(ladder_settings, broker_url=broker) as running:
        found: Any = samples(await scraped(running))
        assert (found["lastcard_broker_up", ()], found["lastcard_queue_tasks", ("celery",)]) == (1, 0)
        doorbell = CeleryDoorbell(sender(WorkerSettings(store_server.url, broker)))
        for task in ("rate", "luck", "plan"):
            doorbell.ring(Job(task, (("spring.1.1.0",),)))
        found = samples(await scraped(running))
    assert found["lastcard_queue_tasks", ("celery",)] == 3


async def test_a_dead_broker_is_said_to_be_down(store: Store, ladder_settings: LadderSettings) -> None:
    """The rest of the scrape does not suffer."""
    async with running_ladder(ladder_settings, broker_url="redis://127.0.0.1:1/0") as running:
        found = samples(await scraped(running))
    assert (found["lastcard_broker_up", ()], found["lastcard_store_up", ()]) == (0, 1)


async def test_there_is_nothing_else_on_the_metrics_port(shown: Reached) -> None:
    """Pages and API are elsewhere."""
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(f"http://{shown.addresses.metrics}/bots")
        posted = await http.post(f"http://{shown.addresses.metrics}/metrics")
    assert (answer.status_code, posted.status_code) == (404, 405)
