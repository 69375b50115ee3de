"""Names of bots and tournaments: what is allowed, and what looks alike."""

import unicodedata
from typing import Final

from ladder.store.errors import BadInputError
from lastcard.names import BOT, BOT_RULE, TOURNAMENT, TOURNAMENT_RULE, UNSEEN

MAX_OWNER: Final = 64
MAX_VERSION: Final = 64
MIN_REQUEST_ID: Final = 16
MAX_REQUEST_ID: Final = 64

HOUSE: Final = ("random", "first", "greedy", "careful", "search")
"""Names of the operator's own bots."""
RESERVED: Final = frozenset(
    {
        *HOUSE,
        *("admin", "administrator", "all", "anonymous", "everybody", "everyone", "house", "ladder", "lastcard"),
        *("moderator", "nobody", "none", "null", "official", "operator", "organiser", "organizer", "referee", "root"),
        *("security", "server", "staff", "support", "system", "tournament", "undefined"),
    }
)
"""Nobody but the operator registers these, or what looks like them."""
RESERVED_OWNERS: Final = frozenset({"lastcard", "operator", "planner"})
"""Who acts in the audit and is no author; only an operator's token registers bots of such an owner."""
KINDS_OF_WHO: Final = ("bot:", "unix:")
"""So begins who acts in the audit by the token of a bot, or at the store by the account of a machine."""
RESERVED_TOURNAMENTS: Final = frozenset({"ladder"})
"""Match ids of the ladder begin with this."""


def check_bot_name(name: str, *, house: bool = False) -> None:
    """Raises `BadInputError` unless a bot may be called so."""
    if not BOT.fullmatch(name):
        raise _bad(f"{name!r} cannot be the name of a bot", "name", name, BOT_RULE)
    if not house and skeleton(name) in _RESERVED_SKELETONS:
        sentence = f"{name!r} is, or looks like, a reserved name; choose another"
        raise BadInputError(sentence, reason="BAD_NAME", field="name", value=name, allowed=BOT_RULE)


def check_tournament_name(name: str) -> None:
    """Raises `BadInputError` unless a tournament may be called so."""
    if not TOURNAMENT.fullmatch(name):
        raise _bad(f"{name!r} cannot be the name of a tournament", "name", name, TOURNAMENT_RULE)
    if name in RESERVED_TOURNAMENTS:
        sentence = f"{name!r} is reserved: matches outside of tournaments are called so; choose another name"
        raise BadInputError(sentence, reason="BAD_NAME", field="name", value=name, allowed=TOURNAMENT_RULE)


def check_owner(owner: str) -> None:
    """Raises `BadInputError` unless somebody may be called so."""
    _check_text(owner, MAX_OWNER, f"{owner!r} cannot be an owner", "owner")


def check_author(owner: str) -> None:
    """Raises `BadInputError` where an owner is called as somebody who acts in the audit, and is no author."""
    plain = _plain(owner)
    if plain.startswith(KINDS_OF_WHO) or skeleton(plain) in _RESERVED_OWNER_SKELETONS:
        sentence = f"{owner!r} is, or looks like, a name for operators; choose another"
        raise BadInputError(sentence, reason="BAD_OWNER", field="owner", value=owner)


def check_operator(name: str) -> None:
    """Raises `BadInputError` where an operator is called as what acts in the audit without a token of an operator."""
    plain = _plain(name)
    if plain.startswith(KINDS_OF_WHO) or skeleton(plain) in _NO_OPERATOR_SKELETONS:
        sentence = f"{name!r} is, or looks like, what the audit calls somebody else; choose another"
        raise BadInputError(sentence, reason="BAD_OWNER", field="name", value=name)


def check_version(version: str) -> None:
    """Raises `BadInputError` unless an author may call a version so."""
    _check_text(version, MAX_VERSION, f"{version!r} cannot be a version", "version")


def check_request_id(request_id: str) -> None:
    """Raises `BadInputError` unless a registration may be repeated under this id, or under none; it is a secret."""
    if request_id and not (MIN_REQUEST_ID <= len(request_id) <= MAX_REQUEST_ID and request_id.isprintable()):
        allowed = f"empty, or {MIN_REQUEST_ID} to {MAX_REQUEST_ID} random printable characters"
        sentence = f"a request id of {len(request_id)} characters can be guessed or is too long: {allowed}"
        raise BadInputError(sentence, reason="BAD_REQUEST_ID", field="request_id", allowed=allowed)


def skeleton(name: str) -> str:
    """What a name looks like at a glance: names with the same skeleton would be mistaken for each other."""
    return name.translate(_LOOKALIKES).replace("rn", "m")


_LOOKALIKES: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "-": None})
_RESERVED_SKELETONS: Final = frozenset(map(skeleton, RESERVED))
_RESERVED_OWNER_SKELETONS: Final = frozenset(map(skeleton, RESERVED_OWNERS))
_NO_OPERATOR_SKELETONS: Final = frozenset(map(skeleton, RESERVED_OWNERS - {"operator"}))
_CONFUSED: Final = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0456\u0455\u03bf\ua789\u02d0\u2236", "aeopciso:::")
"""Letters of Cyrillic and Greek, and colons, that look like those of the reserved names."""


def _plain(text: str) -> str:
    """What somebody reads in a name: without marks, without what nobody sees, in small letters."""
    seen = (one for one in unicodedata.normalize("NFKD", text) if unicodedata.category(one)[0] not in "MC")
    return "".join(one for one in seen if one not in UNSEEN).casefold().translate(_CONFUSED)


def _bad(sentence: str, field: str, value: str, allowed: str) -> BadInputError:
    return BadInputError(f"{sentence}: {allowed}", reason="BAD_NAME", field=field, value=value, allowed=allowed)


def _check_text(text: str, most: int, refusal: str, field: str) -> None:
    if not 1 <= len(text) <= most or not text.isprintable() or text != text.strip() or not _plain(text):
        allowed = f"1 to {most} printable characters without spaces at the ends"
        reason = f"BAD_{field.upper()}"
        raise BadInputError(f"{refusal}: {allowed}", reason=reason, field=field, value=text, allowed=allowed)
