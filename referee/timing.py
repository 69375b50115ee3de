"""What became of the time of decisions that were slow, late or wrong: from a match's log, for people.

Nothing is decided by it. The referee measures how long a decision took, the bot may say how long it thought; what is
left between the two is the network, or the queue in which the bot let the question wait.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from referee.logbook import ActRecord, Fault, Record, RoundRecord, Stamp, TimeRecord, records
from referee.match_result import FAULT_NAMES

ROUNDING_MS: Final = 10
"""So much more than passed may be said by a bot that is honest: two clocks, and whole milliseconds."""
FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    "round": (int,),
    "act": (int, type(None)),
    "seat": (int,),
    "decision": (int, type(None)),
    "sent_ms": (int, type(None)),
    "taken_ms": (int,),
    "charged_ms": (int,),
    "given_back_ms": (int,),
    "thought_ms": (int, type(None)),
    "fault": (str, type(None)),
}
"""Of a decision in the field `timing` of a game's record, and what they may be."""


class Blame(StrEnum):
    """Whose doing the most of a decision's time was."""

    PLATFORM = "platform"
    THINKING = "thinking"
    LINE = "network or the bot's queue"
    UNKNOWN = "bot or network"


@dataclass(frozen=True, slots=True)
class DecisionTime:
    """What became of the time of one decision.

    Attributes:
        round: its round in the game, from 1.
        act: number of its act in the record of the round, from 1; None where the log was read without the rules.
        seat: who was asked.
        decision: its id, as the seat was told it; None: it was never put, or an older version logged no more of it.
        sent_ms: when it was put, in milliseconds since the match was taken on; None likewise.
        charged_ms: what was taken off the bot's time.
        given_back_ms: what the platform was slow beside that.
        thought_ms: what the bot says that it thought; None: it does not say.
        fault: name of the fault that was counted; None: none.
    """

    round: int
    act: int | None
    seat: int
    decision: int | None
    sent_ms: int | None
    charged_ms: int
    given_back_ms: int
    thought_ms: int | None
    fault: str | None

    @property
    def taken_ms(self) -> int:
        """Milliseconds from when it was handed to the transport, the last time, until its answer was there."""
        return self.charged_ms + self.given_back_ms

    @property
    def answered(self) -> bool:
        """Whether an answer of the bot came in time, right or wrong."""
        return self.fault != FAULT_NAMES[Fault.LATE]

    @property
    def overstated(self) -> bool:
        """Whether the bot says that it thought for longer than passed."""
        return self.thought_ms is not None and self.thought_ms > self.taken_ms + ROUNDING_MS

    @property
    def parts(self) -> dict[Blame, int]:
        """Milliseconds by whose doing they were, most first; none where nothing was put."""
        if self.decision is None and not self.answered and not self.charged_ms:
            return {}
        ours = self.given_back_ms
        if self.thought_ms is None:
            found = {Blame.UNKNOWN: self.charged_ms, Blame.PLATFORM: ours}
        else:
            thinking = min(self.thought_ms, self.taken_ms)
            found = {Blame.THINKING: thinking, Blame.LINE: self.taken_ms - thinking - ours, Blame.PLATFORM: ours}
        return {blame: ms for blame, ms in sorted(found.items(), key=lambda part: -part[1]) if ms > 0}

    def why(self) -> str:
        """Return whose doing its time was, in words."""
        parts = self.parts
        if not parts:
            return "at once" if self.answered else "not asked: the bot had used up its time of the round"
        words = [self._part(blame, span(ms)) for blame, ms in parts.items()]
        if self.overstated:
            words.append(f"the bot reports {span(self.thought_ms or 0)}, more than passed")
        return "; ".join(words)

    def _part(self, blame: Blame, length: str) -> str:
        match blame:
            case Blame.PLATFORM:
                return f"platform: {length}, given back"
            case Blame.UNKNOWN if not self.answered:
                return f"no answer in {length}"
            case Blame.UNKNOWN:
                return f"bot or network: {length}, the bot does not say how long it thought"
            case Blame.THINKING | Blame.LINE:
                return f"{blame.value}: {length}"

    def as_json(self) -> dict[str, Any]:
        """Return it as a record has it."""
        return {name: getattr(self, name) for name in FIELDS}

    def shown(self) -> dict[str, Any]:
        """Return it as programs are shown it: with whose doing it was."""
        blame = next(iter(self.parts), None)
        return self.as_json() | {"overstated": self.overstated, "blame": blame, "why": self.why()}


def of_record(record: Mapping[str, Any]) -> tuple[DecisionTime, ...]:
    """Return what the record of a game says of times; nothing where its field `timing` is somebody else's."""
    said = record.get("timing")
    if not isinstance(said, list) or not all(map(_is_ours, said)):
        return ()
    kept = [name for name in FIELDS if name != "taken_ms"]
    return tuple(DecisionTime(**{name: one[name] for name in kept}) for one in said)


def _is_ours(said: object) -> bool:
    return isinstance(said, dict) and all(type(said.get(name)) in kinds for name, kinds in FIELDS.items())


def span(ms: int) -> str:
    """Return a length of time in words."""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


class TimeReader:
    """Reads the records of a log in their order; `found` has the times by game, in the order of the log."""

    def __init__(self) -> None:
        self.found: dict[int, list[DecisionTime]] = {}
        self._begun_ms: int | None = None
        self._logged_ms = 0
        self._rounds: dict[int, int] = {}
        self._last: dict[int, tuple[ActRecord, int | None]] = {}

    def take(self, record: Record, act: int | None = None) -> None:
        """Read a record; `act` is the number of an act in its round, where that is known."""
        match record:
            case Stamp(at):
                self._begun_ms = at if self._begun_ms is None else self._begun_ms
                self._logged_ms = at
            case ActRecord(game=game):
                self._last[game] = record, act
                if record.fault:
                    self.found.setdefault(game, []).append(self._time(record, act, None))
            case TimeRecord(game=game):
                self._complete(record)
            case RoundRecord(game=game):
                self._rounds[game] = self._rounds.get(game, 0) + 1
                self._last.pop(game, None)
            case _:
                pass

    def _complete(self, said: TimeRecord) -> None:
        """Say more of the act before, or nothing where a damaged log has none."""
        record, act = self._last.pop(said.game, (None, None))
        if record is None or record.seat != said.seat:
            return
        found = self.found.setdefault(said.game, [])
        if record.fault:
            found.pop()
        found.append(self._time(record, act, said))

    def _time(self, record: ActRecord, act: int | None, said: TimeRecord | None) -> DecisionTime:
        ours = said.given_back_ms if said else 0
        sent = self._logged_ms - (self._begun_ms or 0) - record.ms - ours
        return DecisionTime(
            round=self._rounds.get(record.game, 0) + 1,
            act=act,
            seat=record.seat,
            decision=said.decision if said else None,
            sent_ms=max(0, sent) if said else None,
            charged_ms=record.ms,
            given_back_ms=ours,
            thought_ms=(said.thought_ms or None) if said else None,
            fault=FAULT_NAMES[record.fault] if record.fault else None,
        )


def times_of(entries: Iterable[bytes]) -> dict[int, list[DecisionTime]]:
    """Return the times of a log by game, without the rules.

    Raises:
        CorruptLogError: an entry cannot be read.
    """
    reader = TimeReader()
    for entry in entries:
        for record in records(entry):
            reader.take(record)
    return reader.found
