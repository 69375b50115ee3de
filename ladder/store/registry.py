"""Bots and their versions."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Final, cast

from ladder.store import tokens
from ladder.store.audit import Deed, with_deed
from ladder.store.bot_rows import BotPage, BotRow, BotVersion, Identity
from ladder.store.call import Call
from ladder.store.credentials import Credentials
from ladder.store.errors import BadInputError, LimitError, NameTakenError, RetiredError, UnknownError
from ladder.store.names import check_bot_name, check_owner, check_request_id, check_version, skeleton
from ladder.store.replies import Hash, WrongKindError, decode_hash
from ladder.store.scripts import script
from ladder.store.tokens import LIFE_MS, OF_BOTS, Token
from lastcard.names import BOT, bot_of

__all__ = ["BotPage", "BotRow", "BotVersion", "Identity", "Registry"]

BOTS_AN_OWNER: Final = 20
REQUEST_SECONDS: Final = 86_400


class Registry(Credentials):
    """All bots of a tenant, and the tokens that speak for them."""

    def register(
        self,
        name: str,
        owner: str,
        request_id: str = "",
        *,
        now_ms: int | None = None,
        house: bool = False,
        vouched: bool = False,
        deed: Deed | None = None,
    ) -> tuple[BotRow, str]:
        """A new bot and its token, which is shown this once.

        Args:
            name: Unique, also to the eye.
            owner: Who answers for it.
            request_id: Random; the same one again within 24 hours repeats the answer. Empty: no repeating.
            now_ms: Wall time; None asks the clock.
            house: Run by the operator: may have a reserved name and does not count for its owner.
            vouched: An operator says that this is its owner.
            deed: Noted with it where the bot is new.

        Raises:
            BadInputError: BAD_NAME, BAD_OWNER or BAD_REQUEST_ID.
            NameTakenError: The name, or one that looks like it, is somebody else's.
            LimitError: The owner has as many bots as an owner may have.
        """
        check_bot_name(name, house=house)
        check_owner(owner)
        check_request_id(request_id)
        request = request_id or secrets.token_hex(32)
        token = tokens.derive(self.pepper(), request, name, owner)
        call = self._register(name, owner, request, token, self._now(now_ms), house=house, vouched=vouched)
        reply = self._link.run(with_deed(self._keys, call, deed))
        word, *rest = [part.decode() for part in cast("list[bytes]", reply)]
        if word not in {"OK", "DUP"}:
            raise _refused(word, rest, name, owner)
        return self.get(name), token.reveal()

    def house(self, name: str, owner: str = "house", *, now_ms: int | None = None) -> tuple[BotRow, str]:
        """A bot of the operator's with a fresh token: registered if it is new, else given another token.

        Raises:
            NameTakenError: The name belongs to a bot that is not the operator's.
        """
        try:
            return self.register(name, owner, now_ms=now_ms, house=True)
        except NameTakenError:
            row = self.find([name]).get(name)
            if row is None or not row.house:
                raise
            return row, self.rotate(name, now_ms=now_ms)

    def version(self, bot: str, author_version: str, *, now_ms: int | None = None, per_day: int = 0) -> str:
        """The id `name@n` of a version that its author calls so; a new one becomes the next n.

        Args:
            bot: Name of the bot.
            author_version: 1 to 64 printable characters.
            now_ms: Wall time; None asks the clock.
            per_day: Most new versions within 24 hours; 0: any number.

        Raises:
            BadInputError: BAD_VERSION.
            UnknownError: There is no such bot.
            RetiredError: It was taken out of play.
            LimitError: It had too many new versions lately.
        """
        check_version(author_version)
        call = Call(script("version"), (self._keys.bot(bot),), (author_version, self._now(now_ms), per_day))
        word, *rest = [part.decode() for part in cast("list[bytes]", self._link.run(call))]
        if word == "UNKNOWN":
            raise _unknown(bot)
        if word == "RETIRED":
            raise RetiredError(
                f"{bot} was taken out of play; an operator can bring it back: lastcard bot retire {bot} --undo",
                field="bot",
                value=bot,
            )
        if word == "LIMIT":
            raise LimitError(
                f"{bot} had {per_day} new versions within a day; wait, or go on with one of them",
                reason="TOO_MANY_VERSIONS",
                field="version",
                value=author_version,
                allowed=f"{per_day} a day",
            )
        return f"{bot}@{rest[0]}"

    def get(self, name: str) -> BotRow:
        """The bot.

        Raises:
            UnknownError: There is no such bot.
            DamagedError: It cannot be read.
        """
        (fields,) = self._link.each_hash([self._keys.bot(name)])
        if not fields:
            raise _unknown(name)
        return self.unread.one(name, partial(_row_of, name, fields))

    def find(self, names: Collection[str]) -> dict[str, BotRow]:
        """Those of these bots that exist and can be read, by name."""
        hashes = self._link.each_hash([self._keys.bot(name) for name in names])
        found = [(name, fields) for name, fields in zip(names, hashes, strict=True) if fields]
        rows = self.unread.passing((name, partial(_row_of, name, fields)) for name, fields in found)
        linked = self._linked(sorted({row.owner for row in rows}))
        return {row.name: replace(row, linked=linked[row.owner]) for row in rows}

    def entered(self, entries: Collection[str]) -> dict[str, BotRow]:
        """Those of these bots that exist and can be read, by entry: `name`, or `name@n` for the bot at that version."""
        found = self.find(dict.fromkeys(map(bot_of, entries)))
        rows = {entry: found[bot_of(entry)] for entry in entries if bot_of(entry) in found}
        return {entry: row if entry == row.name else row.at(entry) for entry, row in rows.items()}

    def _linked(self, owners: Sequence[str]) -> dict[str, str]:
        """Who stands for these owners, "" for those that stand for themselves, or of which it cannot be read."""
        replies = self._link.read_each([["HGET", self._keys.kin, owner] for owner in owners])
        asked = zip(owners, replies, strict=True)
        found = self.unread_links.passing((owner, partial(_link_of, owner, reply)) for owner, reply in asked)
        return dict.fromkeys(owners, "") | dict(found)

    def linked(self) -> dict[str, str]:
        """All owners that an operator linked, to the one that stands for them."""
        return self._link.texts(self._keys.kin)

    def link(self, owners: Sequence[str], *, deed: Deed | None = None) -> bool:
        """Have owners count as one where cards are shared, the first for all. False: they do already.

        Raises:
            BadInputError: OWNERS: there are not two different ones.
            UnknownError: One of them has no bot.
        """
        if len(set(owners)) < 2:
            raise BadInputError("name two owners or more: one alone is one already", reason="OWNERS", field="owner")
        self._known_owners(owners)
        return self._kin("link", owners, deed)

    def unlink(self, owner: str, *, deed: Deed | None = None) -> bool:
        """Have an owner count for itself again. False: it does already.

        Raises:
            UnknownError: It has no bot.
        """
        self._known_owners([owner])
        return self._kin("unlink", [owner], deed)

    def _kin(self, verb: str, owners: Sequence[str], deed: Deed | None) -> bool:
        call = Call(script(verb), (self._keys.kin,), tuple(owners))
        return self._link.run(with_deed(self._keys, call, deed)) == b"OK"

    def _known_owners(self, owners: Sequence[str]) -> None:
        for owner in owners:
            if not self._link.size("SCARD", self._keys.owner(owner)):
                sentence = f"no bot is owned by {owner!r}; `lastcard bot list` shows the owners"
                raise UnknownError(sentence, reason="UNKNOWN_OWNER", field="owner", value=owner)

    def page(self, limit: int = 100, token: str = "") -> BotPage:
        """Bots in alphabetical order. `token`: `next` of the page before.

        Raises:
            BadInputError: The token is none.
        """
        if token and not BOT.fullmatch(token):
            sentence = f"{token!r} is not a page token"
            raise BadInputError(sentence, reason="BAD_PAGE_TOKEN", field="page_token", value=token)
        names, first, more = list[str](), f"({token}" if token else "-", True
        while more and len(names) <= limit:  # what else may stand there is no bot, and no token
            found = self._link.ranked("ZRANGE", self._keys.bots, first, "+", "BYLEX", "LIMIT", 0, limit + 1)
            names += filter(BOT.fullmatch, found)
            more = len(found) > limit
            first = f"({found[-1]}" if more else first
        rows = tuple(self.find(names[:limit]).values())
        return BotPage(rows, names[limit - 1] if len(names) > limit else "")

    def count(self) -> int:
        """Number of bots."""
        return self._link.size("ZCARD", self._keys.bots)

    def rotate(self, bot: str, request_id: str = "", *, now_ms: int | None = None, deed: Deed | None = None) -> str:
        """A new token for a bot. The newest one before it stays valid, older ones do not. `deed` is noted with it.

        The same `request_id` (random) again repeats the answer, as long as that token is good.

        Raises:
            BadInputError: BAD_REQUEST_ID.
            UnknownError: There is no such bot.
        """
        check_request_id(request_id)
        now, row = self._now(now_ms), self.get(bot)
        token = tokens.derive(self.pepper(), "rotate", request_id, bot) if request_id else tokens.draw()
        args = (token.keyid, token.mac(self.pepper()), bot, row.owner, _SCOPES, now, now + LIFE_MS)
        keys = (self._keys.bot(bot), self._keys.token(token.keyid))
        call = Call(script("rotate"), keys, (*args, self._keys.token("")))
        if self._link.run(with_deed(self._keys, call, deed)) == b"REUSED":
            raise _reused("this request id stands for a token that is good no more; draw a new one")
        return token.reveal()

    def revoke(self, bot: str, *, deed: Deed | None = None) -> tuple[str, ...]:
        """Ends all tokens of a bot; returns their key ids. `deed` is noted with it.

        Raises:
            UnknownError: There is no such bot.
        """
        live = self._link.field(self._keys.bot(bot), "tokens")
        if live is None:
            raise _unknown(bot)
        where = (self._keys.bot(bot), self._keys.operators)
        reply = self._link.run(with_deed(self._keys, Call(script("revoke"), where, (self._keys.token(""),)), deed))
        _, *ended = [part.decode() for part in cast("list[bytes]", reply)]
        return tuple(dict.fromkeys((*live.split(), *ended)))  # one may have been made since, or a reply lost

    def retire(self, bot: str, *, now_ms: int | None = None, deed: Deed | None = None) -> BotRow:
        """Takes a bot out of play; its ratings and history stay. `deed` is noted with it.

        Raises:
            UnknownError: There is no such bot.
        """
        return self._retire(bot, self._now(now_ms), deed)

    def unretire(self, bot: str, *, deed: Deed | None = None) -> BotRow:
        """Brings a bot back into play. `deed` is noted with it.

        Raises:
            UnknownError: There is no such bot.
        """
        return self._retire(bot, 0, deed)

    def _retire(self, bot: str, since_ms: int, deed: Deed | None) -> BotRow:
        call = Call(script("retire"), (self._keys.bot(bot),), (since_ms,))
        if self._link.run(with_deed(self._keys, call, deed)) == b"UNKNOWN":
            raise _unknown(bot)
        return self.get(bot)

    def vouch(self, bot: str, *, vouched: bool = True, deed: Deed | None = None) -> BotRow:
        """Says that the owner of a bot is no name that somebody wrote himself, or (False) that it may be.

        `deed` is noted where that changes something.

        Raises:
            UnknownError: There is no such bot.
        """
        call = Call(script("vouch"), (self._keys.bot(bot),), (int(vouched),))
        if self._link.run(with_deed(self._keys, call, deed)) == b"UNKNOWN":
            raise _unknown(bot)
        return self.get(bot)

    def _register(
        self, name: str, owner: str, request: str, token: Token, now_ms: int, *, house: bool, vouched: bool = False
    ) -> Call:
        keys = self._keys
        where = (keys.bot(name), keys.bots, keys.skeletons, keys.owner(owner), keys.token(token.keyid))
        fingerprint = sha256("\0".join((name, owner, str(int(house)))).encode()).hexdigest()
        limit = 0 if house else BOTS_AN_OWNER
        front = (name, skeleton(name), fingerprint, REQUEST_SECONDS, limit, token.keyid, token.mac(self.pepper()))
        back = (owner, _SCOPES, now_ms, now_ms + LIFE_MS, int(house), int(vouched))
        return Call(script("register"), (*where, keys.request(request)), (*front, *back))


_SCOPES: Final = " ".join(sorted(OF_BOTS))


def _row_of(name: str, fields: Hash) -> BotRow:
    """The bot that stands under this name."""
    row = BotRow.of(decode_hash(fields))
    if row.name != name:
        raise ValueError(f"the row of bot {name} says that it is {row.name!r:.100}")
    return row


def _link_of(owner: str, reply: object) -> tuple[str, str]:
    """An owner, and who stands for it; empty: it does itself."""
    if isinstance(reply, WrongKindError):
        raise reply
    return owner, (cast("bytes | None", reply) or b"").decode()


def _refused(word: str, rest: list[str], name: str, owner: str) -> Exception:
    if word == "LIMIT":
        return LimitError(
            f"{owner} has {BOTS_AN_OWNER} bots already",
            reason="TOO_MANY_BOTS",
            field="owner",
            value=owner,
            allowed=f"{BOTS_AN_OWNER} bots an owner",
        )
    if word == "REUSED":
        return _reused("this request id was used to register something else; draw a new one")
    holder = rest[0]
    like = "" if holder == name else f" (it looks like {holder})"
    return NameTakenError(f"the name {name} is taken{like}; choose another", field="name", value=name)


def _reused(sentence: str) -> BadInputError:
    return BadInputError(
        sentence, reason="BAD_REQUEST_ID", field="request_id", allowed="a random id per registration or rotation"
    )


def _unknown(bot: str) -> UnknownError:
    return UnknownError(f"there is no bot {bot!r}", reason="UNKNOWN_BOT", field="bot", value=bot)
