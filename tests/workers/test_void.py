"""An operator's verbs on single matches: void whatever its state, and played again."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from ladder.errors import InvalidFieldError, WrongStateError
from ladder.readings.summaries import Summaries
from ladder.store.errors import UnknownError
from ladder.store.rows import Claimed, MatchState
from tests.store.scenes import parked
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State, Verb
from workers.tournaments.tournament_status import status_shape
from workers.tournaments.tournament_text import show_tournament

pytestmark = pytest.mark.slow

MATCH = "spring.1.1.0"


def verbs(house: House) -> list[tuple[str, str, str]]:
    """Return what stands in the audit log, newest first."""
    return [(deed.verb, deed.target, deed.reason) for deed in house.store.audit.tail(10)]


def test_a_rated_match_is_void_and_everything_published_follows(going: House) -> None:
    """It leaves the tournament's table and the ladder, whose log says so; the rest of the tournament is played."""
    assert len(going.desk.get("spring").table.standings) == 2
    summaries = Summaries(going.store.matches)
    assert sum(summaries.of(going.store.matches.get(MATCH)).wins) == 6
    assert going.desk.void(MATCH, "a wrong deal", "olga").state is MatchState.VOID
    void = summaries.of(going.store.matches.get(MATCH))
    assert (void.games_done, void.wins) == (0, ())
    going.answer()
    assert going.desk.get("spring").table.standings == ()
    assert going.store.ratings.generation(FORMAT) == 1
    assert {tally.meetings for tally in going.store.ratings.tallies(FORMAT)} == {0}
    assert going.play("spring") is State.FINISHED
    record = going.desk.get("spring")
    assert (record.matches_done, record.matches_lost, record.games_done) == (2, 1, 12)
    assert len(record.table.pairs) == 2
    assert going.store.ratings.rebuild(FORMAT).equal
    assert verbs(going)[0] == ("void", MATCH, "a wrong deal")


def test_a_bot_whose_only_match_is_void_is_named(going: House) -> None:
    """Below the table that it is not in; before the first match that counts there is no table."""

    def shown() -> str:
        text = io.StringIO()
        show_tournament(going.desk.get("spring"), text)
        return text.getvalue()

    first, second = going.store.matches.get(MATCH).entrants
    (third,) = {f"{name}@1" for name in ("alpha", "beta", "gamma")} - {first, second}
    assert f"no match counts so far of {third.partition('@')[0]}\n" in shown()
    going.play("spring")
    assert "no match counts so far" not in shown()
    for row in going.store.matches.page(tournament="spring", limit=10).rows:
        if third in row.entrants:
            going.desk.void(row.id, "a wrong deal", "olga")
    assert f"no match counts so far of {third.partition('@')[0]}\n" in shown()
    going.desk.void(MATCH, "a wrong deal", "olga")
    assert "no match counts so far" not in shown()


def test_void_twice_is_void_once(going: House) -> None:
    """The same again changes nothing, and is written down once."""
    for _ in range(2):
        assert going.desk.void(MATCH, "a wrong deal", "olga").state is MatchState.VOID
    assert [verb for verb, _, _ in verbs(going)] == ["void", "create"]


def test_a_lost_bell_does_not_keep_wrong_ratings(going: House) -> None:
    """Where the ring for the new ladder is lost, the next look finds that it is due."""
    going.bell.loses = 1.0
    going.desk.void(MATCH, "a wrong deal", "olga")
    going.bell.loses = 0.0
    assert going.store.generations.due() == [FORMAT]
    going.look()
    assert going.store.generations.due() == []
    assert going.store.ratings.generation(FORMAT) == 1


def test_a_void_match_is_played_again(going: House) -> None:
    """Under another id, by the same bots, on other deals; the tournament ends with as many results as planned."""
    before = going.store.matches.get(MATCH)
    going.desk.void(MATCH, "a wrong deal", "olga")
    again = going.desk.requeue(MATCH, "once more", "olga")
    assert (again.id, again.state) == (f"{MATCH}.r2", MatchState.READY)
    assert (again.entrants, again.meetings, again.rated) == (before.entrants, before.meetings, before.rated)
    assert going.desk.requeue(MATCH, "once more", "olga").id == again.id
    assert going.play("spring") is State.FINISHED
    record = going.desk.get("spring")
    assert (record.matches_done, record.matches_lost) == (3, 1)
    assert len(record.table.pairs) == 3
    assert going.store.ratings.rebuild(FORMAT).equal
    assert going.store.ratings.applied(FORMAT, again.id)
    assert verbs(going)[:2] == [("replay", again.id, "once more"), ("void", MATCH, "a wrong deal")]
    told = [[deed.verb for deed in going.store.audit.tail(9, match)] for match in (MATCH, again.id, f"{MATCH}.r3")]
    assert told == [["replay", "void"], ["replay"], []]
    assert going.store.matches.seed(again.id) is not None


def test_the_last_match_is_played_again(going: House) -> None:
    """A tournament whose results are being applied goes back to play what was declared void."""
    going.referee.play(going.now_ms)
    going.desk.void("spring.3.1.0", "a wrong deal", "olga")
    going.desk.requeue("spring.3.1.0", "", "olga")
    assert going.play("spring") is State.FINISHED
    assert going.desk.get("spring").matches_done == 3


