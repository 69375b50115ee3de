"""The rules of deploy/nftables in a network that nobody else is in."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Final

import pytest

from tests.deploy.places import DEPLOY, PLACES, output, program

FILE: Final = DEPLOY / "nftables" / "lastcard.nft"
APART: Final = ("unshare", *(() if os.geteuid() == 0 else ("--user", "--map-current-user", "--keep-caps")), "--net")
"""Begins a program in a network of its own; root needs no user of its own for that, and would lose groups by it."""
needs_network = pytest.mark.needs(
    "ip", "nft", shlex.join([*APART, "sh", "-c", "PATH=$PATH:/usr/sbin:/sbin nft list ruleset"])
)
"""Some systems have the programs and let nobody make networks, or filter in them."""


def apart(words: Sequence[str]) -> list[str]:
    """Return the words that run a module of Python in a network of its own."""
    return [program(APART[0]), *APART[1:], sys.executable, "-m", *words]


def here(*addresses: str) -> None:
    """Give this machine's loopback further addresses; who dials one of them comes from it, too."""
    output([program("ip"), "link", "set", "lo", "up"])
    for address in addresses:
        output([program("ip"), "address", "add", address, "dev", "lo", *(["nodad"] if ":" in address else [])])


def rules(ports: Iterable[int] = (), *, rate: int = 0) -> str:
    """Return what the file says: with these ports in place of its own, or with so much room that no rate counts."""
    text = FILE.read_text("utf-8")
    if named := ", ".join(map(str, ports)):
        text, found = re.subn(r"(?m)^define public = .*$", f"define public = {{ {named} }}", text)
        assert found == 1
    if rate:
        text, found = re.subn(r"over \d+/second burst \d+ packets", f"over {rate}/second burst {rate} packets", text)
        assert found == 2, found
    return text


def enforce(text: str) -> None:
    """Have the rules hold in this network; they may be there already."""
    done = subprocess.run(
        [program("nft"), "-f", "-"],
        input=text,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def trust_nobody() -> None:
    """Hold this machine itself to the rules."""
    output([program("nft"), "flush", "set", "inet", "lastcard", "trusted"])


def counted(name: str) -> int:
    """Return how many connections were put off (`too_fast`) or refused (`too_many`) so far."""
    told = output([program("nft"), "list", "counter", "inet", "lastcard", name])
    found = re.search(r"packets (\d+)", told)
    assert found, told
    return int(found[1])


def remembered_ms(address: str, which: str) -> int:
    """Return for how long a set still remembers an address."""
    told = output([program("nft"), "list", "set", "inet", "lastcard", which])
    found = re.search(rf"\s{re.escape(address)} .*?expires (?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?", told)
    assert found, told
    minutes, seconds, ms = (int(part or 0) for part in found.groups())
    return (minutes * 60 + seconds) * 1_000 + ms


def inside(module: str, *words: str) -> str:
    """Run a module in a network of its own, where it has to succeed; returns what it said."""
    environ = os.environ | {"PATH": PLACES}
    done = subprocess.run(
        apart([module, *words]), env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
