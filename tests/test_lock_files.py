"""Lock files are complete, hashed and the same for everybody: no host, no path, no index of one machine."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted(ROOT.glob("requirements*.lock"))


@pytest.mark.parametrize("lock", [pytest.param(path, id=path.name) for path in LOCKS])
def test_a_lock_file_names_no_host_path_or_index(lock: Path) -> None:
    """It installs from wherever its reader installs from."""
    found = [
        line for line in lock.read_text("utf-8").splitlines() if re.search(r"://|--(index|find|trusted)|/\w+/", line)
    ]
    assert found == []


@pytest.mark.parametrize("lock", [pytest.param(path, id=path.name) for path in LOCKS])
def test_every_locked_package_has_one_exact_version_and_hashes(lock: Path) -> None:
    """Nothing else than what was tested can be installed."""
    entries = re.split(r"\n(?=[a-z0-9])", "\n" + lock.read_text("utf-8"))[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+(\[[a-z,]+\])?==[^ ;]+ ", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def versions(name: str) -> dict[tuple[str, str], str]:
    lines = re.findall(r"^([a-z0-9._-]+)==(\S+) (?:; ([^\\]*))?", (ROOT / name).read_text("utf-8"), re.MULTILINE)
    return {(package, marker.strip()): version for package, version, marker in lines}


@pytest.mark.parametrize("name", ["requirements-dev.lock", "requirements-bench.lock"])
def test_development_and_benchmarks_use_the_versions_that_are_run(name: str) -> None:
    """What is tested and measured is what is served."""
    served, other = versions("requirements.lock"), versions(name)
    assert {key: other[key] for key in served.keys() & other.keys()} == {
        key: served[key] for key in served.keys() & other.keys()
    }


def test_no_lock_format_that_records_hosts_is_present() -> None:
    """Neither uv's nor PEP 751's."""
    assert [path.name for pattern in ("uv.lock", "pylock*.toml") for path in ROOT.glob(pattern)] == []


def npm_locks() -> Iterator[Path]:
    """Yield npm's lock files of this repository, not those of what is installed in it."""
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if name != "node_modules" and not name.startswith(".")]
        yield from (Path(folder) / name for name in files if name == "package-lock.json")


def test_an_npm_lock_file_names_no_host() -> None:
    """As those of Python."""
    locks = list(npm_locks())
    assert ROOT / "bots" / "node" / "package-lock.json" in locks
    assert [lock for lock in locks if "://" in lock.read_text("utf-8")] == []


def test_a_bot_author_installs_grpcio_and_protobuf_only() -> None:
    """Everything else is in extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert sorted(re.split("[<>=]", need)[0] for need in project["dependencies"]) == ["grpcio", "protobuf"]