def test_a_replay_can_be_void_too(going: House) -> None:
    """Attempts are counted on."""
    going.desk.void(MATCH, "a wrong deal", "olga")
    again = going.desk.requeue(MATCH, "", "olga")
    going.desk.void(again.id, "wrong again", "olga")
    assert going.desk.requeue(again.id, "", "olga").id == f"{MATCH}.r3"


def test_a_match_whose_replay_is_void_is_played_again_too(going: House) -> None:
    """By its own id or by that of any attempt: the last one in its place is meant, and the next one is played."""
    again = f"{MATCH}.r2"
    going.desk.void(MATCH, "a wrong deal", "olga")
    assert going.desk.replay_of(going.store.matches.get(MATCH)) == again
    going.desk.requeue(MATCH, "", "olga")
    assert going.desk.replay_of(going.store.matches.get(MATCH)) == ""  # it is being played
    going.desk.void(again, "wrong again", "olga")
    assert going.desk.replay_of(going.store.matches.get(MATCH)) == f"{MATCH}.r3"
    assert [going.desk.requeue(asked, "", "olga").id for asked in (MATCH, again, MATCH)] == [f"{MATCH}.r3"] * 3
    assert going.play("spring") is State.FINISHED
    record = going.desk.get("spring")
    assert (record.matches_done, record.matches_lost, record.matches_replayed) == (3, 2, 2)


def test_a_parked_replay_is_put_back_by_the_id_of_the_void_match_too(going: House) -> None:
    """What is asked for is that it be played; nothing new is written for that."""
    again = f"{MATCH}.r2"
    going.desk.void(MATCH, "a wrong deal", "olga")
    going.desk.requeue(MATCH, "", "olga")
    parked(going.store, again, "strikes", going.now_ms)
    found = going.desk.requeue(MATCH, "once more", "olga")
    assert (found.id, found.state) == (again, MatchState.READY)
    assert verbs(going)[0] == ("requeue", again, "once more")


