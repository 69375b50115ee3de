"""Where trunks listen, and who plays what."""

from pathlib import Path

import pytest

from ladder.store.presence import Online
from lastcard.address import Address
from lastcard.errors import InputError
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted
from referee.hosting.roster import Roster
from referee.hosting.seeking import LEFT_ALONE_S, STEP_S, NoTrunks, Seeker, Sight
from referee.metrics import Metrics
from referee.settings import load
from tests.trunk.certificates import Authority

HERE = Online(frozenset({"uno-classic-2"}), 64)


class _Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _seeker(me: str, time: _Time) -> Seeker:
    async def look() -> Sight:
        return Sight()

    def give_back(hosted: Hosted) -> None:
        raise AssertionError(hosted)

    return Seeker(Host(time, Roster(), Metrics()), NoTrunks(), me, look, give_back)


def _sight(at: dict[str, list[str]], full: tuple[str, ...] = ()) -> Sight:
    beats = {name: {"capacity": 8, "rounds": 8 if name in full else 0} for name in ("one", "two", "three")}
    return Sight(beats, {name: dict.fromkeys(bots, HERE) for name, bots in at.items()})


def test_a_match_is_for_the_referee_with_most_of_its_bots() -> None:
    """At once; the next one only when it was left for a moment."""
    sight, time = _sight({"one": ["ann"], "two": ["ben", "cid"]}), _Time()
    match = ("t.1.1.0", ("ann", "ben", "cid"), sight)
    assert _seeker("two", time).my_turn(*match)
    second, third = _seeker("one", time), _seeker("three", time)
    assert not second.my_turn(*match)
    assert not third.my_turn(*match)
    time.now += STEP_S + 0.001
    assert second.my_turn(*match)
    assert not third.my_turn(*match)
    time.now += STEP_S + 0.001
    assert third.my_turn(*match)


def test_a_full_referee_is_the_last_in_line() -> None:
    """A match is played wherever there is capacity."""
    sight = _sight({"one": ["ann"], "two": ["ben", "cid"]}, full=("two",))
    assert _seeker("one", _Time()).my_turn("t.1.1.0", ("ann", "ben", "cid"), sight)


def test_a_referee_that_has_all_bots_is_left_alone() -> None:
    """As long as it has capacity: its bots may be waiting for room. Not for ever, though."""
    sight, time = _sight({"one": ["ann", "ben"]}), _Time()
    other = _seeker("two", time)
    for _ in range(2):
        assert not other.my_turn("t.1.1.0", ("ann", "ben"), sight)
        time.now += LEFT_ALONE_S / 2
    assert other.my_turn("t.1.1.0", ("ann", "ben"), sight)
    assert any(
        _seeker(name, time).my_turn("t.1.1.0", ("ann", "ben"), _sight({"one": ["ann", "ben"]}, full=("one",)))
        for name in ("two", "three")
    )


def test_equals_share_the_matches() -> None:
    """Among referees with as many bots of a match, the match decides: each begins with about a third."""
    sight = _sight({name: ["ann"] for name in ("one", "two", "three")})
    first = {
        name: sum(_seeker(name, _Time()).my_turn(f"t.1.{n}.0", ("ann",), sight) for n in range(300))
        for name in sight.beats
    }
    assert sum(first.values()) == 300
    assert min(first.values()) > 60


ENVIRONMENT = {"LASTCARD_REDIS_URL": "redis://127.0.0.1:1/0"}


@pytest.mark.parametrize(
    ("trunk", "insecure", "expected"),
    [
        pytest.param(None, False, "127.0.0.1:7513", id="default"),
        pytest.param("none", False, "None", id="none"),
        pytest.param("127.0.0.1:0", False, "127.0.0.1:0", id="any port"),
        pytest.param("10.0.0.7:7510", True, "10.0.0.7:7510", id="a network of one's own"),
    ],
)
def test_where_other_referees_dial_in(trunk: str | None, insecure: bool, expected: str) -> None:
    """Loopback unless told else."""
    made = load(index=3, play=None, metrics=None, insecure=insecure, dev=False, trunk=trunk, environ=ENVIRONMENT)
    assert str(made.trunk) == expected


def test_who_takes_any_port_for_bots_takes_any_for_referees() -> None:
    """So that two of them never meet at the well-known one."""
    made = load(index=0, play="127.0.0.1:0", metrics=None, insecure=False, dev=False, environ=ENVIRONMENT)
    assert str(made.trunk) == "127.0.0.1:0"


@pytest.mark.parametrize(
    ("trunk", "reason"),
    [
        pytest.param("10.0.0.7:7510", "PLAINTEXT", id="off loopback in plain text"),
        pytest.param("0.0.0.0:7510", "BAD_TRUNK", id="everywhere"),
        pytest.param("[::]:7510", "BAD_TRUNK", id="everywhere, IPv6"),
        pytest.param("7510", "BAD_ADDRESS", id="no host"),
    ],
)
def test_a_trunk_that_would_leak_or_cannot_be_dialled_is_refused(trunk: str, reason: str) -> None:
    """With what would be right."""
    with pytest.raises(InputError) as caught:
        load(index=0, play=None, metrics=None, insecure=False, dev=False, trunk=trunk, environ=ENVIRONMENT)
    assert (caught.value.reason, caught.value.field) == (reason, "--trunk")


@pytest.mark.needs("openssl")
def test_with_certificates_it_may_listen_off_loopback(tmp_path: Path) -> None:
    """For bots and for referees; all files that belong together, or none."""
    authority = Authority.make(tmp_path)
    issued = authority.issue("referee")
    play = {"LASTCARD_TLS_CERT_FILE": str(issued.certificate), "LASTCARD_TLS_KEY_FILE": str(issued.key)}
    trunk = {
        "LASTCARD_TRUNK_CERT_FILE": str(issued.certificate),
        "LASTCARD_TRUNK_KEY_FILE": str(issued.key),
        "LASTCARD_TRUNK_CA_FILE": str(authority.certificate),
    }

    def loaded(**environ: str) -> tuple[Address, Address | None]:
        made = load(
            index=0, play="0.0.0.0:7410", metrics=None, insecure=False, dev=False, trunk="10.0.0.7:7510",
            environ=ENVIRONMENT | environ,
        )  # fmt: skip
        return made.play, made.trunk

    assert list(map(str, loaded(**play, **trunk))) == ["0.0.0.0:7410", "10.0.0.7:7510"]
    for name in (*play, *trunk):
        with pytest.raises(InputError, match="belong together") as caught:
            loaded(**{key: value for key, value in (play | trunk).items() if key != name})
        assert caught.value.field == name
