"""The dashboards: generated, complete, and about metrics that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from deploy.grafana.generate import FOLDER, PAGES, text
from deploy.grafana.panels import Page
from tests.ladder_running import Reached

ROOT = Path(__file__).parents[2]
METRIC = re.compile(r"\blastcard_[a-z_]+")
PARTS = re.compile(r"_(total|bucket|sum|count)$")
PAGE = pytest.mark.parametrize("page", [pytest.param(page, id=page.uid) for page in PAGES])


def expressions() -> Iterator[tuple[str, str]]:
    """Yield every panel with each of its expressions, as the committed files have them."""
    for file in sorted(FOLDER.glob("*.json")):
        board = json.loads(file.read_text("utf-8"))
        for panel in board["panels"]:
            for target in panel.get("targets", ()):
                yield f"{board['uid']}: {panel['title']}", target["expr"]


def plain(expr: str) -> str:
    """Return an expression with Grafana's variables filled in."""
    return expr.replace("$__rate_interval", "1m").replace("$format", ".*")


EXPRESSIONS = list(expressions())


@PAGE
def test_committed_dashboards_are_what_the_generator_writes(page: Page) -> None:
    """Nobody edits them by hand, nobody forgets to generate them."""
    assert (FOLDER / f"{page.uid.removeprefix('lastcard-')}.json").read_text("utf-8") == text(page)


def test_what_an_alert_watches_is_on_a_dashboard() -> None:
    """Who is woken up sees since when, and what else changed then."""
    groups = yaml.safe_load((ROOT / "deploy" / "prometheus" / "rules.yml").read_text("utf-8"))["groups"]
    watched = {metric for group in groups for rule in group["rules"] for metric in METRIC.findall(rule["expr"])}
    assert "lastcard_damaged_entries" in watched
    drawn = {metric for _, expr in EXPRESSIONS for metric in METRIC.findall(expr)}
    assert watched - drawn == set()


def test_there_are_no_other_dashboards() -> None:
    """A renamed page leaves no old file behind."""
    assert {file.stem for file in FOLDER.glob("*")} == {page.uid.removeprefix("lastcard-") for page in PAGES}


@PAGE
def test_panels_are_complete(page: Page) -> None:
    """Unique ids, a unit, a description, and the source that one chooses; no address of anybody."""
    board: dict[str, Any] = json.loads(text(page))
    ids = [panel["id"] for panel in board["panels"]]
    assert len(set(ids)) == len(ids)
    for panel in board["panels"]:
        if panel["type"] != "row":
            assert panel["fieldConfig"]["defaults"]["unit"]
            assert panel["description"]
            assert panel["datasource"]["uid"] == "${source}"
            assert [target["refId"] for target in panel["targets"]] == list("ABCDEFGH")[: len(panel["targets"])]
    assert board["templating"]["list"][0]["type"] == "datasource"
    assert not re.search(r"https?://|localhost|\d+\.\d+\.\d+\.\d+", text(page))


@PAGE
def test_no_panel_hides_another(page: Page) -> None:
    """Every panel has its own place on a grid 24 wide."""
    taken: set[tuple[int, int]] = set()
    for panel in json.loads(text(page))["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells


def test_uids_are_unique() -> None:
    """Two dashboards with one uid would overwrite each other."""
    assert len({page.uid for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize(("where", "expr"), [pytest.param(where, expr, id=where) for where, expr in EXPRESSIONS])
def test_every_expression_is_promql(where: str, expr: str) -> None:
    """A typing error in a query is found here."""
    assert promql_parser.parse(plain(expr)) is not None


async def test_every_metric_exists(shown: Reached) -> None:
    """A renamed metric must not leave an empty panel."""
    async with httpx.AsyncClient(trust_env=False) as http:
        scrape = (await http.get(f"http://{shown.addresses.metrics}/metrics")).text
    known = {family.name for family in text_string_to_metric_families(scrape)}
    known |= set(METRIC.findall((ROOT / "referee" / "scrape.py").read_text("utf-8")))
    used = {PARTS.sub("", name) for _, expr in EXPRESSIONS for name in METRIC.findall(expr)}
    assert used - known == set()


def test_provisioning_names_the_folder_and_no_address() -> None:
    """Grafana finds the files; where Prometheus is, the environment says."""
    folder = ROOT / "deploy" / "grafana" / "provisioning"
    source = yaml.safe_load((folder / "datasources" / "prometheus.yml").read_text("utf-8"))
    boards = yaml.safe_load((folder / "dashboards" / "lastcard.yml").read_text("utf-8"))
    assert source["datasources"][0]["url"] == "${PROMETHEUS_URL}"
    assert boards["providers"][0]["options"]["path"] == "/var/lib/grafana/dashboards"
