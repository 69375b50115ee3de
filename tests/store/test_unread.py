"""What stands in the store and cannot be read: which rows those are, and how hints are passed over."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from ladder.store import Store, masking, unread
from ladder.store.errors import BadTokenError
from ladder.store.presence import Online
from ladder.store.rows import MOST_MEETINGS, MatchState
from tests.store.scenes import Host, plan
from workers.tournaments import spec

MATCH = "cup.1.1.0"
HERE = Online(frozenset({"uno-classic-2"}), 3, {"uno-classic-2": 2})


@pytest.fixture
def host(store: Store) -> Host:
    """A referee, and one match in the queue."""
    store.matches.plan([plan()], 5)
    return Host(store)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("entrants", "garbage", id="entrants: no JSON"),
        pytest.param("entrants", '"ab"', id="entrants: a word"),
        pytest.param("entrants", '{"a@1":1,"b@1":2}', id="entrants: an object"),
        pytest.param("entrants", '[["a"],["b"]]', id="entrants: lists"),
        pytest.param("entrants", "[1,2]", id="entrants: numbers"),
        pytest.param("entrants", "[]", id="entrants: none"),
        pytest.param("entrants", '["a@1"]', id="entrants: one"),
        pytest.param("entrants", '["a@1","b@1","a@1"]', id="entrants: one of them twice"),
        pytest.param("meetings", "0", id="no meetings"),
        pytest.param("meetings", "-3", id="less than none"),
        pytest.param("meetings", str(MOST_MEETINGS + 1), id="more than anybody asks for"),
        pytest.param("id", "cup.1.1.1", id="another match"),
    ],
)
def test_a_row_that_says_what_no_match_is_cannot_be_read(store: Store, host: Host, field: str, value: str) -> None:
    """Whoever reads it is told."""
    store.link._execute("HSET", store.keys.match(MATCH), field, value)
    with pytest.raises(ValueError, match=r"."):
        store.matches.get(MATCH)
    with pytest.raises(ValueError, match=r"."):
        store.matches.rows([MATCH])
    with pytest.raises(ValueError, match=r"."):
        host.claim()


def test_the_ledger_takes_as_many_meetings_as_a_description_may_ask_for(store: Store) -> None:
    """And no more of one match."""
    assert MOST_MEETINGS == spec.MOST_MEETINGS
    store.matches.plan([plan(meetings=MOST_MEETINGS)], 5)
    assert store.matches.get(MATCH).meetings == MOST_MEETINGS


@pytest.mark.parametrize("text", ["garbage", "[1]", "null", "\udcff", "[" * 100_000])
def test_a_referee_whose_beat_cannot_be_read_lives(store: Store, host: Host, text: str) -> None:
    """Nothing is known of it, which is said once; its matches are no orphans."""
    host.claim()
    store.matches.beat("ref-2", {"capacity": 7}, fresh=True)
    store.link._execute("SET", store.keys.beat("ref-1"), text.encode(errors="surrogateescape"), "PX", 60_000)
    with capture_logs() as told:
        assert [store.matches.referees() for _ in range(2)] == [{"ref-2": {"capacity": 7}}] * 2
    assert [(line["event"], line["damaged"]) for line in told] == [("beats_unreadable", ["ref-1"])]
    assert store.matches.orphans(1_000_000) == []
    assert store.matches.get(MATCH).state is MatchState.RUNNING
    host.die()
    assert store.matches.orphans(1_000_000) == [MATCH]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"garbage", id="no JSON"),
        pytest.param(b"\xff", id="no text"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b'{"room":1}', id="no formats"),
        pytest.param(b'{"formats":"uno-classic-2","room":1}', id="formats: a word"),
        pytest.param(b'{"formats":[[]],"room":1}', id="formats: lists"),
        pytest.param(b'{"formats":[],"room":"1"}', id="room: a word"),
        pytest.param(b'{"formats":[],"room":1,"rooms":[]}', id="rooms: a list"),
        pytest.param(b'{"formats":[],"room":1,"rooms":{"a":"b"}}', id="rooms: words"),
    ],
)
def test_a_word_about_a_version_that_cannot_be_read_is_left_out(store: Store, text: bytes) -> None:
    """It is said once until it can be read, and again when it is damaged anew; the others are there."""
    store.matches.beat("ref-1", {}, fresh=True)
    store.presence.put("ref-1", {"ann@1": HERE})

    def damage() -> None:
        store.link._execute("HSET", store.keys.presence, "ref-1/ben@1", text)

    with capture_logs() as told:
        damage()
        assert [store.presence.by_referee() for _ in range(2)] == [{"ref-1": {"ann@1": HERE}}] * 2
        assert store.presence.online().keys() == {"ann@1"}
        store.presence.put("ref-1", {"ben@1": HERE})
        assert store.presence.by_referee() == {"ref-1": {"ann@1": HERE, "ben@1": HERE}}
        damage()
        store.presence.by_referee()
    assert [(line["event"], line["damaged"]) for line in told] == [("presence_unreadable", ["ref-1/ben@1"])] * 2


RUBBISH = b"\xff\xfe"


def test_members_that_are_no_text_are_passed_over(store: Store, host: Host) -> None:
    """Of sets and queues, each of them named once; what else stands there is read."""
    store.link._execute("SADD", store.keys.open, RUBBISH)
    store.link._execute("ZADD", store.keys.ready, 4, RUBBISH)
    store.link._execute("ZADD", store.keys.due, 4, RUBBISH)
    with capture_logs() as told:
        for _ in range(2):
            assert store.matches.open_ids() == {MATCH}
            assert list(store.matches.waiting()) == [MATCH]
            assert store.matches.due(9) == []
    keys = [store.keys.open, store.keys.ready, store.keys.due]
    assert [(line["key"], line["damaged"]) for line in told] == [(key, r"\xff\xfe") for key in keys]
    assert {line["event"] for line in told} == {"member_unreadable"}


def test_what_is_no_text_keeps_its_place_in_a_part(store: Store, host: Host) -> None:
    """Who asks for so many and is given fewer takes it for the end."""
    store.link._execute("ZADD", store.keys.ready, 4, RUBBISH)
    assert store.matches.ready_ids(9, 2) == [MATCH, r"\xff\xfe"]


def test_not_more_than_some_members_are_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever writes them may write any number."""
    monkeypatch.setattr(unread, "MOST_NAMED", 3)
    store.link._execute("SADD", store.keys.open, *(RUBBISH + bytes([number]) for number in range(9)))
    with capture_logs() as told:
        assert store.matches.open_ids() == set()
    assert len(told) == 3


