"""An author makes and steers small unrated tournaments of bots of his own, and nothing of anybody else's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from ladder.door.registration import Registration
from ladder.errors import Kind, RequestError
from ladder.rpc.dial import Dial, ladder_of
from ladder.rpc.identity import Identity
from ladder.store.presence import Online
from tests.workers.house import House, spec
from tests.workers.served import served
from tests.workers.small_referee import playing
from workers.tournaments import rights
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State, Verb
from workers.tournaments.rights import MOST_A_MINUTE, MOST_MATCHES, MOST_OPEN, MOST_STEERED
from workers.tournaments.spec import Deals, TournamentSpec

pytestmark = pytest.mark.slow

OWN = replace(spec("mine", "alpha", "careful"), unrated=True)


class Authors:
    """Connections with the tokens of bots of several owners, and of an organiser."""

    def __init__(self, house: House, address: str, *, vouched: bool) -> None:
        """`vouched`: an operator had the bots registered."""
        self._server = ladder_of(address)
        self._house = house
        self._tokens: dict[str, str] = {}
        self._open: list[Dial] = []
        for bot, owner in (("alpha", "ann"), ("alpha-two", "ann"), ("beta", "ben")):
            _, self._tokens[bot] = house.store.registry.register(bot, owner, now_ms=house.now_ms, vouched=vouched)
        house.store.registry.house("careful", now_ms=house.now_ms)
        self._tokens["olga"] = house.store.registry.operator("olga", {"organiser"}, now_ms=house.now_ms)
        for bot in ("alpha", "alpha-two", "beta", "careful"):
            house.store.registry.version(bot, "1", now_ms=house.now_ms)

    def of(self, who: str) -> TournamentClient:
        """Return a client with the token of a bot, or of the organiser."""
        self._open.append(Dial(self._server, self._tokens[who]))
        return TournamentClient(self._open[-1])

    def close(self) -> None:
        """Close all connections."""
        for dial in self._open:
            dial.close()


@contextmanager
def authors_of(house: House, *, vouched: bool, before: bool = False) -> Iterator[Authors]:
    """Serve a house; `vouched`: registration is closed; `before`: its bots were registered before it was."""
    with served(house, vouched=vouched) as address:
        found = Authors(house, address, vouched=vouched and not before)
        try:
            yield found
        finally:
            found.close()


@pytest.fixture
def authors(house: House) -> Iterator[Authors]:
    """Everybody may register a bot, in whatever name."""
    with authors_of(house, vouched=False) as found:
        yield found


def refused(error: pytest.ExceptionInfo[RequestError]) -> tuple[Kind, str, str]:
    """Return how something was refused, why, and what is wrong."""
    return error.value.kind, error.value.reason, error.value.field


def test_an_author_makes_a_tournament_and_steers_it(house: House, authors: Authors) -> None:
    """From creation to the end; the audit names the bot whose token it was."""
    client = authors.of("alpha")
    assert client.create(OWN).status.spec.unrated
    assert client.create(OWN).existed
    assert client.turn("mine", Verb.PAUSE, "lunch").state is State.PAUSED
    assert client.turn("mine", Verb.RESUME).state is not State.PAUSED
    house.referee.seat(authors_online())
    house.look()
    (match, *_) = sorted(house.store.matches.waiting())
    assert client.void(match, "wrong start").match.state == "void"
    assert client.requeue(match).id == f"{match}.r2"
    assert client.turn("mine", Verb.CANCEL).state is State.CANCELLED
    deeds = [(deed.who, deed.verb) for deed in reversed(house.store.audit.tail(20)) if deed.who != "planner"]
    verbs = ["create", "pause", "resume", "void", "replay", "cancel"]
    assert [deed for deed in deeds if deed[0] == "bot:alpha"] == [("bot:alpha", verb) for verb in verbs]


def test_an_author_has_so_many_matches_played_again_and_an_organiser_any_number(
    house: House, authors: Authors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a match more: void and again, void and again would be a tournament without an end."""
    monkeypatch.setattr(rights, "MOST_REPLAYED", 1)
    authors.of("alpha").create(OWN)
    house.referee.seat(authors_online())
    house.look()
    (match, *_) = sorted(house.store.matches.waiting())
    client = authors.of("alpha")
    client.void(match, "why")
    again = client.requeue(match).id
    client.void(again, "why")
    with pytest.raises(RequestError, match="1 matches of mine were played again") as error:
        client.requeue(again)
    assert refused(error)[:2] == (Kind.TOO_MANY, "TOURNAMENT_REPLAYS")
    assert authors.of("olga").requeue(again).id == f"{match}.r3"


