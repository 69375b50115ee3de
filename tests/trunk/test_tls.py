"""TLS for bots, mutual TLS between referees, and what is said where a certificate is no good."""

import asyncio
import shutil
import socket
import ssl
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from ladder.store import Store
from lastcard.address import Address
from lastcard.errors import InputError, UnreachableError
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.settings import settings
from referee.hosting.claim import Meet
from referee.tls import SETTLE_S, TRIES, Following
from tests.live.house import House, house, plan
from tests.live.test_matches import Greedy
from tests.patience import PATIENCE_S
from tests.trunk.certificates import Authority
from tests.trunk.pair import as_undisturbed

pytestmark = [pytest.mark.needs("openssl"), pytest.mark.slow]
ANY = Address("127.0.0.1", 0)


def _link(home: House, token: str, authority: Path, patience: float | None = None) -> Link:
    argv = ["--server", f"tls://{home.server}", "--ca", str(authority)]
    return Link(player(Greedy(), lambda _error: None), settings(argv, {}, token=token, patience=patience))


async def test_a_bot_plays_over_tls(store: Store, tmp_path: Path) -> None:
    """It trusts the authority that it was told to."""
    authority = Authority.make(tmp_path)
    async with house(store, tmp_path, play_files=authority.issue("play").play()) as home:
        links = [_link(home, await home.token(name), authority.certificate) for name in ("ann", "ben")]
        tasks = [asyncio.create_task(link.run()) for link in links]
        await home.plan(plan("s.1.1.0", "ann@1", "ben@1"))
        as_undisturbed(store, await home.ended("s.1.1.0"))
        for link in links:
            link.stop()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize(
    ("names", "days", "stranger", "said"),
    [
        pytest.param("IP:127.0.0.1", -1, False, "its certificate has expired", id="expired"),
        pytest.param("DNS:elsewhere.example", 2, False, "for another name than the one that was dialled", id="name"),
        pytest.param("IP:127.0.0.1", 2, True, "--ca or LASTCARD_CA_FILE", id="authority"),
    ],
)
async def test_a_bot_is_told_what_is_wrong_with_a_certificate(
    store: Store, tmp_path: Path, names: str, days: int, stranger: bool, said: str
) -> None:
    """In words, and what to do about it."""
    authority = Authority.make(tmp_path)
    trusted = Authority.make(tmp_path, "another") if stranger else authority
    async with house(store, tmp_path, play_files=authority.issue("play", names, days).play()) as home:
        with pytest.raises(UnreachableError, match=said):
            await _link(home, await home.token("ann"), trusted.certificate, patience=0.0).run()


async def test_a_bot_without_tls_is_told_to_use_it(store: Store, tmp_path: Path) -> None:
    """And a token never leaves in plain text for a port that speaks TLS."""
    async with house(store, tmp_path, play_files=Authority.make(tmp_path).issue("play").play()) as home:
        told = settings(["--server", home.server], {}, token=await home.token("ann"), patience=0.0)
        with pytest.raises(UnreachableError, match="write tls://"):
            await Link(player(Greedy(), lambda _error: None), told).run()


async def test_a_renewed_certificate_is_shown_without_a_restart(store: Store, tmp_path: Path) -> None:
    """From the next connection on; a half-written pair changes nothing."""
    authority = Authority.make(tmp_path)
    live = authority.issue("live")
    new = authority.issue("new")

    async with house(store, tmp_path, play_files=live.play()) as home:

        async def shown() -> str:
            host, _, port = home.server.partition(":")
            return await asyncio.to_thread(ssl.get_server_certificate, (host, int(port)))

        old = await shown()
        shutil.copy(new.certificate, live.certificate)
        assert await shown() == old
        shutil.copy(new.key, live.key)
        assert (await shown()).strip() == new.certificate.read_text(encoding="ascii").strip() != old.strip()


