"""`lastcard sprt` of versions that a ladder knows, from the wish to the decision."""

from __future__ import annotations

import json
import shlex
import signal
from dataclasses import replace

import pytest

from ladder.rpc.dial import Dial
from ladder.store.rows import MatchState
from lastcard.cli import main
from tests.store.scenes import parked
from tests.workers.contests import COMMAND, MIRRORED, NEW, OLD
from tests.workers.house import House
from tests.workers.organiser import interrupted
from tests.workers.rivals import begun, found, more
from tests.workers.served import served
from tests.workers.small_referee import FORMAT, playing
from workers.local import trial_view
from workers.tournaments.client import TournamentClient
from workers.tournaments.contest import MOST_MEETINGS
from workers.tournaments.life import State, Verb


@pytest.fixture
def shop(authors_shop: House) -> House:
    """Return the house that every test here asks."""
    return authors_shop


def test_it_is_decided_and_the_rest_is_cancelled(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Both play alike: every meeting is even. The same again says the same, to the last number, and plays nothing."""
    begun(shop, 0, 1)
    first = found(capsys)
    assert (first["decision"], first["tournament"], first["seed"]) == ("H0", "rivals", None)
    assert first["pairs"] == [0, 0, first["meetings"], 0, 0]
    assert first["meetings"] % 10 == 0
    assert [units for units, _ in first["path"]] == list(range(10, first["meetings"] + 1, 10))
    assert first["path"][-1][1] <= first["lower"]
    assert (first["rounds"], first["left_out"]) == (2 * first["meetings"], [])
    row = shop.store.tournaments.get("rivals")
    assert (row.state, row.reason) == (State.CANCELLED, f"decided after {first['meetings']} meetings: H0 of 0,60")
    assert found(capsys) == first | {"state": "cancelled"}
    deeds = [(deed.who, deed.verb) for deed in shop.store.audit.tail(10) if deed.who == "bot:alpha"]
    assert sorted(deeds) == [("bot:alpha", "cancel"), ("bot:alpha", "create")]


def test_the_order_of_the_schedule_counts_and_not_who_was_over_first(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is over behind a match that is not is left for later; Ctrl-C prints a command that goes on from there."""
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    begun(shop, 0, 2)
    waits = "next is rivals.1.1.1, which waits for a referee, 16 meetings behind it played already"
    assert interrupted(capsys, COMMAND, waits) == 130
    done, _, again = capsys.readouterr().err.rpartition("; to go on: ")
    paused = "tournament rivals is paused (`lastcard tournament cancel rivals` gives it up)"
    assert done.endswith(f"broken off after 10 meetings, {paused}")
    row = shop.store.tournaments.get("rivals")
    assert (row.state, row.reason) == (State.PAUSED, "broken off after 10 meetings")
    assert shlex.split(again) == [
        *("lastcard", *COMMAND[:5], "--format", FORMAT, "--deals", "mirrored"),
        *("--max-meetings", str(MOST_MEETINGS), "--name", "rivals"),
    ]
    shop.desk.turn("rivals", Verb.RESUME, "", "olga")
    shop.look()
    more(shop, 1)
    assert main([*shlex.split(again)[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["decision"] == "H0"


def test_meetings_that_run_out_pause_it(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1; with more of them it goes on from there, to the end that it would have had at once."""
    begun(shop, 0, 1)
    half = found(capsys, "--max-meetings", "15", code=1)
    assert (half["decision"], half["meetings"], half["state"]) == ("open", 10, "paused")
    row = shop.store.tournaments.get("rivals")
    assert (row.state, row.reason) == (State.PAUSED, "not decided after 10 meetings")
    for _ in range(2):  # the same again plays nothing
        assert main([*COMMAND, "--max-meetings", "15"]) == 1
        out, err = capsys.readouterr()
        assert err == "lastcard: tournament rivals does not go on: --max-meetings 15 is used up\n"
        assert "not decided after 10 meetings; --max-meetings 15 is used up, the same with a larger one goes on" in out
    assert "resume" not in [deed.verb for deed in shop.store.audit.tail(10)]
    whole = found(capsys)
    assert whole["path"][:1] == half["path"]
    assert whole["decision"] == "H0"
    assert shop.state("rivals") is State.CANCELLED


def test_what_was_paused_by_its_end_is_resumed_by_the_same_command(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By SIGTERM as by Ctrl-C, as often as one likes."""
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    begun(shop, 0)
    assert interrupted(capsys, COMMAND, "10 meetings (", signal.SIGTERM) == 143
    assert shop.state("rivals") is State.PAUSED
    assert interrupted(capsys, COMMAND, "10 meetings (") == 130
    deeds = [deed.verb for deed in shop.store.audit.tail(10) if deed.who == "bot:alpha"]
    assert sorted(deeds) == ["create", "pause", "pause", "resume"]
    assert shop.state("rivals") is State.PAUSED


def test_versions_that_do_not_offer_the_format_are_refused(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It would wait for a day in vain: nothing is created; it is said what to add, or what to compare on instead."""
    shop.referee.seat(playing([OLD], formats=[FORMAT]) | playing([NEW], formats=[FORMAT, MIRRORED]))
    assert main(COMMAND) == 2
    said = capsys.readouterr().err
    assert f"alpha@1 is connected and does not offer {MIRRORED}: add {MIRRORED!r} to the `formats` of the bot" in said
    assert "--deals fresh" in said
    assert shop.store.tournaments.page()[0] == []


def test_one_that_is_there_is_found_whatever_is_offered(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The same question says the same, and nobody needs to be there for it."""
    begun(shop, 0, 1)
    first = found(capsys)
    shop.referee.seat(playing([NEW, OLD], formats=[FORMAT]))
    assert found(capsys) == first


def test_a_version_that_is_away_is_a_warning(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It may come; until then both are called by version."""
    shop.referee.seat({})
    assert interrupted(capsys, COMMAND, "alpha@1") == 130
    assert shop.state("rivals") is State.PAUSED


def test_one_that_its_author_paused_stays_so(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said how it goes on."""
    begun(shop, 0)
    with Dial.of() as dial:
        TournamentClient(dial).turn("rivals", Verb.PAUSE, "lunch")
    assert interrupted(capsys, COMMAND, "tournament rivals stays paused; `lastcard sprt") == 130
    assert main([*COMMAND, "--max-meetings", "10"]) == 1
    row = shop.store.tournaments.get("rivals")
    assert (row.state, row.reason) == (State.PAUSED, "lunch")


def test_one_that_was_cancelled_says_so(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Not decided: exit code 1, and how to begin another."""
    begun(shop, 0)
    with Dial.of() as dial:
        TournamentClient(dial).turn("rivals", Verb.CANCEL, "no time, see {ticket}")
    shop.look()
    assert main(COMMAND) == 1
    out, err = capsys.readouterr()
    assert "not decided after 10 meetings: tournament rivals is cancelled, no time, see {ticket}; --name begins" in out
    assert err.startswith(
        "lastcard: tournament rivals is cancelled, no time, see {ticket}\nlastcard: 70 matches left out"
    )


def test_one_that_was_decided_says_so(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Asked again: nothing goes on, and there is nothing to follow."""
    begun(shop, 0, 1)
    meetings = found(capsys)["meetings"]
    assert main(COMMAND) == 0
    said = f"lastcard: tournament rivals is cancelled, decided after {meetings} meetings: H0 of 0,60\n"
    assert capsys.readouterr().err == said


def test_for_people_it_says_where_it_is_played(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The tournament, and the command that follows it; at the end a table and what was found."""
    begun(shop, 0, 1)
    assert main(COMMAND) == 0
    out, err = capsys.readouterr()
    assert f"tournament rivals goes on; `lastcard {' '.join(COMMAND[:5])} --format" in err
    for word in (f"{FORMAT}, mirrored deals", "tournament rivals: ", "W/T/L", "H0 accepted: alpha@2 is not stronger"):
        assert word in out


def test_a_match_that_does_not_count_is_named(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """And costs nothing but its meetings."""
    begun(shop, 0, 1, 2)
    shop.desk.void("rivals.1.1.1", "wrong", "olga")
    assert main(COMMAND) == 0
    assert "1 match left out: rivals.1.1.1 (void: wrong)\n" in capsys.readouterr().err


def test_a_match_that_is_to_be_played_again_is_waited_for(shop: House) -> None:
    """It is void, and its next attempt not created yet: no gap that a test may go past, unless nobody will play it."""
    begun(shop, 0)
    parked(shop.store, "rivals.1.1.1", now_ms=shop.now_ms)
    assert shop.store.matches.requeue("rivals.1.1.1", shop.now_ms, anew=True) is MatchState.VOID
    with Dial.of() as dial:
        client = TournamentClient(dial)
        assert [one.match.id for one in client.results("rivals", 0, 2).results] == ["rivals.1.1.0"]
        shop.look()
        assert [one.match.id for one in client.results("rivals", 0, 2).results] == ["rivals.1.1.0", "rivals.1.1.1.r2"]


def test_what_is_not_played_again_since_it_was_cancelled_is_left_out(shop: House) -> None:
    """Nobody waits for it for good."""
    begun(shop, 0)
    parked(shop.store, "rivals.1.1.1", now_ms=shop.now_ms)
    shop.store.matches.requeue("rivals.1.1.1", shop.now_ms, anew=True)
    with Dial.of() as dial:
        client = TournamentClient(dial)
        client.turn("rivals", Verb.CANCEL, "")
        assert [result.match.state for result in client.results("rivals", 1, 1).results] == ["void"]


def test_a_pause_of_ones_own_replaces_that_of_the_command(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It was paused by its meetings running out; who pauses it then has it stay so."""
    begun(shop, 0, 1)
    found(capsys, "--max-meetings", "15", code=1)
    with Dial.of() as dial:
        assert TournamentClient(dial).turn("rivals", Verb.PAUSE, "lunch").reason == "lunch"
    found(capsys, "--max-meetings", "15", code=1)
    row = shop.store.tournaments.get("rivals")
    assert (row.state, row.reason) == (State.PAUSED, "lunch")


@pytest.mark.parametrize(
    ("arguments", "reason", "words"),
    [
        pytest.param("alpha@2 beta@1", "FOREIGN_BOT", "'beta@1' is not yours", id="somebody else's"),
        pytest.param("alpha@2 alpha-two@1", "FOREIGN_BOT", "is not yours", id="of whoever has the same name"),
        pytest.param(
            "alpha@2 wall@1",
            "UNTRUSTED",
            "two versions of one bot, two bots of one owner, or house bots",
            id="of the house on one deal",
        ),
        pytest.param("alpha@2 alpha@7", "UNKNOWN_VERSION", "its newest is alpha@2", id="no such version"),
        pytest.param("alpha@2 alpha@2", "SAME_VERSION", "named twice", id="one version"),
        pytest.param("alpha@2 gamma@1", "UNKNOWN_BOT", "no bot 'gamma'", id="no such bot"),
        pytest.param("alpha@2 alpha@two", "BAD_NAME", "the number of its version", id="no number"),
        pytest.param(
            "alpha@2 careful", "TWO_PLACES", "careful in this process: name two versions", id="one of each place"
        ),
        pytest.param("own:Bot alpha@1", "TWO_PLACES", "own:Bot in this process", id="a class and a version"),
        pytest.param("alpha@2 alpha@1 --bounds 20,0", "BAD_BOUNDS", "smaller one first", id="bounds"),
        pytest.param("alpha@2 alpha@1 --deals field", "BAD_DEALS", "mirrored or fresh", id="deals"),
        pytest.param("alpha@2 alpha@1 --seed 1", "NOT_AT_LADDER", "draws its own deals", id="a seed"),
        pytest.param("alpha@2 alpha@1 --state run.json", "NOT_AT_LADDER", "keeps what was played", id="a state"),
        pytest.param("alpha@2 alpha@1 --max-meetings 9", "BAD_MEETINGS", "10 to 16000", id="less than a check"),
        pytest.param("alpha@2 alpha@1 --max-meetings 16001", "BAD_MEETINGS", "10 to 16000", id="too many"),
        pytest.param("alpha@2 alpha@1 --format uno-classic-4", "BAD_BOTS", "has 4 seats", id="tables of four"),
        pytest.param("alpha@2 alpha@1 --format uno-3000", "UNKNOWN_FORMAT", "uno-3000", id="no such format"),
        pytest.param("alpha@2 alpha@1 --name X", "BAD_NAME", "name must be", id="no name"),
        pytest.param("careful random --name rivals", "NOT_HERE", "mybot@3", id="a name in this process"),
    ],
)
def test_bad_input(shop: House, capsys: pytest.CaptureFixture[str], arguments: str, reason: str, words: str) -> None:
    """Exit code 2 and a sentence; nothing is created, and nothing said of going on."""
    assert main(["sprt", *arguments.split(), "--json"]) == 2
    out, err = capsys.readouterr()
    error = json.loads(err)["error"]
    assert (out, error["reason"]) == ("", reason)
    assert words in error["message"]
    assert shop.store.tournaments.page()[0] == []


@pytest.mark.parametrize("format_name", ["uno-classic-500-2", "dos-200-2"])
def test_luck_that_cannot_be_taken_out(shop: House, capsys: pytest.CaptureFixture[str], format_name: str) -> None:
    """In games to a target, say; nothing is created."""
    words = ["sprt", NEW, OLD, "--format", format_name, "--luck", "--name", "rivals", "--json"]
    assert main(words) == 2
    assert '"NO_CORRECTION"' in capsys.readouterr().err
    assert shop.store.tournaments.page()[0] == []


def test_luck_that_nobody_computes(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a demo: it is said by which setting, and what would be right; nothing is created."""
    monkeypatch.setattr(shop, "desk", replace(shop.desk, luck=False))
    with served(shop) as address:
        monkeypatch.setenv("LASTCARD_LADDER", address)
        assert main(["sprt", NEW, OLD, "--deals", "fresh", "--luck", "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["reason"], error["value"], error["allowed"]) == ("LUCK_OFF", "LASTCARD_LUCK=0", ["LASTCARD_LUCK=1"])
    assert error["message"].startswith("nobody computes luck at this ladder")
    assert shop.store.tournaments.page()[0] == []


def test_a_ladder_that_is_not_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3, and the command that goes on."""
    monkeypatch.setenv("LASTCARD_LADDER", "127.0.0.1:1")
    assert main(COMMAND) == 3
    said = capsys.readouterr().err
    assert "broken off after 0 meetings; to go on: lastcard sprt alpha@2 alpha@1" in said
    assert said.startswith("lastcard: no ladder answers at 127.0.0.1:1, nothing listens there")
