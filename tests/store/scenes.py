"""Plans, results and hosts, as tests of the store need them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from ladder.results import MatchResult
from ladder.store import Store
from ladder.store.ladder_log import Ladder
from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed, MatchPlan

SEED = b"s" * 32
LADDER = Ladder("uno-classic-2", "r" * 16, 2)


def plan(match: str = "cup.1.1.0", entrants: Sequence[str] = ("ann@1", "bob@1"), **changes: object) -> MatchPlan:
    """A match of two."""
    fields: dict[str, object] = {
        "id": match,
        "format": LADDER.format,
        "ruleset": LADDER.ruleset,
        "rules_version": 1,
        "entrants": tuple(entrants),
        "meetings": 2,
    }
    return MatchPlan(**(fields | changes))  # type: ignore[arg-type]


def result_text(ranks: Sequence[Sequence[Sequence[int]]], faults: Sequence[int] | None = None) -> str:
    """The result that a closing entry carries, for places by meeting and game."""
    seats = len(ranks[0][0])
    meetings = [
        {
            "games": [
                {
                    "seats": list(range(seats)),
                    "ranks": list(places),
                    "points": [10 * (seats - place) for place in places],
                    "left": [place - 1 for place in places],
                    "ending": "OUT",
                    "rounds": 1,
                    "digest": "00",
                }
                for places in games
            ]
        }
        for games in ranks
    ]
    return json.dumps({"meetings": meetings, "faults": list(faults or [0] * seats)}, sort_keys=True)


def result(
    match: str,
    entrants: Sequence[str],
    ranks: Sequence[Sequence[Sequence[int]]],
    *,
    teams: Sequence[int] | None = None,
    ladder: Ladder = LADDER,
) -> MatchResult:
    """A result to be applied."""
    seats = len(entrants)
    games = sum(map(len, ranks))
    return MatchResult(
        match=match,
        format=ladder.format,
        ruleset=ladder.ruleset,
        entrants=tuple(entrants),
        teams=tuple(teams or range(seats)),
        ranks=tuple(tuple(map(tuple, meeting)) for meeting in ranks),
        points=tuple(7 * seat for seat in range(seats)),
        rounds=(games,) * seats,
        faults=tuple(seat % 2 for seat in range(seats)),
        record=sha256(match.encode()).hexdigest(),
    )


@dataclass
class Host:
    """A referee that hosts one match through the facade."""

    store: Store
    me: str = "ref-1"

    def claim(self, match: str = "cup.1.1.0", now_ms: int = 1_000, seed: bytes = SEED) -> Claimed:
        """Beats and claims; the claim must succeed."""
        self.store.matches.beat(self.me, {}, fresh=True)
        claimed = self.store.matches.claim(match, self.me, now_ms, seed=seed, data=self.me.encode())
        assert isinstance(claimed, Claimed), claimed
        return claimed

    def append(self, head: str, data: bytes, match: str = "cup.1.1.0", tournament: str = "") -> str:
        """Appends an entry."""
        return self.store.matches.append(self.store.matches.calls(match, me=self.me, tournament=tournament), head, data)

    def close(self, head: str, text: str, match: str = "cup.1.1.0", tournament: str = "", games: int = 4) -> str:
        """Closes the match with a result."""
        calls = self.store.matches.calls(match, me=self.me, tournament=tournament)
        return self.store.matches.close(calls, head, b"end", now_ms=2_000, result=text, games_done=games)

    def die(self) -> None:
        """Stops beating, at once."""
        self.store.matches.leave(self.me)


def parked(store: Store, match: str = "cup.1.1.0", reason: str = "why", now_ms: int = 7) -> None:
    """Parks a match as a referee does whose own bug stopped it; that referee is gone afterwards."""
    host = Host(store, "ref-parks")
    head = host.claim(match, now_ms).head
    calls = store.matches.calls(match, me=host.me, tournament=store.matches.get(match).tournament)
    store.matches.close(calls, head, b"park", now_ms=now_ms, ending=Ending.PARKED, reason=reason)
    host.die()


def beats_for_good(store: Store, referee: str, *, fresh: bool = True, **said: object) -> None:
    """Have a referee beat as long as a test lasts, however slow the machine is, and say more of itself."""
    store.matches.beat(referee, {"play": "127.0.0.1:1", "capacity": 1024, "logs": [1, 2], **said}, fresh=fresh)
    store.link.read("PERSIST", store.keys.beat(referee))
