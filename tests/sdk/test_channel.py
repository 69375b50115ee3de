"""The options of the channel are ones that gRPC knows: an unknown one has no effect and says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from grpc import _cython

from lastcard.link.loop import channel
from lastcard.link.wire import CHANNEL
from lastcard.settings import Server


@pytest.mark.parametrize("option", [pytest.param(name, id=name) for name, _ in CHANNEL])
def test_the_library_knows_every_option(option: str) -> None:
    """Each string is in the compiled library."""
    [library] = Path(_cython.__path__[0]).glob("cygrpc*.so")
    assert option.encode() in library.read_bytes()


def test_no_option_is_given_twice() -> None:
    """Of two values nobody would know which one counts."""
    assert len(dict(CHANNEL)) == len(CHANNEL)


def test_a_frozen_referee_is_noticed_in_half_a_minute() -> None:
    """A ping each 20 s, 10 s to answer it; messages up to 256 KiB."""
    options = dict(CHANNEL)
    assert options["grpc.keepalive_time_ms"] + options["grpc.http2.ping_timeout_ms"] == 30_000
    assert options["grpc.max_receive_message_length"] == 262_144
    assert options["grpc.enable_retries"] == 0


@pytest.mark.parametrize(
    ("server", "warned"),
    [
        pytest.param(Server("127.0.0.1:1"), False, id="this machine"),
        pytest.param(Server("192.0.2.1:1"), True, id="another machine"),
        pytest.param(Server("192.0.2.1:1", secure=True), False, id="another machine with TLS"),
    ],
)
async def test_a_token_that_leaves_the_machine_unencrypted_is_warned_of(
    server: Server, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """TLS or this machine: no warning."""
    await channel(server).close()
    assert ("unencrypted" in caplog.text) == warned
