"""A ladder with matches of an earlier release, which knew fewer terms of luck and shipped other weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

import pytest

from ladder.corrections import correction_for, earlier
from ladder.luck import Correction
from ladder.readings.own_weights import doubts
from ladder.readings.reads import Reads
from ladder.refit import Schedule
from ladder.store.gifts import MatchGifts
from ladder.store.rows import MatchRow
from ladder.terminal.screen import show_board
from lastcard.secret import Secret
from tests.workers.house import House, spec
from workers.engine import gifts_of, teams_of, terms
from workers.fit import PERIOD_MS, Fitter
from workers.fortune import Fortune

pytestmark = pytest.mark.slow

FORMAT = "dos-2"


def gifts_then(row: MatchRow, seed: Secret, entries: Sequence[bytes]) -> MatchGifts:
    """Return what an earlier release computed of a match."""
    now, known = gifts_of(row, seed, entries), before().terms
    places = [now.terms.index(term) for term in known]
    games = (
        None if game is None else tuple(tuple(one[place] for place in places) for one in game) for game in now.games
    )
    return MatchGifts(known, tuple(games))


def before() -> Correction:
    """Return the weights that were shipped then."""
    (found,) = earlier(terms(FORMAT).ruleset)
    return found


def shipped() -> Correction:
    """Return those that are shipped now."""
    found = correction_for(terms(FORMAT).ruleset)
    assert found is not None
    return found


def play(house: House, name: str, fortune: Fortune) -> None:
    """Play and rate three matches of twelve rounds, compute their luck and fit the ladder."""
    first = len(house.referee.played)
    house.create(replace(spec(name, "alpha", "beta", "gamma", meetings=6), format=FORMAT))
    house.play(name)
    house.look()
    assert fortune.compute(house.referee.played[first:]) == 3
    house.now_ms += PERIOD_MS + 600_000
    house.fitter.fit(FORMAT, house.now_ms)


def test_what_was_rated_then_keeps_its_weights(house: House) -> None:
    """And what is rated now has those of now; match, tournament and ladder say so."""
    house.enter("alpha", "beta", "gamma", formats=[FORMAT])
    play(house, "spring", Fortune(house.store, gifts_then))
    reads = Reads.of(house.store, teams_of)
    assert reads.boards.get(FORMAT).lc_versions == (before().version,)
    play(house, "summer", Fortune(house.store, gifts_of))
    reads = Reads.of(house.store, teams_of)
    versions = [
        found.version for match in house.referee.played if (found := reads.luck.get(house.store.matches.get(match)))
    ]
    assert versions == [before().version] * 3 + [shipped().version] * 3
    tables = [reads.fixtures.table(reads.fixtures.get(name)).lc_versions for name in ("spring", "summer")]
    assert tables == [(before().version,), (shipped().version,)]
    board = reads.boards.get(FORMAT)
    assert board.lc_versions == (before().version, shipped().version)
    assert [(one.lc_version, one.from_seq, one.own) for one in board.weights] == [
        (before().version, 1, False), (shipped().version, 4, False),
    ]  # fmt: skip
    said = StringIO()
    show_board(board, said)
    assert f"luck: weights {shipped().version}, as they are shipped, from match number 4 on" in " ".join(
        said.getvalue().split()
    )


def test_a_ladder_that_began_then_fits_weights_by_the_terms_of_then(house: House) -> None:
    """What further terms were is not known of its first rounds; the audit finds the same again."""
    house.enter("alpha", "beta", "gamma", formats=[FORMAT])
    house.fitter = Fitter(house.store, schedule=Schedule((24, 10_000), 24))
    play(house, "spring", Fortune(house.store, gifts_then))
    (change,) = house.store.weights.of(FORMAT)
    assert change.correction.terms == before().terms
    assert list(doubts(house.store, FORMAT)) == []
