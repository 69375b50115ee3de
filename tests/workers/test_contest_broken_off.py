"""`lastcard sprt` at a ladder that is broken off: what is said of the tournament, and how it goes on."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import NoReturn

import pytest

from ladder.errors import NotReachableError
from ladder.rpc.dial import Dial
from ladder.sprt import Bounds
from lastcard.cli import main
from tests.patience import PATIENCE_S
from tests.workers.contests import COMMAND, contest
from tests.workers.house import House
from tests.workers.organiser import heard, interrupted
from tests.workers.rivals import begun, more
from tests.workers.served import served
from workers.local import trial_view
from workers.tournaments import contest_run
from workers.tournaments.client import TournamentClient
from workers.tournaments.contest_run import ContestRun
from workers.tournaments.life import State, Verb
from workers.tournaments.tournament_status import TournamentStatus


@pytest.fixture
def shop(authors_shop: House) -> House:
    """Return the house that every test here asks."""
    return authors_shop


@contextmanager
def stopped(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, again: bool
) -> Iterator[None]:
    """Stop the ladder while somebody follows the contest; `again`: start it, and have another match played."""
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    ladder, ended = ExitStack(), threading.Event()
    address = ladder.enter_context(served(shop))
    monkeypatch.setenv("LASTCARD_LADDER", address)

    def stop() -> None:
        heard(capsys, "10 meetings (")
        ladder.close()
        if not again:
            return
        heard(capsys, "; it is asked again for")
        with served(shop, at=address):
            more(shop, 1)
            ended.wait(PATIENCE_S)

    hand = threading.Thread(target=stop)
    hand.start()
    yield
    ended.set()
    hand.join(PATIENCE_S)


def test_one_that_cannot_be_paused_plays_on(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said how long, and how it is ended."""
    monkeypatch.setattr(contest_run, "PATIENCE_S", 0.5)
    begun(shop, 0)
    with stopped(shop, capsys, monkeypatch, again=False):
        assert main(COMMAND) == 3
    assert (
        "broken off after 10 meetings, tournament rivals could not be paused and plays on, up to 1000 matches "
        "(`lastcard tournament cancel rivals` ends it); to go on: lastcard sprt alpha@2"
    ) in capsys.readouterr().err
    assert shop.state("rivals") is State.RUNNING


@pytest.mark.parametrize("lost", [KeyboardInterrupt, NotReachableError("UNAVAILABLE", "too slow")], ids=["^C", "slow"])
def test_a_pause_of_which_nothing_was_heard_is_not_known(
    shop: House,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lost: type[KeyboardInterrupt] | NotReachableError,
) -> None:
    """Typed twice, or too slow: the ladder pauses it all the same, and nobody is told that it plays on."""
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    turn = TournamentClient.turn

    def unheard(client: TournamentClient, name: str, verb: Verb, reason: str) -> NoReturn:
        turn(client, name, verb, reason)
        raise lost

    monkeypatch.setattr(TournamentClient, "turn", unheard)
    begun(shop, 0)
    assert interrupted(capsys, COMMAND, "10 meetings (") == 130
    said = capsys.readouterr().err
    assert "whether tournament rivals is paused is not known: `lastcard tournament show rivals` says it; to go" in said
    assert shop.state("rivals") is State.PAUSED


def test_a_pause_that_is_refused_plays_on(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where its token was taken back meanwhile: then that is known."""
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    begun(shop, 0)
    pause = ContestRun._pause

    def strange(run: ContestRun, client: TournamentClient, reason: str) -> TournamentStatus:
        monkeypatch.setenv("LASTCARD_TOKEN", shop.store.registry.register("gamma", "gil", now_ms=shop.now_ms)[1])
        with Dial.of() as dial:
            return pause(run, TournamentClient(dial), reason)

    monkeypatch.setattr(ContestRun, "_pause", strange)
    assert interrupted(capsys, COMMAND, "10 meetings (") == 130
    assert "tournament rivals could not be paused and plays on" in capsys.readouterr().err
    assert shop.state("rivals") is State.RUNNING


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        pytest.param(ContestRun, "__init__", id="before the ladder is asked"),
        pytest.param(TournamentClient, "proposal", id="while it is asked what would be"),
    ],
)
def test_broken_off_before_it_was_created_it_says_so(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, owner: type[object], name: str
) -> None:
    """Nothing is there to go on with, or to end."""

    def typed(*_words: object, **_more: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(owner, name, typed)
    assert main(COMMAND) == 130
    assert "lastcard: broken off, nothing was created\n" in capsys.readouterr().err
    assert shop.store.tournaments.page()[0] == []


def test_a_ladder_that_is_started_anew_is_asked_again(
    shop: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is shown; then it goes on as if nothing had been."""
    begun(shop, 0)
    with stopped(shop, capsys, monkeypatch, again=True):
        assert main(COMMAND) == 0
    assert shop.state("rivals") is State.CANCELLED


def test_the_command_that_goes_on_has_the_very_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """To the last digit: others would be another question."""
    run = contest_run.ContestRun(replace(contest(), bounds=Bounds(-0.12345678, 60)), 100, as_json=False)
    run._break_off()
    (bounds,) = re.findall(r"--bounds (\S+)", capsys.readouterr().err)
    assert bounds == "-0.12345678,60"
