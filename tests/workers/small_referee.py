"""A referee of few words: beats, says who is there, claims what is ready, and plays it at once with real rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ladder.store import Store
from ladder.store.presence import Online
from ladder.store.rows import Claimed, MatchRow
from referee import formats
from referee.hosting.takeover import seed_of
from referee.logbook import LeaveReason, stamp, time
from referee.machine import Machine
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.round import Round
from referee.table import Table
from tests.store.scenes import beats_for_good

FORMAT = "uno-classic-2"
BY_BOT, NO_FAULT, CALLS = 0, 0, 32
SLOW = (4_000, 900, 250)
"""Milliseconds that a slow answer is charged, that are given back beside them, and that its bot says it thought."""


def playing(names: Iterable[str], room: int = 64, formats: Iterable[str] = (FORMAT,)) -> dict[str, Online]:
    """Return these versions as connected bots."""
    return {name: Online(frozenset(formats), room) for name in names}


class SmallReferee:
    """One incarnation in a store."""

    def __init__(self, store: Store, me: str = "ref-small") -> None:
        self.store = store
        self.me = me
        self.played: list[str] = []
        self.by_secret = False
        """Whether it deals from the secret seed of a tournament, as referees do, where nobody shares deals, too."""
        self.said: dict[str, object] = {}
        """What more its beat says, from the next one on."""
        self.slow = False
        """Whether the first answer of every game takes `SLOW`."""
        self.beat(fresh=True)

    def beat(self, *, fresh: bool = False) -> None:
        """Renew the beat; it lasts as long as the test, however slow the machine is."""
        beats_for_good(self.store, self.me, fresh=fresh, **self.said)

    def seat(self, bots: Mapping[str, Online]) -> None:
        """Say that these bots are connected here, and nobody else."""
        here = self.store.presence.by_referee().get(self.me, {})
        self.store.presence.drop(self.me, set(here) - set(bots))
        self.store.presence.put(self.me, bots)

    def play(self, now_ms: int, most: int = 100, only: Collection[str] | None = None) -> list[str]:
        """Play what is ready, or of it only these; returns the ids."""
        self.beat(fresh=True)
        ready = [match for match in self.store.matches.ready_ids(now_ms, most) if only is None or match in only]
        done = [match for match in ready if self._play(match, now_ms)]
        self.played += done
        return done

    def begin(self, match: str, now_ms: int) -> Claimed | None:
        """Take a match on; None: it cannot be had."""
        row = self.store.matches.get(match)
        seed = seed_of(row, self.store, Machine()) if row.group or self.by_secret else bytes(32)
        claimed = self.store.matches.claim(match, self.me, now_ms, seed=seed)
        return claimed if isinstance(claimed, Claimed) else None

    def _play(self, match: str, now_ms: int) -> bool:
        claimed = self.begin(match, now_ms)
        if claimed is not None:
            self.end(claimed, now_ms)
        return claimed is not None

    def end(self, claimed: Claimed, now_ms: int, times: int = 1) -> None:
        """Play a match that was begun and say so, `times` times over: answers may be lost."""
        play = MatchPlay(spec_of(claimed.row), claimed.seed)
        absent = [e for e, bot in enumerate(claimed.row.entrants) if bot not in self.store.presence.online()]
        data = stamp(now_ms) + b"".join(play.leave(entrant, LeaveReason.NEVER_CAME) for entrant in absent)
        data += b"".join(play.set_nonce(entrant, None) for entrant in list(play.missing_nonces))
        while not play.over:
            game = play.next_game()
            assert game is not None
            data += _play_game(play, play.start(game), slow=self.slow)
        record, result = play.close()
        calls = self.store.matches.calls(claimed.row.id, me=self.me, tournament=claimed.row.tournament)
        head = self.store.matches.append(calls, claimed.head, data) if data else claimed.head
        for _ in range(times):
            self.store.matches.close(calls, head, record, now_ms=now_ms, result=result, games_done=play.spec.games)


def spec_of(row: MatchRow) -> MatchSpec:
    """Return what a row asks to play."""
    played = formats.get(row.format, deals=row.deals)
    return MatchSpec(row.id, played, row.entrants, row.meetings, row.nonces, group=row.group, log_format=row.log_format)


def _play_game(play: MatchPlay, table: Table, *, slow: bool) -> bytes:
    data = b""
    if slow:
        seat, asked = next(iter(table.round.asked)), table.round.asked_at
        charged, given_back, thought = SLOW
        data += play.act(table, seat, *_answer(table.round, seat), BY_BOT, NO_FAULT, charged)
        data += time(table.index, seat, asked, given_back, thought)
    while play.results[table.index] is None:
        while not table.round_over:
            seat = next(iter(table.round.asked))
            picks, flags = _answer(table.round, seat)
            data += play.act(table, seat, picks, flags, BY_BOT, NO_FAULT, 3)
        data += play.end_round(table)
    return data


def _answer(current: Round, seat: int) -> tuple[int | tuple[int, ...], int]:
    """Return the first option, and that the last card is called: bots that play what comes first end soon."""
    if current.picks(seat) == (1, 1):
        return 0, CALLS
    picks, _, color = current.default(seat)
    return picks, color | CALLS