def test_certificates_are_told_again_only_when_they_have_changed(tmp_path: Path) -> None:
    """Once for each change, however many connections ask."""
    authority = Authority.make(tmp_path)
    live, new = authority.issue("live"), authority.issue("new")
    following = Following(live.pair(), (authority.certificate, "LASTCARD_TRUNK_CA_FILE"), pause=lambda _seconds: None)
    assert [following.renewed() for _ in range(3)] == [None] * 3
    shutil.copy(new.certificate, live.certificate)
    assert following.renewed() is None
    shutil.copy(new.key, live.key)
    assert following.renewed() is not None
    assert following.renewed() is None


def test_a_pair_that_is_shown_is_one_that_was_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are written between the look and the reading are read once more."""
    authority = Authority.make(tmp_path)
    live, new, other = (authority.issue(name) for name in ("live", "new", "other"))
    shutil.copy(other.key, live.key)
    look, looks = ssl.SSLContext.load_cert_chain, 0

    def written_before_the_look(context: ssl.SSLContext, certificate: Path, key: Path, password: str) -> None:
        nonlocal looks
        looks += 1
        shutil.copy(new.certificate, certificate)
        shutil.copy(new.key, key)
        look(context, certificate, key, password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", written_before_the_look)
    with pytest.raises(InputError, match="change while they are read"):
        live.pair().read()  # they are written at every look
    assert looks == TRIES
    looks = 0

    def written_once(context: ssl.SSLContext, certificate: Path, key: Path, password: str) -> None:
        if looks:
            look(context, certificate, key, password)
        else:
            written_before_the_look(context, certificate, key, password)

    shutil.copy(other.key, live.key)
    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", written_once)
    assert live.pair().read() == (new.key.read_bytes(), new.certificate.read_bytes())


def test_files_that_are_written_while_they_are_read_are_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are in the end: each time that connections are told something others wait for it."""
    authority = Authority.make(tmp_path)
    live, new, last = (authority.issue(name) for name in ("live", "new", "last"))
    following = Following(live.pair(), None, pause=lambda _seconds: None)
    look, looks = ssl.SSLContext.load_cert_chain, 0

    def written_at_first(context: ssl.SSLContext, certificate: Path, key: Path, password: str) -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            shutil.copy(last.certificate, certificate)
            shutil.copy(last.key, key)
        look(context, certificate, key, password)

    shutil.copy(new.certificate, live.certificate)
    shutil.copy(new.key, live.key)
    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", written_at_first)
    assert following.renewed() is not None
    assert looks > 1
    assert following.renewed() is None


@pytest.mark.parametrize(
    ("since_s", "waits_s"),
    [
        pytest.param(0.0, SETTLE_S, id="another has just asked"),
        pytest.param(SETTLE_S / 4, SETTLE_S * 3 / 4, id="another asked a moment ago"),
        pytest.param(SETTLE_S, 0.0, id="nobody has asked for a while"),
    ],
)
def test_who_has_asked_has_time_to_take_hold_before_another_is_told(
    tmp_path: Path, since_s: float, waits_s: float
) -> None:
    """What gRPC is told to replace it frees, also under the hands of a connection that has asked just before."""
    authority = Authority.make(tmp_path)
    live, new = authority.issue("live"), authority.issue("new")
    now, waited = 100.0, 0.0

    def pause(seconds: float) -> None:
        nonlocal now, waited
        now, waited = now + seconds, waited + seconds

    following = Following(live.pair(), None, lambda: now, pause)
    assert following.renewed() is None
    shutil.copy(new.certificate, live.certificate)
    shutil.copy(new.key, live.key)
    now += since_s
    assert following.renewed() is not None
    assert waited == waits_s
    shutil.copy(live.certificate, new.certificate)
    assert following.renewed() is None
    assert waited == waits_s, "somebody waited and was told nothing"
    live.key.touch()
    assert following.renewed() is not None
    assert waited == waits_s + SETTLE_S, "who was told takes hold, too"


