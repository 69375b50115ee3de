"""The seed of a match follows from the secret of its tournament: seed = HMAC-SHA256(deal_seed, match id)."""

from __future__ import annotations

import hashlib
import hmac

from referee.hosting.takeover import seed_of
from referee.machine import Machine
from tests.workers.house import FIELD, NAMES, House, field, of_group, spec
from workers.records.closed_match import closed_match
from workers.tournaments.life import State

SECRET = bytes(range(100, 132))


def expected(secret: bytes, words: str) -> bytes:
    """Return what Python's own HMAC makes of a secret and an id."""
    return hmac.new(secret, words.encode("ascii"), hashlib.sha256).digest()


def test_the_seed_of_a_match_is_the_hmac_of_its_id_under_the_deal_seed(house: House) -> None:
    """Once the secret of the tournament is public, everybody computes the seed of every match, and its commitment."""
    house.enter("alpha", "beta", "gamma")
    house.referee.by_secret = True
    created = house.desk.create(spec("spring", "alpha", "beta", "gamma", meetings=2), SECRET, "tester").status
    assert created.commitment == hashlib.sha256(SECRET).hexdigest()
    assert house.play("spring") is State.FINISHED
    shown = house.desk.get("spring")
    assert shown.deal_seed == SECRET
    found = list(house.store.matches.every("spring"))
    seeds = {row.id: expected(shown.deal_seed, row.id) for row in found}
    assert len(set(seeds.values())) == 3
    assert {row.id: row.commitment for row in found} == {
        match: hashlib.sha256(seed).hexdigest() for match, seed in seeds.items()
    }
    for row in found:
        closed = closed_match(house.store, row.id)
        assert closed.seed == seeds[row.id] == seed_of(row, house.store, Machine())
        assert closed.doubt() is None


def test_openssl_says_the_same() -> None:
    """`printf spring.1.1.0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:6465…83`: Python's HMAC is everybody's."""
    known = "d0ab2b02fffe13c5d137dbc8d5701e071687594efe06683e556d6248c00c07eb"
    assert expected(SECRET, "spring.1.1.0").hex() == known


def test_a_match_that_is_played_again_has_another_seed(house: House) -> None:
    """Its id is another one, and nothing else goes into it."""
    house.enter("alpha", "beta")
    house.referee.by_secret = True
    house.desk.create(spec("spring", "alpha", "beta"), SECRET, "tester")
    house.look()
    house.desk.void("spring.1.1.0", "rain", "tester")
    house.desk.requeue("spring.1.1.0", "sun", "tester")
    assert house.play("spring") is State.FINISHED
    assert closed_match(house.store, "spring.1.1.0.r2").seed == expected(SECRET, "spring.1.1.0.r2")


def test_tables_that_share_deals_have_the_seed_of_their_group(house: House) -> None:
    """The id of the group stands for that of the match."""
    house.enter(*NAMES, formats=(FIELD,))
    house.desk.create(field(), SECRET, "tester")
    house.look()
    tables = of_group(house)
    assert len(tables) == 8
    assert {seed_of(row, house.store, Machine()) for row in tables} == {expected(SECRET, tables[0].group)}
