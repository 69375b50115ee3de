"""Builds the wheel of lastcard whose hot modules are compiled: `./dev compile [FOLDER]`.

What is compiled, and how, stands in pyproject.toml (`tool.hatch.build.targets.wheel.hooks.mypyc`). The wheel is for the
Python and the machine that build it; the same modules are in it as source, too, and do the same there. It takes some
minutes, so a wheel is kept under the digest of all that it is made of, and handed out again.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".cache" / "compiled"
PACKAGES = ("lastcard", "referee", "ladder", "workers")
OWN = ("pyproject.toml", "README.md", "LICENSE")
HOOK = "HATCH_BUILD_HOOK_ENABLE_MYPYC"


def digest() -> str:
    """Return what tells one wheel from another: Python, machine, lock, configuration, and every source."""
    found = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    sources = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py*") if path.suffix != ".pyc")
    for path in [*(ROOT / name for name in OWN), ROOT / "requirements-compile.lock", *sources]:
        found.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def built() -> Path:
    """Return the wheel of what stands here now, building it if there is none.

    Raises:
        SystemExit: there is no C compiler, or it could not be built.
    """
    kept = KEPT / digest()
    if wheels := [*kept.glob("*.whl")]:
        return wheels[0]
    if not (compiler := shutil.which(os.environ.get("CC", "cc"))):
        sys.exit("compile: no C compiler was found; type: sudo apt-get install -y gcc libc6-dev python3-dev")
    print(f"compile: some minutes with {compiler} …", file=sys.stderr, flush=True)
    with TemporaryDirectory(prefix="lastcard-compile-") as folder:
        copy = Path(folder, "source")  # the builder puts files aside while it works
        for package in PACKAGES:
            shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        for name in OWN:
            shutil.copy(ROOT / name, copy)
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
        done = subprocess.run(command, cwd=copy, env=os.environ | {HOOK: "true"}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
        wheels = [*Path(folder).glob("*.whl")]
        if done.returncode or not wheels:
            sys.exit(f"{done.stdout}compile: no wheel was built (above); python3-dev must be there, too")
        shutil.rmtree(KEPT, ignore_errors=True)  # of earlier sources
        kept.mkdir(parents=True)
        half = kept / f"{wheels[0].name}.half"
        shutil.copy(wheels[0], half)
        return half.rename(kept / wheels[0].name)


def main() -> None:
    """Put the wheel into a folder and print its path."""
    parser = argparse.ArgumentParser(prog="./dev compile", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="where the wheel goes")
    folder = parser.parse_args().folder
    wheel = built()
    folder.mkdir(parents=True, exist_ok=True)
    print(shutil.copy(wheel, folder))


if __name__ == "__main__":
    main()
