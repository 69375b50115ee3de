"""`./dev nightly`: all that takes long, in one command."""

from __future__ import annotations

import pytest

from tests.nightly import commands, main, night
from tests.soak.__main__ import main as soak


def test_the_list_is_what_would_be_run(capsys: pytest.CaptureFixture[str]) -> None:
    """The tests marked for the night, thousands of simulations, and the rest, under the seed that was asked for."""
    assert main(["--list", "--seed", "7"]) == 0
    first, second, third, fourth, fifth, *_ = capsys.readouterr().out.splitlines()
    assert first == "./dev test -q -m nightly"
    assert second == "./dev simulate --seeds 5000 --from 35000"
    assert third == "./dev simulate --trunks --seeds 5000 --from 35000"
    assert fourth == "./dev simulate --slow 20 --jobs 1 --from 35000"
    assert fifth == "./dev chaos --seed 7 --faults 100"


def test_another_night_has_other_seeds() -> None:
    """No simulation and no random round comes again the next night."""
    one, other = ({tuple(command) for command in commands(seed)} for seed in (1, 2))
    assert {words[0] for words in one - other} == {"simulate", "chaos", "soak"}


def test_a_failure_does_not_end_the_night(capsys: pytest.CaptureFixture[str]) -> None:
    """What comes after it is run all the same, and what failed is told."""
    words = [["one"], ["two", "--seed", "1"], ["three"]]
    assert night(words, lambda command: int(command[0] == "two")) == ["two --seed 1"]
    assert "nightly: exit 1 after" in capsys.readouterr().out


@pytest.mark.parametrize("words", [command for command in commands(1) if command[0] == "soak"], ids=" ".join)
def test_every_soak_of_the_night_is_there(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With the options that it is given."""
    with pytest.raises(SystemExit) as ended:
        soak([*words[1:], "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert [word for word in words if word.startswith("--") and word not in said] == []


def test_every_name_that_is_offered_is_a_soak(capsys: pytest.CaptureFixture[str]) -> None:
    """Another one is refused with those there are, and each of these says what it does."""
    assert soak(["nope"]) == 2
    names = capsys.readouterr().err.strip().partition("there are ")[2].split(", ")
    assert {"hostile", "luck", "tournament"} <= set(names)
    for name in names:
        with pytest.raises(SystemExit) as ended:
            soak([name, "--help"])
        assert ended.value.code == 0
        assert f"./dev soak {name}" in capsys.readouterr().out
