"""A process of a bot has one stream: where it has opened a newer one at another referee, the old one here is let go."""

from collections.abc import Callable

from referee import wire
from referee.hosting.host import Host
from referee.hosting.lane import Peer
from referee.hosting.sessions import Session
from referee.trunk import frames


class Arrivals:
    """Tells other referees who has come in here, and hears from them.

    Which of two streams is the newer one is asked back: what has been on its way for long makes no stream look newer.

    Args:
        oust: lets a session go.
    """

    def __init__(self, host: Host, oust: Callable[[Session], None]) -> None:
        self._host = host
        self._oust = oust
        self._peers: dict[Peer, None] = {}

    def met(self, peer: Peer) -> None:
        """Tell a referee of everybody who is here."""
        self._peers[peer] = None
        for session in self._host.roster.sessions:
            peer.send(frames.arrival(session.bot, session.greeting.instance))

    def lost(self, peer: Peer) -> None:
        """Tell a referee nothing more."""
        self._peers.pop(peer, None)

    def joined(self, session: Session) -> None:
        """Tell everybody of a new session."""
        if self._peers:
            told = frames.arrival(session.bot, session.greeting.instance)
            for peer in self._peers:
                peer.send(told)

    def arrived(self, peer: Peer, frame: frames.Frame) -> None:
        """Ask when a stream began that has a namesake here."""
        said = frame.arrival
        if self._namesake(said) is not None:
            peer.send(frames.inquiry(said.bot, said.instance, int(self._host.clock() * frames.US)))

    def asked(self, peer: Peer, frame: frames.Frame) -> None:
        """Say when a stream here began, if it is still there."""
        said = frame.inquiry
        session = self._namesake(said)
        if session is not None:
            age_us = int((self._host.clock() - session.since) * frames.US)
            peer.send(frames.age(said.bot, said.instance, said.asked_us, age_us))

    def told(self, frame: frames.Frame) -> None:
        """Let the stream here go where the other one began after it."""
        said = frame.age
        session = self._namesake(said)
        if session is not None and int(session.since * frames.US) < said.asked_us - said.age_us:
            session.tell(wire.replaced())
            self._oust(session)

    def _namesake(self, line: frames.Line) -> Session | None:
        """Return the session of the same process here."""
        here = self._host.roster.local_sessions(line.bot)
        return next((one for one in here if one.greeting.instance == line.instance), None)
