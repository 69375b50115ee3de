"""What the rules of deploy/nftables do to those who dial: `test_nftables.py` runs each case in a network of its own."""

from __future__ import annotations

import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from typing import Final

from tests.deploy.firewall import counted, enforce, here, remembered_ms, rules, trust_nobody
from tests.patience import until_true

PUBLIC, REFEREE, TRUNK = 443, 7410, 7510
RATE, BURST, MOST = 2, 20, 40
MANY: Final = 60
"""More than an address may have."""
ANN, BEA = "198.51.100.1", "198.51.100.2"
ANN_6, HERS_6, BEA_6 = "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"
"""Two of one /64, and one of the next."""
ROOMY: Final = 10_000


class Dialler:
    """Listens everywhere, and dials from an address: who dials an address of this network comes from it."""

    def __init__(self, stack: ExitStack, text: str) -> None:
        self._stack = stack
        here(ANN, BEA, ANN_6, HERS_6, BEA_6)
        for port in (PUBLIC, REFEREE, TRUNK):
            for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
                listener = stack.enter_context(socket.socket(family))
                if family is socket.AF_INET6:
                    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind((host, port))
                listener.listen(1_024)
        enforce(text)

    def begin(self, who: str, count: int, port: int = PUBLIC) -> list[socket.socket]:
        """Dial so often at once; returns the connections, which may come about later or never."""
        made = []
        for _ in range(count):
            one = self._stack.enter_context(closing(socket.socket(socket.AF_INET6 if ":" in who else socket.AF_INET)))
            one.setblocking(False)
            one.connect_ex((who, port))
            made.append(one)
        return made


def up(those: list[socket.socket]) -> list[socket.socket]:
    """Return the connections that came about."""
    return [one for one in those if one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0 and _linked(one)]


def refused(those: list[socket.socket]) -> int:
    """Return how many dials ended with a refusal, of those whose refusal nobody has looked at."""
    return sum(one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0 for one in those)


def hang_up(one: socket.socket) -> None:
    """Give up a connection so that the other side is rid of it at once."""
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()


def _linked(one: socket.socket) -> bool:
    try:
        one.getpeername()
    except OSError:
        return False
    return True


def a_flood(dialler: Dialler) -> None:
    """One address gets its burst and then its rate; another one is let in at once beside it."""
    for port in (PUBLIC, REFEREE):
        enforce(rules())  # nobody is remembered
        began = time.monotonic()
        flood = dialler.begin(ANN, MANY, port)
        in_at_once = len(up(flood))
        most = BURST + RATE * (time.monotonic() - began) + 1
        assert BURST <= in_at_once <= most, (in_at_once, most)
        before = counted("too_fast")
        assert before >= MANY - most
        for one in flood:
            one.close()  # else the kernel goes on asking for them
        before = counted("too_fast")
        assert len(up(dialler.begin(BEA, BURST, port))) == BURST
        assert counted("too_fast") == before


def patience(dialler: Dialler) -> None:
    """Whoever is put off comes in by itself: the kernel asks again."""
    those = dialler.begin(ANN, BURST + 2)
    until_true(lambda: len(up(those)) == BURST + 2)
    assert counted("too_fast") >= 1


def a_network(dialler: Dialler) -> None:
    """All addresses of an IPv6 /64 count as one; those of the next are not held to what these did."""
    both = [*dialler.begin(ANN_6, BURST // 2), *dialler.begin(HERS_6, BURST)]
    assert BURST <= len(up(both)) < len(both)
    before = counted("too_fast")
    assert before >= 1
    for one in both:
        one.close()
    before = counted("too_fast")
    assert len(up(dialler.begin(BEA_6, BURST))) == BURST
    assert counted("too_fast") == before


def dialling_on(dialler: Dialler) -> None:
    """Who goes on dialling is not forgotten meanwhile, and has no full burst anew."""
    for who, known, which in ((ANN, ANN, "dials"), (ANN_6, "2001:db8:0:1::", "dials_v6")):
        _dials_again(dialler, who, partial(remembered_ms, known, which))


def _dials_again(dialler: Dialler, who: str, remembered: Callable[[], int]) -> None:
    dialler.begin(who, 1)
    at_first = remembered()
    until_true(lambda: remembered() < at_first - 500)
    before = remembered()
    dialler.begin(who, 1)
    assert remembered() > before


def hoarding(dialler: Dialler) -> None:
    """An address has so many connections and is refused the next; one that it gives up makes room for another."""
    enforce(rules(rate=ROOMY))
    for who, neighbour in ((ANN, BEA), (ANN_6, BEA_6)):
        those = dialler.begin(who, MOST)
        assert len(up(those)) == MOST
        before = counted("too_many")
        assert refused(dialler.begin(who, 5)) == 5
        assert counted("too_many") == before + 5
        assert len(up(dialler.begin(neighbour, 1))) == 1
        hang_up(those[0])
        assert len(up(dialler.begin(who, 1))) == 1


def those_who_are_trusted(dialler: Dialler) -> None:
    """An nginx on this machine has as many as it wants; without that trust it is held to the rules, too."""
    assert len(up(dialler.begin("127.0.0.1", MANY, REFEREE))) == MANY
    assert len(up(dialler.begin("::1", MANY, REFEREE))) == MANY
    trust_nobody()
    assert BURST <= len(up(dialler.begin("127.0.0.1", MANY, REFEREE))) < MANY


def other_ports(dialler: Dialler) -> None:
    """What does not face people is nobody's business here."""
    assert len(up(dialler.begin(ANN, MANY, TRUNK))) == MANY


CASES: Final[tuple[Callable[[Dialler], None], ...]] = (
    a_flood, patience, a_network, dialling_on, hoarding, those_who_are_trusted, other_ports,
)  # fmt: skip


def main(name: str) -> None:
    """Run one case in the network that this process is in."""
    case = next(case for case in CASES if case.__name__ == name)
    with ExitStack() as stack:
        case(Dialler(stack, rules()))


if __name__ == "__main__":
    main(sys.argv[1])
