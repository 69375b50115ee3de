"""`lastcard tournament …`: why matches are void, what a table counts, and of whom it has no row."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from ladder.readings.voids import Voids
from ladder.reasons import ALL_ABSENT
from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed
from lastcard.cli import main
from tests.workers.house import House, spec
from tests.workers.organiser import CREATE, printed
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments import wire
from workers.tournaments.life import State

pytestmark = pytest.mark.slow

WHY = "0/3 matches, 3 void (why: none of its bots was there), 0/18 games"


def nobody_comes(house: House) -> None:
    """End every match as a referee does that waited for all of its bots in vain."""
    while ready := house.store.matches.ready_ids(house.now_ms):
        match = ready[0]
        claimed = house.store.matches.claim(match, house.referee.me, house.now_ms, seed=bytes(32))
        assert isinstance(claimed, Claimed)
        calls = house.store.matches.calls(match, me=house.referee.me, tournament=claimed.row.tournament)
        house.store.matches.close(
            calls, claimed.head, b"end", now_ms=house.now_ms, ending=Ending.VOID, reason=ALL_ABSENT
        )


def test_a_tournament_to_which_nobody_came_says_why_nothing_was_played(
    shop: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """In `show`, `list` and `watch` in words, in JSON by number; there are no pairs to show."""
    main(CREATE)
    shop.look()
    nobody_comes(shop)
    shop.look()
    assert shop.state("spring") is State.FINISHED
    capsys.readouterr()
    for verb, words in (("show", WHY), ("list", WHY.partition(", 0/")[0]), ("watch", WHY)):
        assert main(["tournament", verb, *(["spring"] if verb != "list" else [])]) == 0
        assert words in capsys.readouterr().out
    assert main(["tournament", "show", "spring", "--json"]) == 0
    assert printed(capsys)["voids"] == [{"reason": ALL_ABSENT, "matches": 3}]
    assert main(["tournament", "show", "spring", "--pairs"]) == 0
    shown = capsys.readouterr().out
    assert "no pair has a result: no game was dealt that counts" in shown
    assert "LOS" not in shown


def test_reasons_are_counted_of_what_was_not_played_again(house: House) -> None:
    """The commonest first; one that was played again has none, and a cancelled tournament its own."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    for match, reason in (("spring.1.1.0", "a wrong deal"), ("spring.2.1.0", "rain"), ("spring.3.1.0", "rain")):
        house.desk.void(match, reason, "olga")
    status = house.desk.glance("spring")
    assert status.voids == (("rain", 2), ("a wrong deal", 1))
    assert wire.status_of(wire.status_to(status)).voids == status.voids
    house.desk.requeue("spring.2.1.0", "", "olga")
    assert house.desk.glance("spring").voids == (("a wrong deal", 1), ("rain", 1))
    row = house.store.tournaments.get("spring")
    assert Voids(house.store.matches).of(replace(row, state="cancelled")) == ()
    assert Voids(house.store.matches).of(replace(row, lost=2, parked=2)) == ()


