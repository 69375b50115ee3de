"""`lastcard tournament …`: whether what it says of what comes next, and of why, is true."""

from __future__ import annotations

import io
import json
import signal
import socket
import threading
from dataclasses import replace

import pytest

from lastcard.cli import main
from tests.patience import PATIENCE_S
from tests.workers.house import FIELD, NAMES, House, field, spec
from tests.workers.organiser import AGAIN_S, CREATE, heard, printed
from tests.workers.served import served
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State
from workers.tournaments.tournament_text import show_tournament

pytestmark = pytest.mark.slow


def test_what_happens_next_is_said(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that follows it, that other deals are another format, and who is missing."""
    shop.register(["sleeper"])
    words = ["--format", FORMAT, "--bots", "alpha,beta,sleeper", "--meetings", "3"]
    assert main(["tournament", "create", "next", *words, "--deals", "mirrored", "--trusted"]) == 0
    said = capsys.readouterr().err
    assert (
        f"with mirrored deals this is the format {FORMAT}-mirrored; its ladder is another one than that of {FORMAT}"
        in said
    )
    assert "it begins as soon as its bots are there; `lastcard tournament watch next` follows it" in said
    assert f"connected without offering {FORMAT}-mirrored: alpha" in said
    assert "not connected: sleeper; who is not there within 120 s loses its matches by walkover" in said


def test_what_has_begun_is_not_said_to_begin(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The same command again, while it runs and while it is paused."""
    main(CREATE)
    shop.look()
    capsys.readouterr()
    assert main(CREATE) == 0
    said = capsys.readouterr().err
    assert "lastcard: `lastcard tournament watch spring` follows it" in said
    assert "it begins" not in said
    main(["tournament", "pause", "spring"])
    assert main(CREATE) == 0
    assert "it is paused, and goes on with `lastcard tournament resume spring`" in capsys.readouterr().err


def test_a_walkover_and_a_cancellation_say_why(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Who was missing, that no rating comes of it, and why nothing was played."""
    main(["tournament", "create", "tre", "--format", FORMAT, "--bots", "alpha,beta", "--meetings", "3", "--grace", "1"])
    shop.look()
    shop.referee.seat(playing(["alpha@1"]))
    assert shop.play("tre") is State.FINISHED
    capsys.readouterr()
    assert main(["tournament", "show", "tre"]) == 0
    shown = capsys.readouterr().out
    missing = "beta was missing: 6 games by walkover, no ladder moved"
    for words in (missing, "no elo: nothing was played", "not rated, "):
        assert words in shown
    assert main(["tournament", "show", "tre", "--json"]) == 0
    document = printed(capsys)
    assert document["walkovers"] == [{"bot": "beta@1", "games": 6}]
    shop.store.registry.register("ghost", "nobody", now_ms=shop.now_ms)
    main(["tournament", "create", "hau", "--format", FORMAT, "--bots", "alpha,ghost", "--grace", "1"])
    shop.look(5_000)
    capsys.readouterr()
    assert main(["tournament", "watch", "hau"]) == 1
    assert "cancelled: 1 bot was there, 2 are needed" in capsys.readouterr().out


def test_a_replay_is_advised_only_while_it_is_allowed(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """After the end the seed of its deals is public."""
    main(CREATE)
    shop.look()
    shop.referee.play(shop.now_ms)
    main(["tournament", "void", "spring.1.1.0", "--reason", "wrong deck"])
    assert "`lastcard tournament requeue spring.1.1.0` plays it again" in capsys.readouterr().out
    shop.play("spring")
    main(["tournament", "void", "spring.2.1.0", "--reason", "wrong deck"])
    assert "requeue" not in capsys.readouterr().out


def test_the_reason_that_stands_is_told_to_whoever_comes_second(
    shop: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is void or over already keeps its reason; who pauses anew gives a new one."""
    main(CREATE)
    shop.look()
    shop.referee.play(shop.now_ms)
    stands = "and the reason that was given then stands: wrong deck"
    for verb, name, state in (("void", "spring.1.1.0", "void"), ("cancel", "spring", "cancelled")):
        command = ["tournament", verb, name, "--reason"]
        for reason in ("wrong deck", " wrong  deck "):
            assert main([*command, reason]) == 0
            assert "already" not in capsys.readouterr().out
        assert main([*command, "bad light"]) == 0
        assert f"it was {state} already, {stands}" in capsys.readouterr().out
        assert main([*command, "bad light", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["reason"] == "wrong deck"


def test_where_nobody_computes_luck_nothing_promises_it(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The server says so, and its commands with it."""
    main(CREATE)
    shop.play("spring")
    shop.desk = replace(shop.desk, luck=False)
    with served(shop) as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LASTCARD_LADDER", address)
        capsys.readouterr()
        assert main(["tournament", "show", "spring"]) == 0
    assert "nobody computes luck here (LASTCARD_LUCK=0)" in capsys.readouterr().out


def test_where_no_weights_are_shipped_nothing_promises_luck(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """At three seats what chance gave is computed, and nothing says what it is worth."""
    three = "uno-classic-3"
    shop.referee.seat(playing([f"{name}@1" for name in ("alpha", "beta", "gamma")], formats=(FORMAT, three)))
    main(["tournament", "create", "trio", "--format", three, "--bots", "alpha,beta,gamma", "--meetings", "2"])
    shop.play("trio")
    capsys.readouterr()
    assert main(["tournament", "show", "trio"]) == 0
    shown = capsys.readouterr().out
    assert "no weights are shipped for these rules, so luck stays in it" in shown
    assert "once workers have computed that" not in shown


@pytest.mark.parametrize(
    "who", [pytest.param(["--bots", "alpha,beta,gamma"], id="named"), pytest.param(["--all"], id="all")]
)
def test_the_same_size_again_is_there_though_a_bot_was_retired(
    shop: House, capsys: pytest.CaptureFixture[str], who: list[str]
) -> None:
    """A size comes to the same meetings as long as the tournament is there; another size is another tournament."""
    words = ["tournament", "create", "spring", "--format", FORMAT, *who, "--json", "--size"]
    assert main([*words, "quick"]) == 0
    shop.look()
    assert printed(capsys)["meetings"] == 10
    shop.store.registry.retire("gamma", now_ms=shop.now_ms)
    shop.referee.seat(playing(["alpha@1"]))
    assert main([*words, "quick"]) == 0
    assert printed(capsys)["existed"] is True
    assert main([*words, "fine"]) == 2


def test_a_plan_of_all_says_how_many_are_missing(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """How many bots offer the format, and how many a table needs: for people, and for programs."""
    shop.referee.seat(playing(["alpha@1"]))
    words = ["tournament", "plan", "spring", "--format", FORMAT, "--all"]
    assert main(words) == 0
    assert capsys.readouterr().out == f"nothing to play as it is: 1 bot offers {FORMAT} now, 2 are needed\n"
    assert main([*words, "--json"]) == 0
    plan = printed(capsys)["plan"]
    assert isinstance(plan, dict)
    assert (plan["games"], plan["bots"], plan["bots_needed"]) == (0, 1, 2)


def test_waiting_for_all_says_who_is_missing(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever follows a tournament of all bots hears what it waits for; so does who looks once."""
    shop.referee.seat({})
    codes: list[int] = []
    words = ["tournament", "create", "spring", "--format", FORMAT, "--all", "--meetings", "3", "--wait"]
    waiter = threading.Thread(target=lambda: codes.append(main(words)))
    waiter.start()
    heard(capsys, f"no bot offers {FORMAT} now, 2 are needed")
    assert main(["tournament", "show", "spring"]) == 0
    assert f"waiting for bots: no bot offers {FORMAT} now, 2 are needed" in capsys.readouterr().out
    shop.referee.seat(playing(["alpha@1", "beta@1"]))
    assert shop.play("spring") is State.FINISHED
    waiter.join(PATIENCE_S)
    assert codes == [0]


def test_a_cancelled_tournament_says_what_is_still_to_be_rated(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Until workers have seen to it, its counts are of less than what was played."""
    main(CREATE)
    shop.look()
    shop.referee.play(shop.now_ms, most=1)
    assert main(["tournament", "cancel", "spring"]) == 0
    capsys.readouterr()
    assert main(["tournament", "show", "spring"]) == 0
    assert "0 played, 2 void or never begun, 1 still to be ended or rated" in capsys.readouterr().out
    shop.look()
    assert main(["tournament", "show", "spring"]) == 0
    assert "1 played, 2 void or never begun" in capsys.readouterr().out


def test_the_deadline_of_shared_deals_is_shown(house: House) -> None:
    """The one that was given, or the one that is so without; where nobody waits for another table there is none."""
    house.enter(*NAMES, formats=(FIELD, FORMAT))
    for described, words in (
        (field(), "deadline 600 s: a table that takes longer, and twice the median time of the others, is void"),
        (replace(field(), name="summer", deadline_s=7), "deadline 7 s: a table that takes longer"),
    ):
        shown = io.StringIO()
        show_tournament(house.create(described), shown)
        assert words in shown.getvalue()
    shown = io.StringIO()
    show_tournament(house.create(spec("plain", *NAMES)), shown)
    assert "deadline" not in shown.getvalue()


SETTLED_S = 0.3
"""After which a call that nobody answers most often waits, and no callback of gRPC's runs."""


# where it comes while gRPC cleans up, Python tells nobody but those who listen for that
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_control_c_before_anything_was_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the ladder has said nothing yet: exit code 130, and the command to go on."""
    watching = threading.get_ident()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("LASTCARD_LADDER", f"127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.delenv("LASTCARD_TOKEN_FILE", raising=False)

        def interrupt() -> None:
            with silent.accept()[0]:
                ended.wait(SETTLED_S)
                while not ended.is_set():  # one that comes while a callback of gRPC's runs is lost
                    signal.pthread_kill(watching, signal.SIGINT)
                    ended.wait(AGAIN_S)

        ended = threading.Event()
        hand = threading.Thread(target=interrupt)
        hand.start()
        assert main(["tournament", "watch", "spring"]) == 130
        ended.set()  # long before the next one
        hand.join(PATIENCE_S)
    told = capsys.readouterr().err
    assert "nothing of spring was seen yet; `lastcard tournament watch spring` follows it" in told


@pytest.mark.parametrize("verb", ["plan", "create"])
def test_an_empty_zone_is_utc(shop: House, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    """Whoever shows it, and whether or not there is a cron line."""
    words = ["--format", FORMAT, "--bots", "alpha,beta", "--tz", ""]
    assert main(["tournament", verb, "often", *words, "--cron", "30 2 * * *"]) == 0
    out = capsys.readouterr().out
    assert " 02:30:00 UTC\n" in out
    assert "not known" not in out
    assert main(["tournament", verb, "once", *words]) == 0


@pytest.mark.parametrize("verb", ["plan", "create"])
def test_an_empty_cron_line_is_refused(shop: House, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    """It does not mean now."""
    words = ["--format", FORMAT, "--bots", "alpha,beta", "--cron", ""]
    assert main(["tournament", verb, "never", *words]) == 2
    assert "--cron '' is empty: write five fields, as '0 2 * * *'" in capsys.readouterr().err
    assert shop.store.tournaments.find(["never"]) == []
