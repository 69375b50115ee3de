"""What waits for the other end of a trunk, and for bots there, is bounded."""

import asyncio

import pytest
from structlog.testing import capture_logs

from lastcard.address import Address
from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.hosting.roster import Roster
from referee.hosting.sessions import MOST_HINTS, Greeting, Session
from referee.metrics import Metrics
from referee.trunk import frames
from referee.trunk import link as trunk_link
from referee.trunk.carrier import OPTIONS, GrpcCarrier
from referee.trunk.line import Line
from referee.trunk.link import MOST_OWED, Link
from referee.trunk.lodging import Lodging
from referee.trunk.remote import RemoteSession
from tests.patience import PATIENCE_S

GREETING = Greeting("i", "1", frozenset({"uno-classic-2"}), 64, 8, (1, 1, 1), {}, 0)
STAY = Stay("m", "ann@1", "uno-classic-2")
MEBIBYTE = bytes(1 << 20)


class Stuck:
    """A line whose other end lives and reads nothing."""

    def __init__(self) -> None:
        self.busy = asyncio.Event()

    async def write(self, message: bytes) -> None:
        """Never come back."""
        del message
        self.busy.set()
        await asyncio.Event().wait()

    async def read(self) -> bytes:
        """Hear nothing."""
        await asyncio.Event().wait()
        raise AssertionError


class Recorder:
    """The other end of a trunk, which keeps what it is told."""

    name = "ref-other"
    silent = False

    def __init__(self) -> None:
        self.sent: list[frames.Frame] = []

    def send(self, frame: bytes) -> None:
        """Keep a frame."""
        self.sent += frames.parse(frame)


def host() -> Host:
    """Return a host without matches."""
    return Host(lambda: 10.0, Roster(), Metrics())


async def test_a_trunk_whose_peer_does_not_read_ends() -> None:
    """After a limit of bytes, as a line that is lost: calls are answered with nothing, and what waits is let go."""
    home = host()
    line = Stuck()
    link = Link("ref-other", line, home, Lodging(home), Metrics())
    running = asyncio.create_task(link.run())
    call = asyncio.create_task(link.reserve(STAY, 3))
    await line.busy.wait()
    for _ in range(MOST_OWED // len(MEBIBYTE)):
        link.send(MEBIBYTE)
    assert not running.done()
    assert not link.idle
    link.send(MEBIBYTE)
    async with asyncio.timeout(PATIENCE_S):
        await running
        assert await call == 0
    link.send(MEBIBYTE)
    assert link.idle


async def test_a_trunk_whose_peer_takes_no_message_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while, however little it is owed: it is no home of any bot then, and calls are answered with nothing."""
    monkeypatch.setattr(trunk_link, "WRITE_S", 0.1)
    home = host()
    link = Link("ref-other", Stuck(), home, Lodging(home), Metrics())
    with capture_logs() as told:
        async with asyncio.timeout(PATIENCE_S):
            running = asyncio.create_task(link.run())
            assert await link.reserve(STAY, 3) == 0
            await running
    assert [line["why"] for line in told] == ["it does not read what it is told"]


async def test_a_peer_that_lives_and_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the real wire: its machine answers pings, and takes no more than fits between the two."""
    monkeypatch.setattr(trunk_link, "WRITE_S", 0.5)
    over = asyncio.Event()

    async def read_nothing(_line: Line) -> None:
        await over.wait()

    home, carrier = host(), GrpcCarrier(Address("127.0.0.1", 0))
    address = await carrier.listen(read_nothing)
    try:
        async with GrpcCarrier(address).dial(str(address)) as line, asyncio.timeout(PATIENCE_S):
            link = Link("ref-other", line, home, Lodging(home), Metrics())
            for _ in range(MOST_OWED // len(MEBIBYTE) - 1):
                link.send(MEBIBYTE)
            await link.run()
    finally:
        over.set()
        await carrier.close()


def test_a_frozen_peer_that_comes_back_is_waited_for() -> None:
    """A write is not given up before pings would tell that the other end is gone."""
    pings = dict(OPTIONS)
    assert pings["grpc.keepalive_time_ms"] + pings["grpc.keepalive_timeout_ms"] < 1000 * trunk_link.WRITE_S


@pytest.mark.parametrize("hint", [True, False], ids=["hint", "what it has to know"])
def test_a_far_host_fills_nobodys_memory_with_hints(hint: bool) -> None:
    """A bot that does not read is not told what it can do without, whoever hosts its match."""
    home, peer = host(), Recorder()
    lodging = Lodging(home)
    lodging.room = lambda _bot, _format: 8
    session = Session("s", STAY.bot, GREETING)
    home.roster.join(session, 0.0)
    lodging.reserve(peer, frames.parse(frames.reserve(1, STAY, 1))[0])
    [joined, _] = peer.sent
    [told] = frames.parse(frames.pass_on(joined.join.lane, b"x", hint=hint))
    for _ in range(MOST_HINTS * 2):
        lodging.pass_on(told)
    assert len(session.outbox) == (MOST_HINTS if hint else MOST_HINTS * 2)


def test_a_far_session_says_what_is_a_hint() -> None:
    """Its home decides, for it knows whether the bot reads."""
    peer = Recorder()
    [joined] = frames.parse(frames.join(7, 1 << 20, STAY.bot, "s", GREETING, 0.0))
    session = RemoteSession(peer, joined, lambda: 10.0)
    session.hint(b"h")
    session.tell(b"t")
    assert [(one.piece.lane, one.piece.content, one.piece.hint) for one in peer.sent] == [
        (7, b"h", True), (7, b"t", False)
    ]  # fmt: skip
    assert session.greeting.formats == GREETING.formats


@pytest.mark.parametrize(
    ("stay", "granted"),
    [
        pytest.param(STAY, 1, id="offered"),
        pytest.param(STAY._replace(format_name="dos-2"), 0, id="not offered"),
        pytest.param(STAY._replace(bot="ben@1"), 0, id="not here"),
    ],
)
@pytest.mark.parametrize("must", [False, True], ids=["room", "in play already"])
def test_room_is_granted_for_formats_that_are_offered_here(stay: Stay, granted: int, must: bool) -> None:
    """For no other, also where the rounds are in play already."""
    home, peer = host(), Recorder()
    lodging = Lodging(home)
    lodging.room = lambda _bot, _format: 8
    home.roster.join(Session("s", STAY.bot, GREETING), 0.0)
    lodging.reserve(peer, frames.parse(frames.reserve(5, stay, 1, must=must))[0])
    assert (peer.sent[-1].grant.call, peer.sent[-1].grant.rounds) == (5, granted)
