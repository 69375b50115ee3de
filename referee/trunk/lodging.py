"""The home's side: sessions here whose seats are hosted elsewhere, with their questions, clocks and room."""

from collections.abc import Callable
from itertools import count
from typing import Final

from referee import wire
from referee.hosting.asking import MOVED, OVER, SHORT_MS, Reply, not_open
from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.hosting.lane import LANE_BITS, Lane, Peer
from referee.hosting.question import Question, allowance
from referee.hosting.sessions import REPLACED, Session
from referee.rules.chance import NONCE_BYTES
from referee.rules.round import Picks
from referee.trunk import frames
from referee.trunk.arrivals import Arrivals
from referee.wire import ReplyCode

FIRST_LODGED: Final = 1 << LANE_BITS
LANES: Final = 4_095
"""Lanes of a session; then their numbers are used again."""
LONGEST_NONCE: Final = NONCE_BYTES + 1
"""What is longer stays as wrong as it was."""


class Lodging:
    """Everything that other hosts have here.

    Attributes:
        room: what this referee can still promise of a bot in a format, told by whoever keeps count of its own matches.
        shut: whether nobody can come in, because the ledger does not answer: who goes then cannot come back.
        announce: told that somebody went without ending its stream.
        arrivals: who came in here, and at other referees.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._numbers = count(1)
        self._lanes: dict[int, Lane] = {}
        self._streams: dict[tuple[str, str], Session] = {}
        self._granted: dict[Peer, dict[Stay, int]] = {}
        self._wanted: dict[Peer, set[str]] = {}
        self.room: Callable[[str, str], int] = lambda _bot, _format: 0
        self.draining: Callable[[], bool] = lambda: False
        self.shut: Callable[[], bool] = lambda: False
        self.announce: Callable[[], None] = lambda: None
        self.arrivals = Arrivals(host, self.oust)

    # -- room

    def promised(self) -> list[tuple[Stay, int]]:
        """Rounds that are promised to other hosts."""
        return [grant for grants in self._granted.values() for grant in grants.items()]

    def reserve(self, peer: Peer, asked: frames.Frame) -> None:
        """Grant room, or take it back."""
        want = asked.reserve
        grants = self._granted.setdefault(peer, {})
        stay = frames.stay_of(want)
        before = grants.pop(stay, 0)
        here = self._host.roster.plays_here(stay.bot, stay.format_name)
        rounds = 0
        if want.rounds and here and not self.draining():
            room = want.rounds if want.must else max(before, self.room(stay.bot, stay.format_name))
            rounds = max(0, min(want.rounds, room))
        if rounds:
            grants[stay] = rounds
            self._subscribe(peer, stay.bot)
        else:
            self._forget_nonce(peer, stay)
        if want.call:
            peer.send(frames.grant(want.call, rounds))

    def _forget_nonce(self, peer: Peer, stay: Stay) -> None:
        """The host is done with a match of a bot, or begins it anew and asks again."""
        for session in self._host.roster.local_sessions(stay.bot):
            for lane in session.lanes.values():
                if lane.peer is peer:
                    lane.nonces.discard(stay.match)

    def _subscribe(self, peer: Peer, bot: str) -> None:
        wanted = self._wanted.setdefault(peer, set())
        if bot not in wanted:
            wanted.add(bot)
            for session in self._host.roster.local_sessions(bot):
                self._open(peer, session)

    # -- sessions

    def joined(self, session: Session) -> None:
        """Tell those hosts of a new session that have asked for its bot, and all referees that it is here."""
        self.arrivals.joined(session)
        self._let_go_before(session)
        for peer, wanted in self._wanted.items():
            if session.bot in wanted:
                self._open(peer, session)

    def _let_go_before(self, session: Session) -> None:
        """Let the stream go that a process had here before this one: hosts are told first how long questions ran."""
        process = session.bot, session.greeting.instance
        before = self._streams.get(process)
        if before is not None:
            self.parted(before)
        self._streams[process] = session

    def _open(self, peer: Peer, session: Session) -> None:
        index = session.next_lane
        while index in session.lanes:
            index = index % LANES + 1
        session.next_lane = index % LANES + 1
        lane = Lane(next(self._numbers), index, peer, session)
        session.lanes[index] = self._lanes[lane.id] = lane
        age_s = self._host.clock() - session.since
        peer.send(frames.join(lane.id, lane.next_handle, session.bot, session.id, session.greeting, age_s))

    def oust(self, session: Session) -> None:
        """Let a session go at once whose process is at another referee by now, where its hosts look for it."""
        self.parted(session, moved=True)
        self._host.lose(session, moved=not self._sent_away)
        session.end(REPLACED)
        self.announce()

    @property
    def _sent_away(self) -> bool:
        """Whether who goes now does so because of us."""
        return self.draining() or self.shut()

    def parted(self, session: Session, *, moved: bool = False) -> None:
        """Tell the hosts of a session that it is gone, before anything of it is forgotten.

        Args:
            session: which one.
            moved: its process is at another referee by now.
        """
        now = self._host.clock()
        ours = self._sent_away
        for lane in session.lanes.values():
            running = [
                (one.handle, one.elapsed_ms(now)) for one in session.open
                if isinstance(one, Question) and one.lane is lane and one.started
            ]  # fmt: skip
            lane.peer.send(frames.part(lane.id, running, ours=moved or ours, moved=moved and not ours))
            del self._lanes[lane.id]
            for question in lane.rounds.values():
                question.close()
                question.session = None
        session.lanes.clear()
        process = session.bot, session.greeting.instance
        if self._streams.get(process) is session:
            del self._streams[process]

    def lost(self, peer: Peer) -> None:
        """Forget a host that is gone: its questions are closed, its room is free, its rounds go on elsewhere."""
        self.arrivals.lost(peer)
        self._granted.pop(peer, None)
        self._wanted.pop(peer, None)
        for lane in [lane for lane in self._lanes.values() if lane.peer is peer]:
            del self._lanes[lane.id]
            del lane.session.lanes[lane.index]
            for question in lane.rounds.values():
                question.close()
                lane.session.open.pop(question, None)
            self._host.asker.refill(lane.session)

    # -- what hosts say

    def question(self, frame: frames.Frame) -> None:
        """Put a question to a session, or have it wait."""
        asked = frame.question
        lane = self._lanes.get(asked.lane)
        if lane is None:
            return
        question = Question(lane, asked.handle, asked.act, allowance(asked.decision_ms, asked.allowance_ms), asked.turn)
        before = lane.rounds.get(asked.handle)
        if before is not None:
            question.last_act, question.last_answer = before.last_act, before.last_answer
        lane.rounds[asked.handle] = question
        lane.next_handle = max(lane.next_handle, asked.handle + 1)
        lane.moved.discard(asked.handle)
        question.offer(self._host.clock())

    def pass_on(self, frame: frames.Frame) -> None:
        """Pass on what asks nothing."""
        said = frame.piece
        lane = self._lanes.get(said.lane)
        if lane is not None:
            (lane.session.hint if said.hint else lane.session.tell)(said.content)

    def round_end(self, frame: frames.Frame) -> None:
        """Pass on the end of a round."""
        said = frame.round_end
        lane = self._lanes.get(said.lane)
        if lane is not None:
            self._forget(lane, said.handle)
            lane.next_handle = max(lane.next_handle, said.handle + 1)
            lane.session.tell(said.turn)

    def refusal(self, frame: frames.Frame) -> None:
        """Pass on why an answer did not count; it is not the one that counts then."""
        said = frame.refusal
        lane = self._lanes.get(said.lane)
        if lane is None:
            return
        question = lane.rounds.get(said.handle)
        if question is not None and question.last_act == said.act:
            question.last_answer = None
        lane.session.hint(said.piece)

    def withdraw(self, frame: frames.Frame) -> None:
        """Close a question, or a handle."""
        said = frame.withdraw
        lane = self._lanes.get(said.lane)
        if lane is None:
            return
        if said.gone:
            self._forget(lane, said.handle)
            if said.moved:
                lane.moved.add(said.handle)
        elif said.handle in lane.rounds:
            self._shut(lane.rounds[said.handle])

    def replace(self, frame: frames.Frame) -> None:
        """End a session that has been replaced at another referee; it has been told."""
        lane = self._lanes.get(frame.replace.lane)
        if lane is not None:
            self.oust(lane.session)

    def _forget(self, lane: Lane, handle: int) -> None:
        question = lane.rounds.pop(handle, None)
        if question is not None:
            self._shut(question)

    def _shut(self, question: Question) -> None:
        """Close a question that its host took back; what waits is sent all the same, for the events in it."""
        session = question.session
        if question.act < 0 or session is None:
            return
        waited = question not in session.open
        question.close()
        if waited:
            session.tell(question.turn)
        else:
            session.open.pop(question, None)
            self._host.asker.refill(session)

    # -- what bots say

    def answer(
        self, session: Session, handle: int, act: int, picks: Picks, flags: int, thought_ms: int = 0
    ) -> Reply | None:
        """Take an answer to a question of another host; return what is wrong with it, if anything."""
        lane = session.lanes.get(handle >> LANE_BITS)
        question = lane.rounds.get(handle) if lane is not None else None
        if lane is None or question is None:
            return self._no_round(session, lane, handle)
        if question.act != act or question not in session.open:
            return not_open(question, max(question.act, question.last_act), act, picks, flags)
        now = self._host.clock()
        ms = question.elapsed_ms(now)
        if ms >= SHORT_MS:
            ms = self._host.asker.charged_ms(question, ms, now)
        question.close((picks, flags))
        session.open.pop(question, None)
        self._host.asker.refill(session)
        lane.peer.send(frames.answer(lane.id, handle, act, picks, flags, ms, question.given_back_ms, thought_ms))
        return None

    def acknowledge(self, session: Session, handle: int, act: int) -> None:
        """Say of a repeated answer that it counts, as soon as its host has logged it: when it asks on, or says so."""
        lane = session.lanes[handle >> LANE_BITS]
        question = lane.rounds[handle]
        if question.act >= 0:
            session.hint(wire.reply(handle, act, ReplyCode.OK, ""))
        elif not question.repeated and question.last_answer is not None:
            question.repeated = True
            picks, flags = question.last_answer
            lane.peer.send(frames.answer(lane.id, handle, act, picks, flags, 0, 0, 0))

    @staticmethod
    def _no_round(session: Session, lane: Lane | None, handle: int) -> Reply:
        if lane is None and session.next_lane > handle >> LANE_BITS:
            return ReplyCode.MOVED, MOVED
        if lane is not None and handle in lane.moved:
            return ReplyCode.MOVED, MOVED
        if lane is not None and handle < lane.next_handle:
            return ReplyCode.ROUND_OVER, OVER
        return ReplyCode.FOREIGN, f"round {handle} is not one of yours"

    def nonce(self, session: Session, match: str, value: bytes) -> bool:
        """Pass a nonce on to the host that has reserved room for the match; return whether there is one."""
        for lane in session.lanes.values():
            granted = self._granted.get(lane.peer, {})
            if match not in lane.nonces and any(one[:2] == (match, session.bot) for one in granted):
                lane.nonces.add(match)
                lane.peer.send(frames.nonce(lane.id, match, value[:LONGEST_NONCE]))
                return True
        return False

    def late(self, question: Question, ms: int) -> None:
        """The time of a question is over: its host plays the default."""
        session = question.session
        if question.act < 0 or session is None:
            return
        act = question.act
        question.close()
        session.open.pop(question, None)
        question.lane.peer.send(frames.late(question.lane.id, question.handle, act, ms, question.given_back_ms))
        self._host.asker.refill(session)