@pytest.mark.parametrize("maker", ["olga", "beta", "alpha-two"])
def test_what_others_made_is_theirs(house: House, authors: Authors, maker: str) -> None:
    """An organiser's, another author's, and one's that has the same owner's name, which anybody may write."""
    theirs = replace(OWN, bots=("careful", maker if maker != "olga" else "beta"))
    assert authors.of(maker).create(theirs).status.spec.name == "mine"
    house.referee.seat(authors_online())
    house.look()
    (match, *_) = sorted(house.store.matches.waiting())
    client = authors.of("alpha")
    for verb in Verb:
        with pytest.raises(RequestError, match="no tournament of yours") as error:
            client.turn("mine", verb)
        assert refused(error) == (Kind.FORBIDDEN, "FOREIGN_TOURNAMENT", "name")
    for act in (lambda: client.void(match, "why"), lambda: client.requeue(match)):
        with pytest.raises(RequestError, match="of no tournament of yours") as error:
            act()
        assert refused(error) == (Kind.FORBIDDEN, "FOREIGN_TOURNAMENT", "id")
    assert house.state("mine") is State.RUNNING
    assert authors.of("olga").turn("mine", Verb.CANCEL).state is State.CANCELLED


@pytest.mark.parametrize(
    ("wish", "reason", "field"),
    [
        pytest.param(replace(OWN, unrated=False), "ORGANISER_NEEDED", "unrated", id="rated"),
        pytest.param(replace(OWN, bots=(), all=True), "ORGANISER_NEEDED", "all", id="everybody"),
        pytest.param(replace(OWN, cron="0 2 * * *"), "ORGANISER_NEEDED", "cron", id="again and again"),
        pytest.param(replace(OWN, trusted=True, deals=Deals.MIRRORED), "ORGANISER_NEEDED", "trusted", id="trusted"),
        pytest.param(replace(OWN, nonces=False), "ORGANISER_NEEDED", "no_nonces", id="no nonces"),
        pytest.param(replace(OWN, bots=("alpha", "beta")), "FOREIGN_BOT", "bots", id="a bot of another owner"),
        pytest.param(replace(OWN, bots=("alpha", "alpha-two")), "FOREIGN_BOT", "bots", id="one of the same name"),
    ],
)
def test_what_only_organisers_may_ask_for(
    house: House, authors: Authors, wish: TournamentSpec, reason: str, field: str
) -> None:
    """Named with its field, and nothing is written."""
    with pytest.raises(RequestError) as error:
        authors.of("alpha").create(wish)
    assert refused(error) == (Kind.FORBIDDEN, reason, field)
    assert error.value.allowed == ("organiser", "admin")
    assert house.store.tournaments.page()[0] == []


def test_the_secret_of_the_deals_is_the_organisers(authors: Authors) -> None:
    """Who knew it would know all hands."""
    with pytest.raises(RequestError) as error:
        authors.of("alpha").create(OWN, bytes(range(32)))
    assert refused(error) == (Kind.FORBIDDEN, "ORGANISER_NEEDED", "deal_seed")


def test_an_author_has_few_tournaments_at_once(house: House, authors: Authors) -> None:
    """What is over does not count, nor what others have; the same again is no other one."""
    client = authors.of("alpha")
    for number in range(MOST_OPEN):
        client.create(replace(OWN, name=f"mine-{number}"))
    with pytest.raises(RequestError, match="tournaments of yours are not over") as error:
        client.create(OWN)
    assert refused(error)[:2] == (Kind.TOO_MANY, "TOO_MANY_TOURNAMENTS")
    assert client.create(replace(OWN, name="mine-0")).existed
    assert not authors.of("beta").create(replace(OWN, bots=("beta", "careful"))).existed
    client.turn("mine-1", Verb.CANCEL)
    assert not client.create(replace(OWN, name="mine-9")).existed
    assert len(house.store.tournaments.alive()) == MOST_OPEN + 1


def test_an_author_does_not_create_one_after_the_other(authors: Authors) -> None:
    """More than ten in a minute have to wait."""
    client = authors.of("alpha")
    for number in range(MOST_A_MINUTE):
        client.create(replace(OWN, name=f"mine-{number}"))
        client.turn(f"mine-{number}", Verb.CANCEL)
    with pytest.raises(RequestError, match="too many tournaments were asked for in a minute") as error:
        client.create(OWN)
    assert refused(error)[:2] == (Kind.TOO_MANY, "TOURNAMENT_RATE")


