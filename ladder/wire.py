"""Between the wire and the domain, in both directions: servicers send, commands receive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from ladder.errors import InvalidFieldError
from ladder.names import checked
from ladder.readings.boards import Board, LuckWeights
from ladder.readings.gallery import Live
from ladder.readings.profiles import Profile, Version
from ladder.readings.summaries import Summary, Wanted
from ladder.readings.watcher import Glimpse
from ladder.standings import Standing
from ladder.store.live import LiveTable, SceneEnd
from ladder.store.rows import MatchState
from lastcard.errors import ProtocolError
from lastcard.names import BOT, TOURNAMENT
from lastcard.v1 import ladder_pb2 as pb

Told = TypeVar("Told")

_STATES: Final = {
    pb.MATCH_STATE_PLANNED: MatchState.PLANNED,
    pb.MATCH_STATE_READY: MatchState.READY,
    pb.MATCH_STATE_RUNNING: MatchState.RUNNING,
    pb.MATCH_STATE_CLOSED: MatchState.CLOSED,
    pb.MATCH_STATE_RATED: MatchState.RATED,
    pb.MATCH_STATE_ARCHIVED: MatchState.ARCHIVED,
    pb.MATCH_STATE_TRIMMED: MatchState.TRIMMED,
    pb.MATCH_STATE_VOID: MatchState.VOID,
    pb.MATCH_STATE_PARKED: MatchState.PARKED,
}
_LIVE: Final = {
    Live.WAITING: pb.LIVE_STATE_WAITING,
    Live.SHOWN: pb.LIVE_STATE_SHOWN,
    Live.WITHHELD: pb.LIVE_STATE_WITHHELD,
    Live.BUSY: pb.LIVE_STATE_BUSY,
    Live.OVER: pb.LIVE_STATE_OVER,
}
_LIVE_BY_NUMBER: Final[dict[int, Live]] = {int(number): live for live, number in _LIVE.items()}
_BY_NUMBER: Final[dict[int, MatchState]] = {int(number): state for number, state in _STATES.items()}
_NUMBERS: Final = {state.value: number for number, state in _STATES.items()}


def wanted(request: pb.ListMatchesRequest) -> Wanted:
    """Return which matches a request asks for.

    Raises:
        InvalidFieldError: a field is not what it may be.
    """
    return Wanted(
        tournament=request.tournament and checked(TOURNAMENT, request.tournament, "tournament"),
        bot=request.bot and checked(BOT, request.bot, "bot"),
        state=match_state(request.state),
    )


def told(field: str, number: int, known: Mapping[int, Told]) -> Told:
    """Return what a number of an enum means that a ladder sent.

    Raises:
        ProtocolError: this version does not know it: the ladder is newer.
    """
    if number not in known:
        message = f"the ladder says {field} {number}, which this lastcard does not know: install a newer one"
        raise ProtocolError("NEWER_LADDER", message, field=field, value=number, allowed=sorted(known))
    return known[number]


def match_state(number: int) -> MatchState | None:
    """Return the state that a number of the wire means; 0 stands for any.

    Raises:
        InvalidFieldError: a number that this version does not know.
    """
    if number == pb.MATCH_STATE_UNSPECIFIED:
        return None
    known = _BY_NUMBER.get(number)
    if known is None:
        allowed = [pb.MatchState.Name(other) for other in _STATES]
        states = ", ".join(f"{other:d} ({state})" for other, state in _BY_NUMBER.items())
        sentence = f"state {number} is no MatchState; there are {states}, and 0 for any"
        raise InvalidFieldError("BAD_ENUM", sentence, field="state", value=number, allowed=allowed)
    return known


def profile_to(profile: Profile) -> pb.Bot:
    """Return a bot for the wire."""
    versions = (
        pb.BotVersion(id=version.id, version=version.version, created=instant_to(version.created_ms))
        for version in profile.versions
    )
    return pb.Bot(
        name=profile.name,
        owner=profile.owner,
        created=instant_to(profile.created_ms),
        versions=versions,
        online=profile.online,
        house=profile.house,
        retired=profile.retired,
    )


def profile_of(bot: pb.Bot) -> Profile:
    """Return the bot that came over the wire."""
    versions = (Version(version.id, version.version, instant_of(version.created)) for version in bot.versions)
    return Profile(bot.name, bot.owner, instant_of(bot.created), tuple(versions), bot.online, bot.house, bot.retired)


def standing_to(row: Standing) -> pb.Standing:
    """Return a row of a table for the wire."""
    return pb.Standing(
        rank=row.rank,
        bot=row.bot,
        elo=row.elo,
        ci95=row.ci95,
        meetings=row.meetings,
        wins=row.wins,
        ties=row.ties,
        losses=row.losses,
        mean_points=row.mean_points,
        faults=row.faults,
        raw_elo=row.raw_elo,
        luck=row.luck,
        provisional=row.provisional,
        walkovers=row.walkovers,
    )


def standing_of(row: pb.Standing) -> Standing:
    """Return the row of a table that came over the wire."""
    return Standing(
        rank=row.rank,
        bot=row.bot,
        elo=row.elo,
        ci95=row.ci95 if row.HasField("ci95") else None,
        meetings=row.meetings,
        wins=row.wins,
        ties=row.ties,
        losses=row.losses,
        mean_points=row.mean_points,
        faults=row.faults,
        raw_elo=row.raw_elo,
        luck=row.luck if row.HasField("luck") else None,
        provisional=row.provisional,
        walkovers=row.walkovers,
    )


def board_to(board: Board, limit: int) -> pb.ListStandingsResponse:
    """Return the best of a ladder for the wire."""
    rows = map(standing_to, board.standings[:limit])
    return pb.ListStandingsResponse(
        standings=rows,
        format=board.format,
        ruleset=board.ruleset,
        seq=board.seq,
        matches=board.matches,
        lower_is_better=board.low,
        weights=weights_to(board),
        house_rounds=board.house_rounds,
    )


def weights_to(board: Board) -> Iterable[pb.LuckWeights]:
    """Return for the wire by which weights luck is taken out of a ladder."""
    return (
        pb.LuckWeights(
            lc_version=one.lc_version, from_seq=one.from_seq, rounds=one.rounds, house=one.house, own=one.own
        )
        for one in board.weights
    )


def board_of(response: pb.ListStandingsResponse) -> Board:
    """Return the ladder that came over the wire."""
    rows = tuple(map(standing_of, response.standings))
    return Board(
        response.format,
        response.ruleset,
        response.seq,
        rows,
        matches=response.matches,
        low=response.lower_is_better,
        weights=tuple(
            LuckWeights(one.lc_version, one.from_seq, one.rounds, one.house, one.own) for one in response.weights
        ),
        house_rounds=response.house_rounds,
    )


def summary_to(match: Summary) -> pb.Match:
    """Return a match for the wire."""
    return pb.Match(
        id=match.id,
        format=match.format,
        ruleset=match.ruleset,
        entrants=match.entrants,
        meetings=match.meetings,
        state=_NUMBERS[match.state],
        reason=match.reason,
        tournament=match.tournament,
        commitment=bytes.fromhex(match.commitment),
        games_done=match.games_done,
        wins=match.wins,
        faults=match.faults,
        created=instant_to(match.created_ms),
        ended=instant_to(match.ended_ms),
        outcome=match.outcome,
    )


def summary_of(match: pb.Match) -> Summary:
    """Return the match that came over the wire."""
    return Summary(
        id=match.id,
        format=match.format,
        ruleset=match.ruleset,
        entrants=tuple(match.entrants),
        meetings=match.meetings,
        state=told("state", match.state, _BY_NUMBER).value,
        reason=match.reason,
        tournament=match.tournament,
        commitment=match.commitment.hex(),
        games_done=match.games_done,
        wins=tuple(match.wins),
        faults=tuple(match.faults),
        created_ms=instant_of(match.created),
        ended_ms=instant_of(match.ended),
        outcome=match.outcome,
    )


def glimpse_to(seen: Glimpse) -> pb.WatchMatchResponse:
    """Return what one who watches is told, for the wire."""
    return pb.WatchMatchResponse(
        match=summary_to(seen.match),
        live=_LIVE[seen.live],
        tables=map(_table_to, seen.tables),
        playing=seen.playing,
        skipped=seen.skipped,
    )


def glimpse_of(response: pb.WatchMatchResponse) -> Glimpse:
    """Return what one who watches was told over the wire; a ladder that is older than this shows no tables."""
    live = Live.WAITING if response.live == pb.LIVE_STATE_UNSPECIFIED else told("live", response.live, _LIVE_BY_NUMBER)
    tables = tuple(map(_table_of, response.tables))
    return Glimpse(summary_of(response.match), live, tables, response.playing, response.skipped)


def _table_to(table: LiveTable) -> pb.LiveTable:
    kinds, seats, cards, args = table.columns()
    end = table.end
    shown = pb.LiveTable(
        meeting=table.meeting,
        game=table.game,
        round=table.round,
        entrants=table.entrants,
        scores=table.scores,
        first_event=table.first,
        top=table.top,  # type: ignore[arg-type]  # the number of the enum; so are colours and endings
        color=table.color,  # type: ignore[arg-type]
        direction=table.direction,
        counts=table.counts,
        draw_pile=table.draw_pile,
        discard_pile=table.discard_pile,
        pending=table.pending,
        row=table.row,
        turn_seat=table.turn,
        event_kind=kinds,
        event_seat=seats,
        event_card=cards,
        event_arg=args,
    )
    if end is not None:
        told = pb.LiveEnd(places=end.places, points=end.points, game_places=end.game_places)
        told.ending = end.ending  # type: ignore[assignment]
        shown.end.CopyFrom(told)
    return shown


def _table_of(table: pb.LiveTable) -> LiveTable:
    columns = zip(table.event_kind, table.event_seat, table.event_card, table.event_arg, strict=True)
    end = table.end
    told = SceneEnd(int(end.ending), tuple(end.places), tuple(end.points), tuple(end.game_places))
    return LiveTable(
        meeting=table.meeting,
        game=table.game,
        round=table.round,
        entrants=tuple(table.entrants),
        scores=tuple(table.scores),
        first=table.first_event,
        events=bytes(byte for event in columns for byte in event),
        top=int(table.top),
        color=int(table.color),
        direction=table.direction,
        counts=table.counts,
        draw_pile=table.draw_pile,
        discard_pile=table.discard_pile,
        pending=table.pending,
        row=table.row,
        turn=table.turn_seat,
        end=told if table.HasField("end") else None,
    )


def instant_to(milliseconds: int) -> Timestamp | None:
    """Return a moment for the wire; None for 0, what has not happened."""
    if not milliseconds:
        return None
    instant = Timestamp()
    instant.FromMilliseconds(milliseconds)
    return instant


def instant_of(instant: Timestamp) -> int:
    """Return a moment that came over the wire in ms since 1970; 0 where none came."""
    return int(instant.ToMilliseconds())
