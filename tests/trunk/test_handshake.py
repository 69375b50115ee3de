"""Who may speak on a trunk: whoever proves with what was drawn for this stream that it knows the pepper."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from ladder.store import Store
from lastcard.address import Address
from lastcard.secret import Secret
from referee.hosting.hosted import Stay
from referee.trunk import frames
from referee.trunk import handshake as trunk_handshake
from referee.trunk.carrier import GrpcCarrier
from referee.trunk.handshake import DIALS, IS_DIALLED, NONCE_BYTES, Handshake, proof
from referee.trunk.line import Line, LineLostError
from tests.fixtures_store import PEPPER
from tests.live.house import house
from tests.patience import PATIENCE_S
from tests.trunk.lines import End, line

ANY = Address("127.0.0.1", 0)
ONE, TWO = "ref-one", "ref-two"
NO_PROOF = "not that of a referee with our pepper"


async def living(name: str) -> None:
    """Take everybody for alive."""
    del name


def drawing(*nonces: int) -> Iterator[bytes]:
    """Return these nonces, each a byte over and over."""
    return (bytes([nonce]) * NONCE_BYTES for nonce in nonces)


def handshake(me: str, *nonces: int, pepper: bytes = PEPPER) -> Handshake:
    """Return a referee that draws these nonces."""
    drawn = drawing(*nonces)
    return Handshake(me, Secret(pepper), lambda _size: next(drawn))


async def _meet(dials: Handshake, is_dialled: Handshake, name: str = TWO) -> tuple[End, End, str]:
    near, far = line()
    async with asyncio.TaskGroup() as group:
        accepted = group.create_task(is_dialled.accept(far, living))
        group.create_task(dials.dial(near, name))
    return near, far, accepted.result()


async def test_two_referees_of_a_house_know_each_other() -> None:
    """Four messages, and who was dialled knows by whom."""
    near, far, who = await _meet(handshake(ONE, 1), handshake(TWO, 2))
    assert who == ONE
    assert (len(near.heard), len(far.heard)) == (2, 2)


async def test_what_was_recorded_opens_nothing() -> None:
    """Who has read a whole handshake and says the same again is asked to sign another nonce."""
    _, heard, _ = await _meet(handshake(ONE, 1), handshake(TWO, 2))
    near, far = line()
    for message in heard.heard:
        await near.write(message)
    with pytest.raises(LineLostError, match=NO_PROOF):
        await handshake(TWO, 3).accept(far, living)


async def test_what_was_recorded_convinces_nobody_who_dials() -> None:
    """Nor does a listener that has taken a referee's place and repeats what that one said."""
    heard, _, _ = await _meet(handshake(ONE, 1), handshake(TWO, 2))
    near, far = line()
    for message in heard.heard:
        await far.write(message)
    with pytest.raises(LineLostError, match=NO_PROOF):
        await handshake(ONE, 3).dial(near, TWO)


async def test_a_mirror_convinces_nobody() -> None:
    """Whatever a referee says is not what it wants to hear, under whatever name it comes back."""
    near, far = line()
    listens = asyncio.create_task(handshake(TWO, 2).accept(far, living))
    await near.write(frames.greeting(TWO, TWO, bytes([2]) * NONCE_BYTES))
    await near.read()
    own = proof(Secret(PEPPER), IS_DIALLED, TWO, TWO, bytes([2]) * NONCE_BYTES, bytes([2]) * NONCE_BYTES)
    await near.write(frames.proof(own))
    with pytest.raises(LineLostError, match=NO_PROOF):
        await listens


async def test_who_dials_a_mirror_hangs_up() -> None:
    """Its own greeting comes back, and then its own proof."""
    near, far = line()
    dials = asyncio.create_task(handshake(ONE, 1).dial(near, TWO))
    await far.read()
    await far.write(frames.greeting(TWO, ONE, bytes([1]) * NONCE_BYTES))
    await far.write(await far.read())
    with pytest.raises(LineLostError, match=NO_PROOF):
        await dials


@pytest.mark.parametrize(
    ("first", "why"),
    [
        pytest.param(frames.greeting(ONE, "ref-three", bytes(NONCE_BYTES)), "not for ref-two", id="for somebody else"),
        pytest.param(frames.greeting(ONE, TWO, b"short"), "no nonce of 32 bytes", id="nothing to sign"),
        pytest.param(b"\n\x00", "version 0", id="an empty frame"),
        pytest.param(frames.reserve(1, Stay("m", "b", "f"), 1), "version 0", id="another frame"),
        pytest.param(b"\xff\xff", "no greeting", id="garbage"),
    ],
)
async def test_a_greeting_that_is_none_is_refused(first: bytes, why: str) -> None:
    """With what is wrong with it."""
    near, far = line()
    await near.write(first)
    with pytest.raises(LineLostError, match=why):
        await handshake(TWO, 2).accept(far, living)


