"""One short demo, looked at from everywhere while it runs: nobody can read a token, the pepper or a seed in play."""

import base64
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import redis

from ladder.store.keys import Keys
from tests.demo.processes import until_true
from tests.demo.running import Running, command_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
LISTEN_S: Final = 2.0
MOST_PAGES: Final = 300
KEYS: Final = Keys("main")
STARTS: Final = (
    "/",
    "/ladders",
    "/bots",
    "/tournaments",
    "/matches",
    "/api/v1",
    "/livez",
    "/readyz",
    "/api/v1/matches",
)


def shapes(secret: bytes) -> Iterator[bytes]:
    """Yield how bytes might be written."""
    yield secret
    yield secret.hex().encode()
    yield base64.b64encode(secret).rstrip(b"=")
    yield base64.urlsafe_b64encode(secret).rstrip(b"=")


class Demo:
    """A demo that plays, and what may be looked at."""

    def __init__(self, running: Running) -> None:
        self.running = running
        self.state = next(path.parent for path in running.home.glob("lastcard-*/logs"))
        self.web = self._said(r"pages\s+(\S+)")
        self.metrics = self._said(r"metrics\s+(.+)").split()
        self.store = redis.Redis(unix_socket_path=str(next((self.state / "store").glob("*.sock"))))

    def _said(self, pattern: str) -> str:
        return next(found[1] for line in self.running.said if (found := re.search(pattern, line)))

    # -- what is secret

    def credentials(self) -> dict[str, bytes]:
        """Return tokens and pepper, each without what everybody may know of it."""
        files = [self.state / "operator.token", *(self.state / "bots").glob("*.token")]
        found = {str(file.name): file.read_text("ascii").strip().split("_", 2)[2].encode() for file in files}
        pepper = (self.state / "pepper").read_text("ascii").strip()
        return found | {"pepper": pepper.encode(), "raw pepper": bytes.fromhex(pepper)}

    def seeds_in_play(self) -> dict[str, bytes]:
        """Return the seeds of matches that run now, and of the tournament."""
        found: dict[str, bytes] = {"tournament": _bytes(self.store.get("{main}:seed:t:demo"))}
        for key in self.store.scan_iter("{main}:seed:demo.*"):
            match = key.decode().removeprefix("{main}:seed:")
            if self.store.hget(KEYS.match(match), "state") == b"running":
                found[match] = _bytes(self.store.get(key))
        return found

    # -- what can be seen

    def logs(self) -> Iterator[tuple[str, bytes]]:
        """Yield what the processes have logged and what the demo has said."""
        yield from ((path.name, path.read_bytes()) for path in (self.state / "logs").iterdir())
        yield "said", "".join(self.running.said + self.running.printed).encode()

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """Yield all pages that can be reached, the API and the metrics."""
        waiting, seen = list(STARTS), set(STARTS)
        while waiting and len(seen) < MOST_PAGES:
            path = waiting.pop(0)
            text = _fetched(f"{self.web.rstrip('/')}{path}")
            yield path, text
            links = re.findall(rb'(?:href|src)="(/[^"#]*)"', text)
            names = [f"/api/v1/matches/{name.decode()}" for name in re.findall(rb'"id":"([^"]+)"', text)[:20]]
            new = {link.decode().replace("&amp;", "&") for link in links} | set(names)
            waiting += sorted(new - seen)
            seen |= new
        yield from ((address, _fetched(address)) for address in self.metrics)

    def command_lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield what `ps` shows of its processes."""
        yield from ((str(pid), command_of(pid).encode()) for pid in self.running.children())

    def dump(self) -> Iterator[tuple[str, bytes]]:
        """Yield the content of every key of the store, in both its databases, but for the keys of seeds."""
        for key in self.store.scan_iter(count=1_000):
            if not key.startswith(b"{main}:seed:"):
                yield key.decode(), key + b" " + repr(_content(self.store, key)).encode()

    def commands(self) -> bytes:
        """Return what MONITOR shows for a while."""
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(str(next((self.state / "store").glob("*.sock"))))
            raw.settimeout(0.2)
            raw.sendall(b"MONITOR\r\n")
            heard, end = b"", time.monotonic() + LISTEN_S
            while time.monotonic() < end:
                try:
                    heard += raw.recv(1 << 20)
                except TimeoutError:
                    continue
            return heard


def _bytes(value: Any) -> bytes:  # noqa: ANN401 - of redis-py
    assert isinstance(value, bytes)
    return value


def _fetched(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        return error.read()


def _content(store: Any, key: bytes) -> object:  # noqa: ANN401 - of redis-py
    readers = {
        b"string": store.get, b"hash": store.hgetall, b"set": store.smembers,
        b"zset": lambda name: store.zrange(name, 0, -1), b"list": lambda name: store.lrange(name, 0, -1),
        b"stream": store.xrange,
    }  # fmt: skip
    kind = store.type(key)
    return readers[kind](key) if kind in readers else None


def found_in(secrets: dict[str, bytes], seen: Iterable[tuple[str, bytes]], least: int = 1) -> list[str]:
    """Return which secret was found where; at least so many places are looked at."""
    places = list(seen)
    assert sum(bool(text) for _, text in places) >= least, [place for place, _ in places]
    return [
        f"{name} in {place}"
        for place, text in places
        for name, secret in secrets.items()
        if any(shape in text for shape in shapes(secret))
    ]


def test_a_running_demo_gives_nothing_away(tmp_path: Path) -> None:
    """In logs, pages, API, metrics, process list and the store itself, while matches run and afterwards."""
    with Running("demo", "--meetings", "200", "--keep", home=tmp_path) as running:
        running.until_said("metrics ")
        demo = Demo(running)
        until_true(lambda: len(demo.seeds_in_play()) > 1, 60)
        credentials, seeds = demo.credentials(), demo.seeds_in_play()
        assert len(credentials) >= 7
        everything = credentials | seeds
        for name, secret in everything.items():
            leaks = [("a leak", b"seen: " + shape) for shape in shapes(secret)]
            assert len(found_in({name: secret}, leaks)) == len(leaks), "a search that finds nothing proves nothing"
        assert found_in(everything, demo.pages(), least=40) == []
        assert found_in(everything, demo.logs(), least=6) == []
        assert found_in(everything, demo.command_lines(), least=9) == []
        assert found_in(everything, demo.dump(), least=20) == []
        heard = demo.commands()
        assert len(heard) > 10_000
        assert found_in(credentials, [("MONITOR", heard)]) == []
        running.stop()
        assert found_in(credentials, demo.logs()) == []
