"""Game records: true ones verify, false ones name what does not follow, and text gives the same record back."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.rules import gametext, record
from referee.rules.chance import StreamSource, deal_key
from referee.rules.errors import NotationError
from referee.rules.games import GAMES, resolve
from referee.rules.presets import PRESETS
from referee.rules.verify import verify
from tests.rules.playing import AVAILABLE, play
from tests.rules.recording import SEED, played

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data" / "records"


def read(name: str) -> list[Any]:
    """The records of a file."""
    records = [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
    return [one for one in records if PRESETS[one["preset"]].game in GAMES]


@pytest.mark.parametrize("one", [pytest.param(r, id=f"{n} {r['preset']}") for n, r in enumerate(read("ok.jsonl"))])
def test_true_records_verify(one: dict[str, Any]) -> None:
    """Nothing diverges in a true record."""
    assert verify(one) is None


@pytest.mark.parametrize("one", [pytest.param(r, id=r["diverges"]) for r in read("bad.jsonl")])
def test_false_records_name_their_divergence(one: dict[str, Any]) -> None:
    """The message holds the words that the record announces."""
    found = verify(one)
    assert found is not None
    assert one["diverges"] in found.message


@pytest.mark.parametrize("one", [pytest.param(r, id=f"{n} {r['preset']}") for n, r in enumerate(read("ok.jsonl"))])
def test_a_record_reads_back_from_its_text(one: dict[str, Any]) -> None:
    """Parsing what was printed gives the same record."""
    assert gametext.parse_game(gametext.print_game(one)) == one


@pytest.mark.parametrize("preset", AVAILABLE)
def test_a_game_from_a_seed_verifies_with_its_fairness_block(preset: str) -> None:
    """The chance of a recorded game follows from the seed that its record reveals."""
    whole = played(preset, 2, rounds=2)
    assert verify(whole) is None
    assert whole["fairness"]["entrants"] == ["a@1", "b@1"]
    assert gametext.parse_game(gametext.print_game(whole)) == whole


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        pytest.param(["seed"], "00" * 32, "does not belong to the commitment", id="another seed"),
        pytest.param(["commitment"], "00" * 32, "does not belong to the commitment", id="another commitment"),
        pytest.param(["match_id"], "m2", "does not follow from the seed", id="another match"),
        pytest.param(["meeting"], 2, "does not follow from the seed", id="another meeting"),
        pytest.param(["deal"], 0, "does not follow from the seed", id="another deal"),
        pytest.param(["nonces", 0], "00" * 15 + "01", "does not follow from the seed", id="another nonce"),
        pytest.param(["nonces", 1], "zz", "lower-case hex", id="no nonce"),
        pytest.param(["nonces"], [None], "one nonce an entrant", id="a nonce missing"),
        pytest.param(["scheme"], "lastcard/2", "scheme lastcard/1", id="another scheme"),
        pytest.param(["deal"], -1, "numbers from 0", id="a negative counter"),
    ],
)
def test_a_false_fairness_block_is_found(path: list[Any], value: object, message: str) -> None:
    """Anything in the block that decides the deal must be what the deal came from."""
    whole = played()
    place: Any = whole["fairness"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    found = verify(whole)
    assert found is not None
    assert message in found.message


def leaves(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values of a JSON object that are no containers."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index in range(len(value)) for leaf in leaves(value[index], (*path, index))]
    return [path]


def altered(value: object, rng: Random) -> object:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, str) and value:
        place = rng.randrange(len(value))
        return value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]
    return "x"


def test_any_changed_value_is_found() -> None:
    """Change one value anywhere in a record, and it no longer verifies: neither a call nor a name is an exception."""
    whole = played(rounds=2, hand_size=4)
    rng = Random(1)
    paths = leaves(whole)
    for path in rng.sample(paths, min(300, len(paths))):
        other = copy.deepcopy(whole)
        place: Any = other
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = altered(place[path[-1]], rng)
        assert verify(other) is not None, path


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda r: r.pop("digest"), id="the digest is lost"),
        pytest.param(lambda r: r.update(eigest=r.pop("digest")), id="the digest has another name"),
        pytest.param(lambda r: r.update(sets=r.pop("ruleset")), id="the ruleset has another name"),
        pytest.param(lambda r: r.update(Bots=r.pop("bots")), id="the bots have another name"),
        pytest.param(lambda r: r["bots"].reverse(), id="others played"),
        pytest.param(lambda r: r["fairness"]["entrants"].reverse(), id="others gave the nonces"),
    ],
)
def test_what_the_rules_do_not_look_at_is_sealed(change: Callable[[dict[str, Any]], object]) -> None:
    """A record that this program wrote has a digest, which is looked at last."""
    whole = played()
    change(whole)
    found = verify(whole)
    assert found is not None
    assert found.message.startswith("digest is")
    assert (found.round, found.act) == (None, None)


def test_a_record_may_be_commented() -> None:
    """Fields of others, checks and a mark for examples change nothing; the rules are what is looked at first."""
    whole = played()
    whole |= {"comment": "a fine game", "diverges": "nothing"}
    whole["rounds"][0]["acts"][0]["check"] = {"turns": 1 + (whole["rounds"][0]["acts"][0]["act"] != "DRAW")}
    assert verify(whole) is None
    whole["rounds"][0]["result"]["points"][0] += 1
    found = verify(whole)
    assert found is not None
    assert "result.points" in found.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda r: r.update(format=2), "format is 2", id="another format"),
        pytest.param(lambda r: r.update(preset=["classic"]), 'preset ["classic"] is unknown', id="a list of presets"),
        pytest.param(lambda r: r.update(preset="poker"), 'preset "poker" is unknown', id="no such preset"),
        pytest.param(lambda r: r.pop("seats"), "seats is missing", id="no seats"),
        pytest.param(lambda r: r.update(rounds=[]), "the match is not over", id="no round"),
        pytest.param(lambda r: r["rounds"][0].pop("deck"), "a round has the fields", id="no deck"),
        pytest.param(
            lambda r: r["rounds"][0].update(dealer=7), "dealer is 7, but seats are 0 to 1", id="no such dealer"
        ),
        pytest.param(lambda r: r["rounds"][0]["acts"].insert(0, 5), "an act is an object", id="an act that is none"),
        pytest.param(lambda r: r["rounds"][0]["acts"][0].update(check={"x": 1}), "check takes", id="no such check"),
        pytest.param(lambda r: r["result"].update(more=1), "result.more is no field", id="a result too many"),
        pytest.param(lambda r: r["options"].update(spice=1), "options not resolved", id="an option too many"),
    ],
)
def test_malformed_records_diverge(change: Callable[[dict[str, Any]], object], message: str) -> None:
    """What is missing or too much is a divergence, never an exception."""
    whole = played()
    change(whole)
    found = verify(whole)
    assert found is not None
    assert message in found.message


@pytest.mark.parametrize("other", [None, 3, [], "x"])
def test_what_is_no_object_is_no_record(other: object) -> None:
    """A record is a JSON object."""
    assert verify(other) is not None


def test_a_copy_of_a_recorded_round_does_not_write_into_the_record() -> None:
    """Searching on copies leaves acts and chance of the record alone."""
    game = record.RecordedGame(resolve("official", {}, 2), StreamSource(deal_key(SEED, "m1"), 0, 0), 1)
    for seed in range(3):
        play(game.round.copy(), Random(seed))
    play(game.round, Random(1))
    game.settle()
    assert len(game.rounds[0]["acts"]) == game.round.acts  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("2 PLAY W4 B !", {"seat": 2, "act": "PLAY", "card": "W4", "color": "B", "call": True}),
        ("0 DRAW", {"seat": 0, "act": "DRAW"}),
        ("10 FORFEIT", {"seat": 10, "act": "FORFEIT"}),
        ("1 DISCARD number=5 cards=R5,G5*", {"seat": 1, "act": "DISCARD", "number": 5, "cards": ["R5", "G5*"]}),
        ("1 DISCARD R cards=", {"seat": 1, "act": "DISCARD", "color": "R", "cards": []}),
        (
            "0 MATCH matches=0:G3+G2,12:W2 bonus=Y10",
            {
                "seat": 0,
                "act": "MATCH",
                "matches": [{"slot": 0, "cards": ["G3", "G2"]}, {"slot": 12, "cards": ["W2"]}],
                "bonus": ["Y10"],
            },
        ),
        (
            '0 PLAY R5 call:=false check:={"ask":{"1":"TURN"},"top":"a\\u0020b"}',
            {"seat": 0, "act": "PLAY", "card": "R5", "call": False, "check": {"ask": {"1": "TURN"}, "top": "a b"}},
        ),
    ],
)
def test_acts_are_lines(line: str, act: dict[str, Any]) -> None:
    """An act is printed as this line and read back from it."""
    assert gametext.print_act(act) == line
    assert gametext.parse_act(line) == act


@pytest.mark.parametrize(
    "line",
    [
        *("", "PLAY R5", "0", "0 JUMP", "0 PLAY R55", "0 PLAY R5 G5", "0 MATCH matches=0", "0 PLAY x:={"),
        *("1" * 5_000 + " DRAW", "0 DISCARD number=", "0 DISCARD number=-1", "0 DISCARD number=" + "1" * 5_000),
        *("0 PLAY x:=" + "1" * 5_000, "0 PLAY x:=" + "[" * 100_000, "0 MATCH matches=" + "1" * 5_000 + ":G3"),
    ],
    ids=lambda line: line[:24],
)
def test_what_is_no_act_is_refused(line: str) -> None:
    """A line that is no act is an error of notation."""
    with pytest.raises(NotationError):
        gametext.parse_act(line)


@pytest.mark.parametrize(
    "line",
    [
        *("", "hello", "game UNO", "game UNO uno two", "deck R5", "round x", "round -1", "option a {", "0 PLAY R5"),
        *("chance", "chance ORDER 1 0", "field seats 3", "field format 1", "end {}"),
    ],
)
def test_what_is_no_game_is_refused_with_its_line(line: str) -> None:
    """The error names the line that cannot be read."""
    with pytest.raises(NotationError, match="line 2"):
        gametext.parse_game(f"game UNO classic 2\n{line}\n")


@pytest.mark.parametrize("again", ["option hand_size", "deck", "end", "result", "field digest"])
def test_a_line_that_stands_there_twice_is_refused(again: str) -> None:
    """Of two values one would be believed, and nobody could say which."""
    text = gametext.print_game(played())
    line = next(line for line in text.splitlines() if line.startswith(again))
    with pytest.raises(NotationError, match="stands there twice"):
        gametext.parse_game(text.replace(line, f"{line}\n{line}"))


@pytest.mark.parametrize("words", ["chance", "chance ORDER", "chance ORDER x", "chance  ORDER 1", "chance WHEEL"])
def test_chance_without_an_outcome_is_refused(words: str) -> None:
    """The error says how a line of chance is written, or which number is none."""
    with pytest.raises(NotationError, match=r"line 3: .*(has no outcome|no whole number)"):
        gametext.parse_game(f"game UNO classic 2\nround 1\n{words}\n")


def test_an_act_may_check_the_game() -> None:
    """Scores and numbers behind any act; behind the last act of a round that round is counted."""
    whole = played()
    whole.pop("digest")
    whole.pop("ruleset")
    first, last = (whole["rounds"][0]["acts"][index] for index in (0, -1))
    first["check"] = {"scores": [0, 0], "round_no": 1, "round": None, "match": None}
    last["check"] = {"round": {"end": whole["rounds"][0]["result"]["end"]}, "scores": whole["result"]["scores"]}
    assert verify(whole) is None
    last["check"] = {"scores": [0, -1]}
    found = verify(whole)
    assert found is not None
    assert found.act == len(whole["rounds"][0]["acts"])
    assert "check scores is [0, -1]" in found.message
