from lastcard.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StandingOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STANDING_ORDER_UNSPECIFIED: _ClassVar[StandingOrder]
    STANDING_ORDER_ASK: _ClassVar[StandingOrder]
    STANDING_ORDER_ALWAYS: _ClassVar[StandingOrder]
    STANDING_ORDER_NEVER: _ClassVar[StandingOrder]

class ReplyCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPLY_CODE_UNSPECIFIED: _ClassVar[ReplyCode]
    REPLY_CODE_OK: _ClassVar[ReplyCode]
    REPLY_CODE_STALE: _ClassVar[ReplyCode]
    REPLY_CODE_ROUND_OVER: _ClassVar[ReplyCode]
    REPLY_CODE_FOREIGN: _ClassVar[ReplyCode]
    REPLY_CODE_MOVED: _ClassVar[ReplyCode]
    REPLY_CODE_ILLEGAL: _ClassVar[ReplyCode]
    REPLY_CODE_MALFORMED: _ClassVar[ReplyCode]
    REPLY_CODE_RATE: _ClassVar[ReplyCode]
    REPLY_CODE_LATE: _ClassVar[ReplyCode]
STANDING_ORDER_UNSPECIFIED: StandingOrder
STANDING_ORDER_ASK: StandingOrder
STANDING_ORDER_ALWAYS: StandingOrder
STANDING_ORDER_NEVER: StandingOrder
REPLY_CODE_UNSPECIFIED: ReplyCode
REPLY_CODE_OK: ReplyCode
REPLY_CODE_STALE: ReplyCode
REPLY_CODE_ROUND_OVER: ReplyCode
REPLY_CODE_FOREIGN: ReplyCode
REPLY_CODE_MOVED: ReplyCode
REPLY_CODE_ILLEGAL: ReplyCode
REPLY_CODE_MALFORMED: ReplyCode
REPLY_CODE_RATE: ReplyCode
REPLY_CODE_LATE: ReplyCode

