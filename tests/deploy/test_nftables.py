"""deploy/nftables on real networks: who floods a port with connections is held back, and nobody else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from referee.door.gate import DIAL_BURST, DIALS_PER_S
from tests.deploy import walled
from tests.deploy.firewall import FILE, inside, needs_network
from tests.deploy.walled import CASES, Dialler

pytestmark = pytest.mark.slow
NGINX = (FILE.parents[1] / "nginx" / "lastcard.conf").read_text("utf-8")


@needs_network
@pytest.mark.parametrize("case", [pytest.param(one, id=one.__name__.replace("_", " ")) for one in CASES])
def test_connections(case: Callable[[Dialler], None]) -> None:
    """Each case of `walled`, under the rules as they are shipped."""
    inside("tests.deploy.walled", case.__name__)


def test_an_address_dials_as_often_as_a_token_and_as_behind_nginx() -> None:
    """One number for all three: who may open a stream may dial for it."""
    text = FILE.read_text("utf-8")
    told = {tuple(map(int, one)) for one in re.findall(r"limit rate over (\d+)/second burst (\d+) packets", text)}
    assert told == {(DIALS_PER_S, DIAL_BURST)} == {(walled.RATE, walled.BURST)}
    assert f"zone=lastcard_dials:10m rate={DIALS_PER_S}r/s;" in NGINX
    assert f"limit_req zone=lastcard_dials burst={DIAL_BURST} nodelay;" in NGINX
    assert {int(one) for one in re.findall(r"ct count over (\d+)", text)} == {walled.MOST}


def test_what_faces_people_is_held_to_it() -> None:
    """Those of nginx, and those of referees, ladder and pages; trunks and metrics are nobody's to dial."""
    found = re.search(r"(?m)^define public = \{ (.*) \}$", FILE.read_text("utf-8"))
    assert found
    assert found[1] == "80, 443, 7410-7421"
