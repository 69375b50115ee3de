"""The host's side: sessions of bots that dialled another referee, as this one sees them."""

from collections.abc import Callable, Mapping
from math import inf
from typing import ClassVar

from referee import wire
from referee.hosting.host import Host
from referee.hosting.lane import Peer
from referee.hosting.seats import Seat
from referee.hosting.sessions import Asked, Ending, Session
from referee.trunk import frames
from referee.wire import ReplyCode


class RemoteSession(Session):
    """A session at its home: what is queued leaves over the trunk, and clocks run there.

    Attributes:
        home: where it is.
        lane: what it is called there.
        given_up: by handle, seats whose open questions a newer stream took over before this home could say how long
            they had run: with the question, and what was assumed.
    """

    remote: ClassVar[bool] = True
    __slots__ = ("_clock", "given_up", "home", "lane")

    def __init__(self, home: Peer, joined: frames.Frame, clock: Callable[[], float]) -> None:
        said = joined.join
        super().__init__(said.session, said.bot, frames.greeting_of(said), now=clock() - said.age_ms / 1000)
        self._clock = clock
        self.not_before = -inf  # what came may have been on its way for long
        self.home = home
        self.lane = said.lane
        self.given_up: dict[int, tuple[Seat, tuple[str, int], float]] = {}
        self.next_handle = said.first_handle

    def newer(self, other: Session) -> bool:
        """Whether it began after another one for sure: of two at one home, the one that was told of last has."""
        if isinstance(other, RemoteSession) and other.home is self.home:
            return self.lane > other.lane
        return super().newer(other)

    def at(self, home: object) -> bool:
        """Whether it is at another referee, this one."""
        return self.home is home

    @property
    def within_reach(self) -> bool:
        """Whether its home answers."""
        return not self.home.silent

    def ask_since(self, now: float) -> None:
        """Ask its home when it began."""
        self.home.send(frames.inquiry(self.bot, self.greeting.instance, int(now * frames.US)))

    def push(self, turn: bytes, seat: Asked | None, now: float) -> None:
        """Send a turn; the clock of `seat` starts when its home hands it to the transport."""
        if isinstance(seat, Seat):
            seat.sent = now
            clock = seat.clock
            carried_ms = int(seat.carried * 1000)
            decision_ms, allowance_ms = clock.rule.decision_ms - carried_ms, clock.allowance_ms() - carried_ms
            limits = (max(0, decision_ms), max(0, allowance_ms))
            self.home.send(frames.question(self.lane, seat.handle, seat.act, *limits, turn))
        else:
            self.tell(turn)

    def end_round(self, turn: bytes, handle: int, now: float) -> None:
        """Send the end of a round; its handle is free."""
        del now
        self.home.send(frames.round_end(self.lane, handle, turn))
        self.free_handles.append(handle)

    def tell(self, notice: bytes) -> None:
        """Send what asks nothing."""
        self.home.send(frames.pass_on(self.lane, notice))

    def hint(self, notice: bytes) -> None:
        """Send a notice that a bot can do without; its home drops it where the bot does not read."""
        self.home.send(frames.pass_on(self.lane, notice, hint=True))

    def dismiss(self, seat: Seat, *, moved: bool = False) -> None:
        """Take the handle back, here and at home."""
        if seat in self.open and seat.act >= 0:  # a newer stream has it; this one is ended next, and all it had with it
            seat.started = seat.sent - seat.carried
            self.given_up[seat.handle] = seat, (seat.round_id, seat.act), self._clock() - seat.sent
        elif seat.handle in self.handles:
            self.home.send(frames.withdraw(self.lane, seat.handle, gone=True, moved=moved))
        super().dismiss(seat, moved=moved)

    def close_decision(self, seat: Seat) -> Asked | None:
        """Forget an open decision; the home is told if it does not know."""
        if seat in self.open:
            self.home.send(frames.withdraw(self.lane, seat.handle))
        return super().close_decision(seat)

    def end(self, ending: Ending) -> None:
        """Have its home end the stream: a newer one has taken over."""
        super().end(ending)
        self.home.send(frames.replace(self.lane))


