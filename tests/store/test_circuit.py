"""A server that does not answer is left alone for a while."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from ladder.store.circuit import FAILURES, PAUSE_S, PROBE_S, Circuit
from ladder.store.client import Link
from ladder.store.errors import StoreUnavailableError
from ladder.store.local import Fsync, LocalStore, start
from workers.house import ports


class Clock:
    """Time that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalStore]:
    with start(tmp_path, fsync=Fsync.EVERYSEC, port=ports.free(1)[0]) as running:
        yield running


def said(link: Link) -> str:
    """Ask, and return what is wrong."""
    try:
        link.ping()
    except StoreUnavailableError as error:
        return str(error)
    return ""


@pytest.mark.slow
def test_a_store_that_is_gone_is_asked_once_a_while_until_it_is_back(tmp_path: Path, server: LocalStore) -> None:
    """Five calls find out for themselves, later ones are told at once; the first that is answered opens it to all."""
    clock, port = Clock(), int(server.url.split(":")[2].split("/")[0])
    with Link(server.url, role="test", retries=0, circuit=Circuit(clock)) as link:
        assert said(link) == ""
        server.stop()
        assert all("asked again soon" not in said(link) for _ in range(FAILURES))
        assert all("asked again soon" in said(link) for _ in range(3))
        link.close()  # asks nobody
        clock.now += PAUSE_S
        found, others = said(link), [said(link) for _ in range(3)]
        assert "asked again soon" not in found
        assert found
        assert all("asked again soon" in one for one in others)
        with start(tmp_path, fsync=Fsync.EVERYSEC, port=port):
            assert "asked again soon" in said(link)
            clock.now += PAUSE_S
            assert [said(link) for _ in range(3)] == ["", "", ""]


@pytest.mark.slow
def test_a_store_that_refuses_has_answered(tmp_path: Path, server: LocalStore) -> None:
    """One that is full, or asked for something else, is there: reads go on, also after a refusal that was first."""
    clock, port = Clock(), int(server.url.split(":")[2].split("/")[0])
    with Link(server.url, role="test", retries=0, circuit=Circuit(clock)) as link:
        server.stop()
        assert all("asked again soon" not in said(link) for _ in range(FAILURES))
        assert "asked again soon" in said(link)
        with start(tmp_path, fsync=Fsync.EVERYSEC, port=port), Link(server.url, role="other") as other:
            other.configure("maxmemory", "1")
            clock.now += PAUSE_S
            for _ in range(2 * FAILURES):
                with pytest.raises(StoreUnavailableError, match="takes no writes"):
                    link.read("SET", "a", "b")
            assert link.text("a") is None


class Peer:
    """A server that says the same to whatever it is asked, or, as long as it has nothing to say, hangs up."""

    def __init__(self) -> None:
        self.word = ""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                while (word := self.word) and connection.recv(65_536):
                    connection.sendall(f"-{word} of a test\r\n".encode())

    def close(self) -> None:
        """Answer nobody any more."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@pytest.fixture
def peer() -> Iterator[Peer]:
    found = Peer()
    yield found
    found.close()


LOADING = "LOADING Redis is loading"
CODES = ("OOM", "WRONGTYPE", "HEAD", "LAPSED", "NOPERM", "NOAUTH", "WRONGPASS", "ERR", LOADING)
WORDS = [pytest.param(word, id=word.partition(" ")[0]) for word in CODES]


def wrong(link: Link) -> str:
    """Ask, and return whatever is wrong, by its kind and in words."""
    with pytest.raises(Exception) as error:  # noqa: PT011 - which it is, is what is asked
        link.ping()
    return f"{error.typename}: {error.value}"


@pytest.mark.parametrize("word", WORDS)
def test_whatever_is_said_is_an_answer(peer: Peer, word: str) -> None:
    """A refusal, and that it still loads its files, too: the next call is tried, and hears the same."""
    clock = Clock()
    with Link(peer.url, role="test", retries=0, circuit=Circuit(clock)) as link:
        silent = [wrong(link) for _ in range(FAILURES + 1)]
        assert ["asked again soon" in one for one in silent] == [False] * FAILURES + [True]
        peer.word = word
        clock.now += PAUSE_S
        heard = {wrong(link) for _ in range(2 * FAILURES)}
        assert len(heard) == 1
        assert "of a test" in heard.pop() or word == LOADING


@pytest.mark.parametrize("word", WORDS)
def test_silences_between_which_something_was_said_are_none_in_a_row(peer: Peer, word: str) -> None:
    """Each is tried, however many there are."""
    with Link(peer.url, role="test", retries=0, circuit=Circuit(Clock())) as link:
        for _ in range(FAILURES):
            for said_now in ("", word):
                peer.word = said_now
                assert "asked again soon" not in wrong(link)


def test_a_store_that_loads_its_files_says_so_for_as_long_as_it_does(peer: Peer) -> None:
    """It is asked each time: nothing of it is taken for silence."""
    peer.word = LOADING
    with Link(peer.url, role="test", retries=0, circuit=Circuit(Clock())) as link:
        for _ in range(2 * FAILURES):
            assert "StoreLoadingError" in wrong(link)


def test_one_finds_out_for_all() -> None:
    """However long it takes; who died over it is not waited for for ever."""
    clock = Clock()
    circuit = Circuit(clock)
    for _ in range(FAILURES):
        circuit.silent()
    clock.now += PAUSE_S
    assert [circuit.closed() for _ in range(3)] == [True, False, False]
    clock.now += 2 * PAUSE_S
    assert not circuit.closed()
    circuit.silent()
    assert not circuit.closed()
    clock.now += PAUSE_S
    assert [circuit.closed(), circuit.closed()] == [True, False]
    clock.now += PROBE_S
    assert circuit.closed()
    circuit.answered()
    assert circuit.closed()
    assert circuit.closed()


@pytest.mark.slow
@pytest.mark.parametrize("guarded", [True, False])
def test_a_store_that_is_silent_is_asked_nothing_twice(*, guarded: bool) -> None:
    """Each try costs two seconds; a connection that is lost is tried again all the same."""
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        url = f"redis://127.0.0.1:{frozen.getsockname()[1]}/0"
        with Link(url, role="test", retries=1, circuit=Circuit() if guarded else None) as link:
            assert said(link)
        frozen.setblocking(False)
        found = []
        with suppress(BlockingIOError):
            while True:
                found.append(frozen.accept()[0])
        for connection in found:
            connection.close()
    assert (len(found) == 1) == guarded
