"""Writes the code that is generated from every `.proto` here: `./dev proto [--check]`.

It runs in `.venv-proto`, which has the generator and nothing of ours. The code is committed, and `--check` compares.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
PACKAGES: Final = ("lastcard", "referee")


def generate(target: Path) -> bool:
    """Write the code below `target`, laid out like this repository; False: the generator refused, and has said why."""
    raw, plugin = target / "raw", Path(sys.executable).parent / "protoc-gen-mypy_grpc"
    raw.mkdir()
    sources = sorted(str(path.relative_to(HERE)) for path in HERE.rglob("*.proto"))
    outs = [f"--python_out={raw}", f"--pyi_out={raw}", f"--grpc_python_out={raw}", f"--mypy_grpc_out=quiet:{raw}"]
    words = [f"-I{HERE}", f"--plugin=protoc-gen-mypy_grpc={plugin}", *outs, *sources]
    if subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *words], stdout=sys.stderr, check=False).returncode:
        return False
    for file in sorted(path for path in raw.rglob("*") if path.is_file()):
        name = file.relative_to(raw).as_posix().replace("lastcard/internal/", "referee/internal/")
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8").replace("from lastcard.internal.", "from referee.internal.")
        (target / name).write_text(text, "utf-8")
    return True


def generated(root: Path) -> dict[str, str]:
    """Return path and text of every generated file in the packages below `root`."""
    found = (path for package in PACKAGES for path in (root / package).rglob("*_pb2*.py*"))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in found if path.suffix != ".pyc"}


def put(name: str, text: str | None) -> None:
    """Write a file of ours, or remove the one that nothing generates any more."""
    path = ROOT / name
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def main(words: list[str]) -> int:
    """Generate or compare; returns 1 where files differ, 2 where the generator refused."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    with TemporaryDirectory(dir=ROOT / ".cache") as folder:
        if not generate(Path(folder)):
            print("dev: protoc refused the .proto files (above)", file=sys.stderr)
            return 2
        new, old = generated(Path(folder)), generated(ROOT)
    changed = sorted(name for name in new.keys() | old.keys() if new.get(name) != old.get(name))
    if words == ["--check"]:
        print("".join(f"{name} is not what proto/ generates; type: ./dev proto\n" for name in changed), end="")
        return 1 if changed else 0
    for name in changed:
        put(name, new.get(name))
    print(f"dev: {len(new)} generated files, {len(changed)} changed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
