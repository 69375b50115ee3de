"""`./dev audit`: what is known about a locked version fails it, and what the service is made of is listed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.index import needs_index

pytestmark = [pytest.mark.thorough, needs_index, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([a-z0-9._-]+)(?:\[[a-z,]+\])?==(\S+) ", re.MULTILINE)
FLAWED = ("jinja2", "2.4.1")
FLAW = {
    "id": "GHSA-0000",
    "summary": "made up",
    "affected": [
        {
            "package": {"name": FLAWED[0], "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.7.2"}]}],
        }
    ],
}


class Osv(BaseHTTPRequestHandler):
    """Knows of one flaw of one version."""

    def do_POST(self) -> None:
        """Answer a query."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = (asked["package"]["name"], asked["version"]) == FLAWED
        body = json.dumps({"vulns": [FLAW]} if known else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as the library has it)
        """Say nothing."""


@pytest.fixture
def osv() -> Iterator[str]:
    """Serve it on this machine; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Osv) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()


def audit(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [sys.executable, "dev", "audit", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def locked(folder: Path, name: str, version: str) -> str:
    """Write a lock of one package; returns its name."""
    (folder / "requirements.lock").write_text(f"{name}=={version} --hash=sha256:{'0' * 64}\n", "utf-8")
    return str(folder / "requirements.lock")


def test_a_version_with_a_known_flaw_fails(osv: str, tmp_path: Path) -> None:
    """It is named with what mends it."""
    done = audit("--osv", osv, "--lock", locked(tmp_path, *FLAWED))
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        ["audit: jinja2 2.4.1: GHSA-0000, mended in 2.7.2", "audit: 1 versions, 1 known vulnerabilities"],
    ), done.stderr


def test_every_lock_is_looked_up(osv: str) -> None:
    """Of every package each version that any of them holds, those for other platforms and Pythons, too."""
    done = audit("--osv", osv)
    assert done.returncode == 0, done.stdout + done.stderr
    pins = {pin for lock in ROOT.glob("requirements*.lock") for pin in PIN.findall(lock.read_text("utf-8"))}
    assert done.stdout == f"audit: {len(pins)} versions, no known vulnerabilities\n"


def test_no_answer_is_no_good_news(tmp_path: Path) -> None:
    """Exit 3, for nothing was learned."""
    done = audit("--osv", "http://127.0.0.1:9/v1/query", "--lock", locked(tmp_path, *FLAWED))
    assert (done.returncode, done.stdout) == (3, "")
    assert "audit: nothing is known, for there was no answer: " in done.stderr


def test_the_list_of_the_service_holds_every_locked_version_with_its_hashes(tmp_path: Path) -> None:
    """As CycloneDX; nothing in it is of the moment, so the same locks make the same file."""
    done = audit("--sbom", str(tmp_path / "sbom.json"))
    assert done.returncode == 0, done.stderr
    listed = json.loads((tmp_path / "sbom.json").read_text("utf-8"))
    assert (listed["bomFormat"], listed["metadata"]["component"]["name"]) == ("CycloneDX", "lastcard")
    assert "serialNumber" not in listed
    assert "timestamp" not in listed["metadata"]
    versions = PIN.findall((ROOT / "requirements.lock").read_text("utf-8"))
    assert sorted((part["name"], part["version"]) for part in listed["components"]) == sorted(versions)
    assert all(part["externalReferences"][0]["hashes"] for part in listed["components"])
