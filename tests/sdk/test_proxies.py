"""Whose word about a caller's address is believed: nobody's, but that of the proxies that the operator named."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import InputError
from lastcard.proxies import HEADER, NOBODY, TRUSTED_PROXIES, Host, Proxies
from tests.ipv6 import NEEDS_IPV6

pytestmark = pytest.mark.slow

PROXY = "ipv4:127.0.0.1:40000"
TRUSTED = "127.0.0.1, 10.0.0.0/8,2001:db8::/32"


@dataclass(frozen=True)
class Call:
    """A call as a server sees it."""

    who: str
    headers: tuple[tuple[str, str], ...] = ()

    def peer(self) -> str:
        """Return the other end."""
        return self.who

    def invocation_metadata(self) -> tuple[tuple[str, str], ...] | None:
        """Return the headers."""
        return self.headers or None


def call(peer: str, *forwarded: str) -> Call:
    """Return a call with these lines of the header."""
    return Call(peer, (("authorization", "Bearer x"), *((HEADER, line) for line in forwarded)))


def trusting(text: str = TRUSTED) -> Proxies:
    """Return the proxies that a setting names."""
    return Proxies.of({TRUSTED_PROXIES: text})


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        pytest.param("ipv4:203.0.113.7:40000", "203.0.113.7", id="IPv4"),
        pytest.param("ipv6:%5B2001:db8::1%5D:40000", "2001:db8::1", id="IPv6, as gRPC quotes it"),
        pytest.param("ipv6:[2001:db8:0::1]:40000", "2001:db8::1", id="IPv6 unquoted, in its one spelling"),
        pytest.param("ipv6:%5B::ffff:203.0.113.7%5D:40000", "203.0.113.7", id="IPv4 within IPv6"),
        pytest.param("ipv6:%5Bfe80::1%25eth0%5D:40000", "fe80::1%eth0", id="a link's own address"),
        pytest.param("unix:", "unix:", id="a nameless socket"),
        pytest.param("unix:/run/127.0.0.1:40000", "unix:/run/127.0.0.1:40000", id="a socket by its path"),
        pytest.param("unix:127.0.0.1:40000", "unix:127.0.0.1:40000", id="a socket by a name like an address"),
        pytest.param("unknown", "unknown", id="something else"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_without_a_proxy_a_caller_is_who_dials(peer: str, address: str) -> None:
    """Whatever it says of itself, however its address is written, and whoever else is trusted."""
    for proxies in (NOBODY, Proxies.of({}), trusting(""), trusting("192.0.2.1,192.0.2.128/25")):
        assert proxies.caller(call(peer)) == address
        assert proxies.caller(call(peer, "192.0.2.1")) == address
        assert proxies.caller(call(peer, "198.51.100.9", "192.0.2.1, 198.51.100.9")) == address
        assert proxies.caller(Call(peer)) == address


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        pytest.param("ipv4:203.0.113.7:40000", "203.0.113.7", id="IPv4 alone"),
        pytest.param("ipv6:%5B2001:db8:0:7:1:2:3:4%5D:40000", "2001:db8:0:7::/64", id="IPv6 by its network"),
        pytest.param("ipv6:%5B2001:db8:0:7:ffff::%5D:40000", "2001:db8:0:7::/64", id="another of that network"),
        pytest.param("ipv6:%5B2001:db8:0:8::1%5D:40000", "2001:db8:0:8::/64", id="of the next network"),
        pytest.param("ipv6:%5B::ffff:203.0.113.7%5D:40000", "203.0.113.7", id="IPv4 within IPv6 alone"),
        pytest.param("ipv6:%5B64:ff9b::cb00:7107%5D:40000", "64:ff9b::cb00:7107", id="IPv4 that was translated"),
        pytest.param("ipv6:%5Bfe80::1%25eth0%5D:40000", "fe80::/64", id="all of a link"),
        pytest.param("unix:", "unix:", id="what has no address"),
    ],
)
def test_limits_count_an_ipv6_caller_by_its_network(peer: str, counted: str) -> None:
    """Whoever has one address of a /64 has all of them; also where a trusted proxy says whose the call is."""
    assert NOBODY.counted(call(peer)) == counted
    address = NOBODY.caller(call(peer))
    if not address.startswith("unix"):
        assert trusting("192.0.2.1").counted(call("ipv4:192.0.2.1:40000", address)) == counted


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        pytest.param(["203.0.113.7"], "203.0.113.7", id="one"),
        pytest.param([" 203.0.113.7\t"], "203.0.113.7", id="with spaces"),
        pytest.param(["198.51.100.9, 203.0.113.7"], "203.0.113.7", id="the last, which the proxy added"),
        pytest.param(["198.51.100.9", "203.0.113.7"], "203.0.113.7", id="the last of several lines"),
        pytest.param(["nonsense, 203.0.113.7"], "203.0.113.7", id="before it may stand what a stranger made up"),
        pytest.param(["203.0.113.7, 10.1.2.3, 2001:db8::9"], "203.0.113.7", id="through further proxies"),
        pytest.param(["10.0.0.9, 203.0.113.7, 10.1.2.3"], "203.0.113.7", id="an inner address that was made up"),
        pytest.param(["10.0.0.9, 127.0.0.1"], "10.0.0.9", id="a caller among the proxies"),
        pytest.param(["203.0.113.7:5555"], "203.0.113.7", id="with a port"),
        pytest.param(["2001:DB9::0:7"], "2001:db9::7", id="IPv6"),
        pytest.param(["[2001:db9::7]"], "2001:db9::7", id="IPv6 in brackets"),
        pytest.param(["[2001:db9::7]:5555"], "2001:db9::7", id="IPv6 with a port"),
        pytest.param(["::ffff:203.0.113.7"], "203.0.113.7", id="IPv4 within IPv6"),
        pytest.param(["203.0.113.7, ::ffff:10.0.0.1"], "203.0.113.7", id="a proxy that writes itself as IPv6"),
    ],
)
@pytest.mark.parametrize("peer", [PROXY, "ipv4:10.9.8.7:1", "ipv6:%5B2001:db8::1%5D:2", "ipv6:[::ffff:127.0.0.1]:3"])
def test_behind_a_trusted_proxy_a_caller_is_who_dials_that(peer: str, forwarded: list[str], address: str) -> None:
    """The last address that is not a trusted proxy's own; what stands before it is nobody's word."""
    assert trusting().caller(call(peer, *forwarded)) == address


@pytest.mark.parametrize(
    "forwarded",
    [
        pytest.param([], id="no header"),
        pytest.param([""], id="empty"),
        pytest.param([","], id="commas"),
        pytest.param(["203.0.113.7,"], id="a comma at the end"),
        pytest.param(["unknown"], id="a word"),
        pytest.param(["203.0.113.7, _hidden"], id="a word after an address"),
        pytest.param(["203.0.113.7, garbage, 10.0.0.1"], id="a word between proxies"),
        pytest.param(["203.0.113.007"], id="leading zeros"),
        pytest.param(["203.0.113.7/32"], id="a network"),
        pytest.param(["203.0.113.7:port"], id="a port that is none"),
        pytest.param(["[203.0.113.7"], id="half a bracket"),
        pytest.param(["[]:80"], id="brackets around nothing"),
        pytest.param(["203.0.113.7:1:2"], id="two ports"),
        pytest.param(["\N{FULLWIDTH DIGIT TWO}03.0.113.7"], id="digits of another script"),
        pytest.param(['for="203.0.113.7"'], id="what stands in another header"),
        pytest.param(["9" * 8_000], id="long"),
        pytest.param(["," * 8_000], id="many"),
    ],
)
def test_a_header_that_cannot_be_read_is_the_proxys(forwarded: list[str]) -> None:
    """Nobody gets out of the count by it: all who do so count as one."""
    assert trusting().caller(call(PROXY, *forwarded)) == "127.0.0.1"


@given(st.text(), st.lists(st.text(), max_size=3))
def test_no_header_and_no_peer_is_an_error(peer: str, lines: list[str]) -> None:
    """Whatever is sent, a call comes from somewhere."""
    for who in (peer, PROXY, f"ipv4:{peer}", f"ipv6:{peer}"):
        assert isinstance(trusting().caller(call(who, *lines)), str)


@given(st.ip_addresses(), st.lists(st.ip_addresses(), max_size=3))
def test_a_stranger_who_sends_the_header_gains_nothing(address: Host, lines: list[Host]) -> None:
    """Straight to the server it is who it is; through a proxy that adds to the header, too."""
    text = f"[{address}]" if address.version == 6 else str(address)
    told = [str(line) for line in lines]
    proxies = trusting("192.0.2.1")
    plain = proxies.caller(call(f"ipv{address.version}:{text}:1"))
    if plain != "192.0.2.1":
        assert proxies.caller(call(f"ipv{address.version}:{text}:1", *told)) == plain
        assert proxies.caller(call("ipv4:192.0.2.1:1", ", ".join([*told, str(address)]))) == plain


@pytest.mark.parametrize(
    ("text", "said", "right"),
    [
        pytest.param("nginx", "'nginx' is neither an address nor a network", "127.0.0.1", id="a name"),
        pytest.param("*", "'*' is neither", "127.0.0.1", id="a star"),
        pytest.param("127.0.0.1:443", "'127.0.0.1:443' is neither", "127.0.0.1", id="a port"),
        pytest.param("127.0.0.1 10.0.0.1", "with commas between", "127.0.0.1", id="without commas"),
        pytest.param("127.0.0.1,", "'' is neither", "127.0.0.1", id="a comma at the end"),
        pytest.param(" ", "'' is neither", "127.0.0.1", id="a space"),
        pytest.param("10.0.0.0/33", "'10.0.0.0/33' is neither", "127.0.0.1", id="a prefix that is too long"),
        pytest.param("fe80::1%eth0", "'fe80::1%eth0' is neither", "127.0.0.1", id="an interface"),
        pytest.param("127.0.0.1,0.0.0.0/0", "'0.0.0.0/0' is everybody", "127.0.0.1", id="everybody"),
        pytest.param("::/0", "'::/0' is everybody", "127.0.0.1", id="everybody, too"),
        pytest.param("::ffff:0:0/96", "'::ffff:0:0/96' is everybody", "127.0.0.1", id="everybody of IPv4"),
        pytest.param("10.0.0.5/24", "'10.0.0.5/24' is an address inside", "10.0.0.0/24", id="an address with a prefix"),
        pytest.param("::ffff:10.0.0.1", "write 10.0.0.1/32", "10.0.0.1/32", id="IPv4 within IPv6"),
        pytest.param("::ffff:10.0.0.0/104", "write 10.0.0.0/8", "10.0.0.0/8", id="its networks"),
    ],
)
def test_a_setting_that_names_no_proxy_is_refused(text: str, said: str, right: str) -> None:
    """With the word that is wrong, and what would be right."""
    with pytest.raises(InputError) as caught:
        trusting(text)
    error = caught.value
    assert (error.reason, error.field, error.value) == ("BAD_SETTING", TRUSTED_PROXIES, text)
    assert error.message.startswith(f"{TRUSTED_PROXIES}={text!r}: ")
    assert said in error.message
    assert right in error.allowed


@asynccontextmanager
async def listening(where: str) -> AsyncIterator[Any]:
    """Yield a call that is told where it comes from by a server at `HOST:PORT` or `unix:PATH`."""

    async def told(_request: bytes, context: Any) -> bytes:  # noqa: ANN401 (gRPC)
        return trusting("127.0.0.1,::1").caller(context).encode()

    method: Any = grpc.unary_unary_rpc_method_handler(told)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Where", {"Am": method}),))
    port = server.add_insecure_port(where)
    await server.start()
    try:
        async with grpc.aio.insecure_channel(where.replace(":0", f":{port}")) as channel:
            yield channel.unary_unary("/test.Where/Am")
    finally:
        await server.stop(None)


@pytest.mark.parametrize(
    ("where", "plain", "brought"),
    [
        pytest.param("127.0.0.1:0", "127.0.0.1", "203.0.113.7", id="IPv4"),
        pytest.param(
            *("[::1]:0", "::1", "203.0.113.7"),
            marks=NEEDS_IPV6,
            id="IPv6",
        ),
        pytest.param("unix:{}/socket", "unix:", "unix:", id="a socket, whose callers have no address"),
    ],
)
async def test_it_reads_what_grpc_says(where: str, plain: str, brought: str, tmp_path: Path) -> None:
    """The library's own spelling of peers and headers, over real connections."""
    header = ((HEADER, "198.51.100.9"), (HEADER, "203.0.113.7"))
    async with listening(where.replace("{}", str(tmp_path))) as call_:
        assert (await call_(b"")).decode() == plain
        assert (await call_(b"", metadata=header)).decode() == brought
