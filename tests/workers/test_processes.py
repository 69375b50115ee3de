"""Real workers and beats on a real broker: a tournament comes to its end whatever is killed on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import redis
from celery import Celery

from ladder.readings.tournament_tables import TournamentTables
from ladder.rpc.dial import Dial, ladder_of
from ladder.store import Store
from ladder.store.pepper import load as load_pepper
from ladder.store.presence import Online
from tests.patience import until_true
from tests.workers.house import House, spec
from tests.workers.lasting_keys import leaks_of_broker
from tests.workers.processes import Process
from tests.workers.small_referee import FORMAT, playing
from workers.app import make_app, send_canary
from workers.broker import QUEUE
from workers.doorbell import PREFIX
from workers.house.part import READY
from workers.settings import WorkerSettings, broker_of
from workers.tasks import MOST_TRIES
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State

pytestmark = pytest.mark.slow


@pytest.fixture
def environment(own_ledger: str) -> dict[str, str]:
    """Return what the processes of a test are told."""
    return {
        "LASTCARD_REDIS_URL": own_ledger,
        "LASTCARD_TICK_MS": "200",
        "LASTCARD_ALLOW_VOLATILE": "1",
        "LASTCARD_WORKER_NAME": "w1",
    }


@pytest.fixture
def live(own_ledger: str) -> Iterator[House]:
    """Put a house over the tenant that the processes work for, with the time of day."""
    with Store.open(own_ledger, role="test", allow_volatile=True, pepper=bytes(32)) as store:
        house = House(store, TournamentTables(store.matches, store.ratings))
        house.now_ms = time.time_ns() // 1_000_000
        yield house


def play(house: House, bots: dict[str, Online], most: int = 1) -> None:
    """Play what is ready now, as a referee would."""
    house.referee.beat(fresh=True)
    house.referee.seat(bots)
    house.referee.play(time.time_ns() // 1_000_000, most)


def played(house: House, bots: dict[str, Online], matches: int) -> bool:
    """Play one more match unless so many are done; returns whether they are."""
    if house.store.tournaments.get("spring").done < matches:
        play(house, bots)
    return house.store.tournaments.get("spring").done >= matches


def test_a_tournament_through_celery(live: House, environment: dict[str, str], tmp_path: Path) -> None:
    """Beat ticks, the worker plans and rates, and a tournament is finished though each of them is killed on the way."""
    bots = playing(live.enter("alpha", "beta", "gamma"))
    live.create(spec("spring", "alpha", "beta", "gamma", meetings=40))
    log = tmp_path / "log"
    with Process(["serve", "beat"], environment, log) as beat, Process(["serve", "worker"], environment, log) as worker:
        beat.ready()
        worker.ready()
        until_true(lambda: played(live, bots, 2), why=log.read_text)
        play(live, bots, most=2)
        worker.kill()
        beat.kill()
    with (
        Process(["serve", "worker"], environment, log) as worker,
        Process(["serve", "worker"], {**environment, "LASTCARD_WORKER_NAME": "w2"}, log) as other,
        Process(["serve", "beat"], environment, log) as beat,
        Process(["serve", "beat"], environment, log) as second,
    ):
        for process in (worker, other, beat, second):
            process.ready()

        until_true(lambda: played(live, bots, 9) and live.state("spring") is State.FINISHED, why=log.read_text)
        until_true(lambda: live.store.tournaments.get("spring").lucky == 9, why=log.read_text)
        assert beat.terminate() == second.terminate() == 0
        assert worker.terminate() == other.terminate() == 0
    assert live.store.tournaments.get("spring").done == 9
    assert live.store.gifts.waiting() == []
    assert live.store.ratings.seq(FORMAT) == 9
    assert live.store.ratings.rebuild(FORMAT).equal
    assert "Traceback" not in log.read_text()
    assert (tmp_path / "archive").is_dir(), "these workers wrote to the state folder of whoever runs the tests"


def client(own_ledger: str) -> Celery:
    """Return an app that only sends."""
    return make_app(WorkerSettings(own_ledger, broker_of(own_ledger), name="w1", allow_volatile=True))


def counted(house: House) -> dict[str, int]:
    """Return the tasks by name and outcome."""
    return {str(counter): value for counter, value in house.store.counters.read().items()}


def has_counted(house: House, counter: str, number: int) -> bool:
    """Return whether a counter has come so far."""
    return counted(house).get(counter, 0) >= number


def test_a_worker_refuses_what_is_not_json_and_goes_on(
    live: House, environment: dict[str, str], own_ledger: str, tmp_path: Path
) -> None:
    """A pickle and an unknown task are dropped unread; the next task is done."""
    log = tmp_path / "log"
    with Process(["serve", "worker"], environment, log) as worker:
        worker.ready()
        app = client(own_ledger)
        app.conf.accept_content = ["json", "pickle"]
        app.send_task(f"{PREFIX}tick", serializer="pickle")
        app.send_task("os.system", args=["true"])
        app.send_task(f"{PREFIX}reconcile")
        done = 'tasks_total{outcome="ok",task="reconcile"}'
        until_true(lambda: counted(live).get(done) == 1, why=log.read_text)
        assert 'tasks_total{outcome="ok",task="tick"}' not in counted(live)
        assert worker.popen.poll() is None


def test_nothing_is_left_in_the_broker(
    live: House, environment: dict[str, str], own_ledger: str, tmp_path: Path
) -> None:
    """A worker that comes, hears its canary and goes leaves no key behind but the binding of the queue of all."""
    log = tmp_path / "log"
    with redis.Redis.from_url(broker_of(own_ledger)) as broker:
        done = 'tasks_total{outcome="ok",task="reconcile"}'
        for number in (1, 2):
            with Process(["serve", "worker"], environment, log) as worker:
                worker.ready()
                client(own_ledger).send_task(f"{PREFIX}reconcile")
                until_true(partial(has_counted, live, done, number), why=log.read_text)
                send_canary(client(own_ledger), "w1")
                heard = 'tasks_total{outcome="ok",task="canary"}'
                until_true(partial(has_counted, live, heard, number), why=log.read_text)
                until_true(lambda: broker.zcard("lc:unacked_index") == 0, why=log.read_text)
                assert worker.terminate() == 0
        keys = {key.decode() for key in broker.scan_iter()}
        assert list(leaks_of_broker(broker_of(own_ledger))) == []
    assert keys <= {f"lc:_kombu.binding.{QUEUE}", f"lc:_kombu.binding_permanent.{QUEUE}"}


def test_a_message_that_kills_its_process_is_given_up(
    live: House, environment: dict[str, str], own_ledger: str, tmp_path: Path
) -> None:
    """Begun three times; delivered once more it is not begun, but counted as poisoned, with one alarm.

    Nothing else is counted of it, and the worker lives and does what follows.
    """
    log, starts = tmp_path / "log", tmp_path / "starts"
    told = {**environment, "POISON_STARTS": str(starts)}
    with Process([str(Path(__file__).with_name("poison_worker.py"))], told, log, program=()) as worker:
        worker.ready()
        client(own_ledger).send_task(f"{PREFIX}poison")
        given_up = 'tasks_total{outcome="poisoned",task="poison"}'
        until_true(lambda: counted(live).get(given_up) == 1, why=log.read_text)
        client(own_ledger).send_task(f"{PREFIX}reconcile")
        done = 'tasks_total{outcome="ok",task="reconcile"}'
        until_true(lambda: counted(live).get(done) == 1, why=log.read_text)
        assert starts.read_text().splitlines() == ["start"] * MOST_TRIES == ["start"] * 3
        assert {name: count for name, count in counted(live).items() if "poison" in name} == {
            given_up: 1,
            'alarms_total{kind="poison"}': 1,
        }


def test_the_ladder_process(live: House, environment: dict[str, str], tmp_path: Path) -> None:
    """It says where it listens, serves tournaments beside ladders and pages, and ends when told to, though watched."""
    pepper = tmp_path / "pepper"
    load_pepper(pepper)
    told = {**environment, "LASTCARD_PEPPER_FILE": str(pepper)}
    words = ["serve", "ladder", "--grpc", "127.0.0.1:0", "--web", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
    with Process(words, told, tmp_path / "log") as ladder:
        addresses = json.loads(ladder.ready().removeprefix(READY))
        assert addresses.keys() == {"grpc", "web", "metrics"}
        live.enter("alpha", "beta")
        live.create(spec("spring", "alpha", "beta"))
        with Dial(ladder_of(addresses["grpc"])) as dial:
            watched = TournamentClient(dial).watch("spring")
            assert next(watched).spec.name == "spring"
            assert ladder.terminate() == 0
    assert "Traceback" not in (tmp_path / "log").read_text()
