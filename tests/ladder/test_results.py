"""Results of matches: read from the closing entry, refused when they are not one, named by a digest."""

import json
from dataclasses import dataclass, replace

import pytest

from ladder.results import BadResultError, MatchResult, faults_by_kind

GAME = {
    "seats": [0, 1],
    "ranks": [1, 2],
    "points": [30, 0],
    "left": [0, 3],
    "ending": "OUT",
    "rounds": 1,
    "digest": "00",
}


@dataclass(frozen=True)
class Closed:
    """A closed match."""

    result: str
    id: str = "cup.1.1.0"
    format: str = "uno-classic-2"
    ruleset: str = "abc"
    entrants: tuple[str, ...] = ("a@1", "b@1")


def _text(**changes: object) -> str:
    return json.dumps(
        {"meetings": [{"games": [GAME, {**GAME, "ranks": [2, 1], "points": [0, 7]}]}], "faults": [0, 2], **changes}
    )


def test_points_rounds_and_faults_are_summed() -> None:
    """A match counts by entrant, over all its games."""
    result = MatchResult.of(Closed(_text()))
    assert result.ranks == (((1, 2), (2, 1)),)
    assert (result.points, result.rounds, result.faults, result.teams) == ((30, 7), (2, 2), (0, 2), (0, 1))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="no result"),
        pytest.param("{", id="no JSON"),
        pytest.param("[]", id="no object"),
        pytest.param("{}", id="no meetings"),
        pytest.param(_text(meetings=[]), id="empty"),
        pytest.param(_text(meetings=[{"games": []}]), id="a meeting without games"),
        pytest.param(_text(meetings=[{"games": [{**GAME, "ranks": [1]}]}]), id="a place is missing"),
        pytest.param(_text(meetings=[{"games": [{**GAME, "points": [1]}]}]), id="points are missing"),
        pytest.param(_text(meetings=[{"games": [{**GAME, "ranks": [1, "x"]}]}]), id="a place is no number"),
        pytest.param(_text(faults=[0]), id="faults of somebody are missing"),
        pytest.param(_text(faults=None), id="no faults"),
    ],
)
def test_what_is_no_result_is_refused(text: str) -> None:
    """Whatever the closing entry says, it is read or refused, never half used."""
    with pytest.raises(BadResultError):
        MatchResult.of(Closed(text))


def test_a_bot_cannot_meet_itself() -> None:
    """One version twice in a match would take points from itself."""
    with pytest.raises(BadResultError, match="twice"):
        MatchResult.of(Closed(_text(), entrants=("a@1", "a@1")))


def test_digest_covers_everything_that_is_applied() -> None:
    """Any other result of the same match has another digest; the same one the same."""
    result = MatchResult.of(Closed(_text()))
    others = [
        replace(result, points=(31, 7)),
        replace(result, faults=(1, 2)),
        replace(result, rounds=(2, 3)),
        replace(result, ranks=(((1, 2), (1, 2)),)),
        replace(result, teams=(0, 0)),
        replace(result, entrants=("b@1", "a@1")),
        replace(result, ruleset="abd"),
        replace(result, record="0"),
        replace(result, match="cup.1.1.1"),
    ]
    assert len({result.digest, *(other.digest for other in others)}) == 1 + len(others)
    assert MatchResult.of(Closed(_text())).digest == result.digest


@pytest.mark.parametrize("reason", ["ABSENT", "NEVER_CAME"])
def test_who_is_not_there_has_a_fault_and_the_digest_does_not_change(reason: str) -> None:
    """One a match, whatever was left of it; who leaves for its faults has those. A match keeps its digest for ever."""
    kinds = [dict.fromkeys(("late", "illegal", "malformed"), 0), {"late": 2, "illegal": 0, "malformed": 0}]
    gone = [{"entrant": 0, "reason": "FAULTS"}, {"entrant": 1, "reason": reason}]
    text = _text(forfeits=gone, fault_kinds=kinds)
    result = MatchResult.of(Closed(text))
    assert (result.away, result.faults) == ((1,), (0, 3))
    assert faults_by_kind(json.loads(text)) == ({**kinds[0], "absent": 0}, {**kinds[1], "absent": 1})
    assert result.digest == replace(result, faults=(0, 2), away=()).digest


def test_a_digest_of_an_earlier_day_holds() -> None:
    """It was computed before absence was a fault, and stands in ladders."""
    before = "f51156aec3ed3beed419afef54f7a3a361e684ee28306968de676627b62cea0d"
    kinds = [dict.fromkeys(("late", "illegal", "malformed"), 0), {"late": 2, "illegal": 0, "malformed": 0}]
    text = _text(forfeits=[{"entrant": 1, "reason": "ABSENT"}], fault_kinds=kinds)
    assert MatchResult.of(Closed(text)).digest == before


def test_who_never_came_is_named() -> None:
    """By entrant; who left while the match was played is somebody else."""
    gone = [{"entrant": 0, "reason": "GONE"}, {"entrant": 1, "reason": "NEVER_CAME"}]
    assert MatchResult.of(Closed(_text(forfeits=gone))).absent == (1,)
    assert MatchResult.of(Closed(_text())).absent == ()
