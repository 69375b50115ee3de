"""What many runs came to: counted, and told in one line."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from tests.simulate.far import run_far
from tests.simulate.invariant import Problem
from tests.simulate.run import run
from tests.simulate.scenario import Kind
from tests.simulate.timeline import Callback

REPEAT = "./dev simulate --seeds 1 --from {seed} --show"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run came to; small, so that it travels between processes.

    Attributes:
        seed: of the run.
        problems: what was wrong.
        states: how the matches ended.
        writes: entries that the store accepted.
        claims: how often a match changed hands, its first claim included.
        faults: what went wrong, by kind.
        seconds: virtual time that passed.
        slowest: what kept a loop longest, if anybody looked.
    """

    seed: int
    problems: tuple[Problem, ...]
    states: Counter[str]
    writes: int
    claims: int
    faults: Counter[str]
    seconds: float
    slowest: Callback | None

    @classmethod
    def of(cls, seed: int, kinds: Iterable[Kind] = (), *, trunks: bool = False) -> Self:
        """Make the run of a seed."""
        world = (run_far if trunks else run)(seed, tuple(kinds))
        journal = world.server.journal
        return cls(
            seed=seed,
            problems=tuple(world.problems),
            states=Counter(str(world.ledger.matches.get(plan.id).state) for plan in world.plans),
            writes=len(journal),
            claims=sum(write.script == "claim" for write in journal),
            faults=Counter(kind.value for kind in world.weather.done),
            seconds=world.timeline.now,
            slowest=world.timeline.slowest,
        )


@dataclass(slots=True)
class Tally:
    """The sum of outcomes."""

    runs: int = 0
    failed: list[int] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    writes: int = 0
    claims: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: Callback | None = None

    def add(self, outcome: Outcome) -> None:
        """Count a run."""
        self.runs += 1
        self.states += outcome.states
        self.writes += outcome.writes
        self.claims += outcome.claims
        self.faults += outcome.faults
        self.seconds += outcome.seconds
        if outcome.slowest is not None:
            self.slowest = max(self.slowest or outcome.slowest, outcome.slowest)
        if outcome.problems:
            self.failed.append(outcome.seed)

    def __str__(self) -> str:
        states = ", ".join(f"{count:,} {state}" for state, count in sorted(self.states.items()))
        return (
            f"{self.runs:,} runs, {self.faults.total():,} faults, {self.seconds / 3600:.1f} h of virtual time; "
            f"{self.states.total():,} matches ({states}), {self.claims:,} claims, {self.writes:,} log entries; "
            f"{len(self.failed)} runs failed"
        )


def told(outcome: Outcome, options: str = "") -> str:
    """Return what was wrong with a run, and how to see it again; `options`: what was asked for besides seeds."""
    lines = [f"seed {outcome.seed}: {len(outcome.problems)} problems"]
    lines += [f"  {problem}" for problem in outcome.problems[:5]]
    lines.append(f"  see it again: {REPEAT.format(seed=outcome.seed)}{options}")
    return "\n".join(lines)
