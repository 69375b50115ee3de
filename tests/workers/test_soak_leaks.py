"""The look of the soak for keys that stay for ever finds each that is planted, and nothing in a ledger as it is."""

from __future__ import annotations

import pytest
import redis

from tests.workers.house import House, spec
from tests.workers.lasting_keys import leaks, leaks_of_broker
from tests.workers.small_referee import FORMAT
from workers.settings import broker_of


@pytest.fixture
def over(house: House) -> House:
    """A tournament that is over, as its ledger is then."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.play("spring")
    house.look()
    house.store.link.read("EXPIRE", house.store.keys.beat(house.referee.me), 600)  # as one that beats
    return house


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    "key",
    [
        *("m:ghost.1.1.0", "h:ghost.1.1.0", "log:ghost.1.1.0", "seed:ghost.1.1.0", "luck:spring.9.1.0", "house:ghost"),
        *("t:ghost", "seed:t:ghost", "t:ghost:open", "t:spring:sealed", "t:spring:again", "index:t:ghost"),
        *(f"l:{FORMAT}:builder", f"l:{FORMAT}:new:rating", "l:dos-4:cfg", "index:b:ghost", "bot:ghost", "token:ghost"),
        *("owned:ghost", "beat:ghost", "deal:spring.1.1.0", "watch:spring.1.1.0", "tick:tick:1", "once:1", "due:renew"),
        *("log:spring.1.1.0", "seed:spring.1.1.0", "shown:log:ghost.1.1.0", "shown:seed:ghost.1.1.0"),
        *("seed:t:spring", "shown:seed:t:ghost"),
    ],
)
def test_a_key_that_nothing_in_the_ledger_asks_for_is_found(over: House, key: str) -> None:
    """One of each family, without a time to live."""
    prefix = over.store.keys.match("")[: -len("m:")]
    assert list(leaks(over.store)) == []
    over.store.link.read("DEL", f"{prefix}{key}")
    over.store.link.read("SET", f"{prefix}{key}", "x")
    assert list(leaks(over.store)) == [f"key {key} stays for ever"]


def test_traces_of_a_referee_that_is_gone_are_found(over: House) -> None:
    """In the sets that living ones have, too."""
    over.store.link.read("SADD", over.store.keys.referees, "ghost")
    over.store.link.read("HSET", over.store.keys.presence, "ghost/alpha@1", "{}")
    assert list(leaks(over.store)) == [f"{what} names ghost, which is gone" for what in ("referees", "presence")]


def test_what_refers_to_nothing_in_the_ledger_is_found(over: House) -> None:
    """A tournament that is gone, and a list on which stands what is shown already."""
    over.store.link.read("HSET", over.store.keys.commitments, "ghost", "0" * 64)
    over.store.link.read("SADD", over.store.keys.reveals, "t:spring", "m:spring.1.1.0")
    assert list(leaks(over.store)) == [
        "key reveals stays for ever",
        "commitments names ghost, which is gone",
        "reveals names m:spring.1.1.0, which has nothing to wait for",
        "reveals names t:spring, which has nothing to wait for",
    ]


def test_what_stays_in_a_broker_is_found(own_ledger: str) -> None:
    """Queues of nobody, messages that nobody holds or that never came back; its own queue may be there."""
    url = broker_of(own_ledger)
    with redis.Redis.from_url(url) as broker:
        broker.lpush("lc:celery", "x")
        for bindings in ("binding", "binding_permanent"):
            broker.sadd(f"lc:_kombu.{bindings}.celery", "celery\x06\x16\x06\x16celery")
        broker.set("lc:canary.w1", "x", ex=60)
        assert list(leaks_of_broker(url)) == []
        broker.lpush("lc:canary.w2", "x")
        broker.sadd("lc:_kombu.binding.celery", "canary.w2\x06\x16\x06\x16canary.w2")
        broker.zadd("lc:_kombu.binding_deadlines", {"celery": 1.0})
        broker.zadd("lc:unacked_index", {"old": 1.0})
        broker.hset("lc:unacked", mapping={"old": "x", "lost": "x"})
        assert sorted(set(leaks_of_broker(url))) == [
            "key _kombu.binding_deadlines stays for ever in the broker",
            "key canary.w2 stays for ever in the broker",
            "message lost is held by nobody",
            "message old never came back",
            "queue canary.w2 stays bound for ever",
        ]
