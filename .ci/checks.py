"""All checks that a change must pass before its tests, and the quick ones of these; `./dev check` runs it."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

CHECKS: Final = {
    "tests": [["./dev", "test", "--quick"]],
    "types": [["mypy"]],
    "proto": [["./dev", "proto", "--check"]],
    "imports": [["lint-imports", "--no-cache", "--no-logo"]],
    "ruff": [["ruff", "check"]],
    "format": [["ruff", "format", "--check"]],
    "buf": [
        ["buf", "lint"],
        ["buf", "format", "--diff", "--exit-code"],
        ["buf", "breaking", "--against", "proto/released.binpb"],
    ],
}


def passes(name: str) -> bool:
    """Run one check and print what it said in one piece; return whether it found nothing."""
    started, output, good = time.monotonic(), "", True
    for command in CHECKS[name]:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        output, good = output + done.stdout, good and done.returncode == 0
    print(f"== {name}: {'ok' if good else 'FAILED'} ({time.monotonic() - started:.1f} s)\n{output}", end="", flush=True)
    return good


def main(names: list[str]) -> int:
    """Run the checks, two at a time; return 1 when one failed, 2 where there is none of that name."""
    if unknown := sorted(set(names) - set(CHECKS)):
        print(f"dev: there is no check {unknown[0]}; known are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    if unready := subprocess.run(["./dev", "run", "true"], check=False).returncode:
        return unready
    wanted = names or list(CHECKS)
    with ThreadPoolExecutor(2) as pool:
        failed = [name for name, good in zip(wanted, pool.map(passes, wanted), strict=True) if not good]
    print(f"check: failed: {', '.join(failed)}" if failed else "check: all good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
