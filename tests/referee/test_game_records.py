"""Records of a match's games, from its log: what anybody needs to play them again."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from referee import logbook
from referee.game_records import record_of, records
from referee.logbook import Author, Fault, LeaveReason
from referee.match import EngineMismatchError, MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.record import RecordedGame
from referee.rules.verify import verify
from referee.table import Table
from tests.referee.playing import SEED, play_game, play_match, spec


def from_log(chosen: MatchSpec, entries: list[bytes]) -> dict[int, dict[str, Any]]:
    """The records that a log leads to, by game, as they stand in a file."""
    return {game: json.loads(json.dumps(record)) for game, record in records(chosen, SEED, entries)}


@pytest.mark.parametrize("name", ["uno-classic-2", "uno-classic-2-mirrored", "uno-house-4", "uno-classic-500-2"])
def test_every_game_of_a_log_has_a_record_that_verifies(name: str) -> None:
    """Chance from seed and nonces, acts with the forced ones, results: all follows, and the points are the match's."""
    chosen = spec(name, 2, with_nonces=True)
    play, entries = play_match(chosen, seed=2)
    made = from_log(chosen, entries)
    assert sorted(made) == list(range(chosen.games))
    for game, record in made.items():
        assert verify(record) is None
        result = play.results[game]
        assert result is not None
        assert record["bots"] == [chosen.entrants[entrant] for entrant in result.seats]
        assert [result.points[entrant] for entrant in result.seats] == record["result"]["scores"]
        assert len(record["rounds"]) == result.rounds


def test_a_record_says_where_its_cards_came_from() -> None:
    """Seed with its commitment, match, meeting, deal, and the nonces by entrant; a nonce that never came is null."""
    chosen = spec("uno-classic-2", 2, with_nonces=True)
    play = MatchPlay(chosen, SEED)
    nonce = bytes(range(16))
    rng = Random(3)
    log = [play.set_nonce(0, nonce) + play.set_nonce(1, None), *(play_game(play, game, rng) for game in range(4))]
    made = from_log(chosen, log)
    assert made[3]["fairness"] == {
        "scheme": "lastcard/1",
        "commitment": sha256(SEED).hexdigest(),
        "seed": SEED.hex(),
        "match_id": "cup.1.1.0",
        "meeting": 1,
        "deal": 1,
        "entrants": ["a@1", "b@1"],
        "nonces": [nonce.hex(), None],
    }
    assert (made[3]["game_id"], made[3]["format_id"]) == ("cup.1.1.0/1/1", "uno-classic-2")
    assert (made[3]["rules_version"], made[3]["ruleset"]) == (1, chosen.format.rules.hash)


def test_mirrored_games_of_a_meeting_have_one_deal() -> None:
    """The number of the deal is 0 in all of them, and so is the deck."""
    chosen = spec("uno-classic-2-mirrored", 1, with_nonces=True)
    first, second = from_log(chosen, play_match(chosen)[1]).values()
    assert first["fairness"] == second["fairness"]
    assert first["rounds"][0]["deck"] == second["rounds"][0]["deck"]


def test_faults_and_leaving_are_acts_like_any_other() -> None:
    """A default is written as the act that was taken, a bot that left as FORFEIT, also in games dealt after that."""
    chosen = spec("uno-classic-4", 1)
    play = MatchPlay(chosen, SEED)
    table = play.start(0)
    log = b""
    for _ in range(20):
        seat = min(table.round.asked)
        picks, call, color = table.round.default(seat)
        log += play.act(table, seat, picks, color | (32 if call else 0), Author.CLOCK, Fault.NONE, 0)
    log += play.leave(2, LeaveReason.ABSENT)
    rng = Random(1)
    while 0 in play.tables:
        if table.round_over:
            log += play.end_round(table)
            continue
        seat = rng.choice(sorted(table.round.asked))
        log += play.act(table, seat, 0, 32, Author.BOT, Fault.NONE, 0)
    log += b"".join(play_game(play, game, rng) for game in range(1, 4))
    made = from_log(chosen, [log])
    assert all(verify(record) is None for record in made.values())
    for game, record in made.items():
        (left,) = [act for act in record["rounds"][0]["acts"] if act["act"] == "FORFEIT"]
        assert left["seat"] == chosen.seat_of(game, 2)
    assert made[1]["rounds"][0]["acts"][0]["act"] == "FORFEIT"


def test_a_table_in_play_gives_the_same_record() -> None:
    """Whoever plays a match with recorded games has the record when a game is over; the log leads to no other."""
    chosen = spec("uno-classic-2", 1, with_nonces=True)
    play = MatchPlay(chosen, SEED, RecordedGame)
    log = b"".join(play.set_nonce(entrant, bytes(16)) for entrant in (0, 1))
    rng = Random(9)
    tables: list[Table] = []
    log += play_game(play, 0, rng, tables.append)
    assert json.loads(json.dumps(record_of(play, tables[-1]))) == from_log(chosen, [log])[0]


@pytest.mark.parametrize("game", [-1, 0, 99])
def test_a_round_that_ends_nowhere_is_no_log(game: int) -> None:
    """The log names a game that is over or that there is not."""
    chosen = spec("uno-classic-2", 1)
    _, entries = play_match(chosen)
    bad = logbook.round_end(game & 127, bytes(8))
    with pytest.raises(EngineMismatchError):
        list(records(chosen, SEED, [*entries[:-1], bad]))
