"""Heads: epoch, sequence and chain in one string."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from ladder.store.head import entry_id, first_head, next_epoch, next_head


def test_first_head_names_what_is_to_be_played() -> None:
    """Id, format, rules and entrants, in canonical JSON; each of them changes the chain."""
    canonical = b'{"entrants":["a@1","b@1"],"format":"uno-classic-2","id":"cup.1.1.0","ruleset":"abc"}'
    head = first_head("cup.1.1.0", "uno-classic-2", "abc", ("a@1", "b@1"))
    assert head == f"0-0-{sha256(canonical).hexdigest()[:16]}"
    assert first_head("cup.1.1.0", "uno-classic-2", "abc", ("b@1", "a@1")) != head


def test_an_entry_moves_the_sequence_and_an_epoch_starts_it_anew() -> None:
    """`epoch-seq` is the stream id of the entry that led to the head."""
    head = next_epoch("4-7-" + "0" * 16, b"claim")
    assert entry_id(head) == "5-0"
    assert entry_id(next_head(head, b"x")) == "5-1"


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_chain_depends_on_every_byte_before(one: bytes, other: bytes) -> None:
    """Two histories have the same head only if they are the same."""
    start = "1-0-" + "0" * 16
    assert (next_head(start, one) == next_head(start, other)) == (one == other)
    assert (
        next_head(next_head(start, one), b"x")
        == f"1-2-{sha256(next_head(start, one)[-16:].encode() + b'x').hexdigest()[:16]}"
    )
