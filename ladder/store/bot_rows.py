"""Bots as the registry knows them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ladder.store.tokens import Scope


@dataclass(frozen=True, slots=True)
class BotVersion:
    """An immutable version of a bot: what is rated."""

    id: str
    """`name@n`, n from 1."""
    version: str
    """What its author calls it."""
    created_ms: int


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot: what is shown."""

    name: str
    owner: str
    created_ms: int
    house: bool
    """Run by the operator."""
    retired_ms: int
    """Since when it does not play; 0: it plays."""
    versions: tuple[BotVersion, ...]
    """Oldest first; none before it first connected."""
    vouched: bool = False
    """Who registered it had an operator's word that this is its owner, or an operator said so since; else it wrote the
    name itself."""
    linked: str = ""
    """The owner that stands for this one and others that an operator linked; empty: it stands for itself."""

    @property
    def kin(self) -> str:
        """Who is one with its owner where cards are shared, and in what moves a ladder."""
        return self.linked or self.owner

    @property
    def active(self) -> str | None:
        """Its newest version."""
        return self.versions[-1].id if self.versions else None

    @property
    def retired(self) -> bool:
        """Whether it was taken out of play."""
        return self.retired_ms > 0

    def at(self, version: str) -> "BotRow":
        """The bot as it was while this version, `name@n`, was its newest; without versions where it has no such one."""
        numbers = [number for number, one in enumerate(self.versions, 1) if one.id == version]
        return replace(self, versions=self.versions[: numbers[0]] if numbers else ())

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "BotRow":
        """The bot that these fields of the hash describe."""
        name = fields["name"]
        written = (fields[f"v:{number}"].partition(" ") for number in range(1, int(fields["n"]) + 1))
        return cls(
            name=name,
            owner=fields["owner"],
            created_ms=int(fields["created_ms"]),
            house=fields["house"] == "1",
            vouched=fields.get("vouched") == "1",
            retired_ms=int(fields.get("retired_ms", "0")),
            versions=tuple(
                BotVersion(f"{name}@{number}", version, int(created))
                for number, (created, _, version) in enumerate(written, 1)
            ),
        )


@dataclass(frozen=True, slots=True)
class BotPage:
    """Bots in alphabetical order."""

    rows: tuple[BotRow, ...]
    next: str
    """Token of the next page; empty on the last."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a token speaks for."""

    bot: str
    """Empty for an operator."""
    owner: str
    scopes: frozenset[Scope]
    keyid: str
    """Names the token without giving it away."""


@dataclass(frozen=True, slots=True)
class OperatorToken:
    """A token of an operator, without what it is good for in the hands of another."""

    keyid: str
    owner: str
    scopes: frozenset[Scope]
    created_ms: int
    expires_ms: int
    used_ms: int
    """Begin of the day on which it was last used; 0: it never was."""
