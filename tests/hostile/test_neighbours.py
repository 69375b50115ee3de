"""Who has one IPv6 address has all of its /64: limits by address count them as one."""

from pathlib import Path

import pytest

from ladder.store import Store
from lastcard.proxies import HEADER
from referee.door.gate import FAILURES_PER_MINUTE
from tests.hostile.raw import Metadata, bearer, opened
from tests.hostile.stranger import hello, refused
from tests.hostile.target import Target
from tests.live.process import spawned

HELLO = hello().SerializeToString()


def _from(address: str, token: str) -> Metadata:
    return ((HEADER, address), *bearer(token))


@pytest.mark.slow
async def test_guessing_from_many_addresses_of_a_network_is_guessing(store: Store, tmp_path: Path) -> None:
    """After ten bad tokens from a /64 each of its addresses is refused, and those beyond it are not."""
    async with spawned(store, tmp_path, "127.0.0.1:0", "--trusted-proxies", "127.0.0.1") as process:
        target = Target(store, process, tmp_path)
        for number in range(FAILURES_PER_MINUTE):
            guess = _from(f"2001:db8:0:7:{number:x}::{number:x}", f"lcb1_{'a' * 10}_{number:043d}")
            assert (await refused(target, HELLO, metadata=guess)).reason == "BAD_TOKEN"
        late = target.fresh()
        told = await refused(target, HELLO, metadata=_from("2001:db8:0:7:ffff::1", late))
        assert told.reason == "TOO_MANY_BAD_TOKENS"
        async with opened(target.server, metadata=_from("2001:db8:0:8::1", late)) as stream:
            await stream.send(HELLO)
            assert await stream.welcomed()
