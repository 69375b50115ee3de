"""What a house says of where it is reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workers.house.doors import Doors
from workers.house.folder import StateFolder
from workers.house.house import House, HousePlan, Undertaker, environment, opened
from workers.house.supervisor import Supervisor
from workers.house.up import addresses, show_settings

STORE = "redis://127.0.0.1:1/0"

TLS = {"LASTCARD_TLS_CERT_FILE": "cert.pem", "LASTCARD_TLS_KEY_FILE": "key.pem"}


def house_of(root: Path, told: dict[str, str]) -> House:
    """Return a house of two referees that was told this."""
    folder = StateFolder(root)
    plan = HousePlan(folder, replace(Doors.standard(), referees=2), store_url=STORE, environment=told)
    supervisor = Supervisor(folder.logs, print, Undertaker(lambda: opened(STORE, told), print))
    return House(plan, supervisor, STORE, STORE, environment(plan, STORE), folder.operator_token)


@pytest.mark.parametrize(
    ("told", "play", "grpc", "web"),
    [
        pytest.param(
            {},
            "127.0.0.1:7410,127.0.0.1:7411",
            "127.0.0.1:7420",
            "http://127.0.0.1:7421/",
            id="in the clear",
        ),
        pytest.param(
            TLS,
            "tls://127.0.0.1:7410,tls://127.0.0.1:7411",
            "tls://127.0.0.1:7420",
            "https://127.0.0.1:7421/",
            id="with a certificate",
        ),
    ],
)
def test_addresses_say_whether_tls_is_spoken(
    tmp_path: Path, told: dict[str, str], play: str, grpc: str, web: str
) -> None:
    """They can be used as they are printed; metrics are never behind TLS."""
    house = house_of(tmp_path, told)
    found = addresses(house)
    assert (found["play"], found["grpc"], found["web"]) == (play, grpc, web)
    assert found["metrics"] == list(house.plan.doors.all_metrics())


@pytest.mark.parametrize(
    ("told", "authority", "exported", "hinted"),
    [
        pytest.param({}, "ca.pem", False, False, id="in the clear"),
        pytest.param(TLS, "", False, True, id="nobody said whose certificate it is"),
        pytest.param(TLS, "ca.pem", True, False, id="with its authority"),
    ],
)
def test_another_terminal_is_told_whom_to_trust(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    told: dict[str, str],
    authority: str,
    *,
    exported: bool,
    hinted: bool,
) -> None:
    """The authority that this terminal trusts is in the line that is to be typed there; without one it is asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LASTCARD_CA_FILE", authority)
    show_settings(house_of(tmp_path, told))
    said = capsys.readouterr().err
    assert (f"LASTCARD_CA_FILE={tmp_path}/ca.pem" in said) == exported
    assert ("with LASTCARD_CA_FILE, too" in said) == hinted


def test_another_terminal_is_told_of_formats_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bots that are started there would not offer them else; nothing is said where there are none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LASTCARD_FORMATS", raising=False)
    show_settings(house_of(tmp_path, {}))
    assert "LASTCARD_FORMATS" not in capsys.readouterr().err
    monkeypatch.setenv("LASTCARD_FORMATS", "own.toml")
    show_settings(house_of(tmp_path, {}))
    assert f"LASTCARD_FORMATS={tmp_path}/own.toml" in capsys.readouterr().err
