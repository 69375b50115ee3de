from __future__ import annotations

import os
import socket

import pytest

from lastcard.address import Address
from lastcard.errors import InputError
from workers.house import ports


def test_free_ports_are_different_and_can_be_listened_on() -> None:
    """What is called free can be used, all of it at once."""
    found = ports.free(8)
    assert len(set(found)) == 8
    for port in found:
        assert ports.is_free("127.0.0.1", port)


def test_free_ports_lie_below_the_ephemeral_range() -> None:
    """A client that dials a restarting server is never given the server's own port."""
    assert all(port < 32_768 for port in ports.free(3))


def test_where_too_few_are_left_it_is_said() -> None:
    """With how many there are."""
    with pytest.raises(InputError, match=r"3 free ports are needed, 2 are left of 20000\.\.31999") as refused:
        ports.free(3, taken=set(ports.FREE) - set(ports.free(2)))
    assert refused.value.reason == "NO_FREE_PORT"


def test_a_taken_port_names_its_holder() -> None:
    """The sentence says which process to end and which option to change."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError) as caught:
            ports.require_free(address, "web")
    assert f"(process {os.getpid()})" in str(caught.value)
    assert "--web" in str(caught.value)
    assert (caught.value.reason, caught.value.exit_code) == ("PORT_TAKEN", 2)


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("7410", id="no host"),
        pytest.param(":7410", id="empty host"),
        pytest.param("127.0.0.1:", id="no port"),
        pytest.param("127.0.0.1:http", id="a word for a port"),
        pytest.param("127.0.0.1:65536", id="past the last port"),
        pytest.param("127.0.0.1:-1", id="negative"),
        pytest.param("127.0.0.1:१२", id="digits of another script"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    """The error names the option and shows an address that would do."""
    with pytest.raises(InputError, match=r"must be HOST:PORT .*for example") as caught:
        Address.parse(address, "play")
    assert caught.value.field == "play"


def test_an_ipv6_host_stands_in_brackets() -> None:
    """`[::1]:7421` is host `::1`."""
    assert Address.parse("[::1]:7421", "web") == Address("::1", 7421)
    assert str(Address("::1", 7421)) == "[::1]:7421"
