"""Bugs planted into what is between referees; every one must show in a few seeds."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from unittest.mock import patch

from referee.seeking import Seeker
from referee.trunk.lodging import Lodging, Peer
from referee.trunk.remote import Away, RemoteSession
from tests.simulate.bugs import Bug
from tests.simulate.invariant import Invariant


@contextmanager
def _lost_home_is_charged() -> Iterator[None]:
    leave = Away._leave

    def planted(self: Away, session: RemoteSession, *, excused: bool) -> None:
        started = {seat: seat.started or self._host.clock() for seat in session.handles.values()}
        leave(self, session, excused=excused)
        for seat, since in started.items():
            seat.started = since

    with patch.object(Away, "_leave", planted):
        yield


@contextmanager
def _lanes_stay() -> Iterator[None]:
    def planted(self: Lodging, peer: Peer) -> None:
        self._granted.pop(peer, None)
        self._wanted.pop(peer, None)

    with patch.object(Lodging, "lost", planted):
        yield


async def _stays(_self: Seeker) -> None:
    pass


@contextmanager
def _nobody_is_followed() -> Iterator[None]:
    with patch.object(Seeker, "follow", _stays):
        yield


FAR_BUGS: Final[tuple[Bug, ...]] = (
    Bug(
        "a lost home is charged",
        "clocks of far seats run while their home is gone",
        _lost_home_is_charged,
        Invariant.BLAMELESS,
        60,
    ),
    Bug("lanes stay", "questions of a dead host keep their place at the home", _lanes_stay, Invariant.REST, 20),
    Bug(
        "nobody is followed",
        "a bot that lost its home is not looked for at others",
        _nobody_is_followed,
        Invariant.BLAMELESS,
        40,
    ),
)
"""All of them."""
