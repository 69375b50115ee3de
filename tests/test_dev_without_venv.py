"""`./dev` where Python cannot put pip into an environment: Debian without python3-venv, and no uv."""

from __future__ import annotations

import shlex
import shutil
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tests.test_dev import ROOT, dev

PIP = shlex.join([getattr(sys, "_base_executable", sys.executable), "-c", "import pip"])
GONE = "import sys\nsys.modules['ensurepip'] = None\n"
EMPTIED = """
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

sys.modules["ensurepip"] = ModuleType("ensurepip")
sys.modules["ensurepip"].__spec__ = ModuleSpec("ensurepip", None, is_package=True)
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "lastcard"
version = "1"

[tool.hatch]
"""
BACKEND = """
import shutil

def build_editable(folder, config_settings=None, metadata_directory=None):
    return shutil.copy("own/lastcard-1-py3-none-any.whl", folder).rpartition("/")[2]
"""
MAIN = """
import sys
import locked

def main():
    print(locked.__file__, *sys.argv[1:])
"""


def wheel(folder: Path, name: str, code: str, scripts: str = "") -> str:
    """Write a package of one module; returns the hash of its file."""
    folder.mkdir()
    path = folder / f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{name}.py", code)
        file.writestr(f"{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        file.writestr(f"{name}-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{name}-1.dist-info/entry_points.txt", scripts)
        file.writestr(f"{name}-1.dist-info/RECORD", "")
    return sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with a small lastcard that needs one package, which is locked and lies beside it."""
    shutil.copy(ROOT / "dev", tmp_path)
    digest = wheel(tmp_path / "index", "locked", "")
    wheel(tmp_path / "own", "lastcard", MAIN, "[console_scripts]\nlastcard = lastcard:main\n")
    (tmp_path / "requirements.lock").write_text(f"locked==1 --hash=sha256:{digest}\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, "utf-8")
    (tmp_path / "backend.py").write_text(BACKEND, "utf-8")
    return tmp_path


@pytest.mark.thorough
@pytest.mark.needs(PIP)
@pytest.mark.parametrize("missing", [pytest.param(GONE, id="gone"), pytest.param(EMPTIED, id="an empty folder")])
def test_this_pythons_pip_fills_an_environment_that_has_none(clone: Path, missing: str) -> None:
    """With what is locked and with lastcard; the command runs in it, and the next one does so at once."""
    (clone / "sitecustomize.py").write_text(missing, "utf-8")
    env = {"PYTHONPATH": str(clone), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(clone / "index")}
    done = dev(clone, "demo", "--exit", **env)
    assert done.returncode == 0, done.stderr
    (packages,) = (clone / ".venv").glob("lib/python*/site-packages")
    assert done.stdout == f"{packages / 'locked.py'} demo --exit\n"
    assert not (packages / "pip").exists()
    assert (clone / ".venv" / ".stamp").exists()
    again = dev(clone, "demo", "--exit", **env)
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")


@pytest.mark.thorough
@pytest.mark.needs(PIP)
def test_a_package_that_is_not_the_locked_one_is_not_installed(clone: Path) -> None:
    """Its hash is another: exit 2 with a sentence, and no stamp that says that all is in order."""
    (clone / "sitecustomize.py").write_text(GONE, "utf-8")
    shutil.rmtree(clone / "index")
    wheel(clone / "index", "locked", "another = True\n")
    done = dev(clone, "demo", PYTHONPATH=str(clone), PIP_NO_INDEX="1", PIP_FIND_LINKS=str(clone / "index"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("dev: the locked packages could not be installed (above); ")
    assert not (clone / ".venv" / ".stamp").exists()
