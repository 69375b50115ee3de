"""The scenario files, and the command that runs them."""

import json
from pathlib import Path

import pytest

from referee.rules import conformance
from referee.rules.errors import IllegalAnswerError
from referee.rules.games import GAMES
from referee.rules.presets import PRESETS

DATA = Path(__file__).parents[1] / "data"
PUBLISHED = Path(__file__).parents[3] / "shared" / "conformance"
FILES = sorted((DATA / "conformance").glob("*.jsonl"))
# Written from the rules pages alone. In `*-crossed` options are crossed at random, and what follows was worked out by
# a second program, which was written from the same pages without a look at this one.
OWN = sorted((Path(__file__).parent / "scenarios").glob("*.jsonl"))


def available(scenario: dict[str, str]) -> bool:
    """Whether the game of a scenario is there."""
    return PRESETS[scenario["preset"]].game in GAMES


@pytest.mark.parametrize("path", [pytest.param(one, id=f"{one.parent.name} {one.stem}") for one in (*FILES, *OWN)])
def test_scenarios(path: Path) -> None:
    """The rules do what every scenario of the file says; each that fails is named, with what differs."""
    scenarios = [one for line in path.read_text("utf-8").splitlines() if available(one := json.loads(line))]
    assert scenarios
    ran = [(one, conformance.run(one)) for one in scenarios]
    failed = [f"{one['id']} {one['why']}: {failure}" for one, failure in ran if failure is not None]
    assert not failed, "\n".join(failed)


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published files are not beside this repository")
@pytest.mark.parametrize(("folder", "published"), [("conformance", "."), ("records", "records")])
def test_copies_equal_the_published_files(folder: str, published: str) -> None:
    """Every published file is here, byte for byte, and there is no other."""
    there = {path.name: path.read_bytes() for path in (PUBLISHED / published).glob("*.jsonl")}
    assert {path.name: path.read_bytes() for path in (DATA / folder).glob("*.jsonl")} == there


GOOD: dict[str, object] = {
    "id": "t1",
    "why": "a number is played",
    "preset": "classic",
    "state": {"hands": [["R5", "G1", "B2"], ["Y1", "Y2"]], "draw": ["G3"], "discard": ["R9"], "turn": 0},
    "do": [{"seat": 0, "act": "PLAY", "card": "R5"}],
    "expect": {"ask": {"1": "TURN"}, "top": "R5"},
}


def changed(field: str, **changes: object) -> dict[str, object]:
    """The good scenario with something else in one field."""
    old = GOOD.get(field, {})
    assert isinstance(old, dict)
    return GOOD | {field: old | changes}


@pytest.mark.parametrize(
    ("scenario", "failure"),
    [
        pytest.param(changed("expect", top="R9"), 'top: expected "R9", actual "R5"', id="another top"),
        pytest.param(changed("expect", hands=[3, 2]), "hands: expected [3, 2], actual [2, 2]", id="another size"),
        pytest.param(changed("expect", hand={"0": ["G1"]}), "hand:", id="another hand"),
        pytest.param(changed("expect", illegal=True), "illegal: expected", id="a legal act said to be illegal"),
        pytest.param(changed("expect", match={}), "match: expected {}, actual null", id="a match that goes on"),
        pytest.param(changed("expect", tops="R5"), "expect has no field 'tops'", id="unknown expectation"),
        pytest.param(changed("expect", rejects=[{"seat": 1, "act": "DRAW"}]), "rejects:", id="a legal act rejected"),
        pytest.param(changed("expect", accepts=[{"seat": 0, "act": "DRAW"}]), "accepts:", id="an illegal act accepted"),
        pytest.param(changed("chance", wheel=["WAR"]), "chance: expected", id="chance left over"),
        pytest.param(changed("chance", wheel=["WARS"]), "chance.wheel takes", id="no such segment"),
        pytest.param(changed("chance", dice=[1]), "chance has no field 'dice'", id="unknown chance"),
        pytest.param(changed("state", dirr=1), "state has no field 'dirr'", id="unknown state"),
        pytest.param(changed("state", dir=0), "state.dir is 0", id="no direction"),
        pytest.param(changed("state", turn=2), "state.turn is 2", id="no such seat"),
        pytest.param(changed("state", turn=None), "neither turn nor dealer", id="nobody begins"),
        pytest.param(changed("state", draw=["R55"]), "'R55' is no card", id="no card"),
        pytest.param(changed("state", scores=[1]), "state.scores is [1]; use 2 numbers", id="a score missing"),
        pytest.param(changed("opts", stacking="ON"), "option 'stacking' does not take 'ON'", id="no such value"),
        pytest.param(GOOD | {"preset": "poker"}, "unknown preset 'poker'", id="no such preset"),
        pytest.param(GOOD | {"also": 1}, "no field 'also'", id="unknown field"),
        pytest.param(GOOD | {"do": [{"seat": 0, "act": "PLAY", "card": "B2"}]}, "act 1: expected", id="illegal act"),
        pytest.param(GOOD | {"do": [{"seat": 0, "act": "JUMP"}]}, "'JUMP' is no act", id="no such act"),
        pytest.param(GOOD | {"do": [{"seat": 0, "act": "DRAW", "cards": []}]}, "no field 'cards'", id="odd field"),
        pytest.param(GOOD | {"do": ["DRAW"]}, "seat is None", id="an act that is a word"),
        pytest.param(changed("expect", hand={"0": 5}), "hand: expected", id="a hand that is a number"),
        pytest.param(changed("expect", hand={"0": [["G1"], "B2"]}), "hand: expected", id="a list for a card"),
        pytest.param(changed("expect", hand={"9": ["G1"]}), "hand: expected", id="a hand of nobody"),
        pytest.param(changed("expect", shown=[{"seat": 0}, 5]), "shown: expected", id="cards that are not there"),
        pytest.param(changed("chance", order=[["0", 1]]), "chance.order has", id="an order of words"),
        pytest.param(changed("chance", order=[3]), "chance.order has 3", id="an order that is a number"),
    ],
)
def test_a_failing_scenario_says_what_differs(scenario: dict[str, object], failure: str) -> None:
    """The message names the first field that differs with both values, or what cannot be read."""
    assert failure in str(conformance.run(scenario))


