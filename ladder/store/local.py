"""A store of one's own: a server process that lives and dies with the process that started it."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast

from ladder.store.client import Link
from ladder.store.errors import NoServerError, StoreUnavailableError, UnfitStoreError
from ladder.store.lone_copy import BEGIN_EMPTY, copy_alone
from ladder.store.server import ServerProgram, find_program
from ladder.store.url import without_password

START_SECONDS: Final = 15.0
STOP_SECONDS: Final = 15.0
ATTEMPTS: Final = 3
"""A free port may be taken by somebody else before the server has it."""
LOAD_SECONDS: Final = 600.0
"""Many files take their time; a server that cannot load them ends by itself."""
LOOK_SECONDS: Final = 0.02
WRITTEN: Final[dict[str, object]] = {"aof_enabled": 1, "aof_rewrite_in_progress": 0, "aof_rewrite_scheduled": 0}
"""What a server says of its files when its log holds all that it has."""
SOCKET_PATH_BYTES: Final = 100
"""The kernel takes 107 bytes at most."""
_PR_SET_PDEATHSIG: Final = 1


class Fsync(StrEnum):
    """When an acknowledged write is on the disk: before the answer, or within a second of it."""

    ALWAYS = "always"
    EVERYSEC = "everysec"


class LocalStore:
    """A running store: the given one, or a process that `stop` ends."""

    def __init__(self, url: str, chosen: str, process: "subprocess.Popen[bytes] | None" = None) -> None:
        self.url = url
        self.chosen = chosen
        """One sentence for people: which store was taken and why."""
        self.process = process

    def stop(self) -> None:
        """Ends the process, if it is ours; everything acknowledged is on the disk."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def choose(url: str | None, directory: Path, *, fsync: Fsync = Fsync.ALWAYS) -> LocalStore:
    """The store at `url` if one is given, else a process of our own with its files in `directory`.

    Raises:
        NoServerError: None is given and none can be started.
        StoreUnavailableError: The given one does not answer.
    """
    if not url:
        return start(directory, fsync=fsync)
    with Link(url, role="choose") as link:
        link.ping()
    return LocalStore(url, f"store: {without_password(url)} (given)")


def start(
    directory: Path,
    *,
    fsync: Fsync = Fsync.ALWAYS,
    port: int | None = None,
    unix_socket: bool = False,
    program: ServerProgram | None = None,
) -> LocalStore:
    """Starts a server and returns when it answers.

    Call it from a thread that lives as long as the store is needed: on Linux the server gets SIGTERM when that ends.

    Args:
        directory: Where its files are; made if missing. A directory used before is continued, and a copy that lies
            alone in it is loaded.
        fsync: `always` wherever ratings matter; a demo may take `everysec`.
        port: On 127.0.0.1; None takes a free one.
        unix_socket: Listen on a socket in the directory instead.
        program: What to start; None finds one.

    Raises:
        NoServerError: There is no program to start, or it does not start; the message has the end of its log.
    """
    program, directory = program or find_program(), directory.absolute()
    directory.mkdir(parents=True, exist_ok=True)
    load_copy(program, directory)
    given = socket_url(directory) if unix_socket else f"redis://127.0.0.1:{port}/0" if port else None
    started = _running(program, directory, lambda: given or _free_url(), fsync)
    if started is None:
        raise NoServerError(f"{program} does not start in {directory}: {_last_words(directory)}", value=str(directory))
    url, process = started
    return LocalStore(url, f"store: {program} at {url}, files in {directory}", process)


def _running(
    program: ServerProgram, directory: Path, url_of: Callable[[], str], fsync: Fsync, *options: str
) -> "tuple[str, subprocess.Popen[bytes]] | None":
    """A server that answers, and where; another address is tried while there is one. None: it does not start."""
    tried: set[str] = set()
    while len(tried) < ATTEMPTS and (url := url_of()) not in tried:
        tried.add(url)
        process = _spawn(program, _config(directory, url, fsync), *options)
        answers = False
        try:
            answers = _answers(process, url)
        finally:
            if not answers:
                process.kill()
                process.wait()
        if answers:
            return url, process
    return None


