"""`lastcard doctor` at the addresses that LASTCARD_LADDER and LASTCARD_SERVER name: real ladders and referees."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ladder.client import LadderClient
from ladder.rpc.dial import Dial
from ladder.store import Store
from ladder.store.local import LocalStore
from tests.cli.emptied import emptied
from tests.ladder_running import running_ladder, settings_for
from tests.live.house import house
from tests.trunk.certificates import Authority
from workers.house import doctor, doctor_reach
from workers.house.folder import StateFolder, alone

Found = list[tuple[str, str, str, str]]
Look = Callable[..., Found]
START = (
    "start it (`lastcard up` runs everything), or set LASTCARD_LADDER to one of a ladder, which `lastcard up` prints"
)


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Look:
    """Run it with these variables and no others; returns name, status, detail and fix of what was dialled."""
    emptied(monkeypatch, tmp_path)

    def run(**variables: str) -> Found:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        doctor.doctor(["--json"])
        for name in variables:
            monkeypatch.delenv(name)
        checks = json.loads(capsys.readouterr().out)["checks"]
        dialled = [check for check in checks if check["name"] in {"ladder", "referee"}]
        return [(check["name"], check["status"], check["detail"], check["fix"]) for check in dialled]

    return run


@asynccontextmanager
async def both(store: Store, store_server: LocalStore, folder: Path) -> AsyncIterator[dict[str, str]]:
    """Run a ladder and a referee; returns where they are, and the ladder's pages."""
    async with running_ladder(settings_for(store_server.url, "doctor", folder)) as ladder, house(store, folder) as home:
        yield {"ladder": ladder.addresses.grpc, "pages": ladder.addresses.web, "referee": home.server}


def registered(ladder: str) -> str:
    """Register a bot; returns its token."""
    with Dial.of({"LASTCARD_LADDER": ladder}) as dial:
        return LadderClient(dial).register("probe", "Ada", secrets.token_urlsafe(16)).token.text()


def test_where_nothing_is_set_nothing_is_said(look: Look) -> None:
    """Who runs everything on one machine needs neither variable."""
    assert look() == []


@pytest.mark.slow
async def test_what_is_there_is_named(store: Store, store_server: LocalStore, tmp_path: Path, look: Look) -> None:
    """What answers and is right is fine; what is something else is a failure that says what, and how to find it."""
    async with both(store, store_server, tmp_path) as at:
        found = await asyncio.to_thread(look, LASTCARD_LADDER=at["ladder"], LASTCARD_SERVER=at["referee"])
        assert found == [
            ("ladder", "ok", f"answers at {at['ladder']}", ""),
            ("referee", "ok", f"answers at {at['referee']}", ""),
        ]
        for variable, there, said in [
            ("LASTCARD_LADDER", "referee", "is no ladder, a referee"),
            ("LASTCARD_LADDER", "pages", "is no ladder, and no gRPC either"),
            ("LASTCARD_SERVER", "ladder", "is no referee, a ladder"),
            ("LASTCARD_SERVER", "pages", "is no referee, and no gRPC either"),
        ]:
            [(_, status, detail, fix)] = await asyncio.to_thread(look, **{variable: at[there]})
            assert (status, detail) == ("failed", f"what answers at {at[there]} {said}")
            assert fix.startswith(f"set {variable} to one of a ")
            assert "which `lastcard up` prints" in fix
        file = tmp_path / "old.token"
        file.write_text("lcb1_old\n")
        at_ladder = {"LASTCARD_LADDER": at["ladder"], "LASTCARD_TOKEN_FILE": str(file)}
        [(_, status, detail, _)] = await asyncio.to_thread(look, **at_ladder)
        said = f"answers at {at['ladder']}, and the token of LASTCARD_TOKEN_FILE={file} is not valid"
        assert (status, detail) == ("failed", said)
        file.write_text(await asyncio.to_thread(registered, at["ladder"]))
        [(_, status, *_)] = await asyncio.to_thread(look, **at_ladder)
        assert status == "ok"
        several = await asyncio.to_thread(look, LASTCARD_SERVER=f"{at['referee']},{at['ladder']}")
        assert [status for _, status, *_ in several] == ["ok", "failed"]


def test_who_does_not_answer_is_to_be_started(look: Look, tmp_path: Path) -> None:
    """A failure while `lastcard up` runs here, and for another machine; else only what is to be started."""
    [(_, status, detail, fix)] = look(LASTCARD_LADDER="127.0.0.1:1")
    assert (status, detail.startswith("no ladder answers at 127.0.0.1:1: ")) == ("warning", True)
    assert "Connection refused" in detail
    assert fix.startswith(START)
    [(_, status, _, fix)] = look(LASTCARD_LADDER="nowhere.invalid:7420")
    assert (status, fix.startswith("set LASTCARD_LADDER")) == ("failed", True)
    folder = StateFolder(tmp_path / "state" / "lastcard")
    folder.prepare()
    with alone(folder):
        [(_, status, *_)] = look(LASTCARD_LADDER="127.0.0.1:1")
    assert status == "failed"


def test_who_takes_the_call_and_says_nothing_is_given_up(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that hangs does not hang the doctor."""
    monkeypatch.setattr(doctor_reach, "ANSWER_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        [(_, status, detail, _)] = look(LASTCARD_SERVER=f"127.0.0.1:{deaf.getsockname()[1]}")
    assert (status, "no referee answers at" in detail) == ("warning", True)


def test_what_is_no_address_is_a_failure(look: Look) -> None:
    """With the variable that holds it, for each of both."""
    found = look(LASTCARD_LADDER="localhost", LASTCARD_SERVER="127.0.0.1:1,x")
    assert [(name, status) for name, status, *_ in found] == [("ladder", "failed"), ("referee", "failed")]
    assert [detail for _, _, detail, _ in found] == [
        "LASTCARD_LADDER='localhost' is no address",
        "LASTCARD_SERVER='127.0.0.1:1,x' is no address",
    ]


@pytest.mark.slow
@pytest.mark.needs("openssl")
async def test_a_referee_with_tls_is_dialled_as_bots_dial_it(store: Store, tmp_path: Path, look: Look) -> None:
    """With the authority that they trust; what is wrong with the certificate is said in their words."""
    authority = Authority.make(tmp_path)
    async with house(store, tmp_path, play_files=authority.issue("play").play()) as home:
        server = f"tls://{home.server}"
        trusted = str(authority.certificate)
        [(_, status, *_)] = await asyncio.to_thread(look, LASTCARD_SERVER=server, LASTCARD_CA_FILE=trusted)
        assert status == "ok"
        [(_, _, detail, _)] = await asyncio.to_thread(look, LASTCARD_SERVER=server)
        await home.referee.front.turn_away()
        [(_, *stopping)] = await asyncio.to_thread(look, LASTCARD_SERVER=server, LASTCARD_CA_FILE=trusted)
    assert stopping[:2] == ["warning", f"answers at {home.server} that it is stopping"]
    assert "name the file of that authority with --ca or LASTCARD_CA_FILE" in detail
