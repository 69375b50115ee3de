"""The dashboard of the referees: what is played, how fast, and what goes wrong."""

from __future__ import annotations

from typing import Final

from deploy.grafana.panels import Kind, Page, Panel, Row, Series, a_minute, latest, quantile, rates, totals


def _typical_and_slowest(metric: str) -> Series:
    return {"half": quantile(0.5, metric), "99 %": quantile(0.99, metric)}


PLAY: Final = Row(
    "Play",
    (
        Panel(
            "Finished games a second",
            "ops",
            "Over all referees.",
            rates("lastcard_games_total", "format", "ending"),
        ),
        Panel("Finished rounds a second", "ops", "By referee.", rates("lastcard_rounds_total", "instance")),
        Panel(
            "In play",
            "short",
            "Over all referees.",
            {
                "matches": "sum(lastcard_matches_hosted)",
                "matches that are watched": "sum(lastcard_matches_shown)",
                "rounds": "sum(lastcard_rounds_in_flight)",
                "open decisions": "sum(lastcard_decisions_open)",
                "decisions that wait for room": "sum(lastcard_decisions_waiting)",
                "referees that stand still": "sum(lastcard_halted)",
            },
        ),
    ),
)
TIME: Final = Row(
    "Time",
    (
        Panel(
            "Seconds to an answer",
            "s",
            "From the question to the bot's answer.",
            _typical_and_slowest("lastcard_decision_seconds"),
        ),
        Panel(
            "Seconds to a commit",
            "s",
            "From a log entry to its acknowledgement; nothing is sent to a bot before.",
            _typical_and_slowest("lastcard_commit_seconds"),
        ),
        Panel(
            "Loop lag",
            "s",
            "How late a referee's event loop runs.",
            latest('lastcard_loop_lag_seconds{job="lastcard-referee"}', "instance"),
            warn=0.05,
        ),
        Panel(
            "Seconds given back a minute",
            "s",
            "Taken off the clocks of open questions: a referee stood still, the store was away, a bot was looked for.",
            a_minute("lastcard_given_back_seconds_total", "kind"),
        ),
    ),
)
BOTS: Final = Row(
    "Bots",
    (
        Panel("Connected processes", "short", "By referee.", totals("lastcard_sessions", "instance")),
        Panel(
            "Faults a minute",
            "short",
            "Late, illegal and malformed answers, and bots that left a match or never came (absent).",
            a_minute("lastcard_faults_total", "kind"),
        ),
        Panel(
            "Matches left a minute",
            "short",
            "By bots that forfeited the rest: they were not there, or had too many faults.",
            a_minute("lastcard_forfeits_total", "format"),
        ),
        Panel(
            "Answers that did not count, a minute",
            "short",
            "By the code that the bot was told.",
            a_minute("lastcard_replies_total", "code"),
        ),
        Panel(
            "Streams refused, a minute",
            "short",
            "Refused or ended, by the reason that the bot was told.",
            a_minute("lastcard_refusals_total", "reason"),
        ),
        Panel(
            "Tokens shut out, a minute",
            "short",
            "For a minute, for a hundred messages that broke the protocol; the referee's log names it (`banned`).",
            a_minute("lastcard_bans_total", "instance"),
        ),
    ),
)
BETWEEN: Final = Row(
    "Between referees",
    (
        Panel(
            "Trunks",
            "short",
            "Other referees that each of them is connected to: one less than there are.",
            totals("lastcard_trunk_links", "instance"),
        ),
        Panel(
            "Messages a second",
            "ops",
            "On the trunks; what gathers leaves as one message.",
            rates("lastcard_trunk_messages_total", "instance", "direction"),
        ),
        Panel(
            "Bytes a second",
            "Bps",
            "For bots at other referees than the host of their match.",
            rates("lastcard_trunk_bytes_total", "instance", "direction"),
        ),
    ),
)
TROUBLE: Final = Row(
    "Trouble",
    (
        Panel(
            "Matches taken over",
            "short",
            "A referee that lost a match drops it at once.",
            {
                "claimed": "sum(increase(lastcard_claims_total[$__rate_interval]))",
                "lost to another referee": "sum(increase(lastcard_fenced_total[$__rate_interval]))",
            },
            width=12,
        ),
        Panel(
            "Stopped by a bug of ours",
            "short",
            "Since the referees started; should be 0.",
            {
                "crashed": "sum(lastcard_match_crashes_total)",
                "log did not fit the engine": "sum(lastcard_engine_mismatches_total)",
                "damaged and not to be parked": "sum(lastcard_matches_unparkable)",
            },
            Kind.NUMBER,
            width=12,
            warn=1,
        ),
    ),
)
PAGE: Final = Page(
    uid="lastcard-referee",
    title="lastcard · referees",
    help="Games in play, how fast bots and the log answer, and what went wrong.",
    rows=(PLAY, TIME, BOTS, BETWEEN, TROUBLE),
)
