"""`./dev` says in one sentence what is wrong, before it installs anything."""

from __future__ import annotations

import ast
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
COMMANDS = (
    "demo", "test", "check", "proto", "run", "compile", "bench",
    "chaos", "simulate", "soak", "nightly", "mutate", "audit",
)  # fmt: skip


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with what set-up reads, and nothing that a command could run."""
    return copied(tmp_path)


def copied(folder: Path) -> Path:
    """Return the folder, with what set-up reads in it."""
    for path in (ROOT / "dev", ROOT / "pyproject.toml", *ROOT.glob("requirements*.lock")):
        shutil.copy(path, folder)
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    return folder


def dev(root: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `./dev` in `root` with a bare environment in which uv is not to be found."""
    command = [sys.executable, str(root / "dev"), *args]
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(root / "no-such-home"), **env}
    return subprocess.run(command, env=bare, cwd=root, capture_output=True, text=True, check=False)


def without(root: Path, *modules: str) -> dict[str, str]:
    """Return an environment in which Python does not find these modules, with a folder to say so."""
    lines = [f"sys.modules[{name!r}] = None" for name in modules]
    (root / "sitecustomize.py").write_text("\n".join(["import sys", *lines]), "utf-8")
    return {"PYTHONPATH": str(root)}


def test_help_names_every_command() -> None:
    """A line each, in the order of use."""
    done = dev(ROOT, "--help")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[2:]] == [*COMMANDS, "lock"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        pytest.param(["tset"], "there is no command tset; ./dev --help lists them", id="unknown command"),
        pytest.param(["run"], "say what to run, for example: ./dev run python", id="nothing to run"),
        pytest.param(["check", "speling"], "there is no check speling", id="unknown check"),
        pytest.param(["proto", "--wrong"], "proto knows --check and --release, not --wrong", id="unknown switch"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_2(clone: Path, args: list[str], sentence: str) -> None:
    """On stderr, and nothing on stdout."""
    done = dev(clone, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dev: {sentence}")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_one_sentence(clone: Path) -> None:
    """Not a traceback, whatever the command."""
    clone.chmod(0o555)
    done = dev(clone, "demo")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{clone / '.venv.lock'}'; this folder must be yours to write" in done.stderr


def test_what_stands_in_the_way_of_the_environment_is_named(clone: Path) -> None:
    """A file in the place of its folder; exit 2, no traceback."""
    (clone / ".venv").touch()
    done = dev(clone, "demo")
    assert (done.returncode, done.stdout) == (2, "")
    assert str(clone / ".venv") in done.stderr
    assert "Traceback" not in done.stderr


def test_without_pip_and_uv_the_fix_is_one_line_to_type(clone: Path) -> None:
    """And no half-made environment is left."""
    done = dev(clone, "test", **without(clone, "pip", "ensurepip"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("dev: neither pip nor uv was found; type: ")
    assert not (clone / ".venv").exists()


def test_a_python_that_is_gone_is_named_before_the_environment_is_made_anew(clone: Path) -> None:
    """With nothing to install from, so that nothing is."""
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (clone / ".venv" / ".stamp").write_text('{"python": "/opt/python3.12 3.12.1", "root": "/elsewhere"}', "utf-8")
    first, *_ = dev(clone, "test", **without(clone, "pip", "ensurepip")).stderr.splitlines()
    assert first.startswith("dev: .venv was made with /opt/python3.12 3.12.1, which is gone; it is made anew with ")
    assert os.path.realpath(sys.executable) in first


UV_THAT_NOTES = """#!/bin/sh
echo "$*" >> calls
if [ -e broken ]; then exit 1; fi
if [ "$1" = venv ]; then exec "$5" -m venv --without-pip "$6"; fi
echo "#!/bin/sh" > .venv/bin/lastcard
chmod +x .venv/bin/lastcard
"""


@pytest.fixture
def noting(clone: Path) -> dict[str, str]:
    """Return an environment whose uv makes environments, and notes what it is to install instead of doing it."""
    write_uv(clone, UV_THAT_NOTES)
    return {"PATH": f"{clone / 'programs'}:/usr/bin:/bin"}


def write_uv(clone: Path, script: str) -> None:
    """Write a program of this name into a folder of programs."""
    (clone / "programs").mkdir()
    (clone / "programs" / "uv").write_text(script)
    (clone / "programs" / "uv").chmod(0o755)


def asked(clone: Path) -> list[str]:
    """Return what uv was asked for since the last look: verb and what is installed."""
    calls = clone / "calls"
    found = calls.read_text("utf-8").splitlines() if calls.exists() else []
    calls.unlink(missing_ok=True)
    verbs = [call.replace(f"pip install --quiet --python {clone}/.venv/bin/python", "install") for call in found]
    return [verb.split(" --quiet")[0].replace(f"{clone}/", "").replace(str(clone), ".") for verb in verbs]


def change(path: Path, old: str, new: str) -> None:
    """Change a file in one place."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


OWN = "install --no-deps --no-build-isolation --editable ."
SCRIPTS = "[project.scripts]\n"


@pytest.mark.parametrize(
    ("args", "lock", "name", "old", "new"),
    [
        pytest.param(["demo"], "requirements.lock", "requirements.lock", "", "# more\n", id="lock"),
        pytest.param(["run", "true"], "requirements-dev.lock", "requirements-dev.lock", "", "# more\n", id="dev lock"),
        pytest.param(
            ["demo"], "requirements.lock", "pyproject.toml", SCRIPTS, f"{SCRIPTS}more = 'a:b'\n", id="pyproject.toml"
        ),
    ],
)
def test_what_the_environment_is_made_of_is_installed_anew_when_it_changed(
    clone: Path, noting: dict[str, str], args: list[str], lock: str, name: str, old: str, new: str
) -> None:
    """By the first command after the change; the next one, as the one before, finds all in order and says nothing."""
    first = dev(clone, *args, **noting)
    everything = [f"install --require-hashes --requirement {lock}", OWN]
    assert (first.returncode, asked(clone)) == (0, ["venv", *everything]), first.stderr
    for before, after in ((old, new), (new, old)):
        again = dev(clone, *args, **noting)
        assert (again.returncode, again.stderr, asked(clone)) == (0, "", [])
        change(clone / name, before, after)
        done = dev(clone, *args, **noting)
        assert (done.returncode, asked(clone)) == (0, everything)
        assert f"dev: updating .venv from {lock} …" in done.stderr


@pytest.mark.parametrize(
    ("folder", "remade"),
    [
        pytest.param("Left_Over-1.0.dist-info", True, id="what no lock has"),
        pytest.param("grpcio-1.0.dist-info", False, id="what the lock has"),
        pytest.param("zope.interface-1.0.dist-info", True, id="a name with a dot"),
        pytest.param("typing_extensions-1.0.dist-info", False, id="a name that the lock spells with a hyphen"),
        pytest.param("lastcard-0.1.0.dist-info", False, id="lastcard itself"),
        pytest.param("pip-25.0.dist-info", False, id="the installer"),
    ],
)
def test_a_package_that_leaves_a_lock_leaves_the_environment(
    clone: Path, noting: dict[str, str], folder: str, *, remade: bool
) -> None:
    """It would hide that something needs it and does not say so: the environment is made anew without it."""
    assert dev(clone, "demo", **noting).returncode == 0
    assert len(asked(clone)) == 3
    (packages,) = (clone / ".venv").glob("lib/python*/site-packages")
    (packages / folder).mkdir()
    change(clone / "requirements.lock", "", "# more\n")
    done = dev(clone, "demo", **noting)
    assert done.returncode == 0
    assert (asked(clone)[0] == "venv", (packages / folder).exists()) == (remade, not remade)
    assert f"dev: {'making' if remade else 'updating'} .venv from requirements.lock …" in done.stderr


def test_what_is_no_part_of_the_environment_may_change(clone: Path, noting: dict[str, str]) -> None:
    """The lock of another purpose, and settings of tools in pyproject.toml."""
    assert dev(clone, "demo", **noting).returncode == 0
    assert len(asked(clone)) == 3
    change(clone / "requirements-bench.lock", "", "# more\n")
    change(clone / "pyproject.toml", "[tool.ruff]\n", "[tool.more]\nvalue = 1\n\n[tool.ruff]\n")
    again = dev(clone, "demo", **noting)
    assert (again.returncode, again.stderr, asked(clone)) == (0, "", [])


def test_an_environment_that_could_not_be_updated_is_made_anew(clone: Path, noting: dict[str, str]) -> None:
    """It is not taken for one that is in order, nor for one of which anything may be kept."""
    noting |= without(clone, "pip", "ensurepip")
    assert dev(clone, "demo", **noting).returncode == 0
    (clone / ".venv" / "left").touch()
    change(clone / "requirements.lock", "", "# more\n")
    (clone / "broken").touch()
    failed = dev(clone, "demo", **noting)
    assert failed.returncode == 2
    assert failed.stderr.splitlines()[-1].startswith("dev: the locked packages could not be installed (above); ")
    (clone / "broken").unlink()
    asked(clone)
    done = dev(clone, "demo", **noting)
    assert (done.returncode, asked(clone)[0]) == (0, "venv")
    assert "dev: making .venv from requirements.lock …" in done.stderr
    assert not (clone / ".venv" / "left").exists()


@pytest.mark.skipif(not (ROOT / ".venv" / ".stamp").exists(), reason="these tests do not run in ./dev's environment")
def test_another_python_uses_the_environment_that_is_there() -> None:
    """Two shells with different Pythons would take turns in making it anew, under what runs from it."""
    others = [f"/usr/bin/python3.{minor}" for minor in (11, 12, 13, 14)]
    other = next((path for path in others if os.access(path, os.X_OK)), None)
    if other is None or os.path.realpath(other) == os.path.realpath(sys.executable):
        pytest.skip("there is no other Python here")
    words = [other, str(ROOT / "dev"), "run", "python", "-c", "import sys; print(sys.version)"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, sys.version, "")


def test_an_older_python_reads_far_enough_to_say_so() -> None:
    """The file parses as Python 3.8, so that its sentence is seen instead of a SyntaxError."""
    ast.parse((ROOT / "dev").read_text("utf-8"), feature_version=(3, 8))


def test_it_is_one_file_of_standard_library() -> None:
    """It runs before anything is installed."""
    tree = ast.parse((ROOT / "dev").read_text("utf-8"))
    names = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    names |= {str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names)


@pytest.mark.skipif(not (ROOT / ".venv" / ".stamp").exists(), reason="these tests do not run in ./dev's environment")
def test_the_second_call_costs_less_than_a_second() -> None:
    """Of processor time, the program's own start included; and it says nothing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = dev(ROOT, "run", "python", "-c", "import sys; print(sys.prefix)", PATH=os.environ["PATH"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.strip() == str(ROOT / ".venv")
    assert done.stderr == ""
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1


def test_a_missing_program_is_named_and_exit_127() -> None:
    """As a shell does."""
    done = dev(ROOT, "run", "no-such-program", PATH=os.environ["PATH"])
    assert (done.returncode, done.stderr) == (127, "dev: no-such-program: no such command in .venv or on PATH\n")
