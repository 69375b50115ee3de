"""A person at the table: what is shown, what may be typed, and that no slip becomes a fault."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest
from rich.text import Text

from lastcard.answer import Answer
from lastcard.practice import turn
from lastcard.turn import Turn
from referee import formats
from referee.bots import get
from referee.local import arena
from referee.rules.cards import DOS_NAMES
from tests.patience import PATIENCE_S
from workers.local.person import Person, explain

LASTCARD = [sys.executable, "-m", "lastcard.cli"]


class Typist(Person):
    """Types what `careful` would do, after asking what everything means."""

    def __init__(self, name: str) -> None:
        self.shown: list[str] = []
        self._typed: list[str] = []
        self._careful = get("careful")(1)
        super().__init__(formats.get(name), self._write, lambda _: self._typed.pop(0))

    def _write(self, line: Text) -> None:
        self.shown.append(line.plain)

    def choose(self, turn: Turn) -> Answer:
        """Ask, then answer."""
        chosen = self._careful.choose(turn)
        picks = chosen if isinstance(chosen, list) else [chosen]
        numbers = " ".join(str(pick + 1) for pick in picks)
        self._typed = ["?", *(f"?{option.index + 1}" for option in turn.options[:12]), f"{numbers} r!"]
        return super().choose(turn)


def person(*lines: str, game_format: str = "uno-classic-2") -> tuple[Person, list[str]]:
    """Return a person who types these lines, and what is said to it."""
    said: list[str] = []
    typed = iter(lines)

    def ask(prompt: str) -> str:
        said.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    def say(line: Text) -> None:
        said.append(line.plain)

    return Person(formats.get(game_format), say, ask), said


def answered(asked: Turn, *lines: str, game_format: str = "uno-classic-2") -> Answer:
    """Return what comes of typing these lines."""
    return person(*lines, game_format=game_format)[0].choose(asked)


ONE = turn("PLAY R5", "PLAY W R", "PLAY W G", "DRAW", hand="R5 W B1", top="R3", color="R")
LAST_BUT_ONE = turn("PLAY R5", "DRAW", hand="R5 B1", top="R3", color="R")
BY_COLOR = turn("DISCARD R1", "DISCARD R9", "DISCARD G5", hand="R1 R9 G5 W B2", kind="SPIN_DISCARD_COLOR", picks=(0, 2))
BUT_TWO = turn("DISCARD R1", "DISCARD R9", "DISCARD W", "DISCARD W4", hand="R1 R9 W W4", kind="SPIN_ALMOST_UNO",
               picks=(2, 2))  # fmt: skip
WAR = turn("WAR R1", "WAR R9", "WAR G9", hand="R1 R9 G9 W", kind="SPIN_WAR", picks=(3, 3))
DUMP = turn("PLAY RV", "DUMP RV", "DISCARD R1", "DISCARD R7", "DRAW", hand="RV R1 R7 G2 B3", picks=(1, 3))
ROW = turn("DRAW", hand="G8 R4", game_format="dos-2").view.hand
MATCHES = turn(
    *("MATCH G8 ON 0", "MATCH R1+R3 ON 1", "MATCH R1+B3 ON 1", "DRAW"), hand="G8 R1 R1 R3 B3 Y9",
    kind="DOS_TURN", picks=(1, 2), game_format="dos-2",
)  # fmt: skip
MATCHES = Turn(MATCHES.view._replace(row=ROW), MATCHES.history)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["uno-house-4", "uno-official-2", "spin-2", "spin-4", "dos-2", "dos-4", "duo"])
def test_whole_games_can_be_typed(name: str) -> None:
    """In every game: all questions have explanations, all answers are understood, and none is a fault."""
    typist = Typist(name)
    rivals = [("careful", get("careful")(2)) for _ in range(formats.get(name).seats - 1)]
    result = arena.play(name, [("you", typist), *rivals], meetings=3, seed=4)
    assert not result.mistakes
    assert all(json.loads(match.result)["faults"] == [0] * (1 + len(rivals)) for match in result.matches)
    text = "\n".join(typist.shown)
    assert text.count("The round is over") == result.rounds
    assert "Hand    " in text
    assert "dealt a new round" in text or name == "duo"


@pytest.mark.parametrize(
    ("asked", "line", "picks", "call"),
    [
        pytest.param(ONE, "1", 0, False, id="a number"),
        pytest.param(ONE, " 3 ", 2, False, id="a wild with its colour"),
        pytest.param(ONE, "1!", 0, True, id="a call behind it"),
        pytest.param(ONE, "1 !", 0, True, id="with a space"),
        pytest.param(BY_COLOR, "1 2", [0, 1], False, id="several"),
        pytest.param(BY_COLOR, "2,1", [1, 0], False, id="with commas, in order"),
        pytest.param(BY_COLOR, "", [], False, id="nothing at all"),
        pytest.param(BUT_TWO, "1 3 g", [0, 2], False, id="with the colour of a wild"),
        pytest.param(WAR, "", [1, 2, 0], False, id="a war in its usual order"),
        pytest.param(WAR, "3 2 1", [2, 1, 0], False, id="a war in another one"),
        pytest.param(DUMP, "2 4 3", [1, 3, 2], False, id="a dump in order"),
        pytest.param(DUMP, "2", 1, False, id="a dump that is completed"),
        pytest.param(DUMP, "4", 3, False, id="a dump by one of its cards"),
        pytest.param(MATCHES, "1 2", [0, 1], False, id="two matches"),
    ],
)  # fmt: skip
def test_numbers_are_an_answer(asked: Turn, line: str, picks: int | list[int], call: bool) -> None:
    """From 1, in the order in which they are typed."""
    found = answered(asked, line, "")
    wanted = picks if isinstance(picks, list) or asked is DUMP else [picks]
    assert (found.picks, found.call) == (wanted, call)


def test_the_colour_of_a_wild_on_top_is_asked_for() -> None:
    """Until there is one."""
    assert answered(BUT_TWO, "1 3", "x", "b").color == "B"
    assert answered(BUT_TWO, "1 3 y").color == "Y"


@pytest.mark.parametrize(
    ("line", "called"),
    [
        pytest.param("!", True, id="a mark"),
        pytest.param("y", True, id="a letter"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_the_call_is_asked_for_where_it_matters(line: str, called: bool) -> None:
    """Where one card would be left, two in DOS; nowhere else."""
    assert answered(LAST_BUT_ONE, "1", line).call is called
    assert answered(LAST_BUT_ONE, "2").call is False
    assert answered(ONE, "1").call is False


@pytest.mark.parametrize(
    ("asked", "lines", "sentence"),
    [
        pytest.param(ONE, ["5", "1"], "there is no option 5", id="a number too high"),
        pytest.param(ONE, ["0", "1"], "there is no option 0", id="nought"),
        pytest.param(ONE, ["R5", "1"], "is no list of numbers", id="a card"),
        pytest.param(ONE, ["\u0661", "1"], "is no list of numbers", id="a number of another script"),
        pytest.param(ONE, ["1 2", "1"], "give one number", id="too many"),
        pytest.param(ONE, ["", "1"], "type one number", id="nothing"),
        pytest.param(ONE, ["?9", "1"], "there is no option 9", id="a question about nothing"),
        pytest.param(BY_COLOR, ["1 1", "1"], "twice", id="the same twice"),
        pytest.param(BY_COLOR, ["1 3", "1"], "one colour", id="two colours"),
        pytest.param(BUT_TWO, ["1", "1 2"], "give 2 numbers", id="too few"),
        pytest.param(WAR, ["1 2 3", "2 3 1"], "no higher card", id="a war that rises"),
        pytest.param(DUMP, ["2 3", "2"], "all cards of its colour", id="part of a dump"),
        pytest.param(DUMP, ["3 4", "2"], "begin with", id="a dump without its head"),
        pytest.param(MATCHES, ["2 3", "1"], "once a turn", id="one slot twice"),
        pytest.param(MATCHES, ["1 4", "1"], "only matches", id="a match and a draw"),
    ],
)
def test_a_slip_is_told_and_asked_again(asked: Turn, lines: Sequence[str], sentence: str) -> None:
    """It never reaches the referee."""
    asking, said = person(*lines, "")
    asking.choose(asked)
    assert any(sentence in line for line in said)


def test_questions_are_answered_from_the_rules_that_are_played() -> None:
    """What a draw card does depends on an option."""
    option = turn("PLAY RD", hand="RD R1").options[0]
    asked = turn("PLAY RD", hand="RD R1")
    assert "loses its turn" in explain.option(asked, option, formats.get("uno-classic-2").rules)
    assert "then takes its turn" in explain.option(asked, option, formats.get("uno-house-2").rules)
    assert "loses its turn" in explain.option(asked, option, None)
    matched = explain.option(MATCHES, MATCHES.options[1], formats.get("dos-2").rules)
    assert "1 + 3 = 4" in matched
    assert "everybody else draws" in matched


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("R# R8", (8,), id="the row's Wild # becomes eight"),
        pytest.param("Y9 Y# W2", (7, 2), id="a Wild # becomes what is missing"),
        pytest.param("W2 W2", (2,), id="a Wild DOS is two"),
        pytest.param("B# R# G#", (1, 1), id="the lowest numbers of several"),
    ],
)
def test_a_match_has_numbers_that_nobody_declares(text: str, numbers: tuple[int, ...]) -> None:
    """They follow from the cards, the row's first."""
    assert explain.numbers_of(*(DOS_NAMES[face] for face in text.split())) == numbers


