"""Valid messages with one to three fields changed, whatever their type; what is changed is drawn by Hypothesis."""

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from google.protobuf.message import Message
from hypothesis import strategies as st

from tests.hostile.calls import BYTES, ENUMS, KINDS, TEXTS

MOST_CHANGES: Final = 3
MANY: Final = 300
"""Times that an entry of a list is repeated."""
RAW: Final = st.binary(max_size=300)
INTEGERS: Final = {
    KINDS.TYPE_UINT32: (0, 2**32 - 1), KINDS.TYPE_UINT64: (0, 2**64 - 1),
    KINDS.TYPE_INT64: (-(2**63), 2**63 - 1), KINDS.TYPE_SINT64: (-(2**63), 2**63 - 1),
}  # fmt: skip
"""Bounds of what is no 32-bit number with a sign."""
Field: TypeAlias = Any
"""A descriptor, of which protobuf has two types."""
Place = tuple[Message, Field]


@st.composite
def mutants(draw: st.DrawFn, good: Callable[[], Message]) -> bytes:
    """Draw an encoded message that differs from a good one in a few fields."""
    message = good()
    for _ in range(draw(st.integers(1, MOST_CHANGES)) if message.DESCRIPTOR.fields else 0):
        _change(draw, *draw(st.sampled_from(list(_places(message)))))
    return message.SerializeToString()


def _places(message: Message) -> Iterator[Place]:
    """Yield every field of a message and of those that are in it; of a list of messages its first one, too."""
    for field in message.DESCRIPTOR.fields:
        if field.type != KINDS.TYPE_MESSAGE or field.is_repeated:
            yield message, field
        if field.type == KINDS.TYPE_MESSAGE:
            inside: Any = getattr(message, field.name)
            if not field.is_repeated:
                yield from _places(inside)
            elif inside:
                yield from _places(inside[0])


def _change(draw: st.DrawFn, message: Message, field: Field) -> None:
    if not field.is_repeated:
        setattr(message, field.name, draw(_values(field)))
        return
    entries: Any = getattr(message, field.name)
    if field.type == KINDS.TYPE_MESSAGE:
        one = entries[0] if entries else entries.add()
        made = [type(one).FromString(one.SerializeToString())] * draw(st.sampled_from((0, 1, 2, MANY)))
    else:
        made = draw(st.lists(_values(field), max_size=4)) * draw(st.sampled_from((1, MANY)))
    message.ClearField(field.name)
    getattr(message, field.name).extend(made)


def _values(field: Field) -> st.SearchStrategy[Any]:
    """Return what a field may be set to: anything of its type, and what is known to be awkward."""
    match field.type:
        case KINDS.TYPE_STRING:
            # Without surrogates, which no message can have; `RAW` has what is no text.
            return st.sampled_from(TEXTS) | st.text(st.characters(codec="utf-8"), max_size=80)
        case KINDS.TYPE_BYTES:
            return st.sampled_from(BYTES) | st.binary(max_size=40)
        case KINDS.TYPE_BOOL:
            return st.booleans()
        case KINDS.TYPE_ENUM:
            return st.sampled_from(ENUMS) | st.integers(0, 20)
        case KINDS.TYPE_DOUBLE | KINDS.TYPE_FLOAT:
            return st.floats(width=32)
        case _:
            least, most = INTEGERS.get(field.type, (-(2**31), 2**31 - 1))
            return st.sampled_from((0, 1, least, most)) | st.integers(least, most)
