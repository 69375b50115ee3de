"""A tournament played by numbers: the real schedule, window and outlook of the planner, and bots that take time."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from ladder.pace import Pace
from ladder.store.rows import MatchRow, MatchState
from workers.remaining import remaining
from workers.schedule.balanced import balanced
from workers.schedule.gauntlet import Gauntlet
from workers.schedule.pairing import Pairing, RoundRobin
from workers.schedule.schedule import Fixture, Schedule
from workers.schedule.window import Cursor, Window, choose
from workers.tournaments.outlook import Outlook

STEP_S: Final = 0.25
LOOKS: Final = 4
"""Steps from one look of the planner to the next."""
ROOM: Final = 32


@dataclass(slots=True)
class Playing:
    """A match under way."""

    fixture: Fixture
    game_s: float
    """That one of its games takes."""
    left: float
    """Games."""

    @property
    def done(self) -> int:
        """Games that are over."""
        return self.fixture.meetings * len(self.fixture.entrants) - math.ceil(self.left)


@dataclass(frozen=True, slots=True)
class Told:
    """What was said at a moment."""

    at_s: float
    games: int
    """Done by then."""
    eta_s: float | None


@dataclass(frozen=True, slots=True)
class Run:
    """A tournament that was played."""

    told: tuple[Told, ...]
    games: int
    seconds: float

    def off(self, told: Told) -> float:
        """Return what was said of the time to go, over what it was."""
        assert told.eta_s is not None
        return told.eta_s / (self.seconds - told.at_s)


@dataclass(slots=True)
class Simulation:
    """Bots, referees and chance."""

    schedule: Schedule
    seed: int
    thinks_s: Mapping[str, float] = field(default_factory=dict)
    """What a bot's moves in one game take, where it is not `usual_s`."""
    usual_s: float = 0.5
    comes_s: Mapping[str, float] = field(default_factory=dict)
    """When a bot comes; all others are there from the beginning."""
    referees: int = 1
    each: float = 200.0
    """Games a second that a referee can play."""
    startup_s: float = 2.0

    def run(self) -> Run:
        """Play it all."""
        chance, told = Random(self.seed), list[Told]()
        pace, outlook, cursor = Pace(), Outlook(), Cursor()
        waiting, playing, done, step = list[Fixture](), list[Playing](), 0.0, 0
        while step == 0 or waiting or playing or cursor.created < len(self.schedule):
            at_s = step * STEP_S
            if step % LOOKS == 0:
                there = [bot for bot in self.schedule.entrants if self.comes_s.get(bot, 0.0) <= at_s]
                opened = [
                    *(_row(one, MatchState.READY, 0) for one in waiting),
                    *(_row(one.fixture, MatchState.RUNNING, one.done) for one in playing),
                ]
                loads = self._loads(opened)
                speed = max(pace.games_per_second(_ms(at_s), int(done)), 1.0)
                rooms = [ROOM if bot in there else 0 for bot in self.schedule.entrants]
                window = Window(dict.fromkeys(there, ROOM), 256 * self.referees, speed, self.schedule.seats)
                chosen = choose(self.schedule, cursor, window.room(loads))
                left = remaining(self.schedule, chosen.cursor, opened, chosen.ready)
                waiting, cursor = [*waiting, *chosen.ready], chosen.cursor
                speed = pace.games_per_second(_ms(at_s), int(done))
                outlook = outlook.seen(_ms(at_s), left)
                pace = replace(pace.seen(_ms(at_s), int(done)), over_ms=outlook.over_ms(_ms(at_s), left, speed, rooms))
                told.append(Told(at_s, int(done), pace.eta_s(_ms(at_s))))
            if at_s >= self.startup_s:
                waiting = self._claim(waiting, playing, chance)
                done += self._play(playing)
                playing = [one for one in playing if one.left > 1e-9]
            step += 1
        return Run(tuple(told), self.schedule.games, step * STEP_S)

    def _loads(self, opened: Sequence[MatchRow]) -> dict[str, int]:
        loads = dict[str, int]()
        for row in opened:
            for bot in row.entrants:
                loads[bot] = loads.get(bot, 0) + row.meetings * len(row.entrants)
        return loads

    def _claim(self, waiting: Sequence[Fixture], playing: list[Playing], chance: Random) -> list[Fixture]:
        """Begin the matches whose bots have room; returns the others."""
        room, kept = dict.fromkeys(self.schedule.entrants, ROOM), []
        for one in playing:
            self._seat(one, room)
        for fixture in waiting:
            if min(room[bot] for bot in fixture.entrants) <= 0:
                kept.append(fixture)
                continue
            game_s = sum(self.thinks_s.get(bot, self.usual_s) for bot in fixture.entrants)
            games = float(fixture.meetings * len(fixture.entrants))
            playing.append(Playing(fixture, game_s * math.exp(chance.gauss(0, 0.1)), games))
            self._seat(playing[-1], room)
        return kept

    def _seat(self, one: Playing, room: dict[str, int]) -> int:
        """Take the room of the games that a match plays now; returns how many those are."""
        at_once = min(math.ceil(one.left), *(room[bot] for bot in one.fixture.entrants))
        for bot in one.fixture.entrants:
            room[bot] -= at_once
        return at_once

    def _play(self, playing: Sequence[Playing]) -> float:
        """Let a step pass; returns the games that were played."""
        room = dict.fromkeys(self.schedule.entrants, ROOM)
        rates = [self._seat(one, room) / one.game_s for one in playing]
        share = min(1.0, self.each * self.referees / max(sum(rates), 1e-9))
        played = 0.0
        for one, rate in zip(playing, rates, strict=True):
            more = min(rate * share * STEP_S, one.left)
            one.left -= more
            played += more
        return played


def schedule(bots: int, seats: int = 2, meetings: int = 50, *, gauntlet: bool = False) -> Schedule:
    """Return the schedule of so many bots."""
    pairing: Pairing = RoundRobin(bots) if seats == 2 else balanced(bots, seats)
    pairing = Gauntlet(bots, seats) if gauntlet else pairing
    return Schedule("spring", pairing, tuple(f"bot-{number}@1" for number in range(bots)), meetings, 1, spread=gauntlet)


def _ms(at_s: float) -> int:
    return 1_800_000_000_000 + round(at_s * 1000)


def _row(fixture: Fixture, state: MatchState, done: int) -> MatchRow:
    fields = {
        "id": str(fixture.id), "format": "uno-classic-2", "ruleset": "", "rules_version": "1",
        "entrants": json.dumps(fixture.entrants), "meetings": str(fixture.meetings), "deals": "fresh", "nonces": "1",
        "rated": "1", "tournament": "spring", "leg": "1", "table": "1", "part": "0", "state": state,
        "number": "1", "owner": "", "created_ms": "0", "games_done": str(done),
        "reason": "", "stop": "", "result": "", "digest": "",
    }  # fmt: skip
    return MatchRow.of(fields)
