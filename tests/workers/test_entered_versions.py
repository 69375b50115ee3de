"""Versions of a bot that are entered by number: they play, two of one bot against each other, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ladder.errors import RequestError
from ladder.readings.waits import Waits
from ladder.rpc.dial import Dial, ladder_of
from ladder.store.rows import APPLIED, MatchState
from tests.workers.house import House, spec
from tests.workers.ledger_damage import damage
from tests.workers.served import served
from tests.workers.small_referee import playing
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State, Verb
from workers.tournaments.spec import Deals, TournamentSpec

MIRRORED = "uno-classic-2-mirrored"
BOTH = ("alpha@1", "alpha@2")


def versions_of(house: House, name: str, count: int, owner: str = "ann") -> list[str]:
    """Register a bot that had so many versions; returns them."""
    house.store.registry.register(name, owner, now_ms=house.now_ms)
    return [house.store.registry.version(name, str(number), now_ms=house.now_ms) for number in range(count)]


def rivals(*bots: str, meetings: int = 40) -> TournamentSpec:
    """Return a tournament on mirrored deals."""
    return replace(spec("rivals", *bots, meetings=meetings), deals=Deals.MIRRORED, unrated=True)


@pytest.fixture
def alpha(house: House) -> House:
    """A bot with three versions, of which the older two are connected; they share deals as bots of one owner do."""
    versions = versions_of(house, "alpha", 3)
    house.referee.seat(playing(versions[:2], formats=[MIRRORED]))
    return house


@pytest.mark.parametrize("bots", [pytest.param(BOTH, id="the old one first"), pytest.param(BOTH[::-1], id="last")])
def test_two_versions_of_one_bot_play_each_other(alpha: House, bots: tuple[str, ...]) -> None:
    """Those that were named and not the newest, whichever came first, on one deal a meeting, all of it."""
    assert alpha.create(rivals(*bots)).plan.summary.matches == 3
    assert alpha.play("rivals") is State.FINISHED
    row = alpha.store.tournaments.get("rivals")
    assert (row.entrants, row.done, row.lost) == (BOTH, 3, 0)
    table = alpha.desk.get("rivals").table
    assert {standing.bot for standing in table.standings} == set(BOTH)
    assert [(pair.games, {pair.a, pair.b}) for pair in table.pairs] == [(80, set(BOTH))]
    assert len(alpha.store.matches.page(bot="alpha").rows) == 3


def test_a_version_that_goes_away_is_waited_for_by_itself(alpha: House) -> None:
    """The newest one is connected and not entered; the other one that plays is neither missing nor beside it."""
    alpha.create(rivals(*BOTH))
    alpha.look()
    alpha.referee.seat(playing(["alpha@2", "alpha@3"], formats=[MIRRORED]))
    alpha.look()
    awaited = Waits(alpha.store.registry, alpha.store.presence).of(alpha.store.tournaments.get("rivals"), alpha.now_ms)
    assert (awaited.bots, awaited.others) == (("alpha@1",), ("alpha@3",))


def test_who_could_not_play_is_told_by_version(house: House) -> None:
    """Not connected, or without the format; that another version of it is there says nothing of it."""
    versions_of(house, "alpha", 3)
    house.referee.seat(playing(["alpha@2"]))
    warnings = house.desk.create(rivals("alpha@1", "alpha@2"), b"", "tester").warnings
    assert [warning.partition(" (")[0].partition(";")[0] for warning in warnings] == [
        f"connected without offering {MIRRORED}: alpha@2",
        "not connected: alpha@1",
    ]


@pytest.mark.parametrize(
    ("bots", "reason", "words"),
    [
        pytest.param(("alpha@1", "alpha@9"), "UNKNOWN_VERSION", "no version alpha@9: its newest is alpha@3", id="none"),
        pytest.param(("alpha@1", "gamma@1"), "UNKNOWN_BOT", "no bot 'gamma'", id="no bot"),
        pytest.param(("alpha@1", "fresh@1"), "UNKNOWN_VERSION", "it never connected", id="never connected"),
        pytest.param(("alpha@1", "alpha@1"), "BAD_BOTS", "a version enters once", id="twice"),
        pytest.param(("alpha", "alpha@3"), "BAD_BOTS", "newest version, which may be alpha@3", id="name and version"),
        pytest.param(("alpha@1", "alpha@0"), "BAD_NAME", "the number of its version", id="zero"),
        pytest.param(("alpha@1", "alpha@x"), "BAD_NAME", "the number of its version", id="no number"),
        pytest.param(("alpha@1", "beta@1"), "UNTRUSTED", "bots of one owner", id="of two owners"),
        pytest.param(("alpha@1", "wall@1"), "UNTRUSTED", "bots of one owner", id="with one of the house"),
    ],
)
def test_what_cannot_be_entered(alpha: House, bots: tuple[str, ...], reason: str, words: str) -> None:
    """Each with what is wrong; nothing is created."""
    versions_of(alpha, "beta", 1, owner="ben")
    alpha.store.registry.register("fresh", "ann", now_ms=alpha.now_ms)
    alpha.register(["wall"], house=True)
    with pytest.raises(RequestError, match=words) as error:
        alpha.create(rivals(*bots))
    assert error.value.reason == reason
    assert alpha.store.tournaments.page()[0] == []


def test_a_retired_bot_takes_its_versions_with_it(alpha: House) -> None:
    """And is named by itself."""
    alpha.store.registry.retire("alpha", now_ms=alpha.now_ms)
    with pytest.raises(RequestError, match="bot 'alpha' is retired: `lastcard bot retire alpha --undo`") as error:
        alpha.create(rivals(*BOTH))
    assert error.value.reason == "UNKNOWN_BOT"


@pytest.fixture
def client(alpha: House) -> Iterator[TournamentClient]:
    """Serve the house; anybody may read."""
    with served(alpha) as address, Dial(ladder_of(address)) as dial:
        yield TournamentClient(dial)


def test_results_come_in_the_order_of_the_schedule(alpha: House, client: TournamentClient) -> None:
    """Whichever was over first, up to the last that was created; from any of them on."""
    alpha.create(rivals(*BOTH, meetings=33))
    alpha.look()
    assert set(alpha.referee.play(alpha.now_ms, only=["rivals.1.1.2"])) == {"rivals.1.1.2"}
    alpha.look()
    page = client.results("rivals")
    assert [result.match.id for result in page.results] == [f"rivals.1.1.{part}" for part in range(3)]
    assert [len(result.meetings) for result in page.results] == [0, 0, 11]
    assert [result.match.state in APPLIED for result in page.results] == [False, False, True]
    assert page.status.state is State.RUNNING
    games = [game for meeting in page.results[2].meetings for game in meeting]
    places = [game.places for game in games]
    wins = tuple(sum(place[entrant] == 1 for place in places) for entrant in range(2))
    assert wins == page.results[2].match.wins
    assert all(game.rounds == 1 and len(game.points) == 2 for game in games)
    assert [result.match.id for result in client.results("rivals", 1, 1).results] == ["rivals.1.1.1"]
    assert client.results("rivals", 3).results == client.results("rivals", 2**60).results == ()


def test_a_match_that_is_played_again_stands_in_the_place_of_the_void_one(
    alpha: House, client: TournamentClient
) -> None:
    """One that nobody plays again stays there, void."""
    alpha.create(rivals(*BOTH, meetings=33))
    alpha.look()
    for match in ("rivals.1.1.0", "rivals.1.1.1"):
        alpha.desk.void(match, "wrong", "olga")
    alpha.desk.requeue("rivals.1.1.0", "", "olga")
    alpha.play("rivals", looks=5)
    page = client.results("rivals")
    assert [(result.match.id, result.match.state == MatchState.VOID) for result in page.results] == [
        ("rivals.1.1.0.r2", False),
        ("rivals.1.1.1", True),
        ("rivals.1.1.2", False),
    ]
    assert [len(result.meetings) for result in page.results] == [11, 0, 11]


def test_before_the_start_there_are_none(house: House) -> None:
    """And of what is not there nothing is told."""
    versions_of(house, "alpha", 2)
    house.create(replace(rivals(*BOTH), start_ms=house.now_ms + 60_000))
    with served(house) as address, Dial(ladder_of(address)) as dial:
        assert TournamentClient(dial).results("rivals").results == ()
        with pytest.raises(RequestError, match="no tournament") as error:
            TournamentClient(dial).results("autumn")
        assert error.value.reason == "UNKNOWN_TOURNAMENT"


def test_matches_are_ready_in_the_order_of_the_schedule(alpha: House) -> None:
    """Those that were created by one look, too: the tenth does not stand before the second."""
    alpha.create(rivals(*BOTH, meetings=200))
    alpha.look()
    ready = alpha.store.matches.ready_ids(alpha.now_ms, 500)
    assert ready == [f"rivals.1.1.{part}" for part in range(13)]


def test_what_the_next_look_creates_stands_behind(alpha: House) -> None:
    """Of two tournaments, too, whose looks are a few milliseconds apart: nobody overtakes who was there before."""
    alpha.create(rivals(*BOTH, meetings=200))
    alpha.look(0)
    other = replace(rivals(*BOTH, meetings=200), name="sequel")
    alpha.create(other)
    alpha.look(3)
    ready = alpha.store.matches.ready_ids(alpha.now_ms, 500)
    assert ready == [f"{name}.1.1.{part}" for name in ("rivals", "sequel") for part in range(13)]


def test_matches_that_are_opened_again_are_in_order_and_before_new_ones(alpha: House) -> None:
    """After a pause all are opened by one look; those that it creates come after them."""
    alpha.create(rivals(*BOTH, meetings=200))
    alpha.look()
    alpha.desk.turn("rivals", Verb.PAUSE, "lunch", "olga")
    alpha.look()
    assert alpha.store.matches.ready_ids(alpha.now_ms, 500) == []
    alpha.desk.turn("rivals", Verb.RESUME, "", "olga")
    alpha.look()
    ready = alpha.store.matches.ready_ids(alpha.now_ms, 500)
    assert ready == [f"rivals.1.1.{part}" for part in range(13)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("meetings", "x", id="its row"),
        pytest.param("state", "gone", id="its state"),
        pytest.param("result", "{", id="its result"),
    ],
)
def test_a_match_that_cannot_be_read_tells_nothing(
    alpha: House, client: TournamentClient, field: str, value: str
) -> None:
    """It is void and says why; the matches around it are told as ever."""
    alpha.create(rivals(*BOTH, meetings=33))
    alpha.play("rivals", looks=5)
    damage("HSET", "m:rivals.1.1.1", field, value)(alpha.store)
    first, bad, last = client.results("rivals").results
    assert (bad.match.id, bad.match.state, bad.meetings) == ("rivals.1.1.1", "void", ())
    assert bad.match.reason.startswith("match rivals.1.1.1 cannot be read: ")
    assert [len(one.meetings) for one in (first, last)] == [11, 11]
