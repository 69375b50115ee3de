from google.protobuf import timestamp_pb2 as _timestamp_pb2
from lastcard.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_PLANNED: _ClassVar[MatchState]
    MATCH_STATE_READY: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_CLOSED: _ClassVar[MatchState]
    MATCH_STATE_RATED: _ClassVar[MatchState]
    MATCH_STATE_ARCHIVED: _ClassVar[MatchState]
    MATCH_STATE_TRIMMED: _ClassVar[MatchState]
    MATCH_STATE_VOID: _ClassVar[MatchState]
    MATCH_STATE_PARKED: _ClassVar[MatchState]

class LiveState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LIVE_STATE_UNSPECIFIED: _ClassVar[LiveState]
    LIVE_STATE_WAITING: _ClassVar[LiveState]
    LIVE_STATE_SHOWN: _ClassVar[LiveState]
    LIVE_STATE_WITHHELD: _ClassVar[LiveState]
    LIVE_STATE_BUSY: _ClassVar[LiveState]
    LIVE_STATE_OVER: _ClassVar[LiveState]
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_PLANNED: MatchState
MATCH_STATE_READY: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_CLOSED: MatchState
MATCH_STATE_RATED: MatchState
MATCH_STATE_ARCHIVED: MatchState
MATCH_STATE_TRIMMED: MatchState
MATCH_STATE_VOID: MatchState
MATCH_STATE_PARKED: MatchState
LIVE_STATE_UNSPECIFIED: LiveState
LIVE_STATE_WAITING: LiveState
LIVE_STATE_SHOWN: LiveState
LIVE_STATE_WITHHELD: LiveState
LIVE_STATE_BUSY: LiveState
LIVE_STATE_OVER: LiveState