def test_a_match_that_is_void_once_its_host_hears_of_it_will_be_played_again_then(going: House) -> None:
    """The answer to the order names the id already; that of a match of a ladder, or of what is over, names none."""
    match = "spring.2.1.0"
    claimed = going.store.matches.claim(match, going.referee.me, going.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    row = going.desk.void(match, "stop it", "olga")
    assert (row.state, going.desk.replay_of(row)) == (MatchState.RUNNING, f"{match}.r2")
    assert going.desk.replay_of(replace(row, tournament="")) == ""
    going.desk.turn("spring", Verb.CANCEL, "rain", "olga")
    assert going.desk.replay_of(row) == ""


def test_nothing_is_played_again_after_the_end(going: House) -> None:
    """Then the seed of all deals is public; the results can still be corrected."""
    going.play("spring")
    going.desk.void(MATCH, "found out later", "olga")
    going.answer()
    with pytest.raises(WrongStateError, match="the seed of its deals is public"):
        going.desk.requeue(MATCH, "", "olga")
    assert going.state("spring") is State.FINISHED
    assert going.desk.get("spring").matches_done == 2
    assert going.store.ratings.rebuild(FORMAT).equal


def test_a_match_that_waits_is_void_at_once(going: House) -> None:
    """Nothing was played, so no ladder has to be computed."""
    assert going.desk.void("spring.2.1.0", "no need", "olga").state is MatchState.VOID
    assert going.store.generations.due() == []


def test_an_order_that_came_too_late_still_stands(going: House) -> None:
    """A host that closes a match before it hears of the order does not undo it."""
    match = "spring.2.1.0"
    claimed = going.store.matches.claim(match, going.referee.me, going.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    assert going.desk.void(match, "stop it", "olga").state is MatchState.RUNNING
    calls = going.store.matches.calls(match, me=going.referee.me, tournament="spring")
    text = going.store.matches.get(MATCH).result
    going.store.matches.close(calls, claimed.head, b"", now_ms=going.now_ms, result=text, games_done=6)
    going.look()
    row = going.store.matches.get(match)
    assert (row.state, row.reason) == (MatchState.VOID, "stop it")
    assert going.store.ratings.seq(FORMAT) == 1


def test_a_match_that_closes_at_this_very_moment_is_void(going: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking and ordering it was played: it is void all the same."""
    match = "spring.2.1.0"
    void = type(going.store.matches).void

    def late(*arguments: object, **named: object) -> object:
        going.referee.play(going.now_ms)
        return void(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(type(going.store.matches), "void", late)
    assert going.desk.void(match, "just so", "olga").state is MatchState.VOID
    going.look()
    assert going.store.ratings.rebuild(FORMAT).equal


def test_cancelling_keeps_what_was_just_played(going: House) -> None:
    """A match that closes while its tournament is cancelled counts."""
    going.referee.play(going.now_ms)
    going.desk.turn("spring", Verb.CANCEL, "rain", "olga")
    going.look()
    assert {row.state for row in going.store.matches.page(tournament="spring").rows} == {MatchState.RATED}


def test_a_parked_match_of_a_finished_tournament_that_was_played_comes_back(going: House) -> None:
    """What only a worker could not go on with needs no more deals."""
    going.store.matches.spoil(MATCH, "unproven", going.now_ms)
    going.referee.play(going.now_ms)
    match = "spring.2.1.0"
    going.store.matches.spoil(match, "unproven", going.now_ms)
    going.play("spring")
    assert going.desk.get("spring").matches_lost == 1
    assert going.desk.requeue(match, "a new release", "olga").state is MatchState.CLOSED
    going.look()
    record = going.desk.get("spring")
    assert (record.state, record.matches_done, record.matches_lost) == (State.FINISHED, 3, 0)


@pytest.mark.parametrize("reason", ["", "  ", "\N{NO-BREAK SPACE}", "\N{ZERO WIDTH SPACE} \N{HANGUL FILLER}"])
def test_a_void_has_a_reason(going: House, reason: str) -> None:
    """Everybody may read why a match does not count."""
    with pytest.raises(InvalidFieldError, match="say why"):
        going.desk.void(MATCH, reason, "olga")


def test_a_reason_is_kept_as_one_line_that_can_be_seen(going: House) -> None:
    """It is read on terminals and on public pages; who pauses may give none, but none that is invisible."""
    going.desk.void(MATCH, "  \x1b[31mwrong\n\N{RIGHT-TO-LEFT OVERRIDE}deal\t" + "!" * 300, "olga")
    kept = going.store.matches.get(MATCH).reason
    assert kept.startswith("[31mwrong deal !!!")
    assert len(kept) == 200
    assert verbs(going)[0] == ("void", MATCH, kept)
    with pytest.raises(InvalidFieldError, match="can be seen"):
        going.desk.turn("spring", Verb.PAUSE, "\N{ZERO WIDTH SPACE}", "olga")
    assert going.desk.turn("spring", Verb.PAUSE, " ", "olga").reason == ""


def test_what_is_not_there_is_named(going: House) -> None:
    """An unknown match is no match."""
    with pytest.raises(UnknownError):
        going.desk.void("spring.9.9.9", "why", "olga")
    with pytest.raises(UnknownError):
        going.desk.requeue("spring.9.9.9", "why", "olga")


def test_what_is_neither_parked_nor_void_is_not_put_back(going: House) -> None:
    """One that waits, or is at the workers, goes on by itself: nothing changes, and nothing is written down."""
    before = verbs(going)
    with pytest.raises(WrongStateError, match="is rated: only a parked one is put back") as refused:
        going.desk.requeue(MATCH, "it is rated", "olga")
    assert refused.value.allowed == ("parked", "void")
    ready, closed = sorted(going.store.matches.waiting())
    assert going.desk.requeue(ready, "", "olga").state is MatchState.READY
    claimed = going.store.matches.claim(ready, going.referee.me, going.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    with pytest.raises(WrongStateError, match="is running: only"):
        going.desk.requeue(ready, "", "olga")
    going.referee.play(going.now_ms)
    assert going.desk.requeue(closed, "", "olga").state is MatchState.CLOSED
    assert verbs(going) == before


def test_what_was_never_begun_is_not_what_was_played_again(house: House) -> None:
    """Of a cancelled tournament: matches of its schedule that were not created."""
    versions = house.enter("alpha", "beta", "gamma", "delta")
    house.referee.seat(playing(versions[:2]))
    house.create(spec("spring", "alpha", "beta", "gamma", "delta"))
    house.look()
    (played,) = house.referee.play(house.now_ms)
    house.look()
    for attempt in (played, f"{played}.r2"):
        house.desk.void(attempt, "a wrong deal", "tester")
        house.desk.requeue(attempt, "", "tester")
    house.desk.turn("spring", Verb.CANCEL, "rain", "tester")
    status = house.desk.get("spring")
    assert (status.matches_done, status.matches_lost, status.matches_created) == (0, 3, 1)
    text = io.StringIO()
    show_tournament(status, text)
    assert "0 played, 6 void or never begun" in text.getvalue()


def test_groups_that_never_met_are_named_below_the_table(house: House) -> None:
    """To people, and as JSON; a table of bots that all met says nothing of it."""
    versions = house.enter("alpha", "beta", "gamma", "delta")
    house.create(spec("spring", "alpha", "beta", "gamma", "delta"))
    house.play("spring")
    assert status_shape(house.desk.get("spring"))["groups"] == []
    pairs = [set(versions[:2]), set(versions[2:])]
    for row in house.store.matches.page(tournament="spring", limit=10).rows:
        if set(row.entrants) not in pairs:
            house.desk.void(row.id, "a wrong deal", "olga")
    status = house.desk.get("spring")
    text = io.StringIO()
    show_tournament(status, text)
    apart = "2 groups of bots never met, directly or through others, so ratings of one cannot be compared with those of"
    assert f"{apart} another: alpha and beta; delta and gamma" in text.getvalue()
    assert status_shape(status)["groups"] == [["alpha@1", "beta@1"], ["delta@1", "gamma@1"]]
