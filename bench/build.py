"""What is measured: the wheel whose hot modules are compiled, as an image has it, or the source as it stands here."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from referee.rules import round as hot

ROOT: Final = Path(__file__).parents[1]


def name() -> str:
    """Return what this process runs: `compiled` or `source`."""
    return "source" if hot.__file__.endswith(".py") else "compiled"


def compiled(argv: Sequence[str]) -> int:
    """Run the same benchmark on the compiled wheel, building it first where there is none; returns the exit code."""
    with TemporaryDirectory(prefix="lastcard-bench-") as folder:
        made = subprocess.run([ROOT / "dev", "compile", folder], stdout=subprocess.PIPE, text=True, check=False)
        if made.returncode:  # it has said why
            sys.stderr.write("bench: `--source` measures without a compiler\n")
            return made.returncode
        tree = Path(folder, "tree")
        with ZipFile(made.stdout.strip()) as wheel:
            wheel.extractall(tree)
        # The wheel stands before the source of this folder, which -m would have first.
        environ = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)]), "PYTHONSAFEPATH": "1"}
        return subprocess.run([sys.executable, "-m", "bench", *argv], env=environ, check=False).returncode
