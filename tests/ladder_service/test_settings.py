"""What the ladder process is told, and what it refuses to be told."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import grpc
import grpc.aio
import pytest

from ladder.door.registration import Registration
from ladder.errors import NotAllowedError
from ladder.rpc.identity import ADMIN, ANONYMOUS, Identity
from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.store.errors import BadInputError
from lastcard.address import PortTakenError
from lastcard.errors import InputError
from lastcard.proxies import NOBODY
from lastcard.v1 import ladder_pb2 as pb
from lastcard.v1.ladder_pb2_grpc import LadderServiceStub
from tests.ladder_running import running_ladder

STORE = {"LASTCARD_REDIS_URL": "redis://127.0.0.1:6379/0"}


def test_the_defaults_run_on_this_machine_alone() -> None:
    """One variable is enough, and nothing listens to the network."""
    told = LadderSettings.of({**STORE, "HOME": "/home/ada"})
    assert (told.grpc, told.web, told.metrics) == ("127.0.0.1:7420", "127.0.0.1:7421", "127.0.0.1:7430")
    assert told.pepper_file == Path("/home/ada/.local/state/lastcard/pepper")
    assert not told.dev
    assert told.proxies == NOBODY


@pytest.mark.parametrize(
    ("environment", "reason", "field"),
    [
        pytest.param({}, "NO_STORE", "LASTCARD_REDIS_URL", id="no store"),
        pytest.param({**STORE, "LASTCARD_LADDER_WEB": "7421"}, "BAD_ADDRESS", "web", id="no host"),
        pytest.param({**STORE, "LASTCARD_LADDER_GRPC": "127.0.0.1:99999"}, "BAD_ADDRESS", "grpc", id="no such port"),
        pytest.param({**STORE, "LASTCARD_DEV": "yes"}, "BAD_SETTING", "LASTCARD_DEV", id="a switch that is a word"),
        pytest.param(
            {**STORE, "LASTCARD_REGISTRATIONS_PER_MINUTE": "-1"},
            *("BAD_SETTING", "LASTCARD_REGISTRATIONS_PER_MINUTE"),
            id="a number below its limits",
        ),
        pytest.param(
            {**STORE, "LASTCARD_REGISTRATION": "maybe"}, "BAD_SETTING", "LASTCARD_REGISTRATION", id="no such policy"
        ),
        pytest.param(
            {**STORE, "LASTCARD_TLS_CERT_FILE": "c.pem"}, "BAD_SETTING", "LASTCARD_TLS_KEY_FILE", id="half a key pair"
        ),
        pytest.param(
            {**STORE, "LASTCARD_TRUSTED_PROXIES": "nginx"}, "BAD_SETTING", "LASTCARD_TRUSTED_PROXIES", id="no proxy"
        ),
        pytest.param({**STORE, "LASTCARD_LADDER_GRPC": "0.0.0.0:7420"}, "BAD_SETTING", "grpc", id="open calls"),
        pytest.param({**STORE, "LASTCARD_LADDER_WEB": "[::]:7421"}, "BAD_SETTING", "web", id="open pages"),
        pytest.param(
            {**STORE, "LASTCARD_LADDER_METRICS": "10.0.0.1:7430"}, "BAD_SETTING", "metrics", id="open metrics"
        ),
    ],
)
def test_a_bad_setting_names_the_variable(environment: dict[str, str], reason: str, field: str) -> None:
    """Nothing unknown gets a default, and nothing is open to the network without TLS by accident."""
    with pytest.raises(InputError) as caught:
        LadderSettings.of(environment)
    assert (caught.value.reason, caught.value.field) == (reason, field)


def test_a_proxy_in_front_may_have_the_certificate() -> None:
    """Who says so may listen to the network without TLS."""
    told = LadderSettings.of({**STORE, "LASTCARD_LADDER_GRPC": "0.0.0.0:7420", "LASTCARD_INSECURE": "1"})
    assert told.grpc == "0.0.0.0:7420"


@pytest.mark.parametrize("field", ["grpc", "web", "metrics"])
async def test_a_taken_port_is_said_and_nothing_stays_behind(
    store: Store, ladder_settings: LadderSettings, field: str
) -> None:
    """No second process serves half of the calls in silence."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        address = f"127.0.0.1:{holder.getsockname()[1]}"
        with pytest.raises(PortTakenError) as caught:
            async with running_ladder(ladder_settings, **{field: address}):
                pass
    assert (caught.value.field, caught.value.value, caught.value.exit_code) == (field, address, 2)


