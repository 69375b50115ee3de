"""Writes the dashboards that Grafana loads: `python deploy/grafana/generate.py [--check]`.

Their JSON is committed, and a test compares it with what this writes. Each page is a module beside this one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from grafana_foundation_sdk.builders import bargauge, common, prometheus, stat, timeseries
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common as shapes
from grafana_foundation_sdk.models import dashboard as models

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from deploy.grafana import queues, ratings, referees
from deploy.grafana.panels import Kind, Page, Panel

PAGES: Final = (ratings.PAGE, referees.PAGE, queues.PAGE)
FOLDER: Final = Path(__file__).resolve().parent / "dashboards"
SOURCE: Final = models.DataSourceRef(type_val="prometheus", uid="${source}")
HEIGHT: Final = 8
LOW: Final = 4
Drawn: TypeAlias = "timeseries.Panel | stat.Panel | bargauge.Panel"


def main(argv: list[str]) -> int:
    """Write all dashboards, or with `--check` only say which ones differ."""
    stale = [page.uid for page in PAGES if _path(page).read_text("utf-8") != text(page)] if "--check" in argv else []
    if "--check" not in argv:
        FOLDER.mkdir(exist_ok=True)
        for page in PAGES:
            _path(page).write_text(text(page), "utf-8")
    for uid in stale:
        sys.stderr.write(f"{uid}: run python deploy/grafana/generate.py\n")
    return 1 if stale else 0


def text(page: Page) -> str:
    """Return a dashboard as JSON."""
    return f"{JSONEncoder(sort_keys=True, indent=2).encode(built(page))}\n"


def built(page: Page) -> models.Dashboard:
    """Return a dashboard."""
    board = (
        builders.Dashboard(page.title)
        .uid(page.uid)
        .description(page.help)
        .tags(["lastcard"])
        .readonly()
        .refresh("15s")
        .time("now-1h", "now")
        .timezone("browser")
        .tooltip(models.DashboardCursorSync.CROSSHAIR)
        .with_variable(builders.DatasourceVariable("source").label("Prometheus").type("prometheus"))
    )
    if page.by_format:
        board.with_variable(_formats())
    numbers = iter(range(1, 1000))
    for row in page.rows:
        board.with_row(builders.Row(row.title).id(next(numbers)))
        for panel in row.panels:
            board.with_panel(_drawn(panel).id(next(numbers)))
    return board.build()


def _formats() -> builders.QueryVariable:
    return (
        builders.QueryVariable("format")
        .label("Format")
        .datasource(SOURCE)
        .query("label_values(lastcard_ladder_bots, format)")
        .refresh(models.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(models.VariableSort.ALPHABETICAL_ASC)
        .multi(multi=True)
        .include_all(include_all=True)
        .all_value(".*")
    )


def _drawn(panel: Panel) -> Drawn:
    """Return a panel with everything but its number."""
    drawn: Drawn = _KINDS[panel.kind]()
    drawn.title(panel.title).description(panel.help).unit(panel.unit).datasource(SOURCE)
    drawn.span(panel.width).height(LOW if panel.kind is Kind.NUMBER else HEIGHT)
    drawn.thresholds(_thresholds(panel))
    for query in _queries(panel):
        drawn.with_target(query)
    return drawn


def _lines() -> timeseries.Panel:
    legend = common.VizLegendOptions().display_mode(shapes.LegendDisplayMode.TABLE).calcs(["lastNotNull", "max"])
    return (
        timeseries.Panel()
        .line_width(2)
        .fill_opacity(8)
        .show_points(shapes.VisibilityMode.NEVER)
        .legend(legend.placement(shapes.LegendPlacement.BOTTOM).show_legend(show_legend=True))
        .tooltip(common.VizTooltipOptions().mode(shapes.TooltipDisplayMode.MULTI).sort(shapes.SortOrder.DESCENDING))
    )


def _number() -> stat.Panel:
    last = common.ReduceDataOptions().calcs(["lastNotNull"])
    return stat.Panel().reduce_options(last).graph_mode(shapes.BigValueGraphMode.AREA)


def _bars() -> bargauge.Panel:
    last = common.ReduceDataOptions().calcs(["lastNotNull"])
    horizontal = shapes.VizOrientation.HORIZONTAL
    return bargauge.Panel().reduce_options(last).orientation(horizontal).display_mode(shapes.BarGaugeDisplayMode.BASIC)


_KINDS: Final[dict[Kind, Any]] = {Kind.LINES: _lines, Kind.NUMBER: _number, Kind.BARS: _bars}


def _queries(panel: Panel) -> Iterator[prometheus.Dataquery]:
    for letter, (legend, expression) in zip("ABCDEFGH", panel.series.items(), strict=False):
        asked = prometheus.Dataquery().expr(expression).legend_format(legend).ref_id(letter).datasource(SOURCE)
        yield asked.range() if panel.kind is Kind.LINES else asked.instant()


def _thresholds(panel: Panel) -> builders.ThresholdsConfig:
    steps = [models.Threshold(value=None, color="green")]
    if panel.warn is not None:
        steps.append(models.Threshold(value=panel.warn, color="orange"))
    return builders.ThresholdsConfig().mode(models.ThresholdsMode.ABSOLUTE).steps(steps)


def _path(page: Page) -> Path:
    return FOLDER / f"{page.uid.removeprefix('lastcard-')}.json"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
