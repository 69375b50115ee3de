"""`./dev simulate`: what it prints, and how it exits."""

import pytest

from referee.hosting.growth import Growth
from tests.simulate.__main__ import main

pytestmark = pytest.mark.slow


def test_the_last_line_is_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "2", "--from", "5", "--jobs", "1"]) == 0
    *_, summary = capsys.readouterr().out.splitlines()
    assert summary.startswith("simulate: seeds 5-6: 2 runs, ")
    assert "; 0 runs failed; " in summary


def test_a_broken_invariant_is_named_with_its_seed_and_how_to_see_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--from", "2", "--jobs", "1", "--bug", "lost GoingAway"]) == 1
    out = capsys.readouterr().out
    assert "seed 2: " in out
    assert "[farewell]" in out
    assert "./dev simulate --seeds 1 --from 2 --show --bug 'lost GoingAway'" in out
    assert "; 1 runs failed; " in out


def test_runs_on_several_processors_come_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for jobs in ("1", "2"):
        assert main(["--seeds", "3", "--jobs", jobs]) == 0
        said.append(capsys.readouterr().out.splitlines()[-1].rpartition("; ")[0])
    assert said[0] == said[1]


def test_runs_with_trunks_are_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--from", "1", "--jobs", "1", "--trunks", "--bug", "lanes stay"]) in {0, 1}
    assert main(["--seeds", "2", "--show", "--trunks"]) == 0
    assert "trunk_open" in capsys.readouterr().out


def test_a_run_can_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--show", "--weather", "drain"]) == 0
    out = capsys.readouterr().out
    assert "fault drain" in out
    assert "gets a SIGTERM" in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        pytest.param(["--seeds", "0"], "--seeds and --jobs are at least 1", id="no seeds"),
        pytest.param(["--from", "-1"], "--from is at least 0", id="before the first seed"),
        pytest.param(["--bug", "rain"], "there is no bug 'rain'; --bugs lists them", id="an unknown bug"),
        pytest.param(["--bug", "lanes stay"], "is one between referees: say --trunks", id="a bug without its trunks"),
        pytest.param(["--weather", "rain"], "invalid choice: 'rain'", id="an unknown weather"),
    ],
)
def test_bad_options_are_refused(options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(options)
    assert refused.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_callback_that_keeps_its_loop_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured in processor time, which no other process adds to."""
    assert main(["--seeds", "1", "--jobs", "1", "--slow", "10000"]) == 0
    assert "of 10000 ms" in capsys.readouterr().out
    monkeypatch.setattr(Growth, "grow", lambda _self: sum(range(400_000)))
    assert main(["--seeds", "1", "--jobs", "1", "--slow", "5"]) == 1
    assert " ms in Claimer.claim, more than 5 ms" in capsys.readouterr().out
