"""Proxies in front of a server: whose word about a caller's address is believed, and which address that makes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Protocol, Self, TypeAlias
from urllib.parse import unquote

from lastcard.environment import bad_setting
from lastcard.errors import InputError

TRUSTED_PROXIES: Final = "LASTCARD_TRUSTED_PROXIES"
HEADER: Final = "x-forwarded-for"
LIKE: Final = ("127.0.0.1", "10.0.0.0/24", "2001:db8::7")
WITH_PORT: Final = re.compile(r"\[([^\]]+)\](?::[0-9]{1,5})?|([^:]+):[0-9]{1,5}")
TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""IPv4 addresses on the far side of a translator (RFC 6052)."""
Host: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network


class Call(Protocol):
    """What a server knows of a call, as gRPC has it."""

    def peer(self) -> str:
        """Return who is at the other end: `ipv4:HOST:PORT`, `ipv6:[HOST]:PORT`, or what is no address, `unix:…`."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """Return the headers; names are in small letters."""


@dataclass(frozen=True, slots=True)
class Proxies:
    """Those whose `X-Forwarded-For` is believed; without any, nobody's is."""

    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """Return the proxies that an environment names.

        Raises:
            InputError: one of them is no address and no network, or everybody.
        """
        text = environ.get(TRUSTED_PROXIES, "")
        return cls(tuple(_network(word.strip(), text) for word in text.split(",")) if text else ())

    def trust(self, host: Host) -> bool:
        """Return whether an address is that of a trusted proxy."""
        return any(host in network for network in self.networks)

    def caller(self, call: Call) -> str:
        """Return the address that a call comes from, without a port; of a peer that has none, all that is said of it.

        If a trusted proxy has brought it, that is the last one in its header which no trusted proxy has: what stands
        before it was written by those whom nobody trusts. A header that cannot be read leaves the proxy's own address.
        """
        host = self._from(call)
        return call.peer() if host is None else str(host)

    def counted(self, call: Call) -> str:
        """Return under what limits count a call: its caller's address, of IPv6 the /64 which that lies in.

        Whoever has one address there has all of them; only IPv4 callers that a network brings as IPv6 are others.
        """
        host = self._from(call)
        if not isinstance(host, IPv6Address) or host in TRANSLATED:
            return self.caller(call)
        return str(IPv6Network((int(host) >> 64 << 64, 64)))

    def _from(self, call: Call) -> Host | None:
        """Return the address that a call comes from; None if its peer has none."""
        scheme, _, rest = call.peer().partition(":")
        host = _host(unquote(rest)) if scheme in {"ipv4", "ipv6"} else None
        if host is not None and self.trust(host):
            return self._forwarded(call.invocation_metadata() or ()) or host
        return host

    def _forwarded(self, metadata: Iterable[tuple[str, str | bytes]]) -> Host | None:
        lines = [str(value) for name, value in metadata if name == HEADER]
        host = None
        for word in reversed(",".join(lines).split(",")):
            host = _host(word.strip())
            if host is None or not self.trust(host):
                break
        return host


NOBODY: Final = Proxies()
"""Trusted where nothing else is said."""


def _host(text: str) -> Host | None:
    """Return the address in `HOST`, `HOST:PORT`, `[HOST]` or `[HOST]:PORT`; None if there is none."""
    found = WITH_PORT.fullmatch(text)
    try:
        host = ip_address((found[1] or found[2]) if found else text)
    except ValueError:
        return None
    return _ipv4_in(host) or host


def _ipv4_in(host: Host) -> IPv4Address | None:
    """Return the IPv4 address that is written as IPv6: a caller has one address, however it is written."""
    return host.ipv4_mapped if isinstance(host, IPv6Address) else None


def _network(word: str, whole: str) -> Network:
    """Return the network, or the one address, that a word of the setting names."""
    try:
        network = ip_network(word, strict=False)
        host = ip_address(word.partition("/")[0])
    except ValueError:
        network, host = None, None
    if network is None or "%" in word:
        sentence = f"{word!r} is neither an address nor a network; write such as {', '.join(LIKE)}, with commas between"
        raise _bad(whole, sentence, *LIKE)
    inside = _ipv4_in(network.network_address)
    length = network.prefixlen - (96 if inside else 0)
    if length <= 0:
        sentence = f"{word!r} is everybody, and each could call in any other's name; write the addresses of the proxies"
        raise _bad(whole, sentence, *LIKE)
    if inside is not None:
        right = str(ip_network((inside, length)))
        raise _bad(whole, f"{word!r} is IPv4 written as IPv6; write {right}", right)
    if host != network.network_address:
        raise _bad(
            whole, f"{word!r} is an address inside a network; write that, {network}, or the address alone", str(network)
        )
    return network


def _bad(whole: str, sentence: str, *allowed: str) -> InputError:
    return bad_setting(TRUSTED_PROXIES, whole, f"{TRUSTED_PROXIES}={whole!r}: {sentence}", *allowed)
