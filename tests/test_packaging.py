"""What `pip install` puts on somebody's machine."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PACKAGES = ("lastcard", "referee", "ladder", "workers")
SERVER = (
    "celery",
    "click",
    "jinja2",
    "numpy",
    "prometheus_client",
    "redis",
    "rich",
    "starlette",
    "structlog",
    "uvicorn",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def sources() -> set[str]:
    found = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts}


def test_the_wheel_holds_every_module_script_page_and_type_marker(built: Path) -> None:
    """All of the four packages and nothing beside them."""
    names = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    assert sources() - names == set()
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == set(PACKAGES)


def test_the_source_archive_holds_the_protocol_and_the_tests(built: Path) -> None:
    """What is needed to build and test it again."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    protos = {path.relative_to(ROOT).as_posix() for path in (ROOT / "proto").rglob("*.proto")}
    assert protos
    assert protos | sources() | {"dev", "LICENSE", "README.md", "pyproject.toml", "tests/conftest.py"} <= names


@pytest.mark.parametrize("module", ["lastcard", "lastcard.cli"])
def test_what_a_bot_author_imports_loads_no_server_library(module: str) -> None:
    """Not even by a detour."""
    code = f"import sys, {module}; print(*sorted(set({SERVER!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
