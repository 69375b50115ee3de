"""One short demo, looked at from everywhere while it runs: nobody can read a token, the pepper or a seed in play."""

import base64
import re
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import redis

from ladder.store.keys import Keys
from tests.demo.running import Running, command_of, short_folder
from tests.patience import PATIENCE_S, until_true

pytestmark = pytest.mark.slow
MUCH: Final = 200_000  # bytes of commands
Place = tuple[str, bytes]
MOST_PAGES: Final = 150
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
        names = {"tournament": b"{main}:seed:t:demo"}
        for key in self.store.scan_iter("{main}:seed:demo.*"):
            match = key.decode().removeprefix("{main}:seed:")
            if self.store.hget(KEYS.match(match), "state") == b"running":
                names[match] = key
        seeds = {name: self.store.get(key) for name, key in names.items()}
        return {name: seed for name, seed in seeds.items() if isinstance(seed, bytes)}  # not yet, or no more

    def kept(self, name: str) -> bool:
        """Return whether this is a secret still: the seed of a match that is over is told to everybody."""
        return not name.startswith("demo.") or self.store.hget(KEYS.match(name), "state") == b"running"

    # -- what can be seen

    def logs(self) -> Iterator[Place]:
        """Yield what the processes have logged and what the demo has said."""
        yield from ((path.name, path.read_bytes()) for path in (self.state / "logs").iterdir())
        yield "said", "".join(self.running.said + self.running.printed).encode()

    def pages(self) -> Iterator[Place]:
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

    def command_lines(self) -> Iterator[Place]:
        """Yield what `ps` shows of its processes."""
        yield from ((str(pid), command_of(pid).encode()) for pid in self.running.children())

    def dump(self) -> Iterator[Place]:
        """Yield the content of every key of the store, in both its databases, but for the keys of seeds."""
        for key in self.store.scan_iter(count=1_000):
            if not key.startswith(b"{main}:seed:"):
                yield key.decode(), key + b" " + repr(_content(self.store, key)).encode()

    def commands(self) -> bytes:
        """Return what MONITOR shows until it is a good deal."""
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(str(next((self.state / "store").glob("*.sock"))))
            raw.settimeout(0.2)
            raw.sendall(b"MONITOR\r\n")
            heard, end = b"", time.monotonic() + PATIENCE_S
            while len(heard) < MUCH and time.monotonic() < end:
                try:
                    heard += raw.recv(1 << 20)
                except TimeoutError:
                    continue
            return heard


def _fetched(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
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


def always(_name: str) -> bool:
    """Return that it is a secret for ever."""
    return True


def found_in(
    secrets: dict[str, bytes], seen: Iterable[Place], least: int = 1, kept: Callable[[str], bool] = always
) -> list[str]:
    """Return which secret was found where while it was one; at least so many places are looked at."""
    looked, found = 0, []
    for place, text in seen:
        looked += bool(text)
        held = [name for name, secret in secrets.items() if any(shape in text for shape in shapes(secret))]
        found += [f"{name} in {place}" for name in held if kept(name)]
    assert looked >= least, looked
    return found


@pytest.fixture
def home() -> Iterator[Path]:
    """A home with a name that leaves room for a socket in it."""
    folder = short_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.thorough
def test_a_running_demo_gives_nothing_away(home: Path) -> None:
    """In logs, pages, API, metrics, process list and the store itself, while matches run and afterwards."""
    with Running("demo", "--meetings", "200", "--keep", home=home) as running:
        running.until_said("metrics ")
        demo = Demo(running)
        until_true(lambda: {"tournament"} < demo.seeds_in_play().keys())
        credentials = demo.credentials()
        assert len(credentials) >= 7
        everything = credentials | demo.seeds_in_play()
        for name, secret in everything.items():
            leaks = [("a leak", b"seen: " + shape) for shape in shapes(secret)]
            assert len(found_in({name: secret}, leaks)) == len(leaks), "a search that finds nothing proves nothing"
        for look, least in ((demo.pages, 40), (demo.logs, 6), (demo.command_lines, 9), (demo.dump, 20)):
            assert found_in(credentials | demo.seeds_in_play(), look(), least, demo.kept) == []
        heard = demo.commands()
        assert len(heard) >= MUCH
        assert found_in(credentials, [("MONITOR", heard)]) == []
        running.stop()
        assert found_in(credentials, demo.logs()) == []