SECRETS = [
    pytest.param("lcb1_abcdefghij_" + "Ab-_5" * 8 + "xyz", id="a token"),
    pytest.param(bytes(range(7, 39)).hex(), id="a seed, or the MAC of a token"),
    pytest.param("BwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSY", id="a seed in base64"),
    pytest.param(repr(bytes(range(7, 39))), id="a seed as bytes"),
    pytest.param("09030e1b283708", id="a hand in hex"),
    pytest.param(repr(bytes([9, 3, 14, 27, 40, 55, 8])), id="a hand as bytes"),
    pytest.param("[9, 3, 14, 27, 40, 55, 8]", id="a hand as numbers"),
    pytest.param("R3 G9 Y1 B2 R7 W4 GD", id="a hand as faces"),
    pytest.param('["R3", "G9", "Y1", "B2", "R7", "W", "GS"]', id="a hand as JSON"),
]


@pytest.mark.parametrize("secret", SECRETS)
def test_what_is_said_of_a_damaged_entry_repeats_no_secret(store: Store, secret: str) -> None:
    """A line that went to the wrong place may be one; a token's row stands beside its MAC."""
    _, token = store.registry.register("ann-bot", "Ann", now_ms=5)
    keyid = token.split("_")[1]
    store.link._execute("HSET", store.keys.token(keyid), "expires_ms", secret)
    with capture_logs() as lines, pytest.raises(BadTokenError):
        store.registry.authenticate(token, now_ms=6)
    (line,) = [line for line in lines if line["event"] == "entry_unreadable"]
    assert (line["kind"], line["damaged"]) == ("token", keyid)
    assert "invalid literal for int()" in line["error"]
    assert not [part for part in secret.split() if len(part) > 7 and part in str(lines)]
    assert secret not in str(lines)
    assert masking.MASKED in line["error"]
