"""What can be wrong with a stream or another call, as its caller is told.

RefusedStreamError
├── UNAUTHENTICATED      NO_TOKEN, BAD_TOKEN
├── PERMISSION_DENIED    WRONG_SCOPE
├── FAILED_PRECONDITION  UPGRADE, RETIRED
├── INVALID_ARGUMENT     BAD_HELLO, BAD_VERSION, MALFORMED
├── NOT_FOUND            UNKNOWN_SERVICE
├── DEADLINE_EXCEEDED    NO_HELLO, SILENT, UNREAD
├── RESOURCE_EXHAUSTED   TOO_MANY_INSTANCES, TOO_MANY_PROCESSES, TOO_MANY_STREAMS, TOO_MANY_VERSIONS
├── RESOURCE_EXHAUSTED   TOO_MANY_BAD_TOKENS, RATE, BANNED, TOO_LARGE
├── ABORTED              REPLACED
├── UNAVAILABLE          DRAINING, STORE
├── UNIMPLEMENTED        UNKNOWN_METHOD
└── INTERNAL             INTERNAL
"""


class RefusedStreamError(Exception):
    """The stream is refused or ended.

    Attributes:
        status: name of the gRPC status code.
        reason: stable reason.
        sentence: what was wrong and what would be right.
        retry_s: how long it is of no use to come again, in seconds; 0: nobody knows.
        metadata: field, value and what is allowed, where that helps.
    """

    def __init__(self, status: str, reason: str, sentence: str, *, retry_s: float = 0.0, **metadata: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.reason = reason
        self.sentence = sentence
        self.retry_s = retry_s
        self.metadata = metadata
