"""What every scrape keeps to, whichever process it is of."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Set as AbstractSet

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.patience import PATIENCE_S


async def scrape(address: object, accept: str = "text/plain") -> str:
    """Return what one scrape of a process gets."""
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
        answer = await http.get(f"http://{address}/metrics", headers={"Accept": accept})
    assert answer.status_code == 200
    return answer.text


def check_names(text: str, labels: AbstractSet[str]) -> None:
    """Check for one prefix, base units, counters that end in `_total`, help, and no other labels than these."""
    found: set[str] = set()
    for family in text_string_to_metric_families(text):
        assert family.documentation
        if family.name.startswith(("process_", "python_")):
            continue
        assert re.fullmatch(r"lastcard_[a-z0-9_]+", family.name)
        assert not re.search(r"_(ms|millis|milliseconds|minutes|kb|mb|percent)(_|$)", family.name)
        found |= {label for sample in family.samples for label in sample.labels}
    counters = re.findall(r"^# TYPE (\S+) counter$", text, re.MULTILINE)
    assert counters
    assert all(name.endswith("_total") for name in counters)
    assert found <= labels


async def check_lint(text: str) -> None:
    """Check that the official linter has no findings."""
    checked = await asyncio.to_thread(_promtool, text)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def _promtool(text: str) -> subprocess.CompletedProcess[str]:
    command = ["promtool", "check", "metrics"]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