class Away:
    """The sessions at one other referee, and what it says of them."""

    def __init__(self, host: Host, home: Peer) -> None:
        self._host = host
        self._home = home
        self._sessions: dict[int, RemoteSession] = {}

    def join(self, frame: frames.Frame) -> None:
        """Take a session in."""
        session = RemoteSession(self._home, frame, self._host.clock)
        self._sessions[session.lane] = session
        self._host.join(session)

    def told(self, frame: frames.Frame) -> None:
        """Learn when the stream of a process there began: its age before a moment between the question and now."""
        said = frame.age
        its = [one for one in self._sessions.values() if (one.bot, one.greeting.instance) == (said.bot, said.instance)]
        if its:
            newest = max(its, key=lambda one: one.lane)
            newest.not_before = max(newest.not_before, (said.asked_us - said.age_us) / frames.US)
            newest.since = min(newest.since, self._host.clock() - said.age_us / frames.US)
            self._host.contest.decide(newest)

    def part(self, frame: frames.Frame) -> None:
        """Let a session go: its clocks run on, unless its home is the cause."""
        said = frame.part
        session = self._sessions.pop(said.lane, None)
        if session is None:
            return
        now = self._host.clock()
        running = {one.handle: one.elapsed_ms for one in said.running}
        for handle, seat in session.handles.items():
            seat.started = now - running[handle] / 1000 - seat.carried if handle in running else 0.0
        self._settle(session, {} if said.ours and not said.moved else running)
        if said.moved:
            self._host.lose(session, moved=True)
        else:
            self._leave(session, excused=said.ours)

    def lost(self) -> None:
        """Let all of them go, because their home is gone: nobody's clock runs."""
        for session in self._sessions.values():
            self._settle(session, {})
            self._leave(session, excused=True)
        self._sessions.clear()

    @staticmethod
    def _settle(session: RemoteSession, running: Mapping[int, int]) -> None:
        """Put right what was assumed of questions that a newer stream took over; `running`: milliseconds by handle."""
        for handle, (seat, question, assumed_s) in session.given_up.items():
            if (seat.round_id, seat.act) != question:
                continue
            if handle not in running:
                seat.returns -= 1
            seat.give_back(assumed_s - running.get(handle, 0) / 1000)
        session.given_up.clear()

    def _leave(self, session: RemoteSession, *, excused: bool) -> None:
        if excused:
            self._host.lose(session)
        else:
            self._host.part(session)

    def answer(self, frame: frames.Frame) -> None:
        """Take an answer, with the time that its home measured."""
        said = frame.answer
        session = self._sessions.get(said.lane)
        if session is None:
            return
        self._stamp(session, said)
        picks = frames.picks_of(said)
        code = self._host.asker.answer(session, said.handle, said.act, picks, said.flags, said.thought_ms)
        if code is not None and code[0] is ReplyCode.OK:
            self._host.asker.acknowledge(session, said.handle, said.act)
        elif code is not None:
            self._host.metrics.replies[code[0].name.lower()] += 1
            piece = wire.reply(said.handle, said.act, *code)
            self._home.send(frames.refusal(session.lane, said.handle, said.act, piece))

    def late(self, frame: frames.Frame) -> None:
        """Play the default for a seat whose time is over."""
        said = frame.late
        session = self._sessions.get(said.lane)
        seat = self._stamp(session, said) if session is not None else None
        if seat is not None:
            self._host.asker.late(seat, seat.elapsed_ms(self._host.clock()))

    def _stamp(self, session: RemoteSession, said: frames.Closed) -> Seat | None:
        """Close a question as its home has, and note when it was put; return its seat if it is the one that is open."""
        seat = session.handles.get(said.handle)
        if seat is None or seat.act != said.act or seat not in session.open:
            return None
        del session.open[seat]
        seat.started = self._host.clock() - (said.ms + 0.5) / 1000 - seat.carried
        seat.given_back += said.given_back_ms / 1000
        return seat

    def nonce(self, frame: frames.Frame) -> None:
        """Take a nonce."""
        said = frame.nonce
        session = self._sessions.get(said.lane)
        if session is not None:
            self._host.nonce(session, said.match, said.nonce)
