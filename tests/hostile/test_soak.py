"""`./dev soak hostile`: what its lines come to."""

import json

import pytest

from tests.hostile.attacker import ATTACKS
from tests.soak.hostile import MOST, NGINX_ONLY, Beside, _verdict, those_tried

CALM = Beside("8 well-behaved bots", 1.0, 4.0, 1_000)


def line(name: str, p99_ms: float) -> Beside:
    """Return what the pair saw beside an attack."""
    return Beside(name, 1.0, p99_ms, 1_000, made=3, odd=1, calm_ms=4.0)


@pytest.mark.parametrize(
    ("lines", "code", "told"),
    [
        pytest.param([CALM, line("bomb", 8.0)], 0, "holds: worst of 1 attacks is bomb: p99 8.00 ms, 2.00x", id="holds"),
        pytest.param([CALM, line("bomb", 8.1)], 1, "is broken by bomb: ", id="broken"),
        pytest.param([CALM, line("bomb", 80.0), CALM, line("bomb", 5.0)], 0, "p99 5.00 ms", id="the best counts"),
        pytest.param(
            [CALM, line("a", 9.0), line("b", 5.0), line("c", 20.0)], 1, "is broken by a, c: worst of 3 attacks is c",
            id="several",
        ),
    ],
)  # fmt: skip
def test_the_last_line_is_a_verdict(
    lines: list[Beside], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every attack by the best of its measurements, and exit code 1 where one costs too much."""
    assert _verdict(lines, as_json=False) == code
    assert told in capsys.readouterr().out


def test_the_verdict_for_machines_has_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With what was allowed."""
    assert _verdict([CALM, line("bomb", 12.0)], as_json=True) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["worst"], told["ratio"], told["most"], told["broken"]) == ("bomb", 3.0, MOST, ["bomb"])
    assert [one["p99_ms"] for one in told["lines"]] == [4.0, 12.0]


def test_behind_nginx_every_attack_is_tried() -> None:
    """Where a referee is dialled directly all but those that are written down as too much for it."""
    assert those_tried(front=True) == list(ATTACKS)
    assert set(ATTACKS) - set(those_tried(front=False)) == NGINX_ONLY
