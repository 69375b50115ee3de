"""What strangers try on the play port. Each attack checks what it is told; what it costs others is checked after it.

An attack is an async function of the target. `QUICK` are those that take a second or so, `SLOW` the others.
"""

from collections.abc import Sequence
from typing import Final

from tests.hostile.doors import (
    bad_metadata,
    idle_connections,
    many_watches,
    operators_token,
    other_services,
    revoked_while_connected,
    silent_sockets,
)
from tests.hostile.floods import (
    heartbeat_flood,
    many_versions,
    never_reading,
    nine_instances,
    opened_and_cancelled,
    reconnect_storm,
    replaced_and_never_reading,
    useless_flood,
)
from tests.hostile.made_up import answers_to_nothing, nonces_for_others, wild_answers
from tests.hostile.malformed import (
    before_hello,
    bomb,
    deep_and_unknown,
    hellos_out_of_range,
    noise_after_hello,
    noise_for_a_hello,
    packed_with_nothing,
    silent_after_dialling,
    too_large,
    two_hellos,
)
from tests.hostile.stranger import Attack
from tests.hostile.transport import (
    byte_by_byte,
    endless_headers,
    header_bomb,
    header_tables,
    idle_frames,
    large_metadata,
    many_streams,
    no_window,
    ping_flood,
    rapid_reset,
    settings_flood,
    window_abuse,
)

QUICK: Final[Sequence[Attack]] = (
    noise_for_a_hello,
    noise_after_hello,
    too_large,
    packed_with_nothing,
    deep_and_unknown,
    two_hellos,
    before_hello,
    answers_to_nothing,
    nonces_for_others,
    useless_flood,
    heartbeat_flood,
    bad_metadata,
    operators_token,
    other_services,
    rapid_reset,
    endless_headers,
    header_bomb,
    header_tables,
    large_metadata,
    many_streams,
    settings_flood,
    ping_flood,
    window_abuse,
    idle_frames,
    byte_by_byte,
    no_window,
)
SLOW: Final[Sequence[Attack]] = (
    bomb,
    hellos_out_of_range,
    silent_after_dialling,
    wild_answers,
    never_reading,
    replaced_and_never_reading,
    nine_instances,
    opened_and_cancelled,
    reconnect_storm,
    many_versions,
    revoked_while_connected,
    many_watches,
    silent_sockets,
    idle_connections,
)
