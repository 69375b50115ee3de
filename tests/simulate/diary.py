"""What the processes of one bot saw and said, over all streams and referees."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from lastcard.v1 import play_pb2 as pb
from tests.simulate.invariant import Complain, Invariant

Place: TypeAlias = tuple[str, int]
"""A round id and a seat."""
Said: TypeAlias = tuple[tuple[int, ...], bool, int]


@dataclass(slots=True)
class Diary:
    """A bot's memory for the judge.

    What is seen twice must be the same both times; `complain` is told where it is not.

    Attributes:
        events: by place, event number -> kind, seat, card, arg.
        decisions: by place, decision id and events told by then -> the encoded decision. Who leaves changes what others
            see of the round, which an event tells, and what they are asked stays open.
        ends: by place, the encoded end of the round without its fault count.
        answers: by place and decision id, what was answered.
        losses: by place, how often a stream ended in the middle of the round.
        thoughts: by place and decision id, the longest time in seconds from a question to its answer.
        acknowledged: by place and decision id, the answer that it was told counts.
        commitments, seeds, voids: by match.
        faults: replies that named a fault.
    """

    bot: str
    complain: Complain
    events: dict[Place, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    decisions: dict[Place, dict[tuple[int, int], bytes]] = field(default_factory=lambda: defaultdict(dict))
    ends: dict[Place, bytes] = field(default_factory=dict)
    answers: dict[tuple[str, int, int], list[Said]] = field(default_factory=lambda: defaultdict(list))
    losses: Counter[Place] = field(default_factory=Counter)
    thoughts: dict[tuple[str, int, int], float] = field(default_factory=dict)
    acknowledged: dict[tuple[str, int, int], Said] = field(default_factory=dict)
    commitments: dict[str, bytes] = field(default_factory=dict)
    seeds: dict[str, bytes] = field(default_factory=dict)
    voids: dict[str, str] = field(default_factory=dict)
    faults: int = 0

    def told(self) -> object:
        """Return all that it was told and said, in an order of its own; for a digest."""
        told = (self.events, self.decisions, self.ends, self.answers, self.thoughts, self.acknowledged)
        return [sorted(one.items()) for one in (*told, self.commitments, self.seeds, self.voids)], self.faults

    def turn(self, place: Place, turn: pb.Turn, known: int) -> None:
        """Note a turn; `known`: events of the round that the process has seen."""
        if turn.first_event > known:
            self.complain(Invariant.SEEN, f"{self.bot} misses events {known}-{turn.first_event - 1} of {place}")
        seen = self.events[place]
        columns = zip(turn.event_kind, turn.event_seat, turn.event_card, turn.event_arg, strict=True)
        for number, column in enumerate(columns, turn.first_event):
            event = bytes(column)
            if seen.setdefault(number, event) != event:
                text = f"{self.bot} sees event {number} of {place} change from {seen[number]!r} to {event!r}"
                self.complain(Invariant.SEEN, text)
        if turn.HasField("decision"):
            self._decision(place, turn)
        elif turn.HasField("end"):
            turn.end.faults = 0
            end = turn.end.SerializeToString()
            if self.ends.setdefault(place, end) != end:
                self.complain(Invariant.SEEN, f"{self.bot} sees the end of {place} change")

    def _decision(self, place: Place, turn: pb.Turn) -> None:
        decision = turn.decision.SerializeToString()
        asked = turn.act, turn.first_event + len(turn.event_kind)
        if self.decisions[place].setdefault(asked, decision) != decision:
            self.complain(Invariant.SEEN, f"{self.bot} sees decision {turn.act} of {place} change")

    def answer(self, place: Place, act: int, said: Said, thought_s: float) -> None:
        """Note an answer, and how long it took."""
        self.answers[*place, act].append(said)
        self.thoughts[*place, act] = max(thought_s, self.thoughts.get((*place, act), 0.0))

    def acknowledge(self, place: Place, act: int, said: Said) -> None:
        """Note that the bot was told that an answer counts."""
        if self.acknowledged.setdefault((*place, act), said) != said:
            self.complain(Invariant.KEPT, f"{self.bot} is told that two answers to {act} of {place} count")

    def match(self, start: pb.MatchStart) -> None:
        """Note that a match begins."""
        if self.commitments.setdefault(start.match, start.commitment) != start.commitment:
            self.complain(Invariant.SEED, f"{self.bot} sees the commitment of {start.match} change")

    def match_end(self, end: pb.MatchEnd) -> None:
        """Note that a match is over."""
        if self.seeds.setdefault(end.match, end.seed) != end.seed:
            self.complain(Invariant.SEED, f"{self.bot} sees two seeds of {end.match}")
        if end.match in self.voids and self.voids[end.match] != end.void_reason:
            self.complain(Invariant.SEEN, f"{self.bot} sees {end.match} end in two ways")
        self.voids[end.match] = end.void_reason