def test_meetings_that_nobody_dealt_are_told_apart(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """They count in the table, with a number of their own; a pair without any other has no row, which is said."""
    main(["tournament", "create", "tre", *CREATE[3:], "--grace", "1"])
    shop.look()
    shop.referee.seat(playing(["alpha@1", "beta@1"]))
    assert shop.play("tre") is State.FINISHED
    capsys.readouterr()
    assert main(["tournament", "show", "tre", "--pairs"]) == 0
    shown = capsys.readouterr().out
    assert "by walkover: so many of the meetings, to which somebody never came; no card of them was dealt" in shown
    assert "2 pairs have no row, since no game of theirs was dealt that counts: " in shown
    assert "alpha@1 against gamma@1" in shown
    assert "alpha@1 against beta@1" not in shown
    assert main(["tournament", "show", "tre", "--csv"]) == 0
    rows = {row["bot"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert [(rows[f"{name}@1"]["meetings"], rows[f"{name}@1"]["walkovers"]) for name in ("alpha", "beta", "gamma")] == [
        ("6", "3"),
        ("6", "3"),
        ("6", "6"),
    ]
    assert rows["alpha@1"]["best_rank"]
    assert (rows["gamma@1"]["best_rank"], rows["gamma@1"]["worst_rank"]) == ("", "")


def test_a_tournament_without_walkovers_speaks_of_none(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor of pairs without a row, nor of games against each opponent at two seats."""
    main(CREATE)
    shop.play("spring")
    capsys.readouterr()
    assert main(["tournament", "show", "spring", "--pairs"]) == 0
    shown = capsys.readouterr().out
    for words in ("walkover", "no row", "against each opponent", "games count as soon as"):
        assert words not in shown


def test_at_three_seats_games_against_each_opponent_are_explained(
    shop: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """There are more of them than games."""
    three = "uno-classic-3"
    shop.referee.seat(playing([f"{name}@1" for name in ("alpha", "beta", "gamma")], formats=(FORMAT, three)))
    main(["tournament", "create", "trio", "--format", three, "--bots", "alpha,beta,gamma", "--meetings", "2"])
    shop.play("trio")
    capsys.readouterr()
    assert main(["tournament", "show", "trio"]) == 0
    assert "W/T/L: games won, tied and lost are counted against each opponent, so they are more" in (
        capsys.readouterr().out
    )


def test_while_it_runs_it_says_what_counts_when(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Games are ahead of matches: one of them is played, and not rated."""
    main(CREATE)
    shop.look()
    shop.referee.play(shop.now_ms, 1)
    capsys.readouterr()
    assert main(["tournament", "show", "spring"]) == 0
    shown = capsys.readouterr().out
    assert "0/3 matches, 6/18 games" in shown
    assert "games count as soon as they are played, matches once all of their games are, and they are rated" in shown


def test_a_start_that_is_past_is_due(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody has looked at it yet; one that is to come is said to start."""
    for name, start_ms in (("past", 1_000_000_000_000), ("later", 4_000_000_000_000)):
        described = replace(spec(name, "alpha", "beta"), start_ms=start_ms)
        shop.store.tournaments.create(name, described.fields(), state="draft", start_ms=start_ms, now_ms=shop.now_ms)
    capsys.readouterr()
    assert main(["tournament", "list"]) == 0
    listed = capsys.readouterr().out
    assert "draft, due since 2001-09-09 01:46:40 UTC" in listed
    assert "draft, starts 2096-10-02 07:06:40 UTC" in listed
    assert main(["tournament", "show", "past"]) == 0
    assert "due since 2001-09-09 01:46:40 UTC" in capsys.readouterr().out


def test_what_becomes_of_runs_is_said_when_their_line_ends(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """They play on, which is true; of a tournament without a line nothing is said."""
    main(["tournament", "create", "nightly", *CREATE[3:], "--cron", "0 * * * *"])
    shop.look(3_600_000)
    shop.look()
    run = next(row.name for row in shop.store.tournaments.page()[0] if row.name != "nightly")
    capsys.readouterr()
    assert main(["tournament", "cancel", "nightly"]) == 0
    assert "no further run begins; those that there are, nightly-<time>, play on" in capsys.readouterr().out
    shop.look()
    assert not shop.state(run).over
    assert main(["tournament", "cancel", run]) == 0
    assert "no further run" not in capsys.readouterr().out


def test_a_second_pause_says_which_reason_stands(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Where it gives none itself; where there is none, nothing is said of it."""
    main(CREATE)
    shop.look()
    capsys.readouterr()
    assert main(["tournament", "pause", "spring"]) == 0
    assert capsys.readouterr().out == "spring is paused\n"
    main(["tournament", "pause", "spring", "--reason", "new decks"])
    capsys.readouterr()
    assert main(["tournament", "pause", "spring"]) == 0
    assert capsys.readouterr().out == "spring is paused\nthe reason that stands: new decks\n"