async def test_referees_with_certificates_share_a_match(store: Store, tmp_path: Path) -> None:
    """Each shows the other one that their authority has signed."""
    authority = Authority.make(tmp_path)
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(
                house(store, tmp_path, trunk=ANY, trunk_files=authority.trunk(authority.issue(name)))
            )
            for name in ("first", "second")
        ]
        ann, ben = await first.join("ann", Greedy()), await second.join("ben", Greedy())
        await first.plan(plan("s.1.2.0", ann, ben))
        as_undisturbed(store, await first.ended("s.1.2.0"))


async def _linked(first: House, second: House, looks: int = 2) -> bool:
    """Return whether two referees have met after each has looked so often at who beats."""
    for one in (first, second):
        meet, seen = one.referee.claimer.meet, asyncio.Semaphore(0)
        assert meet is not None
        one.referee.claimer.meet = _told(meet, seen)
        for _ in range(looks):
            async with asyncio.timeout(PATIENCE_S):
                await seen.acquire()
    boards = [one.referee.switchboard for one in (first, second)]
    return any(board is not None and board.links for board in boards)


def _told(meet: Meet, seen: asyncio.Semaphore) -> Meet:
    def told(beats: Mapping[str, Mapping[str, object]]) -> None:
        meet(beats)
        if len(beats) > 1:
            seen.release()

    return told


@pytest.mark.parametrize("fault", ["stranger", "expired", "none", "plain"])
async def test_a_referee_with_another_certificate_is_not_spoken_to(store: Store, tmp_path: Path, fault: str) -> None:
    """Whoever dials: no trunk comes about, and nothing of a match leaves."""
    authority = Authority.make(tmp_path)
    good = authority.trunk(authority.issue("good"))
    bad = None
    if fault == "stranger":
        bad = authority.trunk(Authority.make(tmp_path, "other").issue("bad"))
    elif fault == "expired":
        bad = authority.trunk(authority.issue("bad", days=-1))
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(house(store, tmp_path, trunk=ANY, trunk_files=files))
            for files in ((good, bad) if fault != "plain" else (bad, good))
        ]
        assert not await _linked(first, second)


@pytest.mark.parametrize("bad", ["no PEM", "another key", "missing"])
def test_files_that_are_no_certificate_are_named(tmp_path: Path, bad: str) -> None:
    """Before anything listens."""
    authority = Authority.make(tmp_path)
    issued = authority.issue("play")
    if bad == "no PEM":
        issued.certificate.write_text("hello", encoding="ascii")
    elif bad == "another key":
        shutil.copy(authority.issue("other").key, issued.key)
    else:
        issued.key.unlink()
    with pytest.raises(InputError, match=r"LASTCARD_TLS_(CERT|KEY)_FILE") as caught:
        issued.pair().read()
    assert caught.value.reason == "BAD_CERTIFICATE"


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("newest", "spoken"),
    [
        pytest.param(ssl.TLSVersion.TLSv1_1, "", id="1.1"),
        pytest.param(ssl.TLSVersion.TLSv1_2, "TLSv1.2", id="1.2"),
        pytest.param(ssl.TLSVersion.TLSv1_3, "TLSv1.3", id="1.3"),
    ],
)
async def test_nothing_older_than_tls_1_2_is_spoken(
    store: Store, tmp_path: Path, newest: ssl.TLSVersion, spoken: str
) -> None:
    """Whoever knows only what is older is turned away by the referee, whatever its own library would still allow."""
    authority = Authority.make(tmp_path)
    context = ssl.create_default_context(cafile=str(authority.certificate))
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.maximum_version = newest
    context.set_alpn_protocols(["h2"])
    async with house(store, tmp_path, play_files=authority.issue("play").play()) as home:
        host, _, port = home.server.partition(":")

        def met() -> str | None:
            with socket.create_connection((host, int(port))) as line:
                try:
                    with context.wrap_socket(line, server_hostname=host) as talk:
                        return talk.version()
                except (ssl.SSLError, ConnectionError):
                    return ""

        assert await asyncio.to_thread(met) == spoken
