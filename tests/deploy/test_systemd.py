from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.store.lone_copy import refusal
from lastcard.proxies import TRUSTED_PROXIES, Proxies
from tests.deploy.places import DEPLOY, output, program

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROGRAMS = re.compile(r"/opt/lastcard/bin/(lastcard|python)|/usr/bin/redis-server")


@pytest.fixture
def units(tmp_path: Path) -> dict[str, Path]:
    """Return the units as an administrator would enable them, with programs that every machine has."""
    stand_in = program("true")
    for unit in UNITS:
        for name in (unit.name, unit.name.replace("@", "@0"), unit.name.replace("@", "@ledger")):
            (tmp_path / name).write_text(PROGRAMS.sub(stand_in, unit.read_text("utf-8")), "utf-8")
    return {unit.name: tmp_path / unit.name.replace("@", "@0") for unit in UNITS}


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("name", [pytest.param(unit.name, id=unit.stem) for unit in UNITS])
def test_systemd_finds_nothing_wrong(units: dict[str, Path], name: str) -> None:
    """No unknown setting, no missing reference."""
    assert output(["systemd-analyze", "verify", "--recursive-errors=one", units[name]]) == ""


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("name", [pytest.param(unit.name, id=unit.stem) for unit in UNITS])
def test_units_are_hardened(units: dict[str, Path], name: str) -> None:
    """Exposure as systemd itself rates it, from 0 to 100, is low."""
    output(["systemd-analyze", "security", "--offline=true", "--threshold=20", units[name]])


def test_every_process_has_a_unit() -> None:
    """Store, referee, worker, beat and ladder; several stores and referees on one machine."""
    names = {unit.stem for unit in UNITS}
    assert names == {"lastcard-store@", "lastcard-referee@", "lastcard-worker", "lastcard-beat", "lastcard-ladder"}


@pytest.mark.parametrize("role", ["referee", "worker", "beat", "ladder"])
def test_units_run_the_commands_that_there_are(role: str) -> None:
    """What a unit starts is a command of lastcard."""
    from lastcard.cli import commands

    unit = next(unit for unit in UNITS if unit.stem.removeprefix("lastcard-").rstrip("@") == role)
    assert f"ExecStart=/opt/lastcard/bin/lastcard serve {role}" in unit.read_text("utf-8")
    assert f"serve {role}" in commands()


def test_who_counts_by_address_trusts_nginx_on_this_machine() -> None:
    """Where `deploy/nginx/upstreams.conf` has it dial from: else all bots would count as one."""
    told = {
        unit.stem: line.partition("=")[2]
        for unit in UNITS
        for line in unit.read_text("utf-8").splitlines()
        if line.startswith(f"Environment={TRUSTED_PROXIES}")
    }
    assert told.keys() == {"lastcard-referee@", "lastcard-ladder"}
    upstreams = (DEPLOY / "nginx" / "upstreams.conf").read_text("utf-8")
    (host,) = set(re.findall(r"^\s*server ([\d.]+):", upstreams, re.MULTILINE))
    for setting in told.values():
        name, _, value = setting.partition("=")
        assert Proxies.of({name: value}) == Proxies.of({TRUSTED_PROXIES: host})


def guard(folder: Path) -> list[str]:
    """Return what the unit of a store runs before it, for a store in this folder."""
    unit = next(unit for unit in UNITS if unit.stem == "lastcard-store@").read_text("utf-8")
    (line,) = re.findall(r"^ExecStartPre=(.+)$", unit, re.MULTILINE)
    line = line.replace("/opt/lastcard/bin/python", sys.executable).replace("/var/lib/lastcard/%i", "FOLDER")
    return [str(folder) if word == "FOLDER" else word for word in line.split()]


def test_a_store_is_not_started_beside_a_copy_alone(tmp_path: Path) -> None:
    """It would begin empty and write over what somebody wants to restore; a first start, and any other, is fine."""
    assert subprocess.run(guard(tmp_path), check=False).returncode == 0
    (tmp_path / "dump.rdb").write_bytes(b"a copy")
    done = subprocess.run(guard(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"lastcard: {refusal(tmp_path / 'dump.rdb')}\n"
    assert "would begin empty and write over the copy" in done.stderr
    log = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    log.parent.mkdir()
    log.touch()
    assert subprocess.run(guard(tmp_path), check=False).returncode == 0
