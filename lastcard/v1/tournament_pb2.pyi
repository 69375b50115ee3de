from google.protobuf import timestamp_pb2 as _timestamp_pb2
from lastcard.v1 import ladder_pb2 as _ladder_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_KIND_UNSPECIFIED: _ClassVar[TournamentKind]
    TOURNAMENT_KIND_ROUND_ROBIN: _ClassVar[TournamentKind]
    TOURNAMENT_KIND_GAUNTLET: _ClassVar[TournamentKind]

class Deals(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEALS_UNSPECIFIED: _ClassVar[Deals]
    DEALS_FRESH: _ClassVar[Deals]
    DEALS_MIRRORED: _ClassVar[Deals]
    DEALS_FIELD: _ClassVar[Deals]

class TournamentSize(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_SIZE_UNSPECIFIED: _ClassVar[TournamentSize]
    TOURNAMENT_SIZE_QUICK: _ClassVar[TournamentSize]
    TOURNAMENT_SIZE_DEFAULT: _ClassVar[TournamentSize]
    TOURNAMENT_SIZE_FINE: _ClassVar[TournamentSize]

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_DRAFT: _ClassVar[TournamentState]
    TOURNAMENT_STATE_SCHEDULED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_PAUSED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_CANCELLED: _ClassVar[TournamentState]
TOURNAMENT_KIND_UNSPECIFIED: TournamentKind
TOURNAMENT_KIND_ROUND_ROBIN: TournamentKind
TOURNAMENT_KIND_GAUNTLET: TournamentKind
DEALS_UNSPECIFIED: Deals
DEALS_FRESH: Deals
DEALS_MIRRORED: Deals
DEALS_FIELD: Deals
TOURNAMENT_SIZE_UNSPECIFIED: TournamentSize
TOURNAMENT_SIZE_QUICK: TournamentSize
TOURNAMENT_SIZE_DEFAULT: TournamentSize
TOURNAMENT_SIZE_FINE: TournamentSize
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_DRAFT: TournamentState
TOURNAMENT_STATE_SCHEDULED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_PAUSED: TournamentState
TOURNAMENT_STATE_FINISHING: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
TOURNAMENT_STATE_CANCELLED: TournamentState

class TournamentSpec(_message.Message):
    __slots__ = ("name", "format", "bots", "all", "kind", "meetings", "cycles", "start", "cron", "timezone", "deals", "schedule_seed", "deal_seed", "grace_seconds", "trusted", "unrated", "no_nonces", "deadline_seconds", "size", "sprt")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    ALL_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    CYCLES_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    CRON_FIELD_NUMBER: _ClassVar[int]
    TIMEZONE_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_SEED_FIELD_NUMBER: _ClassVar[int]
    DEAL_SEED_FIELD_NUMBER: _ClassVar[int]
    GRACE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_FIELD_NUMBER: _ClassVar[int]
    UNRATED_FIELD_NUMBER: _ClassVar[int]
    NO_NONCES_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SPRT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: str
    bots: _containers.RepeatedScalarFieldContainer[str]
    all: bool
    kind: TournamentKind
    meetings: int
    cycles: int
    start: _timestamp_pb2.Timestamp
    cron: str
    timezone: str
    deals: Deals
    schedule_seed: int
    deal_seed: bytes
    grace_seconds: int
    trusted: bool
    unrated: bool
    no_nonces: bool
    deadline_seconds: int
    size: TournamentSize
    sprt: Sprt
    def __init__(self, name: _Optional[str] = ..., format: _Optional[str] = ..., bots: _Optional[_Iterable[str]] = ..., all: bool = ..., kind: _Optional[_Union[TournamentKind, str]] = ..., meetings: _Optional[int] = ..., cycles: _Optional[int] = ..., start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., cron: _Optional[str] = ..., timezone: _Optional[str] = ..., deals: _Optional[_Union[Deals, str]] = ..., schedule_seed: _Optional[int] = ..., deal_seed: _Optional[bytes] = ..., grace_seconds: _Optional[int] = ..., trusted: bool = ..., unrated: bool = ..., no_nonces: bool = ..., deadline_seconds: _Optional[int] = ..., size: _Optional[_Union[TournamentSize, str]] = ..., sprt: _Optional[_Union[Sprt, _Mapping]] = ...) -> None: ...

class Sprt(_message.Message):
    __slots__ = ("low", "high", "luck")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    low: float
    high: float
    luck: bool
    def __init__(self, low: _Optional[float] = ..., high: _Optional[float] = ..., luck: bool = ...) -> None: ...

class PlanSummary(_message.Message):
    __slots__ = ("matches", "meetings", "games", "meetings_per_bot", "seconds", "next_starts", "expected_ci95", "bots", "bots_needed", "meetings_per_pairing", "seconds_least", "seconds_most", "games_measured")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_PER_BOT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_STARTS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_CI95_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    BOTS_NEEDED_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_PER_PAIRING_FIELD_NUMBER: _ClassVar[int]
    SECONDS_LEAST_FIELD_NUMBER: _ClassVar[int]
    SECONDS_MOST_FIELD_NUMBER: _ClassVar[int]
    GAMES_MEASURED_FIELD_NUMBER: _ClassVar[int]
    matches: int
    meetings: int
    games: int
    meetings_per_bot: int
    seconds: float
    next_starts: _containers.RepeatedCompositeFieldContainer[_timestamp_pb2.Timestamp]
    expected_ci95: float
    bots: int
    bots_needed: int
    meetings_per_pairing: int
    seconds_least: float
    seconds_most: float
    games_measured: int
    def __init__(self, matches: _Optional[int] = ..., meetings: _Optional[int] = ..., games: _Optional[int] = ..., meetings_per_bot: _Optional[int] = ..., seconds: _Optional[float] = ..., next_starts: _Optional[_Iterable[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]]] = ..., expected_ci95: _Optional[float] = ..., bots: _Optional[int] = ..., bots_needed: _Optional[int] = ..., meetings_per_pairing: _Optional[int] = ..., seconds_least: _Optional[float] = ..., seconds_most: _Optional[float] = ..., games_measured: _Optional[int] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("spec", "state", "plan", "entrants", "matches_done", "matches_lost", "games_done", "games_per_second", "eta_seconds", "standings", "pairs", "commitment", "ruleset", "created", "ended", "seat_scores", "reason", "walkovers", "no_luck", "missing", "matches_created", "other_versions", "ranks", "matches_replayed", "matches_parked", "rounds_per_game", "lc_versions", "groups", "started", "not_offering", "voids")
    SPEC_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DONE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_LOST_FIELD_NUMBER: _ClassVar[int]
    GAMES_DONE_FIELD_NUMBER: _ClassVar[int]
    GAMES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    ETA_SECONDS_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    PAIRS_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    SEAT_SCORES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WALKOVERS_FIELD_NUMBER: _ClassVar[int]
    NO_LUCK_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    MATCHES_CREATED_FIELD_NUMBER: _ClassVar[int]
    OTHER_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_REPLAYED_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PARKED_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_PER_GAME_FIELD_NUMBER: _ClassVar[int]
    LC_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    NOT_OFFERING_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    spec: TournamentSpec
    state: TournamentState
    plan: PlanSummary
    entrants: _containers.RepeatedScalarFieldContainer[str]
    matches_done: int
    matches_lost: int
    games_done: int
    games_per_second: float
    eta_seconds: float
    standings: _containers.RepeatedCompositeFieldContainer[_ladder_pb2.Standing]
    pairs: _containers.RepeatedCompositeFieldContainer[PairResult]
    commitment: bytes
    ruleset: str
    created: _timestamp_pb2.Timestamp
    ended: _timestamp_pb2.Timestamp
    seat_scores: _containers.RepeatedScalarFieldContainer[float]
    reason: str
    walkovers: _containers.RepeatedCompositeFieldContainer[Walkover]
    no_luck: bool
    missing: _containers.RepeatedScalarFieldContainer[str]
    matches_created: int
    other_versions: _containers.RepeatedScalarFieldContainer[str]
    ranks: _containers.RepeatedCompositeFieldContainer[RankRange]
    matches_replayed: int
    matches_parked: int
    rounds_per_game: float
    lc_versions: _containers.RepeatedScalarFieldContainer[str]
    groups: _containers.RepeatedCompositeFieldContainer[BotGroup]
    started: _timestamp_pb2.Timestamp
    not_offering: _containers.RepeatedScalarFieldContainer[str]
    voids: _containers.RepeatedCompositeFieldContainer[VoidMatches]
    def __init__(self, spec: _Optional[_Union[TournamentSpec, _Mapping]] = ..., state: _Optional[_Union[TournamentState, str]] = ..., plan: _Optional[_Union[PlanSummary, _Mapping]] = ..., entrants: _Optional[_Iterable[str]] = ..., matches_done: _Optional[int] = ..., matches_lost: _Optional[int] = ..., games_done: _Optional[int] = ..., games_per_second: _Optional[float] = ..., eta_seconds: _Optional[float] = ..., standings: _Optional[_Iterable[_Union[_ladder_pb2.Standing, _Mapping]]] = ..., pairs: _Optional[_Iterable[_Union[PairResult, _Mapping]]] = ..., commitment: _Optional[bytes] = ..., ruleset: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., seat_scores: _Optional[_Iterable[float]] = ..., reason: _Optional[str] = ..., walkovers: _Optional[_Iterable[_Union[Walkover, _Mapping]]] = ..., no_luck: bool = ..., missing: _Optional[_Iterable[str]] = ..., matches_created: _Optional[int] = ..., other_versions: _Optional[_Iterable[str]] = ..., ranks: _Optional[_Iterable[_Union[RankRange, _Mapping]]] = ..., matches_replayed: _Optional[int] = ..., matches_parked: _Optional[int] = ..., rounds_per_game: _Optional[float] = ..., lc_versions: _Optional[_Iterable[str]] = ..., groups: _Optional[_Iterable[_Union[BotGroup, _Mapping]]] = ..., started: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., not_offering: _Optional[_Iterable[str]] = ..., voids: _Optional[_Iterable[_Union[VoidMatches, _Mapping]]] = ...) -> None: ...

class VoidMatches(_message.Message):
    __slots__ = ("reason", "matches")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    reason: str
    matches: int
    def __init__(self, reason: _Optional[str] = ..., matches: _Optional[int] = ...) -> None: ...

class BotGroup(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, bots: _Optional[_Iterable[str]] = ...) -> None: ...

class RankRange(_message.Message):
    __slots__ = ("bot", "best", "worst")
    BOT_FIELD_NUMBER: _ClassVar[int]
    BEST_FIELD_NUMBER: _ClassVar[int]
    WORST_FIELD_NUMBER: _ClassVar[int]
    bot: str
    best: int
    worst: int
    def __init__(self, bot: _Optional[str] = ..., best: _Optional[int] = ..., worst: _Optional[int] = ...) -> None: ...

class Walkover(_message.Message):
    __slots__ = ("bot", "games")
    BOT_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    bot: str
    games: int
    def __init__(self, bot: _Optional[str] = ..., games: _Optional[int] = ...) -> None: ...

class PairResult(_message.Message):
    __slots__ = ("a", "b", "score", "elo", "ci95", "games", "points_a", "points_b", "z")
    A_FIELD_NUMBER: _ClassVar[int]
    B_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    CI95_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    POINTS_A_FIELD_NUMBER: _ClassVar[int]
    POINTS_B_FIELD_NUMBER: _ClassVar[int]
    Z_FIELD_NUMBER: _ClassVar[int]
    a: str
    b: str
    score: float
    elo: float
    ci95: float
    games: int
    points_a: float
    points_b: float
    z: float
    def __init__(self, a: _Optional[str] = ..., b: _Optional[str] = ..., score: _Optional[float] = ..., elo: _Optional[float] = ..., ci95: _Optional[float] = ..., games: _Optional[int] = ..., points_a: _Optional[float] = ..., points_b: _Optional[float] = ..., z: _Optional[float] = ...) -> None: ...

class PlanRequest(_message.Message):
    __slots__ = ("spec",)
    SPEC_FIELD_NUMBER: _ClassVar[int]
    spec: TournamentSpec
    def __init__(self, spec: _Optional[_Union[TournamentSpec, _Mapping]] = ...) -> None: ...

class PlanResponse(_message.Message):
    __slots__ = ("plan", "format", "ruleset", "no_luck", "not_offering")
    PLAN_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    NO_LUCK_FIELD_NUMBER: _ClassVar[int]
    NOT_OFFERING_FIELD_NUMBER: _ClassVar[int]
    plan: PlanSummary
    format: str
    ruleset: str
    no_luck: bool
    not_offering: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, plan: _Optional[_Union[PlanSummary, _Mapping]] = ..., format: _Optional[str] = ..., ruleset: _Optional[str] = ..., no_luck: bool = ..., not_offering: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateRequest(_message.Message):
    __slots__ = ("spec",)
    SPEC_FIELD_NUMBER: _ClassVar[int]
    spec: TournamentSpec
    def __init__(self, spec: _Optional[_Union[TournamentSpec, _Mapping]] = ...) -> None: ...

class CreateResponse(_message.Message):
    __slots__ = ("tournament", "existed", "warnings")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    EXISTED_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    existed: bool
    warnings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., existed: bool = ..., warnings: _Optional[_Iterable[str]] = ...) -> None: ...

class GetRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ListResultsRequest(_message.Message):
    __slots__ = ("tournament", "first", "page_size")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    first: int
    page_size: int
    def __init__(self, tournament: _Optional[str] = ..., first: _Optional[int] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListResultsResponse(_message.Message):
    __slots__ = ("results", "tournament")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[MatchResult]
    tournament: Tournament
    def __init__(self, results: _Optional[_Iterable[_Union[MatchResult, _Mapping]]] = ..., tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("match", "meetings", "lc_version", "luck_to_come")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    LC_VERSION_FIELD_NUMBER: _ClassVar[int]
    LUCK_TO_COME_FIELD_NUMBER: _ClassVar[int]
    match: _ladder_pb2.Match
    meetings: _containers.RepeatedCompositeFieldContainer[MeetingResult]
    lc_version: str
    luck_to_come: bool
    def __init__(self, match: _Optional[_Union[_ladder_pb2.Match, _Mapping]] = ..., meetings: _Optional[_Iterable[_Union[MeetingResult, _Mapping]]] = ..., lc_version: _Optional[str] = ..., luck_to_come: bool = ...) -> None: ...

class MeetingResult(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameResult]
    def __init__(self, games: _Optional[_Iterable[_Union[GameResult, _Mapping]]] = ...) -> None: ...

class GameResult(_message.Message):
    __slots__ = ("places", "points", "rounds", "luck")
    PLACES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    rounds: int
    luck: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, places: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., rounds: _Optional[int] = ..., luck: _Optional[_Iterable[float]] = ...) -> None: ...

class ListRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListResponse(_message.Message):
    __slots__ = ("tournaments", "next_page_token")
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[Tournament]
    next_page_token: str
    def __init__(self, tournaments: _Optional[_Iterable[_Union[Tournament, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class PauseRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class PauseResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ResumeRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ResumeResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class CancelRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class VoidMatchRequest(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    reason: str
    def __init__(self, id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class VoidMatchResponse(_message.Message):
    __slots__ = ("match", "replay")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    match: _ladder_pb2.Match
    replay: str
    def __init__(self, match: _Optional[_Union[_ladder_pb2.Match, _Mapping]] = ..., replay: _Optional[str] = ...) -> None: ...

class RequeueRequest(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    reason: str
    def __init__(self, id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RequeueResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _ladder_pb2.Match
    def __init__(self, match: _Optional[_Union[_ladder_pb2.Match, _Mapping]] = ...) -> None: ...
