"""Answers that come late, twice, out of order or from another seat: the games are those that they would have been."""

from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from referee.door.service import BAD_COLOR
from referee.hosting.seats import Seat
from referee.hosting.sessions import Session
from referee.wire import ReplyCode
from tests.referee.test_late import Desk

pytestmark = pytest.mark.slow

HARMLESS = {ReplyCode.OK, ReplyCode.STALE, ReplyCode.ROUND_OVER, ReplyCode.FOREIGN}
AT_ONCE = 12
STEPS = 30_000
SHARES = st.sampled_from((0.0, 0.2, 0.6))


@dataclass(frozen=True)
class Said:
    """An answer on its way: by whom, to what."""

    session: Session
    handle: int
    act: int
    pick: int


@dataclass
class Post:
    """A desk whose bots answer every question at once, and always alike; the answers lie here until they are handed in.

    Attributes:
        waiting: answers that were not handed in yet.
        codes: what was told of answers that did not count.
    """

    desk: Desk = field(default_factory=lambda: Desk(rounds=AT_ONCE))
    waiting: list[Said] = field(default_factory=list)
    codes: set[ReplyCode] = field(default_factory=set)
    _known: set[tuple[str, int, int]] = field(default_factory=set)

    def collect(self) -> None:
        """Let out what there is, and take an answer to every question that is new."""
        self.desk.deliver()
        for session in self.desk.sessions:
            for seat in session.open:
                assert isinstance(seat, Seat)
                if (seat.round_id, seat.number, seat.act) not in self._known:
                    self._known.add((seat.round_id, seat.number, seat.act))
                    chance = Random(f"{seat.round_id} {seat.number} {seat.act}")
                    # The last option is to draw, or to do nothing: rounds would take long.
                    pick = chance.randrange(max(1, len(seat.table.round.options(seat.number)) - 1))
                    self.waiting.append(Said(session, seat.handle, seat.act, pick))

    def hand_in(self, said: Said, session: Session | None = None) -> None:
        """Hand an answer in, or have another session do so."""
        told = self.desk.host.asker.answer(session or said.session, said.handle, said.act, said.pick, 0)
        if told is not None:
            self.codes.add(told[0])

    def steal(self, said: Said, thief: Session) -> None:
        """Have another session hand it in, unless it has a question of its own by that name."""
        mine = thief.handles.get(said.handle)
        if thief is not said.session and (mine is None or mine.act != said.act):
            self.hand_in(said, thief)

    @property
    def over(self) -> bool:
        """Whether every game is."""
        return self.desk.hosted.play.over

    def games(self) -> list[object]:
        """Return how every game ended."""
        return [result and result.as_json() for result in self.desk.hosted.play.results]


def in_order() -> list[object]:
    """Return how the games end where every answer is handed in as it comes."""
    post = Post()
    while not post.over:
        post.collect()
        for said in post.waiting:
            post.hand_in(said)
        post.waiting.clear()
    assert post.codes == set()
    return post.games()


IN_ORDER = in_order()


@settings(max_examples=20)
@given(st.integers(0, 2**32), SHARES, SHARES, SHARES)
def test_games_are_those_of_the_first_answers(seed: int, twice: float, again: float, stolen: float) -> None:
    """Whatever is handed in when: each game is what it was, nobody has a fault, and what did not count is told so."""
    post, chance = Post(), Random(seed)
    handed_in: list[Said] = []
    for _ in range(STEPS):
        post.collect()
        if post.over:
            break
        said = post.waiting[chance.randrange(len(post.waiting))]
        if chance.random() < stolen:
            post.steal(said, chance.choice(post.desk.sessions))
        else:
            post.hand_in(said)
            if chance.random() >= twice:
                post.waiting.remove(said)
            handed_in.append(said)
        if handed_in and chance.random() < again:
            post.hand_in(chance.choice(handed_in))
    assert post.over
    assert post.games() == IN_ORDER
    assert post.codes <= HARMLESS
    assert post.desk.faults() == 0


class Liar(RuleBasedStateMachine):
    """A desk at which now and then somebody lies, repeats itself or invents; each is told what that is."""

    told: ClassVar[set[ReplyCode]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.post = Post()
        self.given: list[Said] = []
        self.lies = 0
        self.post.collect()

    def _say(self, said: Said, pick: int, flags: int = 0) -> ReplyCode | None:
        told = self.post.desk.host.asker.answer(said.session, said.handle, said.act, pick, flags)
        self.post.collect()
        if told is not None:
            Liar.told.add(told[0])
        return told[0] if told else None

    def _next(self) -> Said | None:
        """Return an answer that is still asked for, if there is one; forget the others."""
        while self.post.waiting:
            said = self.post.waiting.pop(0)
            seat = said.session.handles.get(said.handle)
            if seat is not None and seat.act == said.act and seat.released:
                self.given.append(said)
                return said
        return None

    @rule(count=st.integers(1, 60))
    def honest(self, count: int) -> None:
        """Everybody answers what is asked."""
        for _ in range(count):
            if said := self._next():
                assert self._say(said, said.pick) is None

    @rule(what=st.sampled_from((ReplyCode.ILLEGAL, ReplyCode.MALFORMED)))
    def lie(self, what: ReplyCode) -> None:
        """A pick or a colour that is none is a fault of who says it; the default is played."""
        if said := self._next():
            pick, flags = (4_000, 0) if what is ReplyCode.ILLEGAL else (0, BAD_COLOR)
            assert self._say(said, pick, flags) is what
            self.lies += 1

    @rule()
    def insist(self) -> None:
        """Who says at once again what counts is told that it does, unless its seat was asked more by then."""
        if said := self._next():
            assert self._say(said, said.pick) is None
            assert self._say(said, said.pick) in HARMLESS

    @precondition(lambda self: self.given)
    @rule(chance=st.integers(0, 2**16), same=st.booleans())
    def repeat(self, chance: int, same: bool) -> None:
        """What is closed stays closed, whatever is said of it now."""
        said = self.given[chance % len(self.given)]
        assert self._say(said, said.pick if same else said.pick + 1) in HARMLESS

    @precondition(lambda self: self.given)
    @rule(handle=st.integers(0, 2**32 - 1), act=st.integers(0, 2**32 - 1), chance=st.integers(0, 2**16))
    def invent(self, handle: int, act: int, chance: int) -> None:
        """Rounds and questions that never were, of whatever number."""
        said = self.given[chance % len(self.given)]
        seat = said.session.handles.get(handle)
        if seat is None or seat.act != act:
            assert self._say(Said(said.session, handle, act, 0), 0) in HARMLESS

    @invariant()
    def faults_are_the_lies(self) -> None:
        """Every lie counts once, and nothing else does."""
        assert self.post.desk.faults() == self.lies


def test_a_liar_is_told_every_kind_of_thing_and_pays_for_its_lies_only() -> None:
    """All codes that there are for answers of a match that is hosted here, and of no other."""
    Liar.told.clear()
    run_state_machine_as_test(Liar, settings=settings(max_examples=30, stateful_step_count=20))
    assert Liar.told == {*HARMLESS, ReplyCode.ILLEGAL, ReplyCode.MALFORMED}
