from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.deploy.places import DEPLOY, loaded, output, program

pytestmark = pytest.mark.slow

FOLDER = DEPLOY / "prometheus"
METRIC = re.compile(r"\blastcard_[a-z_]+")


def rules() -> list[dict[str, str]]:
    """Return the alert rules."""
    return [rule for group in loaded(FOLDER / "rules.yml")["groups"] for rule in group["rules"]]


@pytest.mark.needs("promtool")
def test_prometheus_accepts_the_configuration() -> None:
    """Scrape configuration, target files and rules are well formed."""
    assert "SUCCESS" in output([program("promtool"), "check", "config", FOLDER / "prometheus.yml"])


@pytest.mark.needs("promtool")
def test_alerts_fire_when_they_should() -> None:
    """Each rule stays silent in a healthy house and speaks about its trouble."""
    assert "SUCCESS" in output([program("promtool"), "test", "rules", FOLDER / "rules.test.yml"])


def test_every_alert_is_tested_both_ways() -> None:
    """There is a case in which it fires and one in which it does not."""
    cases = [case for test in loaded(FOLDER / "rules.test.yml")["tests"] for case in test["alert_rule_test"]]
    fires = {case["alertname"] for case in cases if "exp_alerts" in case}
    silent = {case["alertname"] for case in cases if "exp_alerts" not in case}
    names = {rule["alert"] for rule in rules()}
    assert fires == names
    assert silent == names


def test_every_alert_is_explained_to_the_operator() -> None:
    """docs/operations.md says what to do about it."""
    page = (DEPLOY.parent / "docs" / "operations.md").read_text("utf-8")
    assert [rule["alert"] for rule in rules() if f"`{rule['alert']}`" not in page] == []


def test_alerts_speak_of_metrics_that_there_are() -> None:
    """A renamed metric must not turn an alert into silence."""
    known = "\n".join(path.read_text("utf-8") for path in metric_sources())
    used = {name for rule in rules() for name in METRIC.findall(rule["expr"])}
    stems = {re.sub(r"_(total|bucket)$", "", name).removeprefix("lastcard_") for name in used}
    assert used
    assert [stem for stem in sorted(stems) if stem not in known] == []


def metric_sources() -> list[Path]:
    """Return the modules that name our metrics."""
    return [DEPLOY.parent / name for name in ("referee/scrape.py", "ladder/metrics.py")]


def test_compose_scrapes_the_same_jobs() -> None:
    """Both folders of targets have a file for every job."""
    names = [Path(config["file_sd_configs"][0]["files"][0]).name for config in jobs()]
    for folder in ("targets", "targets-compose"):
        assert sorted(path.name for path in (FOLDER / folder).iterdir()) == sorted(names)


def jobs() -> list[dict[str, list[dict[str, list[str]]]]]:
    """Return the scrape jobs."""
    return list(loaded(FOLDER / "prometheus.yml")["scrape_configs"])
