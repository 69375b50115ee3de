"""What attackers cost an honest pair, in small: `./dev soak hostile` measures all of them, and at length."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.deploy.firewall import needs_network

pytestmark = [pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(1_800)]
WORDS = ("--seconds", "3", "--json", "--only")


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="the referee has a core to itself, and all others one")
@needs_network
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            [*WORDS, "useless_flood", "bomb", "idle_connections"], id="dialled directly"
        ),
        pytest.param(
            ["--front", *WORDS, "endless_headers", "reconnect_storm", "rapid_reset"],
            id="behind nginx", marks=pytest.mark.needs("nginx", "taskset"),
        ),
    ],
)  # fmt: skip
def test_an_attack_costs_an_honest_pair_at_most_twice_its_time(words: list[str]) -> None:
    """The p99 of its answers, beside as many bots that do no harm; what looks broken is measured up to three times."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", "hostile", *words], capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr
    told = json.loads(done.stdout)
    assert (done.returncode, told["broken"]) == (0, []), [line for line in told["lines"] if line["calm_ms"]]