async def test_who_answers_under_another_name_is_not_spoken_to() -> None:
    """Somebody else has that address by now."""
    near, far = line()
    await far.write(frames.greeting("ref-three", ONE, bytes(NONCE_BYTES)))
    with pytest.raises(LineLostError, match="ref-three has its address by now"):
        await handshake(ONE, 1).dial(near, TWO)


def test_no_two_handshakes_have_one_proof() -> None:
    """Role, names and nonces all count, and where one ends and the next begins."""
    a, b = bytes([1]) * NONCE_BYTES, bytes([2]) * NONCE_BYTES
    said = [
        (DIALS, ONE, TWO, a, b), (IS_DIALLED, ONE, TWO, a, b), (DIALS, TWO, ONE, a, b), (DIALS, ONE, TWO, b, a),
        (DIALS, ONE + "r", TWO[1:], a, b), (DIALS, ONE, TWO, a, a),
    ]  # fmt: skip
    assert len({proof(Secret(PEPPER), *one) for one in said} | {proof(Secret(bytes(32)), *said[0])}) == len(said) + 1


class Deaf(End):
    """An end whose other end takes so many messages, and then none."""

    takes = 0

    async def write(self, message: bytes) -> None:
        """Hand a message over, or wait for ever."""
        if not self.takes:
            await asyncio.Event().wait()
        self.takes -= 1
        await super().write(message)


@pytest.mark.parametrize("takes", [0, 1], ids=["the greeting", "the proof"])
@pytest.mark.parametrize("dials", [True, False], ids=["dialled", "dials"])
async def test_who_takes_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, takes: int, *, dials: bool) -> None:
    """Whatever of the handshake it is that it does not take, at either end."""
    monkeypatch.setattr(trunk_handshake, "GREETING_S", 0.5)
    monkeypatch.setattr(trunk_handshake, "DIAL_S", 0.5)
    deaf, other = Deaf(), End()
    deaf.other, other.other, deaf.takes = other, deaf, takes
    ours, theirs = handshake(ONE, 1), handshake(TWO, 2)
    talk = (ours.dial(deaf, TWO), theirs.accept(other, living)) if dials else (
        theirs.accept(deaf, living), ours.dial(other, TWO)
    )  # fmt: skip
    async with asyncio.timeout(PATIENCE_S):
        failed, _ = await asyncio.gather(*talk, return_exceptions=True)
    assert isinstance(failed, LineLostError)
    assert "it took nothing" in str(failed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sender", "pepper"),
    [pytest.param("ref-stranger", bytes(32), id="another pepper"), pytest.param("ref-stranger", PEPPER, id="no beat")],
)
async def test_only_a_living_referee_of_the_same_house_gets_a_proof(
    store: Store, tmp_path: Path, sender: str, pepper: bytes
) -> None:
    """Anybody on the machine can reach the port: who does not know the pepper, or does not beat, learns nothing."""
    file = tmp_path / "pepper"
    file.write_text(PEPPER.hex(), encoding="ascii")
    file.chmod(0o600)
    async with house(store, tmp_path, trunk=ANY) as home, GrpcCarrier(ANY).dial(str(home.running.trunk)) as trunk:
        with pytest.raises(LineLostError):
            await handshake(sender, 1, pepper=pepper).dial(trunk, home.running.incarnation)
        assert home.referee.switchboard is not None
        assert not home.referee.switchboard.links


@pytest.mark.slow
@pytest.mark.parametrize("message", [pytest.param(b"\xff\xff", id="garbage"), pytest.param(b"", id="nothing")])
async def test_what_is_no_greeting_ends_the_stream(store: Store, tmp_path: Path, message: bytes) -> None:
    """Whatever comes first."""
    async with house(store, tmp_path, trunk=ANY) as home, GrpcCarrier(ANY).dial(str(home.running.trunk)) as trunk:
        await trunk.write(message)
        with pytest.raises(LineLostError):
            await trunk.read()


async def test_what_nobody_expected_is_a_number_on_a_trunk_too() -> None:
    """Who dials it learns the id under which the log has it, and nothing of what went wrong."""

    async def crash(_line: Line) -> None:
        raise RuntimeError("a secret")

    carrier = GrpcCarrier(ANY)
    address = await carrier.listen(crash)
    try:
        with capture_logs() as told:
            async with carrier.dial(str(address)) as near:
                with pytest.raises(LineLostError) as lost:
                    await near.read()
    finally:
        await carrier.close()
    (crashed,) = [line for line in told if line["log_level"] == "critical"]
    assert str(lost.value) == f"internal error {crashed['incident']}"
