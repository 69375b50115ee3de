"""Addresses on this machine: parsing, free ports, and who holds a taken one."""

from __future__ import annotations

import contextlib
import random
import shutil
import socket
import subprocess
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from lastcard.address import Address
from lastcard.errors import InputError

LOOPBACK: Final = "127.0.0.1"
FREE: Final = range(20_000, 32_000)
"""Where free ports are looked for: below the ports that the system gives to outgoing connections, so that a bot which
dials a restarting referee can never be connected to itself."""
LISTENING: Final = "0A"
"""State of a listening socket in `/proc/net/tcp`."""


def is_free(host: str, port: int) -> bool:
    """Return whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def free(count: int, taken: Collection[int] = ()) -> list[int]:
    """Return that many different free loopback ports, none of `taken`."""
    candidates = random.sample(FREE, len(FREE))
    found = list(islice((port for port in candidates if port not in taken and is_free(LOOPBACK, port)), count))
    if len(found) < count:
        message = f"{count} free ports are needed, {len(found)} are left of {FREE.start}..{FREE.stop - 1}"
        raise InputError("NO_FREE_PORT", message, field="port", value=count, allowed=[f"{FREE.start}..{FREE.stop - 1}"])
    return found


def holder(port: int) -> str:
    """Return who listens on a port: `valkey-server (process 4711)`, or `another process` where that cannot be seen."""
    pid = holding(port)
    return f"{_name(pid)} (process {pid})" if pid else "another process"


def holding(port: int) -> int | None:
    """Return the process that listens on a port, None where that cannot be seen."""
    return next(_pids_of(set(_inodes(port))), None) if Path("/proc/net/tcp").exists() else _asked_of_lsof(port)


def is_of(pid: int, ancestor: int) -> bool:
    """Return whether a process is another one or was started by it, as far as we may look."""
    while pid > 1 and pid != ancestor:
        pid = _parent(pid)
    return pid == ancestor


def _parent(pid: int) -> int:
    """Return the process that started another; 0 where that cannot be seen."""
    try:
        if Path("/proc/self/stat").exists():
            return int(Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
        command = ["ps", "-o", "ppid=", "-p", str(pid)]
        return int(subprocess.run(command, capture_output=True, text=True, check=False).stdout or 0)
    except (OSError, ValueError):
        return 0


def require_free(address: str, field: str) -> None:
    """Do nothing if a server could listen at `address`.

    Raises:
        InputError: its port is taken, by whom is said, or it is no address.

    """
    wanted = Address.parse(address, field)
    if wanted.port and not is_free(wanted.host, wanted.port):
        message = f"{address} is taken by {holder(wanted.port)}: end that, or choose another address with --{field}"
        raise InputError("PORT_TAKEN", message, field=field, value=address)


def _inodes(port: int) -> Iterator[str]:
    """Yield the inodes of the sockets that listen on a port."""
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if Path(table).exists():
            rows = (line.split() for line in Path(table).read_text("ascii").splitlines()[1:])
            yield from (row[9] for row in rows if row[3] == LISTENING and int(row[1].rpartition(":")[2], 16) == port)


def _pids_of(inodes: Collection[str]) -> Iterator[int]:
    """Yield the processes that hold one of these sockets, as far as we may look."""
    links = {f"socket:[{inode}]" for inode in inodes}
    for process in Path("/proc").glob("[0-9]*"):
        if links and not links.isdisjoint(_open_in(process)):
            yield int(process.name)


def _open_in(process: Path) -> Iterator[str]:
    """Yield what a process has open, as far as we may look; what it closes meanwhile hides nothing else."""
    with contextlib.suppress(OSError):
        for file in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                yield str(file.readlink())


def _asked_of_lsof(port: int) -> int | None:
    if program := shutil.which("lsof"):
        command = [program, "-nP", "-t", f"-iTCP:{port}", "-sTCP:LISTEN"]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
        return int(found[0]) if found else None
    return None


def _name(pid: int | None) -> str:
    """Return the command line of a process, shortened; its number says enough where that cannot be seen."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return "a program"
    shown = " ".join([Path(words[0]).name, *words[1:]]).strip()
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