class PlayRequest(_message.Message):
    __slots__ = ("hello", "answers", "nonces", "heartbeat")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    nonces: _containers.RepeatedCompositeFieldContainer[Nonce]
    heartbeat: Heartbeat
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., nonces: _Optional[_Iterable[_Union[Nonce, _Mapping]]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("turns", "notices")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    def __init__(self, turns: _Optional[_Iterable[_Union[Turn, _Mapping]]] = ..., notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("instance", "version", "min_minor", "max_minor", "formats", "max_games", "max_open", "catch", "challenge", "late_call", "resume", "sdk")
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MIN_MINOR_FIELD_NUMBER: _ClassVar[int]
    MAX_MINOR_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_FIELD_NUMBER: _ClassVar[int]
    CATCH_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    LATE_CALL_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    instance: str
    version: str
    min_minor: int
    max_minor: int
    formats: _containers.RepeatedScalarFieldContainer[str]
    max_games: int
    max_open: int
    catch: StandingOrder
    challenge: StandingOrder
    late_call: StandingOrder
    resume: _containers.RepeatedCompositeFieldContainer[Resume]
    sdk: str
    def __init__(self, instance: _Optional[str] = ..., version: _Optional[str] = ..., min_minor: _Optional[int] = ..., max_minor: _Optional[int] = ..., formats: _Optional[_Iterable[str]] = ..., max_games: _Optional[int] = ..., max_open: _Optional[int] = ..., catch: _Optional[_Union[StandingOrder, str]] = ..., challenge: _Optional[_Union[StandingOrder, str]] = ..., late_call: _Optional[_Union[StandingOrder, str]] = ..., resume: _Optional[_Iterable[_Union[Resume, _Mapping]]] = ..., sdk: _Optional[str] = ...) -> None: ...

class Resume(_message.Message):
    __slots__ = ("round_id", "next_event")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    NEXT_EVENT_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    next_event: int
    def __init__(self, round_id: _Optional[str] = ..., next_event: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("round", "act", "picks", "call", "color", "think_ms")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    PICKS_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    THINK_MS_FIELD_NUMBER: _ClassVar[int]
    round: int
    act: int
    picks: _containers.RepeatedScalarFieldContainer[int]
    call: bool
    color: _cards_pb2.Color
    think_ms: int
    def __init__(self, round: _Optional[int] = ..., act: _Optional[int] = ..., picks: _Optional[_Iterable[int]] = ..., call: bool = ..., color: _Optional[_Union[_cards_pb2.Color, str]] = ..., think_ms: _Optional[int] = ...) -> None: ...

class Nonce(_message.Message):
    __slots__ = ("match", "nonce")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    match: str
    nonce: bytes
    def __init__(self, match: _Optional[str] = ..., nonce: _Optional[bytes] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("stamp",)
    STAMP_FIELD_NUMBER: _ClassVar[int]
    stamp: int
    def __init__(self, stamp: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("round", "act", "first_event", "event_kind", "event_seat", "event_card", "event_arg", "start", "decision", "end")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENT_KIND_FIELD_NUMBER: _ClassVar[int]
    EVENT_SEAT_FIELD_NUMBER: _ClassVar[int]
    EVENT_CARD_FIELD_NUMBER: _ClassVar[int]
    EVENT_ARG_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    round: int
    act: int
    first_event: int
    event_kind: bytes
    event_seat: bytes
    event_card: bytes
    event_arg: bytes
    start: RoundStart
    decision: Decision
    end: RoundEnd
    def __init__(self, round: _Optional[int] = ..., act: _Optional[int] = ..., first_event: _Optional[int] = ..., event_kind: _Optional[bytes] = ..., event_seat: _Optional[bytes] = ..., event_card: _Optional[bytes] = ..., event_arg: _Optional[bytes] = ..., start: _Optional[_Union[RoundStart, _Mapping]] = ..., decision: _Optional[_Union[Decision, _Mapping]] = ..., end: _Optional[_Union[RoundEnd, _Mapping]] = ...) -> None: ...

class RoundStart(_message.Message):
    __slots__ = ("round_id", "seat", "entrants", "scores")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    seat: int
    entrants: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, round_id: _Optional[str] = ..., seat: _Optional[int] = ..., entrants: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("kind", "time_ms", "bank_ms", "hand", "top", "color", "direction", "counts", "draw_pile", "discard_pile", "pending", "drawn", "row", "bonus", "turn_seat", "option_act", "option_card", "option_second", "option_color", "option_slot", "min_picks", "max_picks", "may_be_empty")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TOP_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    DRAW_PILE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_PILE_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    TURN_SEAT_FIELD_NUMBER: _ClassVar[int]
    OPTION_ACT_FIELD_NUMBER: _ClassVar[int]
    OPTION_CARD_FIELD_NUMBER: _ClassVar[int]
    OPTION_SECOND_FIELD_NUMBER: _ClassVar[int]
    OPTION_COLOR_FIELD_NUMBER: _ClassVar[int]
    OPTION_SLOT_FIELD_NUMBER: _ClassVar[int]
    MIN_PICKS_FIELD_NUMBER: _ClassVar[int]
    MAX_PICKS_FIELD_NUMBER: _ClassVar[int]
    MAY_BE_EMPTY_FIELD_NUMBER: _ClassVar[int]
    kind: _cards_pb2.DecisionKind
    time_ms: int
    bank_ms: int
    hand: bytes
    top: _cards_pb2.Card
    color: _cards_pb2.Color
    direction: int
    counts: bytes
    draw_pile: int
    discard_pile: int
    pending: int
    drawn: _cards_pb2.Card
    row: bytes
    bonus: int
    turn_seat: int
    option_act: bytes
    option_card: bytes
    option_second: bytes
    option_color: bytes
    option_slot: bytes
    min_picks: int
    max_picks: int
    may_be_empty: bool
    def __init__(self, kind: _Optional[_Union[_cards_pb2.DecisionKind, str]] = ..., time_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., hand: _Optional[bytes] = ..., top: _Optional[_Union[_cards_pb2.Card, str]] = ..., color: _Optional[_Union[_cards_pb2.Color, str]] = ..., direction: _Optional[int] = ..., counts: _Optional[bytes] = ..., draw_pile: _Optional[int] = ..., discard_pile: _Optional[int] = ..., pending: _Optional[int] = ..., drawn: _Optional[_Union[_cards_pb2.Card, str]] = ..., row: _Optional[bytes] = ..., bonus: _Optional[int] = ..., turn_seat: _Optional[int] = ..., option_act: _Optional[bytes] = ..., option_card: _Optional[bytes] = ..., option_second: _Optional[bytes] = ..., option_color: _Optional[bytes] = ..., option_slot: _Optional[bytes] = ..., min_picks: _Optional[int] = ..., max_picks: _Optional[int] = ..., may_be_empty: bool = ...) -> None: ...

class RoundEnd(_message.Message):
    __slots__ = ("ending", "places", "points", "hands", "left", "game_over", "game_places", "faults")
    ENDING_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    GAME_OVER_FIELD_NUMBER: _ClassVar[int]
    GAME_PLACES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    ending: _cards_pb2.RoundEnding
    places: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    hands: _containers.RepeatedScalarFieldContainer[bytes]
    left: _containers.RepeatedScalarFieldContainer[int]
    game_over: bool
    game_places: _containers.RepeatedScalarFieldContainer[int]
    faults: int
    def __init__(self, ending: _Optional[_Union[_cards_pb2.RoundEnding, str]] = ..., places: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., hands: _Optional[_Iterable[bytes]] = ..., left: _Optional[_Iterable[int]] = ..., game_over: bool = ..., game_places: _Optional[_Iterable[int]] = ..., faults: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("welcome", "match_start", "match_end", "reply", "going_away", "replaced", "heartbeat")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    MATCH_START_FIELD_NUMBER: _ClassVar[int]
    MATCH_END_FIELD_NUMBER: _ClassVar[int]
    REPLY_FIELD_NUMBER: _ClassVar[int]
    GOING_AWAY_FIELD_NUMBER: _ClassVar[int]
    REPLACED_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    match_start: MatchStart
    match_end: MatchEnd
    reply: Reply
    going_away: GoingAway
    replaced: Replaced
    heartbeat: Heartbeat
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., match_start: _Optional[_Union[MatchStart, _Mapping]] = ..., match_end: _Optional[_Union[MatchEnd, _Mapping]] = ..., reply: _Optional[_Union[Reply, _Mapping]] = ..., going_away: _Optional[_Union[GoingAway, _Mapping]] = ..., replaced: _Optional[_Union[Replaced, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("minor", "session", "bot", "limits")
    MINOR_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    minor: int
    session: str
    bot: str
    limits: Limits
    def __init__(self, minor: _Optional[int] = ..., session: _Optional[str] = ..., bot: _Optional[str] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("max_games", "max_open", "max_message_bytes", "heartbeat_ms", "useless_per_second", "errors_per_ten_minutes", "ban_ms", "useless_burst", "wasted_per_useless", "max_wasted", "useful_heartbeat_ms", "max_answers", "max_nonces", "max_picks", "max_sent_bytes", "max_unread", "silence_ms", "hello_ms", "nonce_ms", "absence_ms", "max_instances", "max_formats", "max_resumes", "streams_per_connection", "streams_per_second", "streams_burst", "versions_per_day", "bad_tokens_per_minute", "faults_to_lose", "lost_to_leave", "max_metadata_bytes", "max_processes")
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_MS_FIELD_NUMBER: _ClassVar[int]
    USELESS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    ERRORS_PER_TEN_MINUTES_FIELD_NUMBER: _ClassVar[int]
    BAN_MS_FIELD_NUMBER: _ClassVar[int]
    USELESS_BURST_FIELD_NUMBER: _ClassVar[int]
    WASTED_PER_USELESS_FIELD_NUMBER: _ClassVar[int]
    MAX_WASTED_FIELD_NUMBER: _ClassVar[int]
    USEFUL_HEARTBEAT_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_ANSWERS_FIELD_NUMBER: _ClassVar[int]
    MAX_NONCES_FIELD_NUMBER: _ClassVar[int]
    MAX_PICKS_FIELD_NUMBER: _ClassVar[int]
    MAX_SENT_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_UNREAD_FIELD_NUMBER: _ClassVar[int]
    SILENCE_MS_FIELD_NUMBER: _ClassVar[int]
    HELLO_MS_FIELD_NUMBER: _ClassVar[int]
    NONCE_MS_FIELD_NUMBER: _ClassVar[int]
    ABSENCE_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_INSTANCES_FIELD_NUMBER: _ClassVar[int]
    MAX_FORMATS_FIELD_NUMBER: _ClassVar[int]
    MAX_RESUMES_FIELD_NUMBER: _ClassVar[int]
    STREAMS_PER_CONNECTION_FIELD_NUMBER: _ClassVar[int]
    STREAMS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    STREAMS_BURST_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_PER_DAY_FIELD_NUMBER: _ClassVar[int]
    BAD_TOKENS_PER_MINUTE_FIELD_NUMBER: _ClassVar[int]
    FAULTS_TO_LOSE_FIELD_NUMBER: _ClassVar[int]
    LOST_TO_LEAVE_FIELD_NUMBER: _ClassVar[int]
    MAX_METADATA_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_PROCESSES_FIELD_NUMBER: _ClassVar[int]
    max_games: int
    max_open: int
    max_message_bytes: int
    heartbeat_ms: int
    useless_per_second: int
    errors_per_ten_minutes: int
    ban_ms: int
    useless_burst: int
    wasted_per_useless: int
    max_wasted: int
    useful_heartbeat_ms: int
    max_answers: int
    max_nonces: int
    max_picks: int
    max_sent_bytes: int
    max_unread: int
    silence_ms: int
    hello_ms: int
    nonce_ms: int
    absence_ms: int
    max_instances: int
    max_formats: int
    max_resumes: int
    streams_per_connection: int
    streams_per_second: int
    streams_burst: int
    versions_per_day: int
    bad_tokens_per_minute: int
    faults_to_lose: int
    lost_to_leave: int
    max_metadata_bytes: int
    max_processes: int
    def __init__(self, max_games: _Optional[int] = ..., max_open: _Optional[int] = ..., max_message_bytes: _Optional[int] = ..., heartbeat_ms: _Optional[int] = ..., useless_per_second: _Optional[int] = ..., errors_per_ten_minutes: _Optional[int] = ..., ban_ms: _Optional[int] = ..., useless_burst: _Optional[int] = ..., wasted_per_useless: _Optional[int] = ..., max_wasted: _Optional[int] = ..., useful_heartbeat_ms: _Optional[int] = ..., max_answers: _Optional[int] = ..., max_nonces: _Optional[int] = ..., max_picks: _Optional[int] = ..., max_sent_bytes: _Optional[int] = ..., max_unread: _Optional[int] = ..., silence_ms: _Optional[int] = ..., hello_ms: _Optional[int] = ..., nonce_ms: _Optional[int] = ..., absence_ms: _Optional[int] = ..., max_instances: _Optional[int] = ..., max_formats: _Optional[int] = ..., max_resumes: _Optional[int] = ..., streams_per_connection: _Optional[int] = ..., streams_per_second: _Optional[int] = ..., streams_burst: _Optional[int] = ..., versions_per_day: _Optional[int] = ..., bad_tokens_per_minute: _Optional[int] = ..., faults_to_lose: _Optional[int] = ..., lost_to_leave: _Optional[int] = ..., max_metadata_bytes: _Optional[int] = ..., max_processes: _Optional[int] = ...) -> None: ...

class MatchStart(_message.Message):
    __slots__ = ("match", "format", "entrants", "commitment", "meetings", "ruleset", "points")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    MEETINGS_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    match: str
    format: str
    entrants: _containers.RepeatedScalarFieldContainer[str]
    commitment: bytes
    meetings: int
    ruleset: str
    points: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, match: _Optional[str] = ..., format: _Optional[str] = ..., entrants: _Optional[_Iterable[str]] = ..., commitment: _Optional[bytes] = ..., meetings: _Optional[int] = ..., ruleset: _Optional[str] = ..., points: _Optional[_Iterable[int]] = ...) -> None: ...

class MatchEnd(_message.Message):
    __slots__ = ("match", "void_reason", "seed", "nonces")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    VOID_REASON_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    NONCES_FIELD_NUMBER: _ClassVar[int]
    match: str
    void_reason: str
    seed: bytes
    nonces: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, match: _Optional[str] = ..., void_reason: _Optional[str] = ..., seed: _Optional[bytes] = ..., nonces: _Optional[_Iterable[bytes]] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("round", "act", "code", "reason")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    round: int
    act: int
    code: ReplyCode
    reason: str
    def __init__(self, round: _Optional[int] = ..., act: _Optional[int] = ..., code: _Optional[_Union[ReplyCode, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class GoingAway(_message.Message):
    __slots__ = ("reconnect_after_ms",)
    RECONNECT_AFTER_MS_FIELD_NUMBER: _ClassVar[int]
    reconnect_after_ms: int
    def __init__(self, reconnect_after_ms: _Optional[int] = ...) -> None: ...

class Replaced(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
