from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import pytest
import yaml

from lastcard.proxies import TRUSTED_PROXIES, Proxies
from tests.deploy.places import DEPLOY, ROOT, loaded, output, program

COMPOSE = DEPLOY / "compose.yaml"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    content = loaded(COMPOSE)
    return dict(content["services"])


def test_the_file_is_what_compose_understands() -> None:
    """Every key is one of the specification."""
    from compose_spec import PyCompose  # half a second, and every process of a run reads this file

    PyCompose.from_yaml(yaml.safe_dump(loaded(COMPOSE)))


def test_mounted_files_exist(services: dict[str, Any]) -> None:
    """What is not a secret of the installation lies beside the file."""
    mounted = [volume.split(":")[0] for service in services.values() for volume in service.get("volumes", ())]
    files = [path for path in mounted if path.startswith("./") and not path.startswith("./secrets")]
    assert files
    assert [path for path in files if not (DEPLOY / path).exists()] == []


def test_secrets_are_those_that_the_script_writes(services: dict[str, Any]) -> None:
    """No service asks for a file that nobody makes."""
    from deploy.make_secrets import ROLES

    made = {f"secrets/{role}.env" for role in ROLES}
    wanted = {file for service in services.values() for file in service.get("env_file", ())}
    assert wanted == made


def test_who_looks_at_tokens_has_the_pepper(services: dict[str, Any]) -> None:
    """Referees and ladder; a worker that was broken into could not make a token."""
    have = {name for name, service in services.items() if "pepper" in service.get("secrets", ())}
    told = {name for name, service in services.items() if "LASTCARD_PEPPER_FILE" in service.get("environment", {})}
    assert have == told == {"referee", "referee-1", "ladder"}


def test_only_nginx_listens_outside(services: dict[str, Any]) -> None:
    """Stores, referee and pages are reached through it; Prometheus and Grafana from this machine."""
    ports = {name: service["ports"] for name, service in services.items() if "ports" in service}
    outside = {name for name, doors in ports.items() if any(not door.startswith("127.0.0.1:") for door in doors)}
    assert outside == {"nginx"}


def test_who_counts_by_address_trusts_nginx_and_nobody_else(services: dict[str, Any]) -> None:
    """It has an address of its own, which is given to no other container."""
    (space,) = loaded(COMPOSE)["networks"]["front"]["ipam"]["config"]
    nginx = services["nginx"]["networks"]["front"]["ipv4_address"]
    subnet, given = ip_network(space["subnet"]), ip_network(space["ip_range"])
    assert ip_address(nginx) in set(subnet.hosts()) - set(given) - {next(subnet.hosts())}  # the first is the gateway's
    told = {name: service.get("environment", {}).get(TRUSTED_PROXIES) for name, service in services.items()}
    have = {name: text for name, text in told.items() if text}
    assert have == dict.fromkeys(("referee", "referee-1", "ladder"), nginx)
    assert Proxies.of({TRUSTED_PROXIES: nginx}).networks == (ip_network(nginx),)


def test_stores_are_reached_by_our_processes_only(services: dict[str, Any]) -> None:
    """Neither nginx nor Prometheus shares a network with a store."""
    for store in ("ledger", "broker"):
        users = {name for name, service in services.items() if store in service["networks"]}
        assert users <= {store, "referee", "referee-1", "worker", "beat", "ladder"}


def test_referees_speak_with_each_other_on_a_network_of_their_own(services: dict[str, Any]) -> None:
    """Each listens at a name that means its address there and nowhere else."""
    referees = {name: service for name, service in services.items() if "trunk" in service["networks"]}
    assert set(referees) == {"referee", "referee-1"}
    for name, service in referees.items():
        alias = f"{name}.trunk"
        assert service["networks"]["trunk"] == {"aliases": [alias]}
        assert service["command"][service["command"].index("--trunk") + 1] == f"{alias}:7510"


def test_the_image_is_well_made() -> None:
    """The linter of images has nothing to say."""
    assert output([program("hadolint"), DEPLOY / "Dockerfile"]) == ""


def test_the_image_gets_what_it_copies() -> None:
    """Every source of a COPY exists and is let through to the build."""
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").splitlines()
    sources = [
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    ]
    let_through = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert sources
    assert [name for name in sources if not (ROOT / name).exists() or f"!{name}" not in let_through] == []


def test_yaml_is_tidy() -> None:
    """The linter of YAML has nothing to say about anything in deploy/."""
    files = sorted(path for suffix in ("yml", "yaml") for path in DEPLOY.rglob(f"*.{suffix}"))
    assert output([program("yamllint"), "--strict", "--config-file", DEPLOY / ".yamllint", *files]) == ""