def command(program: ServerProgram, directory: Path, url: str, *, fsync: Fsync = Fsync.ALWAYS) -> tuple[str, ...]:
    """What a supervisor runs that starts the server itself: it listens at `url`, its files are in `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    return (str(program.path), str(_config(directory, url, fsync)))


def load_copy(program: ServerProgram, directory: Path, given_up: Callable[[], bool] = lambda: False) -> Path | None:
    """Makes a log of a copy that lies alone in the directory, as one who restores a backup puts it there.

    A server that logs reads its log only: it would begin empty, and write over the copy when it ends. Until the log is
    whole nothing is written to the copy, and a load that was cut off is begun again.

    Args:
        program: What to start.
        directory: Where the copy is.
        given_up: Asked meanwhile, from time to time: whether nobody waits for it any more.

    Returns:
        The copy that was loaded; None: there is none.

    Raises:
        NoServerError: It cannot be loaded, or was given up; it is as it was.
    """
    directory = directory.absolute()
    copy = copy_alone(directory)
    if copy is None:
        return None
    without_log = ("--appendonly", "no", "--save", "")
    started = _running(program, directory, lambda: own_url(directory), Fsync.ALWAYS, *without_log)
    why = _unlogged(*started, directory, given_up) if started else _last_words(directory)
    if why:
        raise NoServerError(
            f"{program} cannot load the copy {copy}, which is as it was: {why} / put a copy there that is whole and "
            f"not of a newer server, or {BEGIN_EMPTY}",
            field="store",
            value=str(copy),
        )
    return copy


def _unlogged(url: str, process: "subprocess.Popen[bytes]", directory: Path, given_up: Callable[[], bool]) -> str:
    """Has a server that answers load its copy and write it out as a log, and end; returns why it could not."""
    until = time.monotonic() + LOAD_SECONDS
    with Link(url, role="restore", retries=0) as link:

        def reached(wanted: dict[str, object]) -> bool:
            while process.poll() is None and time.monotonic() < until and not given_up():
                with suppress(StoreUnavailableError):  # it may be too busy to answer in time
                    if wanted.items() <= cast("dict[str, object]", link.read("INFO", "persistence")).items():
                        return True
                time.sleep(LOOK_SECONDS)
            return False

        try:
            if reached({"loading": 0}):
                with suppress(StoreUnavailableError):
                    link.configure("appendonly", "yes")
                if reached(WRITTEN) and not copy_alone(directory):
                    return ""
            return _last_words(directory)
        except UnfitStoreError as error:
            return f"{error} / {_last_words(directory)}"
        finally:
            process.terminate()
            process.wait()


def _last_words(directory: Path) -> str:
    """The end of the log of a server."""
    log = directory / "store.log"
    return " / ".join(log.read_text(errors="replace").splitlines()[-5:]) if log.exists() else "it wrote nothing"


def _config(directory: Path, url: str, fsync: Fsync) -> Path:
    listen = ["port 0", f"unixsocket {_quoted(url.removeprefix('unix://'))}", "unixsocketperm 700"]
    if url.startswith("redis://"):
        listen = ["bind 127.0.0.1", f"port {url.removesuffix('/0').rpartition(':')[2]}"]
    lines = [
        *listen,
        "protected-mode yes",
        "daemonize no",
        f"dir {_quoted(directory)}",
        f"logfile {_quoted(directory / 'store.log')}",
        "appendonly yes",
        f"appendfsync {fsync.value}",
        "no-appendfsync-on-rewrite no",
        "aof-load-truncated yes",
        "auto-aof-rewrite-min-size 256mb",
        "save 3600 1",
        "maxmemory-policy noeviction",
        "repl-diskless-sync-delay 0",  # `redis-cli --rdb` copies at once: no replicas come to share the copy
    ]
    path = directory / "store.conf"
    path.write_text("\n".join(lines) + "\n")
    return path


MEANING: Final = frozenset(" %?#")
"""Characters that stand for something else in a URL, or for nothing."""


def _quoted(path: Path | str) -> str:
    """A path as a configuration has it, whatever is in its name."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(letter, letter) for letter in str(path)) + '"'


def socket_url(directory: Path) -> str:
    """URL of the socket in a directory, which only the directory's owner can reach.

    Raises:
        NoServerError: The directory's name is too long for a socket, or cannot stand in a URL.
    """
    path = directory.resolve() / "store.sock"
    if MEANING & set(str(path)) or not str(path).isprintable():
        raise NoServerError(
            f"{str(path)!r} cannot stand in the URL of a socket; take a directory with a plain name or a port",
            field="directory",
            value=str(directory),
            allowed="names without blanks, %, ? and #",
        )
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
        raise NoServerError(
            f"{path} is too long for a socket; take a directory with a shorter name or a port",
            field="directory",
            value=str(directory),
            allowed=f"{SOCKET_PATH_BYTES} bytes",
        )
    return f"unix://{path}"


def own_url(directory: Path) -> str:
    """Where a store of one's own listens: at a socket, which only its owner reaches, where the name is short."""
    try:
        return socket_url(directory)
    except NoServerError:
        return _free_url()


def _free_url() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{probe.getsockname()[1]}/0"


def _spawn(program: ServerProgram, config: Path, *options: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [program.path, config, *options],
        cwd=config.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C goes to the supervisor, which ends the store last
        preexec_fn=_die_with_parent(),  # noqa: PLW1509 one system call, no locks: safe between fork and exec
    )


def _die_with_parent() -> Callable[[], None] | None:
    """What a child does before it becomes the server, so that even a killed parent leaves none behind."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def _answers(process: "subprocess.Popen[bytes]", url: str) -> bool:
    """Waits until the server answers; False if it ended, stays silent, or another one answers in its place."""
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        if _pid(url) == process.pid:
            return True
        time.sleep(LOOK_SECONDS)
    return False


def _pid(url: str) -> int | None:
    """Process of the server that answers there; None: nobody does."""
    with Link(url, role="start", retries=0) as link:
        try:
            said = cast("dict[str, object]", link.read("INFO", "server"))
        except StoreUnavailableError:
            return None
    return int(str(said["process_id"]))
