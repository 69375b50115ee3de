"""Room and presence of a bot are counted by the formats that its processes offer."""

import pytest

from ladder.store.presence import Online
from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.hosting.rooms import Rooms
from referee.hosting.roster import Player, Roster
from referee.hosting.seeking import Sight
from referee.hosting.sessions import Greeting, Session
from referee.metrics import Metrics
from referee.trunk.lodging import Lodging

UNO, DOS, DUO = "uno-classic-2", "dos-2", "duo"


def session(instance: str, *formats: str, rounds: int = 8) -> Session:
    """Return a process of a bot."""
    return Session(instance, "ann@1", Greeting(instance, "1", frozenset(formats), rounds, 8, (1, 1, 1), {}, 0))


def roster(*sessions: Session) -> Roster:
    """Return a roster that these have joined."""
    made = Roster()
    for one in sessions:
        made.join(one, 10.0)
    return made


def rooms(*sessions: Session) -> Rooms:
    """Return the rooms of a referee with these processes."""
    host = Host(lambda: 10.0, roster(*sessions), Metrics())
    return Rooms(host, Lodging(host), 1024)


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        pytest.param({}, {UNO: 12, DOS: 8, DUO: 0}, id="nothing"),
        pytest.param({UNO: 5}, {UNO: 7, DOS: 7, DUO: 0}, id="what both processes play fits beside"),
        pytest.param({DOS: 6}, {UNO: 6, DOS: 2, DUO: 0}, id="what one of them plays"),
        pytest.param({UNO: 4, DOS: 6}, {UNO: 2, DOS: 2, DUO: 0}, id="both"),
    ],
)
def test_a_match_takes_room_from_the_processes_that_play_it(held: dict[str, int], expected: dict[str, int]) -> None:
    """No more than all of them take together, and no more of a format than those take that offer it."""
    made = rooms(session("a", UNO, rounds=4), session("b", UNO, DOS, rounds=8))
    match = "m"
    with made.holding("x", [Stay(match, "ann@1", UNO)], held.get(UNO, 0)):
        with made.holding("y", [Stay(match, "ann@1", DOS)], held.get(DOS, 0)):
            assert {name: made.of("ann@1", name) for name in expected} == expected
        assert made.count().of("ann@1", DUO) is None


def test_a_further_match_is_worth_an_eighth_of_the_room_for_its_format() -> None:
    """Room that only other formats have is no reason to wait for more."""
    made = rooms(session("a", UNO, rounds=64), session("b", DOS, rounds=8))
    assert (made.share("ann@1", UNO), made.share("ann@1", DOS), made.share("ann@1", DUO)) == (8, 1, 1)


def test_a_bot_is_away_in_the_formats_that_no_process_offers() -> None:
    """From when the last one that did is gone; a format that was never offered, from when the bot is known."""
    made = roster(session("a", UNO, DOS))
    player = made.players["ann@1"]
    assert [player.away_since(name) for name in (UNO, DOS, DUO)] == [0.0, 0.0, 10.0]
    made.join(session("a", DUO), 20.0)
    assert [player.away_since(name) for name in (UNO, DOS, DUO)] == [20.0, 20.0, 0.0]
    made.join(session("b", DOS), 30.0)
    assert [player.away_since(name) for name in (UNO, DOS, DUO)] == [20.0, 0.0, 0.0]


def test_an_excuse_is_for_a_format_that_is_not_offered() -> None:
    """Where the bot is there is nothing to excuse; where its home was lost it has time to notice."""
    made = roster(session("a", UNO))
    player = made.players["ann@1"]
    player.excuse(50.0, UNO)
    player.excuse(50.0, DOS)
    player.excuse(50.0, DUO, home_lost=True)
    assert [player.away_since(name) for name in (UNO, DOS, DUO)] == [0.0, 50.0, 80.0]


def test_who_has_left_is_forgotten_when_nobody_waits_any_more() -> None:
    """Not while a process is there, whatever it does not offer, and not before an excuse is over."""
    made = roster(one := session("a", UNO))
    made.tidy(1_000.0, 60.0)
    assert "ann@1" in made.players
    made.part(one, 1_000.0)
    made.tidy(1_060.0, 60.0)
    assert "ann@1" in made.players
    made.tidy(1_061.0, 60.0)
    assert made.players == {}


@pytest.mark.parametrize(
    ("sessions", "best"),
    [
        pytest.param([session("a", UNO), session("b", DOS, rounds=64)], "a", id="the only one that offers it"),
        pytest.param([session("a", UNO), session("b", UNO, rounds=64)], "b", id="the one with most room"),
        pytest.param([session("b", DOS)], None, id="none"),
    ],
)
def test_a_seat_goes_to_a_process_that_offers_its_format(sessions: list[Session], best: str | None) -> None:
    """To the one with most room among those."""
    player: Player = roster(*sessions).players["ann@1"]
    found = player.best_session(UNO)
    assert (found and found.id) == best


def test_what_is_seen_of_a_format_is_who_offers_it_and_their_room_for_it() -> None:
    """A referee with other processes of a bot is no home for the match."""
    seen = Sight(
        {"one": {}, "two": {}},
        {"one": {"ann@1": Online(frozenset({UNO, DOS}), 72, {DOS: 8})}, "two": {"ann@1": Online(frozenset({UNO}), 8)}},
    )
    assert (seen.of(UNO).homes("ann@1"), seen.of(DOS).homes("ann@1")) == (["one", "two"], ["one"])
    assert (seen.of(UNO).share("ann@1"), seen.of(DOS).share("ann@1")) == (9, 1)
    assert seen.of(DUO).homes("ann@1") == []
