"""Options of the gRPC servers of the ladder process and of their clients. The library knows each name: a test looks."""

from __future__ import annotations

from typing import Final

from lastcard.metadata import MOST_METADATA

MAX_RECEIVE_BYTES: Final = 64 * 1024
MAX_CARRIED_BYTES: Final = 2 * MAX_RECEIVE_BYTES
"""What gRPC lets through, so that what is too large is refused by us, with `ErrorInfo`; beyond it says so itself."""
# The pairs of a tournament of 1,000 bots are 37 MiB; from 4 MiB (about 330 bots) on, a client has to be told so.
MAX_SEND_BYTES: Final = 64 * 1024 * 1024
MAX_CALLS: Final = 4_000

SERVER_OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    ("grpc.max_receive_message_length", MAX_CARRIED_BYTES),
    ("grpc.max_send_message_length", MAX_SEND_BYTES),
    ("grpc.max_metadata_size", 8_192),
    ("grpc.absolute_max_metadata_size", MOST_METADATA),
    ("grpc.http2.hpack_table_size.decoder", 0),  # else one frame of 16 KiB names a field of 4 KiB thousands of times
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # what bounds the detection of a frozen peer in fact
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),  # without `recv`, whatever the macro is called
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_concurrent_streams", 8),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.http2.settings_timeout", 5_000),
    ("grpc.max_allowed_incoming_connections", 4_000),
    ("grpc.so_reuseport", 0),  # a second server on the port is refused, never silently served half of the calls
    ("grpc.max_connection_idle_ms", 30_000),  # who asks again after that connects again
    # Of calls that wait to be looked at gRPC drops some at random above the first, with nothing but CANCELLED.
    ("grpc.server.max_pending_requests", MAX_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", MAX_CALLS),
)
CLIENT_OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    ("grpc.max_receive_message_length", MAX_SEND_BYTES),
    ("grpc.max_reconnect_backoff_ms", 5_000),  # of two minutes, a ladder that is back is not found for most
)
