from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CarryRequest(_message.Message):
    __slots__ = ("frames",)
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    frames: _containers.RepeatedCompositeFieldContainer[Frame]
    def __init__(self, frames: _Optional[_Iterable[_Union[Frame, _Mapping]]] = ...) -> None: ...

class CarryResponse(_message.Message):
    __slots__ = ("frames",)
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    frames: _containers.RepeatedCompositeFieldContainer[Frame]
    def __init__(self, frames: _Optional[_Iterable[_Union[Frame, _Mapping]]] = ...) -> None: ...

class Frame(_message.Message):
    __slots__ = ("greeting", "proof", "reserve", "question", "piece", "round_end", "refusal", "withdraw", "replace", "grant", "join", "part", "answer", "late", "nonce", "arrival", "inquiry", "age", "departure")
    GREETING_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    RESERVE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    ROUND_END_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    WITHDRAW_FIELD_NUMBER: _ClassVar[int]
    REPLACE_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    JOIN_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    ARRIVAL_FIELD_NUMBER: _ClassVar[int]
    INQUIRY_FIELD_NUMBER: _ClassVar[int]
    AGE_FIELD_NUMBER: _ClassVar[int]
    DEPARTURE_FIELD_NUMBER: _ClassVar[int]
    greeting: Greeting
    proof: Proof
    reserve: Reserve
    question: Question
    piece: Piece
    round_end: RoundEnd
    refusal: Refusal
    withdraw: Withdraw
    replace: Replace
    grant: Grant
    join: Join
    part: Part
    answer: Answer
    late: Late
    nonce: Nonce
    arrival: Line
    inquiry: Line
    age: Line
    departure: Line
    def __init__(self, greeting: _Optional[_Union[Greeting, _Mapping]] = ..., proof: _Optional[_Union[Proof, _Mapping]] = ..., reserve: _Optional[_Union[Reserve, _Mapping]] = ..., question: _Optional[_Union[Question, _Mapping]] = ..., piece: _Optional[_Union[Piece, _Mapping]] = ..., round_end: _Optional[_Union[RoundEnd, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., withdraw: _Optional[_Union[Withdraw, _Mapping]] = ..., replace: _Optional[_Union[Replace, _Mapping]] = ..., grant: _Optional[_Union[Grant, _Mapping]] = ..., join: _Optional[_Union[Join, _Mapping]] = ..., part: _Optional[_Union[Part, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ..., late: _Optional[_Union[Late, _Mapping]] = ..., nonce: _Optional[_Union[Nonce, _Mapping]] = ..., arrival: _Optional[_Union[Line, _Mapping]] = ..., inquiry: _Optional[_Union[Line, _Mapping]] = ..., age: _Optional[_Union[Line, _Mapping]] = ..., departure: _Optional[_Union[Line, _Mapping]] = ...) -> None: ...

class Line(_message.Message):
    __slots__ = ("bot", "instance", "asked_us", "age_us", "keyid")
    BOT_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    ASKED_US_FIELD_NUMBER: _ClassVar[int]
    AGE_US_FIELD_NUMBER: _ClassVar[int]
    KEYID_FIELD_NUMBER: _ClassVar[int]
    bot: str
    instance: str
    asked_us: int
    age_us: int
    keyid: str
    def __init__(self, bot: _Optional[str] = ..., instance: _Optional[str] = ..., asked_us: _Optional[int] = ..., age_us: _Optional[int] = ..., keyid: _Optional[str] = ...) -> None: ...

class Greeting(_message.Message):
    __slots__ = ("version", "sender", "receiver", "nonce")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SENDER_FIELD_NUMBER: _ClassVar[int]
    RECEIVER_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    version: int
    sender: str
    receiver: str
    nonce: bytes
    def __init__(self, version: _Optional[int] = ..., sender: _Optional[str] = ..., receiver: _Optional[str] = ..., nonce: _Optional[bytes] = ...) -> None: ...

class Proof(_message.Message):
    __slots__ = ("proof",)
    PROOF_FIELD_NUMBER: _ClassVar[int]
    proof: bytes
    def __init__(self, proof: _Optional[bytes] = ...) -> None: ...

class Reserve(_message.Message):
    __slots__ = ("call", "match", "bot", "rounds", "must", "format")
    CALL_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    MUST_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    call: int
    match: str
    bot: str
    rounds: int
    must: bool
    format: str
    def __init__(self, call: _Optional[int] = ..., match: _Optional[str] = ..., bot: _Optional[str] = ..., rounds: _Optional[int] = ..., must: bool = ..., format: _Optional[str] = ...) -> None: ...

class Grant(_message.Message):
    __slots__ = ("call", "rounds")
    CALL_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    call: int
    rounds: int
    def __init__(self, call: _Optional[int] = ..., rounds: _Optional[int] = ...) -> None: ...

class Join(_message.Message):
    __slots__ = ("lane", "first_handle", "bot", "session", "instance", "version", "age_ms", "max_games", "max_open", "orders", "resume", "formats")
    LANE_FIELD_NUMBER: _ClassVar[int]
    FIRST_HANDLE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    AGE_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_FIELD_NUMBER: _ClassVar[int]
    ORDERS_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    FORMATS_FIELD_NUMBER: _ClassVar[int]
    lane: int
    first_handle: int
    bot: str
    session: str
    instance: str
    version: str
    age_ms: int
    max_games: int
    max_open: int
    orders: _containers.RepeatedScalarFieldContainer[int]
    resume: _containers.RepeatedCompositeFieldContainer[Known]
    formats: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lane: _Optional[int] = ..., first_handle: _Optional[int] = ..., bot: _Optional[str] = ..., session: _Optional[str] = ..., instance: _Optional[str] = ..., version: _Optional[str] = ..., age_ms: _Optional[int] = ..., max_games: _Optional[int] = ..., max_open: _Optional[int] = ..., orders: _Optional[_Iterable[int]] = ..., resume: _Optional[_Iterable[_Union[Known, _Mapping]]] = ..., formats: _Optional[_Iterable[str]] = ...) -> None: ...

class Known(_message.Message):
    __slots__ = ("round_id", "next_event")
    ROUND_ID_FIELD_NUMBER: _ClassVar[int]
    NEXT_EVENT_FIELD_NUMBER: _ClassVar[int]
    round_id: str
    next_event: int
    def __init__(self, round_id: _Optional[str] = ..., next_event: _Optional[int] = ...) -> None: ...

class Part(_message.Message):
    __slots__ = ("lane", "ours", "running", "moved")
    LANE_FIELD_NUMBER: _ClassVar[int]
    OURS_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    lane: int
    ours: bool
    running: _containers.RepeatedCompositeFieldContainer[Running]
    moved: bool
    def __init__(self, lane: _Optional[int] = ..., ours: bool = ..., running: _Optional[_Iterable[_Union[Running, _Mapping]]] = ..., moved: bool = ...) -> None: ...

class Running(_message.Message):
    __slots__ = ("handle", "elapsed_ms")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_MS_FIELD_NUMBER: _ClassVar[int]
    handle: int
    elapsed_ms: int
    def __init__(self, handle: _Optional[int] = ..., elapsed_ms: _Optional[int] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("lane", "handle", "act", "decision_ms", "allowance_ms", "turn")
    LANE_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    ALLOWANCE_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    lane: int
    handle: int
    act: int
    decision_ms: int
    allowance_ms: int
    turn: bytes
    def __init__(self, lane: _Optional[int] = ..., handle: _Optional[int] = ..., act: _Optional[int] = ..., decision_ms: _Optional[int] = ..., allowance_ms: _Optional[int] = ..., turn: _Optional[bytes] = ...) -> None: ...

class Piece(_message.Message):
    __slots__ = ("lane", "content", "hint")
    LANE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    lane: int
    content: bytes
    hint: bool
    def __init__(self, lane: _Optional[int] = ..., content: _Optional[bytes] = ..., hint: bool = ...) -> None: ...

class RoundEnd(_message.Message):
    __slots__ = ("lane", "handle", "turn")
    LANE_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    lane: int
    handle: int
    turn: bytes
    def __init__(self, lane: _Optional[int] = ..., handle: _Optional[int] = ..., turn: _Optional[bytes] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("lane", "handle", "act", "piece")
    LANE_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    lane: int
    handle: int
    act: int
    piece: bytes
    def __init__(self, lane: _Optional[int] = ..., handle: _Optional[int] = ..., act: _Optional[int] = ..., piece: _Optional[bytes] = ...) -> None: ...

class Withdraw(_message.Message):
    __slots__ = ("lane", "handle", "gone", "moved")
    LANE_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    GONE_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    lane: int
    handle: int
    gone: bool
    moved: bool
    def __init__(self, lane: _Optional[int] = ..., handle: _Optional[int] = ..., gone: bool = ..., moved: bool = ...) -> None: ...

class Replace(_message.Message):
    __slots__ = ("lane",)
    LANE_FIELD_NUMBER: _ClassVar[int]
    lane: int
    def __init__(self, lane: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("lane", "handle", "act", "picks", "flags", "ms", "given_back_ms", "thought_ms")
    LANE_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    PICKS_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    GIVEN_BACK_MS_FIELD_NUMBER: _ClassVar[int]
    THOUGHT_MS_FIELD_NUMBER: _ClassVar[int]
    lane: int
    handle: int
    act: int
    picks: _containers.RepeatedScalarFieldContainer[int]
    flags: int
    ms: int
    given_back_ms: int
    thought_ms: int
    def __init__(self, lane: _Optional[int] = ..., handle: _Optional[int] = ..., act: _Optional[int] = ..., picks: _Optional[_Iterable[int]] = ..., flags: _Optional[int] = ..., ms: _Optional[int] = ..., given_back_ms: _Optional[int] = ..., thought_ms: _Optional[int] = ...) -> None: ...

class Late(_message.Message):
    __slots__ = ("lane", "handle", "act", "ms", "given_back_ms")
    LANE_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    GIVEN_BACK_MS_FIELD_NUMBER: _ClassVar[int]
    lane: int
    handle: int
    act: int
    ms: int
    given_back_ms: int
    def __init__(self, lane: _Optional[int] = ..., handle: _Optional[int] = ..., act: _Optional[int] = ..., ms: _Optional[int] = ..., given_back_ms: _Optional[int] = ...) -> None: ...

class Nonce(_message.Message):
    __slots__ = ("lane", "match", "nonce")
    LANE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    lane: int
    match: str
    nonce: bytes
    def __init__(self, lane: _Optional[int] = ..., match: _Optional[str] = ..., nonce: _Optional[bytes] = ...) -> None: ...
