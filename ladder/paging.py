"""Pages of long lists, as callers ask for them: how many rows, and from where on."""

from __future__ import annotations

from typing import Final

from ladder.errors import InvalidFieldError

DEFAULT_PAGE: Final = 100
MOST_PAGE: Final = 1_000
MOST_TOKEN: Final = 200


def page_size(size: int) -> int:
    """Return how many rows a page may have; 0 stands for 100.

    Raises:
        InvalidFieldError: more than 1,000.
    """
    if size > MOST_PAGE:
        sentence = f"page_size {size}: at most {MOST_PAGE} are allowed"
        raise InvalidFieldError("OUT_OF_RANGE", sentence, field="page_size", value=size, allowed=[f"0-{MOST_PAGE}"])
    return size or DEFAULT_PAGE


def page_token(text: str) -> str:
    """Return a page token that may be one of ours; empty for the first page.

    Raises:
        InvalidFieldError: it cannot be.
    """
    if len(text) > MOST_TOKEN or not text.isprintable():
        sentence = "page_token must be the next_page_token of the page before"
        raise InvalidFieldError("BAD_PAGE_TOKEN", sentence, field="page_token", value=text)
    return text
