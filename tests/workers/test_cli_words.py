"""`lastcard tournament …`: whether what it says of what comes next, and of why, is true."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastcard.cli import main
from tests.workers.house import House
from tests.workers.organiser import CREATE, printed
from tests.workers.served import served
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State


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
