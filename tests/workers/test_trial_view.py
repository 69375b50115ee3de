"""What `lastcard sprt` shows while it plays."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from ladder.sprt import Bounds, Trial
from workers.local import trial_view
from workers.local.sprt import shape
from workers.local.trial import Comparison, Question
from workers.local.trial_view import TrialView


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True


@pytest.fixture
def question() -> Question:
    """Return a question about two house bots."""
    return Question.of("careful", "random", "uno-classic-2", "mirrored", Bounds(0, 20), 1)


@pytest.fixture
def comparison(question: Question) -> Comparison:
    """Return a comparison that is under way."""
    return replace(question.begin(), trial=Trial(question.bounds).after([2, 0, 5, 0, 3]))


def test_without_a_terminal_it_writes_a_line_now_and_then(
    question: Question, comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the ratio between its bounds, and what is known so far."""
    stream = io.StringIO()
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    with TrialView(stream, question.bounds, question.begin(), quiet=False) as view:
        view.show(comparison)
    (line,) = stream.getvalue().splitlines()
    assert line.startswith(f"LLR {comparison.trial.llr:+.2f}  H0 -2.94 ")
    assert "10 meetings" in line
    assert line.count("|") == 1


def test_most_checks_say_nothing(question: Question, comparison: Comparison) -> None:
    """One line in some seconds is enough for a log."""
    stream = io.StringIO()
    with TrialView(stream, question.bounds, question.begin(), quiet=False) as view:
        view.show(comparison)
    assert stream.getvalue() == ""


def test_for_programs_it_is_quiet(question: Question, comparison: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    """But says what must be said."""
    stream = io.StringIO()
    monkeypatch.setattr(trial_view, "BETWEEN_S", 0.0)
    with TrialView(stream, question.bounds, question.begin(), quiet=True) as view:
        view.show(comparison)
        view.say("broken off")
    assert stream.getvalue() == "broken off\n"


def test_on_a_terminal_a_line_moves_and_goes_away(question: Question, comparison: Comparison) -> None:
    """What stays is what was said."""
    stream = Terminal()
    with TrialView(stream, question.bounds, question.begin(), quiet=True) as view:
        view.show(comparison)
        view.say("broken off [after] 10 meetings")
    assert "LLR" in stream.getvalue()
    assert "broken off [after] 10 meetings" in stream.getvalue()
    assert stream.getvalue().rstrip().endswith("\x1b[2K")


def test_the_mark_stays_on_its_scale(question: Question) -> None:
    """Also where the ratio is far beyond a bound."""
    stream = io.StringIO()
    for counts in ([0, 0, 0, 0, 900], [900, 0, 0, 0, 0]):
        trial = Trial(question.bounds).after(counts)
        with TrialView(stream, question.bounds, question.begin(), quiet=False) as view:
            view.say(view._line(replace(question.begin(), trial=trial), 1.0))
    lines = stream.getvalue().splitlines()
    assert [line.split()[4] for line in lines] == ["-" * 20 + "|", "|" + "-" * 20]


def test_a_reason_is_said_as_it_was_written(
    question: Question, comparison: Comparison, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only our own sentences have gaps that are filled."""
    heading = replace(question.heading, bounds=Bounds(0, 20))
    trial_view.show(heading, comparison, "cancelled, see {ticket} and {}")
    assert capsys.readouterr().out.endswith("cancelled, see {ticket} and {}\n")


def test_what_is_without_luck_is_told_from_what_is_not(
    question: Question, comparison: Comparison, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games are as they were played, scores are not; without luck taken out there is nothing to tell."""
    played = replace(comparison, games=(6, 2, 12))
    trial_view.show(question.heading, played, "")
    assert "luck" not in capsys.readouterr().out
    trial_view.show(replace(question.heading, lc_version="1"), played, "")
    said = capsys.readouterr().out
    assert "W/T/L: games as they were played, a score of 65.0%; " in said
    assert "; score, elo, its interval, LOS and LLR: with luck taken out" in said
    assert shape(question.heading, played)["raw_score"] == 0.65
    assert shape(question.heading, replace(played, games=(0, 0, 0)))["raw_score"] is None
