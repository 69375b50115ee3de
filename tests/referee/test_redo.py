"""A match that is rebuilt from its log leaves the loop to others now and then, however long its entries are."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from referee import logbook
from referee.fold import fold
from referee.hosting.takeover import SLICE_S, redo
from referee.logbook import ActRecord, CorruptLogError, Fault, LeaveReason, RoundRecord, RoundResult
from referee.machine import Machine
from referee.match import EngineMismatchError, MatchPlay
from referee.match_spec import MatchSpec
from tests.referee.playing import SEED, play_match, spec

pytestmark = pytest.mark.slow

RECORD_S = SLICE_S / 10
"""So long each record takes here."""


class Timed(MatchPlay):
    """Counts what is folded into it."""

    folded = 0

    def redo(self, record: logbook.Record) -> None:
        """Take a while."""
        super().redo(record)
        self.folded += 1


@pytest.mark.parametrize("joined", [False, True], ids=["an entry a game", "one entry for all"])
async def test_nobody_waits_longer_for_a_fold_than_a_slice_takes(*, joined: bool) -> None:
    """Eleven records a slice: the tenth is through when the time is, and one more may have begun."""
    played, entries = play_match(spec(meetings=4))
    log = [b"".join(entries)] if joined else entries
    records = sum(len(list(logbook.records(entry))) for entry in log)
    play = Timed(played.spec, SEED)
    seen: list[int] = []

    async def others() -> None:
        while True:
            seen.append(play.folded)
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    await asyncio.sleep(0)
    await redo(
        play, [(1, number, data) for number, data in enumerate(log)], Machine(monotonic=lambda: play.folded * RECORD_S)
    )
    waiting.cancel()
    seen.append(play.folded)
    assert (play.over, play.folded) == (True, records)
    assert records > 20 * SLICE_S / RECORD_S
    assert max(after - before for before, after in pairwise(seen)) <= SLICE_S / RECORD_S + 1


# rounds that are over


class Watched(MatchPlay):
    """Knows which answers it played again."""

    def __init__(self, chosen: MatchSpec) -> None:
        super().__init__(chosen, SEED)
        self.played: list[ActRecord] = []

    def _redo_act(self, record: ActRecord) -> None:
        self.played.append(record)
        super()._redo_act(record)


MOST = {"dos": 600}
"""Entries of a log, where playing again takes long."""


def side_by_side(chosen: MatchSpec, seed: int, most: int = 900) -> list[bytes]:
    """Play games side by side, with a few faults and somebody who leaves; return the log, a record or two an entry."""
    rng, play = Random(seed), MatchPlay(chosen, SEED)
    log: list[bytes] = []
    leaves = rng.randrange(300, 600)
    while not play.over and len(log) < most:
        if len(play.tables) < 3 and (game := play.next_game()) is not None:
            play.start(game)
        table = rng.choice(list(play.tables.values()))
        if table.round_over:
            log.append(play.end_round(table))
            continue
        seat = rng.choice(sorted(table.round.asked))
        picks, call, color = table.round.default(seat)
        if table.round.picks(seat) == (1, 1):
            picks = int(rng.random() * max(1, len(table.round.options(seat)) - 1))
        fault = Fault.LATE if rng.random() < 0.004 else Fault.NONE
        log.append(play.act(table, seat, picks, color | (32 if call else 0), 0, fault, rng.randrange(200)))
        if len(log) == leaves and chosen.format.seats > 2:
            log.append(play.leave(1, LeaveReason.ABSENT))
    return log


def bare(log: list[bytes], keep: int = 0) -> list[bytes]:
    """Return a log without the results of rounds, as it was once written; `keep`: with those of the last entries."""
    results = [b"", *(b"" for _ in log)]
    first = len(log) - keep
    for number, entry in enumerate(log[:first]):
        told = [record for record in logbook.records(entry) if isinstance(record, RoundResult)]
        results[number] = b"".join(map(logbook.round_result, told))
    return [entry.removesuffix(result) for entry, result in zip(log, results, strict=False)]


def state(play: MatchPlay) -> tuple[object, ...]:
    """Return all that a match goes on from."""
    tables = {
        game: (table.round.digest(), table.game.round_index, table.game.scores, table.game.rounds_won, table.game.out)
        for game, table in play.tables.items()
    }
    clocks = {game: [clock.bank_ms for clock in seats] for game, seats in play.clocks.items()}
    counts = (play.games_done, play.rounds_done, play.fault_kinds, play.lost, play.gone, play.latest, play.begun)
    return tables, clocks, counts, play.results


async def again(chosen: MatchSpec, log: list[bytes]) -> Watched:
    """Rebuild a match as a referee does that takes it up."""
    play = Watched(chosen)
    await redo(play, [(1, number, data) for number, data in enumerate(log)], Machine())
    return play


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(spec(meetings=4), id="games of one round"),
        pytest.param(spec("uno-house-200-3", meetings=1), id="games of many rounds"),
        pytest.param(spec("uno-pairs-500-4", meetings=1), id="pairs"),
        pytest.param(spec("dos-200-2", meetings=1), id="the winner deals"),
        pytest.param(spec("duo-200", meetings=1), id="points against"),
    ],
)
async def test_only_rounds_that_are_open_are_played_again(chosen: MatchSpec) -> None:
    """The rebuilt match is the same, wherever its log ends, and however much has no results: older logs have none."""
    whole = side_by_side(chosen, 7, most=MOST.get(chosen.format.rules.game, 900))
    for cut in (len(whole) // 2, len(whole)):
        log = whole[:cut]
        folded, quick = fold(chosen, SEED, log), await again(chosen, log)
        assert state(quick) == state(folded)
        open_games = quick.tables.keys()
        assert {record.game for record in quick.played} <= open_games
        assert len(quick.played) == _since_the_last_ends(log, open_games)
        for old in (bare(log), bare(log, keep=cut // 2)):
            assert state(await again(chosen, old)) == state(folded)
        assert folded.rounds_done > 1 or log != whole


def _since_the_last_ends(log: list[bytes], games: Collection[int]) -> int:
    """Return how many answers of these games follow the last end of a round of each."""
    counts = dict.fromkeys(games, 0)
    for entry in log:
        for record in logbook.records(entry):
            if isinstance(record, ActRecord | RoundRecord) and record.game in counts:
                counts[record.game] = counts[record.game] + 1 if isinstance(record, ActRecord) else 0
    return sum(counts.values())


def test_a_result_that_the_round_did_not_have_is_found_when_it_is_played_again() -> None:
    """Whoever verifies plays everything again; so does a worker before it rates."""
    chosen = spec("uno-house-200-3", meetings=1)
    log = side_by_side(chosen, 7)
    fold(chosen, SEED, log)
    at = next(n for n, one in enumerate(log) if any(isinstance(record, RoundResult) for record in logbook.records(one)))
    told = next(record for record in logbook.records(log[at]) if isinstance(record, RoundResult))
    points = (*told.end.points[:-1], told.end.points[-1] + 1)
    wrong = logbook.round_result(replace(told, end=told.end._replace(points=points)))
    log[at] = log[at].removesuffix(logbook.round_result(told)) + wrong
    with pytest.raises(EngineMismatchError, match="the log has another result of the round"):
        fold(chosen, SEED, log)


@pytest.mark.parametrize("nonces", [False, True], ids=["after its game was over", "before all nonces were there"])
async def test_an_answer_where_nothing_is_asked_is_refused_of_rounds_passed_over_too(*, nonces: bool) -> None:
    """By who plays all again, and by who takes the match up, where the result of the round is known ahead."""
    chosen = spec(meetings=2, with_nonces=nonces)
    _, entries = play_match(chosen)
    stray = logbook.act(0, 0, 1, 0, 0, 0, 0, 0)
    entries.insert(0 if nonces else 1, stray)
    with pytest.raises(EngineMismatchError, match="nonce" if nonces else "it is over"):
        fold(chosen, SEED, entries)
    with pytest.raises(EngineMismatchError, match="nonce" if nonces else "it is over"):
        await again(chosen, entries)


async def test_whatever_is_changed_in_a_log_is_refused_as_a_wrong_log() -> None:
    """Or taken up, and found by whoever plays it all again. Never as a mistake of ours."""
    chosen = spec("uno-house-200-3", meetings=1, with_nonces=True)
    _, entries = play_match(chosen, seed=4)
    log = b"".join(entries)
    told = [record for record in logbook.records(log) if isinstance(record, RoundResult)][:2]
    ends = [log.index(logbook.round_result(one)) - 12 for one in told]
    for index in (*range(0, 70, 5), *(end + n for end in ends for n in range(0, 30, 2))):
        for mask in (1, 64, 255):
            changed = log[:index] + bytes((log[index] ^ mask,)) + log[index + 1 :]
            try:
                await again(chosen, [changed])
            except (EngineMismatchError, CorruptLogError):
                continue
