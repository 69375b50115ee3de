"""The dashboard of the ladders: ratings and how fast results come in."""

from __future__ import annotations

from typing import Final

from deploy.grafana.panels import Kind, Page, Panel, Row, a_minute, latest, rates

_CHOSEN: Final = '{format=~"$format"}'
_ELO: Final = f"max by (format, bot) (lastcard_rating_elo{_CHOSEN})"
_BOT: Final = "{{bot}} · {{format}}"

RATINGS: Final = Row(
    "Ratings",
    (
        Panel(
            "Live Elo",
            "none",
            "Rating after every applied match. Shown are the best 200 of a format, and 3,600 in all.",
            {_BOT: _ELO},
            width=16,
        ),
        Panel("Best now", "none", "The fifteen highest live ratings.", {_BOT: f"topk(15, {_ELO})"}, Kind.BARS),
    ),
)
RESULTS: Final = Row(
    "Results",
    (
        Panel(
            "Rated meetings a second",
            "ops",
            "Meetings applied to a ladder: the same bots once in every seating.",
            rates(f"lastcard_ladder_meetings_total{_CHOSEN}", "format"),
            width=12,
        ),
        Panel(
            "Rated games a second",
            "ops",
            "Games of the matches applied to a ladder.",
            rates(f"lastcard_ladder_games_total{_CHOSEN}", "format"),
            width=12,
        ),
        Panel(
            "Rated versions",
            "short",
            "Versions of bots in each ladder.",
            latest(f"lastcard_ladder_bots{_CHOSEN}", "format"),
            Kind.NUMBER,
            width=6,
        ),
        Panel(
            "Matches applied",
            "short",
            "Entries in each ladder's log.",
            latest(f"lastcard_ladder_matches_total{_CHOSEN}", "format"),
            Kind.NUMBER,
            width=6,
        ),
        Panel(
            "Sum of ratings minus entries",
            "none",
            "Always 0: points only move between bots. Anything else is damage; run `lastcard ladder audit`.",
            latest(f"abs(lastcard_ladder_sum_error_elo{_CHOSEN})", "format"),
            Kind.NUMBER,
            width=6,
            warn=0.000001,
        ),
        Panel(
            "Odd results",
            "short",
            "Findings of the last nightly look: scores that ratings do not explain, deals that somebody knew.",
            latest(f"lastcard_ladder_anomalies{_CHOSEN}", "format"),
            Kind.NUMBER,
            width=6,
            warn=1,
        ),
        Panel(
            "Faults a minute in rated matches",
            "short",
            "Late, illegal and malformed answers, and matches that a bot left or missed (absent).",
            a_minute("lastcard_rated_faults_total", "kind"),
            width=6,
        ),
    ),
)
PAGE: Final = Page(
    uid="lastcard-ratings",
    title="lastcard · ratings",
    help="Live Elo of the best bots of every format, and how fast results come in.",
    rows=(RATINGS, RESULTS),
    by_format=True,
)