@pytest.mark.parametrize("line", [pytest.param("q", id="a word"), pytest.param(None, id="the end of the input")])
def test_a_person_may_leave(line: str | None) -> None:
    """As with Ctrl-C."""
    with pytest.raises(KeyboardInterrupt):
        answered(ONE, *([line] if line else []))


# ---- as a command ----------------------------------------------------------------------------------------------------


def play(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    """Run `lastcard play --human` with lines from a pipe."""
    command = [*LASTCARD, "play", "--human", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


@pytest.mark.slow
def test_a_game_is_played_through_a_pipe() -> None:
    """Without a terminal, to its end: one meeting, the standings behind it."""
    found = play("--format", "uno-classic-2", "--bots", "first", "--seed", "3", typed="1!\n" * 400)
    assert found.returncode == 0, found.stderr
    assert found.stdout.count("The game is over") == 2
    assert "you" in found.stdout.rpartition("rank")[2]
    assert "\x1b" not in found.stdout


@pytest.mark.slow
def test_the_end_of_the_input_leaves_politely() -> None:
    """With the exit code of an interrupt, and no traceback."""
    found = play("--format", "dos-2", "--bots", "careful", "--seed", "3", typed="?\n")
    assert found.returncode == 130
    assert "You left" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["--bots", "careful,first"], "name 1 bot(s), not 2", id="too many bots"),
        pytest.param(["--bots", "careful", "--json"], "leave --json out", id="for programs"),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], sentence: str) -> None:
    """As bad input."""
    found = play("--format", "uno-classic-2", *arguments, typed="")
    assert found.returncode == 2
    assert sentence in found.stderr


def interrupted(process: subprocess.Popen[bytes]) -> int:
    """Press Ctrl-C and return the exit code; Python misses one that comes in the moment before it begins to read."""
    for _ in range(6):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(PATIENCE_S / 6)
    raise AssertionError("Ctrl-C ends nothing")


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_leaves_politely() -> None:
    """With colours, since there is a terminal; the exit code is 130."""
    mine, theirs = pty.openpty()
    command = [*LASTCARD, "play", "--human", "--format", "spin-2", "--bots", "careful", "--seed", "1"]
    environment = os.environ | {"TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
                               start_new_session=True)  # fmt: skip
    os.close(theirs)
    seen = b""
    try:
        while b"> " not in seen:
            seen += os.read(mine, 65536)
        assert interrupted(process) == 130
    finally:
        process.kill()
        process.wait()
        os.close(mine)
    assert b"\x1b[1;3" in seen
