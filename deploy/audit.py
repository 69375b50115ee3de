"""Looks locked packages up among known vulnerabilities, or lists those of the service as an SBOM.

    ./dev audit                what is known about any version in requirements*.lock, by OSV; exit 1 where something is
    ./dev audit --sbom FILE    CycloneDX, JSON: what `lastcard[server]` of this tree is tested and served with

The first asks a service in the network, and exits with 3 where that gives no answer; the second asks nobody.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
OSV: Final = "https://api.osv.dev/v1/query"
PIN: Final = re.compile(r"^([a-z0-9._-]+)(?:\[[a-z,]+\])?==(\S+) ", re.MULTILINE)
NEGATIVE: Final = 1
UNREACHABLE: Final = 3


def main(argv: Sequence[str]) -> int:
    """Do one of the two; returns the exit code."""
    parser = argparse.ArgumentParser("./dev audit", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sbom", metavar="FILE", help="write the list of the service's packages")
    parser.add_argument(
        "--osv", metavar="URL", default=OSV, help="who is asked, for example a mirror (default: %(default)s)"
    )
    parser.add_argument("--lock", action="append", type=Path, help="look at these locks only")
    options = parser.parse_args(argv)
    if options.sbom:
        return sbom(options.sbom)
    return known(options.lock or sorted(ROOT.glob("requirements*.lock")), options.osv)


def sbom(file: str) -> int:
    """Write what `requirements.lock` holds, with versions and hashes; the same locks make the same file."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--pyproject", "pyproject.toml"]
    command += ["--output-reproducible", "--output-file", str(Path(file).resolve()), "requirements.lock"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def known(locks: Sequence[Path], service: str) -> int:
    """Print what is known about the versions in these locks; returns 1 if anything is."""
    packages: list[dict[str, Any]] = []
    for pins in rounds(locks):
        done = _looked_up(pins, service)
        try:
            packages += json.loads(done.stdout)["dependencies"]
        except ValueError:
            why = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            print(f"audit: nothing is known, for there was no answer: {why}", file=sys.stderr)
            return UNREACHABLE
    found = [
        f"audit: {package['name']} {package['version']}: {flaw['id']}, {_mended(flaw['fix_versions'])}"
        for package in packages
        for flaw in package["vulns"]
    ]
    for line in sorted(found):
        print(line)
    print(f"audit: {len(packages)} versions, {len(found) or 'no'} known vulnerabilities")
    return NEGATIVE if found else 0


def rounds(locks: Sequence[Path]) -> list[list[str]]:
    """Return every version that is locked, for whatever platform, in lists that have each package once at most."""
    versions = defaultdict[str, set[str]](set)
    for lock in locks:
        for name, version in PIN.findall(lock.read_text("utf-8")):
            versions[name].add(version)
    most = max(map(len, versions.values()), default=0)
    return [
        [f"{name}=={sorted(there)[place]}" for name, there in sorted(versions.items()) if place < len(there)]
        for place in range(most)
    ]


def _looked_up(pins: Sequence[str], service: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip_audit", "--strict", "--disable-pip", "--no-deps", "--format", "json"]
    command += ["--progress-spinner", "off", "--vulnerability-service", "osv", "--osv-url", service]
    with TemporaryDirectory(prefix="lastcard-audit-") as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text("\n".join(pins), "utf-8")
        command += ["--requirement", str(file)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _mended(versions: Sequence[str]) -> str:
    return f"mended in {', '.join(versions)}" if versions else "not mended in any version"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