def write(tmp_path: Path, *scenarios: object) -> str:
    """A file of these scenarios."""
    path = tmp_path / "scenarios.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in scenarios) + "\n\n", encoding="utf-8")
    return str(path)


AT_ITS_START: dict[str, object] = {
    "id": "t2",
    "why": "the only turn of a round is the spin of the card turned up",
    "preset": "spin",
    "opts": {"hand_size": 1, "rounds": 2, "max_turns_per_round": 1},
    "state": {"hands": [["R1"], ["G5"]], "draw": ["Y3*"], "dealer": 0},
    "do": [],
}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param({"chance": {"wheel": ["SHOW_HAND"]}}, {"ask": {}, "match": None, "dealer": 1}, id="the first"),
        pytest.param(
            {"chance": {"wheel": ["SHOW_HAND", "SHOW_HAND"], "deck": [["R2", "G6", "B4*"]]}},
            {"ask": {}, "match": {"end": "ROUNDS"}, "round_no": 2, "round": {"end": "TURN_LIMIT", "left": [2, 6]}},
            id="the next one, too",
        ),
    ],
)
def test_a_round_may_be_over_as_it_begins(more: dict[str, object], expected: dict[str, object]) -> None:
    """It is counted, and the next one begins, as after an act."""
    limit = {"end": "TURN_LIMIT", "winner": None}
    assert conformance.run(AT_ITS_START | more | {"expect": {"round": limit} | expected}) is None


def test_the_command_counts_and_exits_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All passed: one line, status 0."""
    assert conformance.main([write(tmp_path, GOOD, GOOD)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"


def test_the_command_prints_one_line_a_failure_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A failure is a line with id, field, expected and actual; the last line counts; status 1."""
    assert conformance.main([write(tmp_path, GOOD, changed("expect", top="R9"))]) == 1
    assert capsys.readouterr().out == 't1: top: expected "R9", actual "R5"\n1 passed, 1 failed\n'


def test_the_command_chooses_scenarios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--preset and --no-opts leave scenarios out; nothing left is bad input."""
    path = write(tmp_path, GOOD, changed("opts", call_penalty=3), GOOD | {"preset": "official"})
    assert conformance.main(["--preset", "classic", "--no-opts", path]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"
    assert conformance.main(["--preset", "uno", path]) == 2
    assert "no scenario was selected" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [b"{", b"[1]", b"\xff", b"{}\n" + b"1" * 5_000, b"[" * 100_000],
    ids=["no JSON", "no object", "no text", "a number too long", "nested too deep"],
)
def test_the_command_refuses_files_that_cannot_be_read(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is missing or no JSON Lines of objects: a sentence and status 2."""
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    assert conformance.main([str(path)]) == 2
    assert str(path) in capsys.readouterr().err
    assert conformance.main([str(tmp_path / "missing.jsonl")]) == 2


def test_a_trace_of_an_illegal_act_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An act that is refused but changes the state fails its scenario."""

    def careless(round_: object, act: object) -> None:
        del act
        round_.acts += 1  # type: ignore[attr-defined]
        raise IllegalAnswerError("NOT_ASKED", "no")

    monkeypatch.setattr(conformance, "perform", careless)
    assert "no trace" in str(conformance.run(changed("expect", illegal=True)))


def test_a_lost_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario fails when an act does not conserve the cards."""

    def careless(round_: object, act: object) -> None:
        del act
        round_.draw.clear()  # type: ignore[attr-defined]

    monkeypatch.setattr(conformance, "perform", careless)
    assert "cards after act 1" in str(conformance.run(GOOD))
