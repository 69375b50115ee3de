"""A tournament of `lastcard sprt` is judged by what was asked when it was created, and by nothing else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ladder.judged import Judged
from ladder.rpc.dial import Dial
from ladder.sprt import Bounds
from lastcard.cli import main
from tests.workers.contests import COMMAND, NEW, OLD, contest
from tests.workers.house import House
from tests.workers.rivals import begun, found
from tests.workers.small_referee import FORMAT
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec


@pytest.fixture
def shop(authors_shop: House) -> House:
    """Return the house that every test here asks."""
    return authors_shop


@pytest.mark.parametrize(
    ("options", "field", "asked"),
    [
        pytest.param(["--bounds", "0,400"], "bounds", "bounds 0,400, luck left in", id="other bounds"),
        pytest.param(["--bounds", "0,60", "--luck"], "luck", "bounds 0,60, luck taken out", id="other scores"),
    ],
)
def test_another_question_is_refused(
    shop: House, capsys: pytest.CaptureFixture[str], options: list[str], field: str, asked: str
) -> None:
    """Whether it is paused or decided: it stays as it is, and it is said what it asks and what to do."""
    begun(shop, 0, 1)
    found(capsys, "--max-meetings", "10", code=1)
    for state in (State.PAUSED, State.CANCELLED):
        before = shop.store.tournaments.get("rivals")
        assert before.state == state
        assert main(["sprt", NEW, OLD, *options, "--name", "rivals", "--json"]) == 2
        error = json.loads(capsys.readouterr().err)["error"]
        assert (error["reason"], error["field"], error["allowed"]) == ("OTHER_QUESTION", field, ["--bounds 0,60"])
        assert error["message"] == (
            f"tournament rivals is judged by bounds 0,60, luck left in, and asked is {asked}: "
            "ask with --bounds 0,60, choose another --name, or leave --name out"
        )
        assert shop.store.tournaments.get("rivals") == before
        assert found(capsys)["decision"] == "H0"


def test_it_is_shown_what_it_asks(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """To people and to programs, and kept in the ledger; nothing of it where nothing is asked."""
    begun(shop)
    assert main(["tournament", "show", "rivals"]) == 0
    assert f"sprt: {NEW} against {OLD}, bounds 0,60, luck left in\n" in capsys.readouterr().out
    assert main(["tournament", "show", "rivals", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sprt"] == {"bounds": [0, 60], "luck": False}
    assert TournamentSpec.parse(shop.store.tournaments.get("rivals").spec).sprt == Judged(0, 60)
    with Dial.of() as dial:
        TournamentClient(dial).create(TournamentSpec("spring", FORMAT, (NEW, OLD), unrated=True))
    assert main(["tournament", "show", "spring"]) == 0
    assert "sprt" not in capsys.readouterr().out
    assert main(["tournament", "show", "spring", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sprt"] is None


@pytest.mark.parametrize("named", ["", "rivals"])
def test_one_of_an_earlier_version_goes_on_under_its_usual_name_alone(
    shop: House, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """It was kept in no other place than the name what it asks: of a chosen one nobody knows."""
    asked = replace(contest(), bounds=Bounds(0.0, 60.0), named=named)
    with Dial.of() as dial:
        TournamentClient(dial).create(replace(asked.spec, sprt=None))
    shop.look()
    for part in (0, 1):
        assert shop.referee.play(shop.now_ms, 500, [f"{asked.name}.1.1.{part}"])
        shop.look()
    code = main([*COMMAND[:5], "--format", FORMAT, "--name", asked.name, "--json"])
    out, err = capsys.readouterr()
    if not named:
        assert (code, json.loads(out)["decision"]) == (0, "H0")
        return
    error = json.loads(err)["error"]
    assert (code, error["reason"]) == (2, "OTHER_QUESTION")
    assert "tournament rivals does not say what sprt asks of it" in error["message"]
    assert shop.state("rivals") is State.RUNNING


def test_a_tournament_of_others_is_refused_as_before(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """What differs there is more than the question."""
    begun(shop)
    assert main(["sprt", OLD, NEW, "--bounds", "0,60", "--name", "rivals"]) == 2
    assert "there is a tournament rivals with another description" in capsys.readouterr().err


def test_an_empty_name_is_refused(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It does not mean the usual one."""
    assert main([*COMMAND[:5], "--name", ""]) == 2
    assert "--name '' is no name" in capsys.readouterr().err
    assert shop.store.tournaments.page()[0] == []
