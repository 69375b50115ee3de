"""The names of everything in Redis. No other module spells a key."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from ladder.store.errors import BadInputError

TENANT: Final = re.compile(r"[a-z0-9-]{1,32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of one tenant. All carry one hash tag, so that one script may touch any of them together."""

    tenant: str = "main"

    def _of(self, *parts: str) -> str:
        return ":".join((f"{{{self.tenant}}}", *parts))

    # matches

    def match(self, match: str) -> str:
        """Hash: plan, state, owner and result of a match."""
        return self._of("m", match)

    def head(self, match: str) -> str:
        """String: `epoch-seq-chain`."""
        return self._of("h", match)

    def log(self, match: str) -> str:
        """Stream: the acts of a match that is played, ids `epoch-seq`, field `d`; for referees only."""
        return self._of("log", match)

    def shown_log(self, match: str) -> str:
        """The same stream once the match is closed and nobody plays its deals any more."""
        return self._of("shown", "log", match)

    def seed(self, match: str) -> str:
        """String: 32 secret bytes, written by the first claim; for referees only."""
        return self._of("seed", match)

    def shown_seed(self, match: str) -> str:
        """The same string once the match is closed and nobody plays its deals any more."""
        return self._of("shown", "seed", match)

    @property
    def reveals(self) -> str:
        """Set: `m:<match>` and `t:<tournament>` of which a referee is to show what was secret."""
        return self._of("reveals")

    def watch(self, match: str) -> str:
        """String with a time to live: somebody wants to see the match while it is played."""
        return self._of("watch", match)

    def live(self, match: str) -> str:
        """Stream with a time to live: scenes of a match that is watched, ids `epoch-number`, field `d`."""
        return self._of("live", match)

    def deal(self, deals: str) -> str:
        """String with a time to live: the table that has these deals; or set: the owners who met those of a group."""
        return self._of("deal", deals)

    @property
    def ready(self) -> str:
        """Sorted set: matches that a referee may claim, by the time from which (ms)."""
        return self._of("ready")

    @property
    def due(self) -> str:
        """Sorted set: what waits for a worker, `rate:<match>`, by the time since (ms)."""
        return self._of("due")

    def luck(self, match: str) -> str:
        """String: what chance gave in every game of a match, JSON."""
        return self._of("luck", match)

    def house(self, match: str) -> str:
        """String: what the house scored on the cards of a match, JSON; empty: nobody will ever know."""
        return self._of("house", match)

    @property
    def house_due(self) -> str:
        """Sorted set: settled matches on whose cards the house is to play, by the time of their end (ms)."""
        return self._of("due", "house")

    @property
    def renew_due(self) -> str:
        """Sorted set: formats whose ladders have to be computed anew, by the time since (ms)."""
        return self._of("due", "renew")

    @property
    def luck_due(self) -> str:
        """Sorted set: settled matches whose luck is not known yet, by the time of their end (ms)."""
        return self._of("due", "luck")

    @property
    def unarchived(self) -> str:
        """Sorted set: settled matches whose logs are still here, by the time of their end (ms)."""
        return self._of("unarchived")

    @property
    def open(self) -> str:
        """Set: matches that are not yet rated, void or parked."""
        return self._of("open")

    @property
    def states(self) -> str:
        """Hash: number of matches by state."""
        return self._of("states")

    @property
    def index(self) -> str:
        """Sorted set: all matches by the order in which they were planned."""
        return self._of("index")

    def index_of_tournament(self, tournament: str) -> str:
        """Sorted set: the matches of a tournament, as `index`."""
        return self._of("index", "t", tournament)

    def index_of_bot(self, bot: str) -> str:
        """Sorted set: the matches of a bot (by name), as `index`."""
        return self._of("index", "b", bot)

    # referees

    def beat(self, incarnation: str) -> str:
        """String with a time to live: the referee is alive."""
        return self._of("beat", incarnation)

    def owned(self, incarnation: str) -> str:
        """Set: matches that the referee hosts."""
        return self._of("owned", incarnation)

    @property
    def referees(self) -> str:
        """Set: incarnations that ever beat and were not yet swept."""
        return self._of("referees")

    @property
    def presence(self) -> str:
        """Hash: `<incarnation>/<name@n>` to formats and room."""
        return self._of("presence")

    # tournaments

    def tournament(self, name: str) -> str:
        """Hash: description, state and counts of a tournament."""
        return self._of("t", name)

    def tournament_open(self, name: str) -> str:
        """Set: its matches that are not over."""
        return self._of("t", name, "open")

    def tournament_sealed(self, name: str) -> str:
        """Set: its matches that are void or parked while others of their deal group are still to end."""
        return self._of("t", name, "sealed")

    def tournament_again(self, name: str) -> str:
        """Set: its matches that nobody supported, or that might not have their deals: void, and played again."""
        return self._of("t", name, "again")

    def deal_seed(self, name: str) -> str:
        """String: the secret from which the seeds of its matches are made; for referees only."""
        return self._of("seed", "t", name)

    def shown_deal_seed(self, name: str) -> str:
        """The same string once the tournament and all its matches are over."""
        return self._of("shown", "seed", "t", name)

    @property
    def commitments(self) -> str:
        """Hash: tournaments to the SHA-256 of their deal seeds in hex."""
        return self._of("commitments")

    @property
    def tournaments(self) -> str:
        """Sorted set: tournaments by creation (ms)."""
        return self._of("tournaments")

    @property
    def tournaments_open(self) -> str:
        """Sorted set: those that are not over, by creation (ms)."""
        return self._of("tournaments", "open")

    # bots and tokens

    def bot(self, name: str) -> str:
        """Hash: owner, versions and live tokens of a bot."""
        return self._of("bot", name)

    @property
    def bots(self) -> str:
        """Sorted set: all bots, in alphabetical order."""
        return self._of("bots")

    @property
    def skeletons(self) -> str:
        """Hash: what a name looks like to the eye, to the name that has it."""
        return self._of("skeletons")

    def owner(self, owner: str) -> str:
        """Set: bots of an owner. Owners are free text, so their digest stands in the key."""
        return self._of("owner", sha256(owner.encode()).hexdigest()[:32])

    @property
    def kin(self) -> str:
        """Hash: owners that an operator linked, to the one that stands for all of them."""
        return self._of("kin")

    def token(self, keyid: str) -> str:
        """Hash: what a token may do, and the MAC of its secret."""
        return self._of("token", keyid)

    @property
    def operators(self) -> str:
        """Set: key ids of operators' tokens."""
        return self._of("operators")

    @property
    def pepper(self) -> str:
        """String: a check value of the pepper, so that another pepper is noticed."""
        return self._of("pepper")

    # ratings

    def ladder(self, ladder_format: str, part: str) -> str:
        """A part of a ladder: `cfg rating games seen log stat pair void fit weights report`, or one in the making."""
        return self._of("l", ladder_format, part)

    @property
    def formats(self) -> str:
        """Hash: formats that have a ladder, to the hash of their rules."""
        return self._of("formats")

    # workers

    @property
    def count(self) -> str:
        """Hash: `name{labels}` to an integer."""
        return self._of("count")

    def tick(self, job: str, slot: str) -> str:
        """String with a time to live: who acted on this slot."""
        return self._of("tick", job, slot)

    @property
    def audit(self) -> str:
        """Stream: operators' verbs, with who and why."""
        return self._of("audit")

    def once(self, call: str) -> str:
        """String with a time to live: this call was done (a lost reply makes the client send it again)."""
        return self._of("once", call)

    def request(self, request_id: str) -> str:
        """String with a time to live: what a registration request was answered with."""
        return self._of("request", sha256(request_id.encode()).hexdigest()[:32])


def check_tenant(tenant: str) -> str:
    """The tenant, if one can be called so.

    Raises:
        BadInputError: BAD_TENANT.
    """
    if not TENANT.fullmatch(tenant):
        allowed = "1 to 32 characters a-z, 0-9 and hyphens"
        raise BadInputError(
            f"{tenant!r} cannot be a tenant: {allowed}",
            reason="BAD_TENANT",
            field="tenant",
            value=tenant,
            allowed=allowed,
        )
    return tenant