class RegisterBotRequest(_message.Message):
    __slots__ = ("name", "owner", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    owner: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., owner: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RegisterBotResponse(_message.Message):
    __slots__ = ("bot", "token")
    BOT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    bot: Bot
    token: str
    def __init__(self, bot: _Optional[_Union[Bot, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class RotateTokenRequest(_message.Message):
    __slots__ = ("name", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RotateTokenResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class Bot(_message.Message):
    __slots__ = ("name", "owner", "created", "versions", "online", "house", "retired")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    ONLINE_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    RETIRED_FIELD_NUMBER: _ClassVar[int]
    name: str
    owner: str
    created: _timestamp_pb2.Timestamp
    versions: _containers.RepeatedCompositeFieldContainer[BotVersion]
    online: bool
    house: bool
    retired: bool
    def __init__(self, name: _Optional[str] = ..., owner: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., versions: _Optional[_Iterable[_Union[BotVersion, _Mapping]]] = ..., online: bool = ..., house: bool = ..., retired: bool = ...) -> None: ...

class BotVersion(_message.Message):
    __slots__ = ("id", "version", "created")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: str
    created: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., version: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetBotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetBotResponse(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: Bot
    def __init__(self, bot: _Optional[_Union[Bot, _Mapping]] = ...) -> None: ...

class ListBotsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots", "next_page_token")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[Bot]
    next_page_token: str
    def __init__(self, bots: _Optional[_Iterable[_Union[Bot, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("rank", "bot", "elo", "ci95", "meetings", "wins", "ties", "losses", "mean_points", "faults", "raw_elo", "luck", "provisional", "walkovers")
    RANK_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    CI95_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    TIES_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    MEAN_POINTS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    RAW_ELO_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    WALKOVERS_FIELD_NUMBER: _ClassVar[int]
    rank: int
    bot: str
    elo: float
    ci95: float
    meetings: int
    wins: int
    ties: int
    losses: int
    mean_points: float
    faults: int
    raw_elo: float
    luck: float
    provisional: bool
    walkovers: int
    def __init__(self, rank: _Optional[int] = ..., bot: _Optional[str] = ..., elo: _Optional[float] = ..., ci95: _Optional[float] = ..., meetings: _Optional[int] = ..., wins: _Optional[int] = ..., ties: _Optional[int] = ..., losses: _Optional[int] = ..., mean_points: _Optional[float] = ..., faults: _Optional[int] = ..., raw_elo: _Optional[float] = ..., luck: _Optional[float] = ..., provisional: bool = ..., walkovers: _Optional[int] = ...) -> None: ...

class ListStandingsRequest(_message.Message):
    __slots__ = ("format", "page_size")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    format: str
    page_size: int
    def __init__(self, format: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListStandingsResponse(_message.Message):
    __slots__ = ("standings", "format", "ruleset", "seq", "matches", "lower_is_better", "weights", "house_rounds")
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    LOWER_IS_BETTER_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    HOUSE_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    format: str
    ruleset: str
    seq: int
    matches: int
    lower_is_better: bool
    weights: _containers.RepeatedCompositeFieldContainer[LuckWeights]
    house_rounds: int
    def __init__(self, standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ..., format: _Optional[str] = ..., ruleset: _Optional[str] = ..., seq: _Optional[int] = ..., matches: _Optional[int] = ..., lower_is_better: bool = ..., weights: _Optional[_Iterable[_Union[LuckWeights, _Mapping]]] = ..., house_rounds: _Optional[int] = ...) -> None: ...

class LuckWeights(_message.Message):
    __slots__ = ("lc_version", "from_seq", "rounds", "house", "own")
    LC_VERSION_FIELD_NUMBER: _ClassVar[int]
    FROM_SEQ_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    lc_version: str
    from_seq: int
    rounds: int
    house: str
    own: bool
    def __init__(self, lc_version: _Optional[str] = ..., from_seq: _Optional[int] = ..., rounds: _Optional[int] = ..., house: _Optional[str] = ..., own: bool = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ("id", "format", "ruleset", "entrants", "meetings", "state", "reason", "tournament", "commitment", "games_done", "wins", "faults", "created", "ended", "outcome")
    ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    GAMES_DONE_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    id: str
    format: str
    ruleset: str
    entrants: _containers.RepeatedScalarFieldContainer[str]
    meetings: int
    state: MatchState
    reason: str
    tournament: str
    commitment: bytes
    games_done: int
    wins: _containers.RepeatedScalarFieldContainer[int]
    faults: _containers.RepeatedScalarFieldContainer[int]
    created: _timestamp_pb2.Timestamp
    ended: _timestamp_pb2.Timestamp
    outcome: str
    def __init__(self, id: _Optional[str] = ..., format: _Optional[str] = ..., ruleset: _Optional[str] = ..., entrants: _Optional[_Iterable[str]] = ..., meetings: _Optional[int] = ..., state: _Optional[_Union[MatchState, str]] = ..., reason: _Optional[str] = ..., tournament: _Optional[str] = ..., commitment: _Optional[bytes] = ..., games_done: _Optional[int] = ..., wins: _Optional[_Iterable[int]] = ..., faults: _Optional[_Iterable[int]] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[str] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("tournament", "bot", "state", "page_size", "page_token")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bot: str
    state: MatchState
    page_size: int
    page_token: str
    def __init__(self, tournament: _Optional[str] = ..., bot: _Optional[str] = ..., state: _Optional[_Union[MatchState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class WatchStandingsRequest(_message.Message):
    __slots__ = ("format",)
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    format: str
    def __init__(self, format: _Optional[str] = ...) -> None: ...

class WatchStandingsResponse(_message.Message):
    __slots__ = ("standings", "seq", "weights")
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    seq: int
    weights: _containers.RepeatedCompositeFieldContainer[LuckWeights]
    def __init__(self, standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ..., seq: _Optional[int] = ..., weights: _Optional[_Iterable[_Union[LuckWeights, _Mapping]]] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("match", "live", "tables", "playing", "skipped")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    LIVE_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    match: Match
    live: LiveState
    tables: _containers.RepeatedCompositeFieldContainer[LiveTable]
    playing: int
    skipped: int
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ..., live: _Optional[_Union[LiveState, str]] = ..., tables: _Optional[_Iterable[_Union[LiveTable, _Mapping]]] = ..., playing: _Optional[int] = ..., skipped: _Optional[int] = ...) -> None: ...

class LiveTable(_message.Message):
    __slots__ = ("meeting", "game", "round", "entrants", "scores", "first_event", "event_kind", "event_seat", "event_card", "event_arg", "top", "color", "direction", "counts", "draw_pile", "discard_pile", "pending", "row", "turn_seat", "end")
    MEETING_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENT_KIND_FIELD_NUMBER: _ClassVar[int]
    EVENT_SEAT_FIELD_NUMBER: _ClassVar[int]
    EVENT_CARD_FIELD_NUMBER: _ClassVar[int]
    EVENT_ARG_FIELD_NUMBER: _ClassVar[int]
    TOP_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    DRAW_PILE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_PILE_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    TURN_SEAT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    meeting: int
    game: int
    round: int
    entrants: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    first_event: int
    event_kind: bytes
    event_seat: bytes
    event_card: bytes
    event_arg: bytes
    top: _cards_pb2.Card
    color: _cards_pb2.Color
    direction: int
    counts: bytes
    draw_pile: int
    discard_pile: int
    pending: int
    row: bytes
    turn_seat: int
    end: LiveEnd
    def __init__(self, meeting: _Optional[int] = ..., game: _Optional[int] = ..., round: _Optional[int] = ..., entrants: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., first_event: _Optional[int] = ..., event_kind: _Optional[bytes] = ..., event_seat: _Optional[bytes] = ..., event_card: _Optional[bytes] = ..., event_arg: _Optional[bytes] = ..., top: _Optional[_Union[_cards_pb2.Card, str]] = ..., color: _Optional[_Union[_cards_pb2.Color, str]] = ..., direction: _Optional[int] = ..., counts: _Optional[bytes] = ..., draw_pile: _Optional[int] = ..., discard_pile: _Optional[int] = ..., pending: _Optional[int] = ..., row: _Optional[bytes] = ..., turn_seat: _Optional[int] = ..., end: _Optional[_Union[LiveEnd, _Mapping]] = ...) -> None: ...

class LiveEnd(_message.Message):
    __slots__ = ("ending", "places", "points", "game_places")
    ENDING_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    GAME_PLACES_FIELD_NUMBER: _ClassVar[int]
    ending: _cards_pb2.RoundEnding
    places: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    game_places: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, ending: _Optional[_Union[_cards_pb2.RoundEnding, str]] = ..., places: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., game_places: _Optional[_Iterable[int]] = ...) -> None: ...