def test_an_author_does_not_push_others_out_of_the_audit(house: House, authors: Authors) -> None:
    """What he orders for a tournament of his is kept for long, so it is so much a minute; an organiser may do more."""
    client = authors.of("alpha")
    client.create(OWN)
    for number in range(MOST_STEERED):
        client.turn("mine", Verb.RESUME if number % 2 else Verb.PAUSE)
    for act in (lambda: client.turn("mine", Verb.PAUSE), lambda: client.requeue("mine.1.1.1")):
        with pytest.raises(RequestError, match="too many orders") as error:
            act()
        assert refused(error)[:2] == (Kind.TOO_MANY, "TOURNAMENT_RATE")
    assert len(house.store.audit.tail(200, "mine")) == MOST_STEERED + 1
    assert authors.of("olga").turn("mine", Verb.CANCEL).state is State.CANCELLED


def test_an_authors_tournament_is_small(authors: Authors) -> None:
    """By its matches; an organiser's may have more."""
    large = replace(OWN, meetings=10_000, cycles=2)
    with pytest.raises(RequestError, match=f"at most {MOST_MATCHES}") as error:
        authors.of("alpha").create(large)
    assert refused(error) == (Kind.INVALID, "TOO_LARGE", "meetings")
    assert not authors.of("olga").create(large).existed


def test_where_registration_is_closed_all_bots_of_an_owner_are_one_authors(house: House) -> None:
    """Operators vouch for the names of owners then: each of them may enter the others, and steers what they made."""
    with authors_of(house, vouched=True) as authors:
        both = replace(OWN, bots=("alpha", "alpha-two"))
        assert not authors.of("alpha").create(both).existed
        assert authors.of("alpha-two").turn("mine", Verb.CANCEL).state is State.CANCELLED
        with pytest.raises(RequestError) as error:
            authors.of("beta").turn("mine", Verb.CANCEL)
        assert refused(error)[1] == "FOREIGN_TOURNAMENT"
        with pytest.raises(RequestError) as error:
            authors.of("beta").create(replace(both, name="other"))
        assert refused(error)[1] == "FOREIGN_BOT"


def test_whose_bot_was_registered_when_anybody_could_is_nobody_elses_author(house: House) -> None:
    """He wrote the name of the owner himself: closing registration later makes it no truer."""
    with authors_of(house, vouched=True, before=True) as authors:
        with pytest.raises(RequestError) as error:
            authors.of("alpha-two").create(replace(OWN, bots=("alpha", "alpha-two")))
        assert refused(error)[1] == "FOREIGN_BOT"
        assert not authors.of("alpha").create(OWN).existed
        with pytest.raises(RequestError) as error:
            authors.of("alpha-two").turn("mine", Verb.CANCEL)
        assert refused(error)[1] == "FOREIGN_TOURNAMENT"
        assert authors.of("alpha").turn("mine", Verb.CANCEL).state is State.CANCELLED


def test_an_operator_may_vouch_for_bots_of_before(house: House) -> None:
    """For each of them; then they are one author's like those that were registered with a token."""
    with authors_of(house, vouched=True, before=True) as authors:
        both = replace(OWN, bots=("alpha", "alpha-two"))
        for vouched, code in (("alpha", "FOREIGN_BOT"), ("alpha-two", "")):
            house.store.registry.vouch(vouched)
            if code:
                with pytest.raises(RequestError) as error:
                    authors.of("alpha").create(both)
                assert refused(error)[1] == code
            else:
                assert not authors.of("alpha").create(both).existed
        assert authors.of("alpha-two").turn("mine", Verb.CANCEL).state is State.CANCELLED


def test_an_operator_vouches_by_the_token_that_registers_a_bot(house: House) -> None:
    """A token of an owner, or that of a bot that was registered with one; who comes without has only his own word."""
    registry = house.store.registry
    with_token = frozenset({"owner"})

    def vouched(name: str, caller: Identity, *, closed: bool = True) -> bool:
        Registration(registry, closed=closed, per_minute=0).register(name, "ann", "", caller, "here")
        return registry.get(name).vouched

    assert vouched("rover", Identity(owner="ann", scopes=with_token))
    assert vouched("rusty", Identity(bot="rover", owner="ann", scopes=with_token))
    assert not vouched("loner", Identity(), closed=False)
    assert not vouched("lodger", Identity(bot="loner", owner="ann", scopes=with_token))


def authors_online() -> dict[str, Online]:
    """Return all bots as connected."""
    return playing(["alpha@1", "alpha-two@1", "beta@1", "careful@1"])
