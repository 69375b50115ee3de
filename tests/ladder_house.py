"""A house that has played: bots, ladders, tournaments and matches written through the store as its processes do."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ladder.results import MatchResult
from ladder.store import Store
from ladder.store.ladder_log import Ladder
from ladder.store.presence import Online
from ladder.store.rows import Claimed, MatchPlan, MatchRow
from tests.store.scenes import beats_for_good
from workers.tournaments.notes import Notes

FORMAT = "uno-classic-2"
RULESET = "0123456789abcdef"
NOW_MS = time.time_ns() // 1_000_000 - 3_600_000
ME = "referee-test"
STRENGTH = {"careful": 1.5, "greedy": 1.25, "first": 1.0, "random": 0.8}
KINDS = ("late", "illegal", "malformed")


@dataclass
class House:
    """Writes to one store, deterministically."""

    store: Store
    format: str = FORMAT
    seats: int = 2
    tokens: dict[str, str] = field(default_factory=dict)
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    clock_ms: int = NOW_MS

    def register(self, *names: str, owner: str = "Ada") -> list[str]:
        """Register bots and give each a first version; returns the versions."""
        for name in names:
            _, self.tokens[name] = self.store.registry.register(name, owner, now_ms=self.tick(), house=name in STRENGTH)
        return [self.store.registry.version(name, "1", now_ms=self.tick()) for name in names]

    def enter(self, versions: Sequence[str]) -> None:
        """Enter versions in the ladder."""
        self.store.ratings.enter(Ladder(self.format, RULESET, self.seats), dict.fromkeys(versions))

    def connect(self, *versions: str) -> None:
        """Connect versions to a referee."""
        self.beat()
        self.store.presence.put(ME, {version: Online(frozenset({self.format}), 64) for version in versions})

    def beat(self) -> None:
        """Have the referee beat, for good: that a test is slow does not end it."""
        beats_for_good(self.store, ME)

    def match(self, match: str, entrants: Sequence[str], meetings: int = 5, tournament: str = "") -> MatchPlan:
        """Plan a match."""
        plan = MatchPlan(match, self.format, RULESET, 1, tuple(entrants), meetings, tournament=tournament)
        self.store.matches.plan([plan], self.tick())
        return plan

    def play(self, plan: MatchPlan, faults: Sequence[int] | None = None, away: Sequence[int] = ()) -> int:
        """Claim, play, close and apply a match that `away` left; returns its number in the log of the ladder."""
        self.close(plan, faults, away)
        result = MatchResult.of(self.store.matches.get(plan.id))
        applied = self.store.ratings.apply(result)
        self.store.matches.settle(plan.id, seq=applied.seq)
        return applied.seq

    def play_row(self, row: MatchRow) -> int:
        """Play a match that was planned before."""
        return self.play(self.plan_of(row))

    def plan_of(self, row: MatchRow) -> MatchPlan:
        """Return how it was planned."""
        return MatchPlan(row.id, row.format, row.ruleset, 1, row.entrants, row.meetings, tournament=row.tournament)

    def close(self, plan: MatchPlan, faults: Sequence[int] | None = None, away: Sequence[int] = ()) -> None:
        """Claim, play and close a match."""
        matches = self.store.matches
        self.beat()
        claimed = matches.claim(plan.id, ME, self.tick(), seed=self.chance.randbytes(32))
        assert isinstance(claimed, Claimed), claimed
        result = self.result(plan, faults or [0] * len(plan.entrants), away)
        text = json.dumps(result, sort_keys=True, separators=(",", ":"))
        calls = matches.calls(plan.id, me=ME, tournament=plan.tournament)
        games = plan.meetings * len(plan.entrants)
        matches.close(calls, claimed.head, b"end", now_ms=self.tick(), result=text, games_done=games)

    def result(self, plan: MatchPlan, faults: Sequence[int], away: Sequence[int] = ()) -> dict[str, Any]:
        """Return what a referee would write, the stronger bots more often ahead."""
        kinds = [dict.fromkeys(KINDS, 0) | {"late": count} for count in faults]
        meetings = [
            {"games": [self.game(plan.entrants, seats) for seats in self.seatings(plan)]} for _ in range(plan.meetings)
        ]
        forfeits = [{"entrant": entrant, "reason": "ABSENT"} for entrant in away]
        return {"meetings": meetings, "faults": list(faults), "fault_kinds": kinds, "forfeits": forfeits}

    def seatings(self, plan: MatchPlan) -> Iterator[list[int]]:
        """Yield the rotations of one circular order."""
        seats = list(range(len(plan.entrants)))
        yield from (seats[turn:] + seats[:turn] for turn in seats)

    def game(self, entrants: Sequence[str], seats: list[int]) -> dict[str, Any]:
        """Return one game."""
        luck = {
            index: self.chance.expovariate(STRENGTH.get(bot.partition("@")[0], 1.0))
            for index, bot in enumerate(entrants)
        }
        order = sorted(luck, key=luck.__getitem__)
        ranks = [order.index(index) + 1 for index in range(len(entrants))]
        left = [0 if rank == 1 else self.chance.randrange(1, 90) for rank in ranks]
        points = [sum(left) if rank == 1 else 0 for rank in ranks]
        digest = self.chance.randbytes(8).hex()
        return {
            "seats": seats, "ranks": ranks, "points": points, "left": left,
            "ending": "OUT", "rounds": 1, "digest": digest,
        }  # fmt: skip

    def tournament(self, name: str, versions: Sequence[str], matches: int, meetings: int = 50) -> None:
        """Create a tournament that has begun."""
        spec = {
            "name": name, "format": self.format, "bots": [version.partition("@")[0] for version in versions],
            "meetings": meetings, "cycles": 1, "deals": None, "kind": "roundrobin", "grace_s": 120,
        }  # fmt: skip
        self.store.tournaments.create(name, spec, state="scheduled", now_ms=self.tick())
        notes = Notes(kin={version: number for number, version in enumerate(versions, 1)})
        self.store.tournaments.move(
            name, ["scheduled"], "running", now_ms=self.tick(), entrants=list(versions), matches=matches,
            schedule=notes.text(),
        )  # fmt: skip

    def pace(self, name: str, *samples: tuple[int, int], over_ms: int = 0) -> None:
        """Note when how many games of a tournament were done, and when it will be over, as its planner does."""
        schedule = json.dumps({"pace": samples, "over": over_ms})
        self.store.tournaments.move(name, ["running"], "running", now_ms=self.tick(), schedule=schedule)

    def finish(self, name: str) -> None:
        """End a tournament; what is still to be played is void."""
        for match in sorted(self.store.tournaments.open_ids(name)):
            self.store.matches.void(match, "the end", "the house", self.tick())
        assert self.store.tournaments.move(name, ["running"], "finished", now_ms=self.tick())
        self.store.reveals.carry_out()

    def tick(self) -> int:
        """Return a time that never stands still."""
        self.clock_ms += 250
        return self.clock_ms


def played_house(store: Store, *, parts: int = 2, meetings: int = 5, left: int = 1) -> House:
    """Return a house with the four house bots, a tournament in which `left` matches are still to come, and faults."""
    house = House(store)
    versions = house.register(*STRENGTH)
    house.enter(versions)
    house.connect(*versions)
    pairs = [(pair, part) for part in range(parts) for pair in combinations(versions, 2)]
    house.tournament("spring-cup", versions, len(pairs), meetings * parts)
    for number, (pair, part) in enumerate(pairs):
        plan = house.match(f"spring-cup.{number + 1}.1.{part}", pair, meetings, "spring-cup")
        if number < len(pairs) - left:
            house.play(plan, [0, number % 2])
    return house
