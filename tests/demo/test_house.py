"""What a house says of where it is reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workers.house.doors import Doors
from workers.house.folder import StateFolder
from workers.house.house import House, HousePlan, Undertaker, environment, opened
from workers.house.supervisor import Supervisor
from workers.house.up import addresses

STORE = "redis://127.0.0.1:1/0"


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
            {"LASTCARD_TLS_CERT_FILE": "cert.pem", "LASTCARD_TLS_KEY_FILE": "key.pem"},
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
    folder = StateFolder(tmp_path)
    plan = HousePlan(folder, replace(Doors.standard(), referees=2), store_url=STORE, environment=told)
    supervisor = Supervisor(folder.logs, print, Undertaker(lambda: opened(STORE, told), print))
    house = House(plan, supervisor, STORE, STORE, environment(plan, STORE), folder.operator_token)
    found = addresses(house)
    assert (found["play"], found["grpc"], found["web"]) == (play, grpc, web)
    assert found["metrics"] == list(plan.doors.all_metrics())