def test_closed_registration_needs_a_token_of_an_owner(store: Store) -> None:
    """Where the operator closed it, only who has the scope registers, and in its own name."""
    registration = Registration(store.registry, closed=True, per_minute=0)
    ada = Identity("Ada", "", frozenset({"owner"}))
    with pytest.raises(Exception, match="needs a token"):
        registration.register("new-bot", "Ada", "", ANONYMOUS, "here")
    with pytest.raises(NotAllowedError) as foreign:
        registration.register("new-bot", "Eve", "", ada, "here")
    profile, _ = registration.register("new-bot", "Ada", "", ada, "here")
    assert (profile.owner, foreign.value.reason) == ("Ada", "FOREIGN_OWNER")


def test_registrations_from_one_address_are_limited(store: Store) -> None:
    """A flood of new bots costs only who makes it."""
    registration = Registration(store.registry, closed=False, per_minute=3)
    for number in range(3):
        registration.register(f"bot-{number}-of-eve", "Eve", "", ANONYMOUS, "there")
    with pytest.raises(Exception, match="too many registrations"):
        registration.register("bot-4-of-eve", "Eve", "", ANONYMOUS, "there")
    assert registration.register("bot-of-ada", "Ada", "", ANONYMOUS, "here")[0].name == "bot-of-ada"


async def test_calls_and_pages_speak_tls_with_a_certificate(
    store: Store, ladder_settings: LadderSettings, tmp_path: Path
) -> None:
    """A client that trusts it is served, one without TLS is not."""
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    await _certificate(chain, key)
    files = {"certificate_file": str(chain), "key_file": str(key)}
    async with running_ladder(ladder_settings, **files) as running:
        trust = grpc.ssl_channel_credentials(chain.read_bytes())
        port = running.addresses.grpc.rpartition(":")[2]
        async with grpc.aio.secure_channel(f"localhost:{port}", trust) as channel:
            assert not (await LadderServiceStub(channel).ListBots(pb.ListBotsRequest())).bots
        with pytest.raises(grpc.aio.AioRpcError):
            await running.stub.ListBots(pb.ListBotsRequest(), timeout=5)


async def _certificate(chain: Path, key: Path) -> None:
    command = [
        *(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        *("-keyout", str(key), "-out", str(chain)),
    ]
    made = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    assert await made.wait() == 0


def test_who_registered_a_bot_with_a_token_is_in_the_audit(store: Store) -> None:
    """Once, however often the answer is asked for; who has no token left no name but the owner's."""
    registration = Registration(store.registry, closed=False, per_minute=0)
    admin, request = Identity(owner="olga", scopes=frozenset({ADMIN})), "r" * 32
    for _ in range(2):
        registration.register("rover", "Ada", request, admin, "192.0.2.1")
    registration.register("robin", "Bob", "", Identity(owner="Bob", scopes=frozenset({"owner"})), "192.0.2.1")
    registration.register("anon", "Cid", "", Identity(), "192.0.2.1")
    deeds = [(deed.who, deed.verb, deed.target, deed.reason) for deed in store.audit.tail()]
    assert deeds == [("Bob", "register", "robin", ""), ("olga", "register", "rover", "owner: Ada")]


def test_who_acts_by_the_token_of_a_bot_is_that_bot(store: Store) -> None:
    """Not its owner, who may be called as an operator is."""
    registration = Registration(store.registry, closed=False, per_minute=0)
    rover = Identity(owner="olga", bot="rover", scopes=frozenset({"owner", "play"}))
    registration.register("robin", "olga", "", rover, "192.0.2.1")
    assert [(deed.who, deed.target) for deed in store.audit.tail()] == [("bot:rover", "robin")]


@pytest.mark.parametrize("owner", ["operator", "planner", "unix:root", "bot:rover"])
def test_only_a_token_of_an_operator_registers_in_the_name_of_one(store: Store, owner: str) -> None:
    """Neither none nor one of a bot does, whoever owns it."""
    registration = Registration(store.registry, closed=False, per_minute=0)
    for caller in (ANONYMOUS, Identity(owner=owner, bot="rover", scopes=frozenset({"owner"}))):
        with pytest.raises(BadInputError) as refused:
            registration.register("robin", owner, "", caller, "192.0.2.1")
        assert refused.value.reason == "BAD_OWNER"
    admin = Identity(owner="operator", scopes=frozenset({ADMIN}))
    assert registration.register("robin", owner, "", admin, "192.0.2.1")[0].owner == owner
