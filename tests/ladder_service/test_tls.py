"""Commands and a ladder that speaks TLS: whom they trust, and what they say where they do not."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from ladder.errors import NotReachableError
from ladder.rpc.dial import Dial
from lastcard.errors import InputError
from tests.trunk.certificates import Authority, Issued

pytestmark = [pytest.mark.needs("openssl"), pytest.mark.slow]
METHOD = "/lastcard.v1.LadderService/GetBot"


@contextmanager
def ladder(issued: Issued) -> Iterator[str]:
    """A server that says everything back, as a ladder with this certificate would be dialled."""
    server = grpc.server(ThreadPoolExecutor(2))
    service, name = METHOD[1:].split("/")
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(
        lambda request, _context: request
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {name: handler}),))
    pair = (issued.key.read_bytes(), issued.certificate.read_bytes())
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
    server.start()
    try:
        yield f"tls://127.0.0.1:{port}"
    finally:
        server.stop(None)


def asked(environ: dict[str, str]) -> object:
    """Return what a command of this environment is answered."""
    with Dial.of(environ) as dial:
        return dial.call(dial.channel.unary_unary(METHOD), b"hello")


def test_a_command_trusts_the_authority_that_it_is_told_to(tmp_path: Path) -> None:
    """`LASTCARD_CA_FILE`, the same as for bots."""
    authority = Authority.make(tmp_path)
    with ladder(authority.issue("ladder")) as address:
        told = {"LASTCARD_LADDER": address, "LASTCARD_CA_FILE": str(authority.certificate)}
        assert asked(told) == b"hello"


@pytest.mark.parametrize(
    ("names", "days", "trusted", "said"),
    [
        pytest.param("IP:127.0.0.1", -1, True, "its certificate has expired", id="expired"),
        pytest.param("DNS:elsewhere.example", 2, True, "for another name", id="name"),
        pytest.param("IP:127.0.0.1", 2, False, "LASTCARD_CA_FILE", id="authority"),
    ],
)
def test_what_is_wrong_with_a_certificate_is_said(
    tmp_path: Path, names: str, days: int, trusted: bool, said: str
) -> None:
    """In words, with exit code 3 as for any ladder that is not reached."""
    authority = Authority.make(tmp_path)
    environ = {"LASTCARD_CA_FILE": str(authority.certificate)} if trusted else {}
    with (
        ladder(authority.issue("ladder", names, days)) as address,
        pytest.raises(NotReachableError, match=said),
    ):
        asked(environ | {"LASTCARD_LADDER": address})


def test_a_certificate_signed_by_itself_is_called_so(tmp_path: Path) -> None:
    """However this version of gRPC spells that; its file is what is to be named."""
    own = Authority.make(tmp_path)
    with (
        ladder(Issued(own.certificate, own.key)) as address,
        pytest.raises(NotReachableError, match=r"signed by itself and not trusted here; name its file with --ca"),
    ):
        asked({"LASTCARD_LADDER": address})


def test_a_command_says_nothing_but_its_sentence(tmp_path: Path) -> None:
    """What gRPC writes about every handshake that fails is not for people."""
    own = Authority.make(tmp_path)
    command = [sys.executable, "-m", "lastcard.cli", "bot", "list"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GRPC_", "LASTCARD_"))}
    with ladder(Issued(own.certificate, own.key)) as address:
        told = plain | {"LASTCARD_LADDER": address}
        ended = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert [line.partition(":")[0] for line in ended.stderr.splitlines()] == ["lastcard"]


def test_a_file_of_authorities_that_is_missing_is_named(tmp_path: Path) -> None:
    """Before anything is dialled."""
    with pytest.raises(InputError, match=r"none\.pem cannot be read"):
        asked({"LASTCARD_LADDER": "tls://127.0.0.1:1", "LASTCARD_CA_FILE": str(tmp_path / "none.pem")})
