"""A process of a bot has one stream: where it has opened a newer one at another referee, the old one here is let go."""

from collections.abc import Callable
from typing import Final

from referee import wire
from referee.hosting.host import Host
from referee.hosting.lane import Peer
from referee.hosting.sessions import Session
from referee.trunk import frames
from referee.trunk.abroad import Abroad

AGAIN_S: Final = 1.0


class Arrivals:
    """Tells other referees who has come in here, and hears from them.

    Which of two streams is the newer one is asked back: what has been on its way for long makes no stream look newer.
    An answer that was longer on its way than the two are apart decides nothing, and is asked for again.

    Args:
        oust: lets a session go.

    Attributes:
        abroad: who is at other referees.
    """

    def __init__(self, host: Host, oust: Callable[[Session], None]) -> None:
        self._host = host
        self._oust = oust
        self._peers: dict[Peer, None] = {}
        self.abroad = Abroad(host.clock)
        self._undecided: dict[Peer, dict[tuple[str, str], float]] = {}

    def met(self, peer: Peer) -> None:
        """Tell a referee of everybody who is here."""
        self._peers[peer] = None
        for session in self._host.roster.sessions:
            peer.send(frames.arrival(session.bot, session.greeting.instance, session.keyid))

    def lost(self, peer: Peer) -> None:
        """Tell a referee nothing more, and forget who was there."""
        self.abroad.lost(peer)
        self._peers.pop(peer, None)
        self._undecided.pop(peer, None)

    def look(self, peer: Peer) -> None:
        """Ask a referee again, at most once a second, where its answer left open which of two streams is newer."""
        now = self._host.clock()
        undecided = self._undecided.get(peer, {})
        for process in [one for one, asked in undecided.items() if now - asked >= AGAIN_S]:
            del undecided[process]  # who does not answer has no stream any more
            if self._here(*process) is not None:
                peer.send(frames.inquiry(*process, int(now * frames.US)))
        self._host.contest.look()

    def joined(self, session: Session) -> None:
        """Tell everybody of a new session."""
        if self._peers:
            told = frames.arrival(session.bot, session.greeting.instance, session.keyid)
            for peer in self._peers:
                peer.send(told)

    def gone(self, session: Session) -> None:
        """Tell everybody of a session that has ended, unless its process has another one here."""
        if self._peers and self._here(session.bot, session.greeting.instance) is None:
            told = frames.departure(session.bot, session.greeting.instance)
            for peer in self._peers:
                peer.send(told)

    def arrived(self, peer: Peer, frame: frames.Frame) -> None:
        """Ask when a stream began that has a namesake here, which may be a dead line until that is told."""
        said, now = frame.arrival, self._host.clock()
        if self._here(said.bot, said.instance) is not None:
            self._host.roster.player(said.bot, now).elsewhere = now
            peer.send(frames.inquiry(said.bot, said.instance, int(now * frames.US)))
        self.abroad.came(peer, said.bot, said.instance, said.keyid)

    def departed(self, peer: Peer, frame: frames.Frame) -> None:
        """Forget a process that is there no more."""
        self.abroad.went(peer, frame.departure.bot, frame.departure.instance)

    def asked(self, peer: Peer, frame: frames.Frame) -> None:
        """Say when a stream here began, if it is still there."""
        said = frame.inquiry
        session = self._here(said.bot, said.instance)
        if session is not None:
            age_us = int((self._host.clock() - session.since) * frames.US)
            peer.send(frames.age(said.bot, said.instance, said.asked_us, age_us))

    def told(self, peer: Peer, frame: frames.Frame) -> None:
        """Let the stream here go where the other one began after it; where nobody can tell, ask again."""
        said = frame.age
        session = self._here(said.bot, said.instance)
        if session is None:
            return
        if int(session.since * frames.US) < said.asked_us - said.age_us:
            session.tell(wire.replaced())
            self._oust(session)
        elif session.since <= self._host.clock() - said.age_us / frames.US:
            self._undecided.setdefault(peer, {})[said.bot, said.instance] = said.asked_us / frames.US

    def _here(self, bot: str, instance: str) -> Session | None:
        """Return the session of a process here."""
        here = self._host.roster.local_sessions(bot)
        return next((one for one in here if one.greeting.instance == instance), None)
