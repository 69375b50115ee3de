"""Formats of an organiser in a process that was told of their file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee import formats
from referee.bots import BOTS
from referee.formats import builtin_formats
from referee.formats.format_file import FormatFileError
from tests.referee.format_texts import GOOD, Write, changed


@pytest.fixture
def installed(write: Write, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be a process that was told of a file."""
    monkeypatch.setenv(formats.VARIABLE, str(write(GOOD)))
    forget()
    yield
    monkeypatch.delenv(formats.VARIABLE)
    forget()


def forget() -> None:
    """Be a process that has just begun."""
    formats.own.cache_clear()
    formats.get.cache_clear()


@pytest.mark.usefixtures("installed")
def test_the_formats_of_the_file_are_formats() -> None:
    """They are found by name, listed behind the built-in ones, and the house plays them."""
    assert formats.get("thursday-3").deals == "mirrored"
    assert formats.get("thursday-3", deals="fresh").deals == "fresh"
    assert formats.get("uno-classic-2").name == "uno-classic-2"
    assert formats.names() == [*builtin_formats.offered(), "thursday-3", "short-dos", "plain-duo"]
    for bot in BOTS.values():
        assert {"thursday-3", "short-dos", "plain-duo"} <= set(bot(0).formats)
        assert len(bot(0).formats) <= 64
    with pytest.raises(formats.UnknownFormatError, match="short-dos"):
        formats.get("thursday-3-fast")


def test_the_file_is_read_once(installed: None, write: Write) -> None:
    """What is played under a name does not change while a process runs."""
    before = formats.get("short-dos")
    write(changed("hand_size = 5", "hand_size = 6"))
    assert formats.own()["short-dos"] == before


def test_a_bad_file_is_refused_before_anything_is_looked_up(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with a file that it cannot use knows no format at all."""
    monkeypatch.setenv(formats.VARIABLE, str(write(changed('"SAME"', '"ON"'))))
    forget()
    with pytest.raises(FormatFileError):
        formats.get("uno-classic-2")
    monkeypatch.undo()
    forget()
