"""Which processes of bots are connected at other referees, as far as those are heard."""

from collections import defaultdict
from collections.abc import Callable

from referee.hosting.lane import Peer


class Abroad:
    """Processes as (`name@n`, instance), by version and by token.

    What a referee has said counts while its trunk is open and it is heard: behind a cut nobody is counted.

    Attributes:
        told: called with version and token of everybody who has come in elsewhere.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.told: Callable[[str, str], None] = lambda _bot, _keyid: None
        self._clock = clock
        self._at: dict[Peer, dict[tuple[str, str], str]] = {}
        self._of: defaultdict[str, dict[Peer, dict[tuple[str, str], float]]] = defaultdict(dict)

    def came(self, peer: Peer, bot: str, instance: str, keyid: str) -> None:
        """Note a process that has come in at another referee with a token."""
        self.went(peer, bot, instance)
        self._at.setdefault(peer, {})[bot, instance] = keyid
        for whose in (bot, keyid):
            self._of[whose].setdefault(peer, {})[bot, instance] = self._clock()
        self.told(bot, keyid)

    def went(self, peer: Peer, bot: str, instance: str) -> None:
        """Forget a process that is there no more."""
        keyid = self._at.get(peer, {}).pop((bot, instance), None)
        if keyid is None:
            return
        for whose in (bot, keyid):
            at = self._of[whose]
            del at[peer][bot, instance]
            if not at[peer]:
                del at[peer]
            if not at:
                del self._of[whose]

    def lost(self, peer: Peer) -> None:
        """Forget everybody at a referee whose trunk has ended."""
        for bot, instance in list(self._at.get(peer, ())):
            self.went(peer, bot, instance)
        self._at.pop(peer, None)

    def of(self, whose: str) -> dict[tuple[str, str], float]:
        """Return the processes of a version, or those with a token, with the loop time at which they were told."""
        found: dict[tuple[str, str], float] = {}
        for peer, processes in self._of.get(whose, {}).items():
            if not peer.silent:
                found |= processes
        return found
